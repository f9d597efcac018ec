import Foundation
import MediaCore

/// The order in which the parts of a recipe are drawn, and the area that is needed of each.
///
/// A part that several others use is drawn once, in an area that is large enough for all of them. The algorithms do not
/// recurse, because recipes may be hundreds of steps deep.
struct RecipePlan {
    struct Part {
        let image: CIImage
        /// The number of times that other parts use this part.
        var uses = 0
        /// The needed area in whole pixels, within the extent. `.null` if nothing is needed.
        var region = CGRect.null
        /// Whether the part is drawn together with the only part that uses it.
        var isInlined = false
    }
    /// The parts. Each part is before the parts that use it, and the root is the last.
    private(set) var parts: [Part] = []
    private(set) var index: [ObjectIdentifier: Int] = [:]

    init(_ root: CIImage, over rect: CGRect) {
        sort(root)
        guard let last = parts.indices.last else { return }
        parts[last].region = RecipePlan.part(of: root.extent, for: rect)
        for number in parts.indices.reversed() { propagateArea(number, isRoot: number == last) }
    }

    func number(of image: CIImage) -> Int? { index[ObjectIdentifier(image)] }

    /// Counts down the remaining uses of a part.
    /// - Returns: Whether this was the last use.
    mutating func countDownUse(_ number: Int) -> Bool {
        parts[number].uses -= 1
        return parts[number].uses == 0
    }

    static func inputs(of image: CIImage) -> [CIImage] {
        switch image.recipe {
        case .source, .empty, .color, .bitmap: []
        case .colors(_, let input), .cropped(let input), .clamped(let input): [input]
        case .kernel(let step): step.inputs
        }
    }

    private mutating func sort(_ root: CIImage) {
        var stack: [(image: CIImage, isEntered: Bool)] = [(root, false)]
        while let (image, isEntered) = stack.popLast() {
            let id = ObjectIdentifier(image)
            if index[id] != nil { continue }
            if isEntered {
                index[id] = parts.count
                parts.append(Part(image: image))
                continue
            }
            stack.append((image, true))
            for input in RecipePlan.inputs(of: image).reversed() where index[ObjectIdentifier(input)] == nil {
                stack.append((input, false))
            }
        }
        for part in parts {
            for input in RecipePlan.inputs(of: part.image) {
                if let number = number(of: input) { parts[number].uses += 1 }
            }
        }
    }

    /// Requests from each input of part `number` the area that the part needs.
    private mutating func propagateArea(_ number: Int, isRoot: Bool) {
        let part = parts[number]
        switch part.image.recipe {
        case .source, .empty, .color, .bitmap:
            break
        case .colors(_, let input):
            requestArea(input, part.region, inlines: true)
        case .cropped(let input):
            requestArea(input, part.region, inlines: isRoot || part.isInlined)
        case .clamped(let input):
            requestArea(input, RecipePlan.nearest(part.region, in: input.extent), inlines: false)
        case .kernel(let step):
            if part.region.isEmpty { return }
            for (position, input) in step.inputs.enumerated() {
                let requested = step.region(position, part.region)
                if requested == part.region {
                    requestArea(input, requested, inlines: false)
                } else if requested.isWithinPixelRange {
                    // Add a pixel on each side, because interpolation between two pixels reads both.
                    requestArea(input, requested.insetBy(dx: -1, dy: -1), inlines: false)
                } else {
                    requestArea(input, input.extent.isPracticallyInfinite ? part.region : input.extent, inlines: false)
                }
            }
        }
    }

    private mutating func requestArea(_ input: CIImage, _ rect: CGRect, inlines: Bool) {
        guard let number = number(of: input) else { return }
        let region = RecipePlan.part(of: input.extent, for: rect)
        parts[number].region = parts[number].region.union(region)
        if inlines, parts[number].uses == 1 { parts[number].isInlined = true }
    }

    /// Returns `rect` within `extent`, rounded outward to whole pixels. Returns `.null` if they do not overlap.
    static func part(of extent: CGRect, for rect: CGRect) -> CGRect {
        let part = rect.intersection(extent.bounded)
        guard !part.isNull, part.width > 0, part.height > 0, part.isWithinPixelRange else { return .null }
        return part.integral
    }

