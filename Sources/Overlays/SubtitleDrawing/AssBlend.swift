import CAss

/// Functions that combine libass's colored masks into a few small bitmaps.
enum AssBlend {
    private struct Box {
        var left: Int, top: Int, right: Int, bottom: Int
        func touches(_ other: Box) -> Bool {
            left <= other.right && other.left <= right && top <= other.bottom && other.top <= bottom
        }
        func union(_ other: Box) -> Box {
            Box(
                left: min(left, other.left), top: min(top, other.top), right: max(right, other.right),
                bottom: max(bottom, other.bottom))
        }
    }

    /// Combines libass's images into bitmaps.
    ///
    /// - Parameters:
    ///   - x: The horizontal offset that is added to libass's coordinates.
    ///   - y: The vertical offset that is added to libass's coordinates.
    ///   - clip: The size of the view. Parts outside are cut off.
    static func bitmaps(_ first: UnsafeMutablePointer<ASS_Image>?, x: Int, y: Int, clip: (width: Int, height: Int))
        -> [OverlayBitmap]
    {
        var images: [ASS_Image] = []
        var boxes: [Box] = []
        var next = first
        while let image = next?.pointee {
            next = image.next
            guard image.w > 0, image.h > 0, image.bitmap != nil, image.color & 255 != 255 else { continue }
            let left = max(0, Int(image.dst_x) + x)
            let top = max(0, Int(image.dst_y) + y)
            let box = Box(
                left: left, top: top, right: min(clip.width, Int(image.dst_x) + x + Int(image.w)),
                bottom: min(clip.height, Int(image.dst_y) + y + Int(image.h)))
            guard box.left < box.right, box.top < box.bottom else { continue }
            images.append(image)
            boxes.append(box)
        }
        return groups(boxes).compactMap { bounds in
            let width = bounds.right - bounds.left
            let height = bounds.bottom - bounds.top
            var pixels = [UInt32](repeating: 0, count: width * height)
            let overlapping = images.indices.filter { bounds.touches(boxes[$0]) }
            var index = 0
            while index < overlapping.count {
                // Overlapping boxes and outlines of one color are one shape. If a translucent shape were blended part
                // by part, the overlaps would be visible.
                let image = images[overlapping[index]]
                let end =
                    image.type == IMAGE_TYPE_OUTLINE && image.color & 255 != 0
                    ? overlapping[index...].firstIndex {
                        images[$0].type != IMAGE_TYPE_OUTLINE || images[$0].color != image.color
                    } ?? overlapping.count : index + 1
                if end > index + 1 {
                    var mask = [UInt8](repeating: 0, count: width * height)
                    for member in overlapping[index..<end] { unite(images[member], boxes[member], bounds, x, y, &mask) }
                    mask.withUnsafeMutableBufferPointer { mask in
                        var whole = image
                        whole.bitmap = mask.baseAddress
                        whole.stride = Int32(width)
                        whole.dst_x = Int32(bounds.left - x)
                        whole.dst_y = Int32(bounds.top - y)
                        blend(whole, bounds, bounds, x, y, &pixels)
                    }
                } else {
                    blend(image, boxes[overlapping[index]], bounds, x, y, &pixels)
                }
                index = end
            }
            return OverlayBitmap(x: bounds.left, y: bounds.top, width: width, height: height, pixels: pixels)
        }
    }

    private static func unite(_ image: ASS_Image, _ box: Box, _ bounds: Box, _ x: Int, _ y: Int, _ mask: inout [UInt8])
    {
        guard let source = image.bitmap else { return }
        let left = Int(image.dst_x) + x
        let top = Int(image.dst_y) + y
        let width = bounds.right - bounds.left
        for row in box.top..<box.bottom {
            let line = source + (row - top) * Int(image.stride) - left
            let target = (row - bounds.top) * width - bounds.left
            for column in box.left..<box.right where line[column] > mask[target + column] {
                mask[target + column] = line[column]
            }
        }
    }

    /// Returns rectangles that contain all boxes and do not touch each other.
    private static func groups(_ boxes: [Box]) -> [Box] {
        var groups: [Box] = []
        for box in boxes {
            var grown = box
            var index = 0
            while index < groups.count {
                if groups[index].touches(grown) {
                    grown = grown.union(groups.remove(at: index))
                    // The larger rectangle may touch one that was already checked.
                    index = 0
                } else {
                    index += 1
                }
            }
            groups.append(grown)
        }
        return groups
    }

    private static func blend(
        _ image: ASS_Image, _ box: Box, _ bounds: Box, _ x: Int, _ y: Int, _ pixels: inout [UInt32]
    ) {
        guard let mask = image.bitmap else { return }
        let red = image.color >> 24
        let green = image.color >> 16 & 255
        let blue = image.color >> 8 & 255
        let opacity = 255 - image.color & 255
        let stride = Int(image.stride)
        let left = Int(image.dst_x) + x
        let top = Int(image.dst_y) + y
        let width = bounds.right - bounds.left
        pixels.withUnsafeMutableBufferPointer { pixels in
            for row in box.top..<box.bottom {
                let source = mask + (row - top) * stride - left
                let target = (row - bounds.top) * width - bounds.left
                for column in box.left..<box.right {
                    let coverage = UInt32(source[column])
                    if coverage == 0 { continue }
                    let alpha = (coverage * opacity + 127) / 255
                    let keep = 255 - alpha
                    let old = pixels[target + column]
                    func over(_ new: UInt32, _ shift: UInt32) -> UInt32 {
                        min(255, (new * alpha + (old >> shift & 255) * keep + 127) / 255) << shift
                    }
                    pixels[target + column] = over(255, 24) | over(red, 16) | over(green, 8) | over(blue, 0)
                }
            }
        }
    }
}
