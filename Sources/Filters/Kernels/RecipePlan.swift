import Foundation

/// In which order the parts of a recipe are drawn, and how much of each.
///
/// A part that several others use is drawn once, as large as all of them together need it. Nothing here recurses:
/// recipes may be hundreds of steps deep.
struct RecipePlan {
    struct Part {
        let image: CIImage
        /// How often others use it.
        var uses = 0
        /// What is needed of it: whole pixels, within its extent; `.null` for nothing.
        var region = CGRect.null
        /// Drawn together with the one part that uses it.
        var isInlined = false
    }
    /// What is used stands before what uses it; the root is the last.
    private(set) var parts: [Part] = []
    private(set) var index: [ObjectIdentifier: Int] = [:]

    init(_ root: CIImage, over rect: CGRect) {
        sort(root)
        guard let last = parts.indices.last else { return }
        parts[last].region = RecipePlan.part(of: root.extent, for: rect)
        for number in parts.indices.reversed() { demand(number, isRoot: number == last) }
    }

    func number(of image: CIImage) -> Int? { index[ObjectIdentifier(image)] }

    /// Notes one use of a part.
    /// - Returns: whether it was the last.
    mutating func used(_ number: Int) -> Bool {
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

    /// Hands on to its inputs what part `number` needs of them.
    private mutating func demand(_ number: Int, isRoot: Bool) {
        let part = parts[number]
        switch part.image.recipe {
        case .source, .empty, .color, .bitmap:
            break
        case .colors(_, let input):
            ask(input, part.region, inlines: true)
        case .cropped(let input):
            ask(input, part.region, inlines: isRoot || part.isInlined)
        case .clamped(let input):
            ask(input, RecipePlan.nearest(part.region, in: input.extent), inlines: false)
        case .kernel(let step):
            if part.region.isEmpty { return }
            for (position, input) in step.inputs.enumerated() {
                let wanted = step.region(position, part.region)
                if wanted == part.region {
                    ask(input, wanted, inlines: false)
                } else if wanted.isSane {
                    // A pixel around it: between two pixels both are looked at.
                    ask(input, wanted.insetBy(dx: -1, dy: -1), inlines: false)
                } else {
                    ask(input, input.extent.isInfiniteLike ? part.region : input.extent, inlines: false)
                }
            }
        }
    }

    private mutating func ask(_ input: CIImage, _ rect: CGRect, inlines: Bool) {
        guard let number = number(of: input) else { return }
        let region = RecipePlan.part(of: input.extent, for: rect)
        parts[number].region = parts[number].region.union(region)
        if inlines, parts[number].uses == 1 { parts[number].isInlined = true }
    }

    /// The whole pixels of `rect` that lie in `extent`; `.null` when there are none.
    static func part(of extent: CGRect, for rect: CGRect) -> CGRect {
        let part = rect.intersection(extent.bounded)
        guard !part.isNull, part.width > 0, part.height > 0, part.isSane else { return .null }
        return part.integral
    }

    /// What of `extent` is seen in `rect` when its edges go on for ever.
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

extension CGRect {
    /// Without bounds, as far as pixels can be counted.
    private static let everything = CGRect(x: -4e7, y: -4e7, width: 8e7, height: 8e7)
    /// With finite numbers that leave room for sums, also of what is infinite.
    var bounded: CGRect {
        guard !isNull, !minX.isNaN, !minY.isNaN, !width.isNaN, !height.isNaN else { return .null }
        return intersection(CGRect.everything)
    }
    var isInfiniteLike: Bool { !isNull && (width >= 7e7 || height >= 7e7) }
    /// Numbers one can count pixels with.
    var isSane: Bool {
        !isNull && minX.isFinite && minY.isFinite && width.isFinite && height.isFinite
            && abs(minX) < 1e8 && abs(minY) < 1e8 && width < 1e8 && height < 1e8
    }
}