    /// Returns the part of `extent` that is visible in `rect` if the edge pixels continue without end.
    private static func nearest(_ rect: CGRect, in extent: CGRect) -> CGRect {
        let extent = extent.bounded
        if rect.isNull || extent.isNull { return .null }
        func range(_ low: CGFloat, _ high: CGFloat, _ first: CGFloat, _ last: CGFloat) -> (CGFloat, CGFloat) {
            let from = min(max(low - 1, first), max(first, last - 1))
            return (from, max(min(high + 1, last), min(from + 1, last)))
        }
        let x = range(rect.minX, rect.maxX, extent.minX, extent.maxX)
        let y = range(rect.minY, rect.maxY, extent.minY, extent.maxY)
        return CGRect(x: x.0, y: y.0, width: x.1 - x.0, height: y.1 - y.0)
    }
}

extension RecipePlan {
    /// A sequence of color steps, with the kernel or the part that they apply to. It is drawn at once.
    struct Chain {
        private(set) var steps: [ColorStep] = []
        private(set) var kernel: KernelStep?
        /// The part that is read if there is no kernel.
        private(set) var base: Int?
        /// The parts outside the chain that it reads.
        private(set) var consumed: [Int] = []

        init(_ plan: RecipePlan, _ number: Int) {
            var current = number
            while true {
                let image = plan.parts[current].image
                switch image.recipe {
                case .colors(let step, let input):
                    steps.append(step)
                    guard let next = plan.number(of: input) else { break }
                    current = next
                case .cropped(let input):
                    guard let next = plan.number(of: input) else { break }
                    current = next
                case .kernel(let step):
                    kernel = step
                    consumed = step.inputs.compactMap { plan.number(of: $0) }
                    steps.reverse()
                    return
                default:
                    base = current
                    consumed = RecipePlan.inputs(of: image).compactMap { plan.number(of: $0) }
                    steps.reverse()
                    return
                }
                if !plan.parts[current].isInlined {
                    base = current
                    consumed = [current]
                    steps.reverse()
                    return
                }
            }
        }

        /// The steps, with consecutive matrices multiplied into one.
        var joinedSteps: [ColorStep] {
            var joined: [ColorStep] = []
            for step in steps {
                if let last = joined.last.flatMap({ ColorAffine($0) }), let next = ColorAffine(step) {
                    joined[joined.count - 1] = last.then(next).step
                } else {
                    joined.append(step)
                }
            }
            return joined
        }
    }

    /// Returns the view of a part that is read and not drawn.
    /// - Parameters:
    ///   - views: The views of the parts that are ready.
    ///   - pixels: Returns the view of the video or of a bitmap.
    func view(
        of number: Int, _ views: [PictureView?], pixels: (CIImage) throws(AVError) -> PictureView
    ) throws(AVError) -> PictureView {
        let image = parts[number].image
        func input(_ image: CIImage) throws(AVError) -> PictureView {
            guard let inner = self.number(of: image) else { return .nothing }
            if let ready = views[inner] { return ready }
            return parts[inner].isInlined ? try view(of: inner, views, pixels: pixels) : .nothing
        }
        switch image.recipe {
        case .empty, .colors, .kernel:
            return .nothing
        case .color(let color):
            return PictureView(
                pixels: .constant([color.x * color.w, color.y * color.w, color.z * color.w, color.w]), extent: nil,
                bounds: .null)
        case .source, .bitmap:
            return try pixels(image)
        case .cropped(let inner):
            return try input(inner).cropped(to: image.extent)
        case .clamped(let inner):
            return try input(inner).clamped()
        }
    }
}

extension CIImage {
    /// The rectangle that a frame of this size fills, if the image is the video.
    func sourceRect(width: Int, height: Int) -> CGRect {
        extent.isWithinPixelRange ? extent : CGRect(x: 0, y: 0, width: width, height: height)
    }
}

extension CGRect {
    /// A practically infinite rectangle in which pixels can still be counted.
    private static let everything = CGRect(x: -4e7, y: -4e7, width: 8e7, height: 8e7)
    /// The rectangle with finite numbers that are small enough for sums, even if it is infinite.
    var bounded: CGRect {
        guard !isNull, !minX.isNaN, !minY.isNaN, !width.isNaN, !height.isNaN else { return .null }
        return intersection(CGRect.everything)
    }
    var isPracticallyInfinite: Bool { !isNull && (width >= 7e7 || height >= 7e7) }
    /// Whether all numbers are finite and small enough for pixel arithmetic.
    var isWithinPixelRange: Bool {
        !isNull && minX.isFinite && minY.isFinite && width.isFinite && height.isFinite
            && abs(minX) < 1e8 && abs(minY) < 1e8 && width < 1e8 && height < 1e8
    }
}
