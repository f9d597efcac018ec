import Foundation

/// The drawing of a symbol: the outlined form, and the filled form if the symbol has areas.
struct Symbol: Equatable {
    var plain: [SymbolStep]
    var filled: [SymbolStep]?

    init(_ marks: [SymbolMark]) {
        plain = SymbolStep.steps(marks, isFilled: false)
        filled = marks.contains { $0.role == .area } ? SymbolStep.steps(marks, isFilled: true) : nil
    }
}

/// The composition of symbols from parts in their names.
///
/// `X.circle` is X in a circle, and `X.slash` is X with a slash. `X.badge.plus` has a small plus at its corner.
/// `X.fill` is filled, which requires that X has areas. The other parts can be added to every symbol.
@MainActor
enum SymbolComposition {
    private static var cache: [String: [SymbolStep]?] = [:]

    /// Returns the steps that draw a symbol, or nil if the name is unknown.
    static func steps(_ name: String) -> [SymbolStep]? {
        if let found = cache[name] { return found }
        // Names may come from data, so the cache has a limit.
        if cache.count >= 2000 { cache.removeAll() }
        let steps = variant(name[...])
        cache[name] = .some(steps)
        return steps
    }

    private struct Inked: Hashable {
        let name: String
        let weight: CGFloat
    }
    private static var inks: [Inked: CGRect] = [:]

    /// Returns the bounds of what a symbol draws, in units of the grid. For an unknown name, returns the bounds of the
    /// placeholder.
    /// - Parameter weight: The width of lines in units of the grid.
    static func ink(_ name: String, weight: CGFloat) -> CGRect {
        let key = Inked(name: name, weight: weight)
        if let found = inks[key] { return found }
        if inks.count >= 2000 { inks.removeAll() }
        let ink = (steps(name) ?? placeholder).ink(weight: weight)
        inks[key] = ink
        return ink
    }

    /// The drawing for unknown symbols.
    static let placeholder = symbol("square.dashed")?.plain ?? []

    private static func variant(_ name: Substring) -> [SymbolStep]? {
        if let plain = symbol(name) { return plain.plain }
        guard let inner = name.without(".fill") else { return nil }
        if let filled = symbol(inner)?.filled { return filled }
        // In `rectangle.fill.on.rectangle.fill`, each part is filled.
        let parts = inner.split(separator: ".", omittingEmptySubsequences: false).filter { $0 != "fill" }.joined(
            separator: ".")
        return parts == inner || inner.contains(".badge") ? nil : symbol(parts[...])?.filled
    }

    /// Returns the symbol for a name without `fill` at its end.
    private static func symbol(_ name: Substring) -> Symbol? {
        guard !name.isEmpty, !name.hasPrefix("_"), name.utf8.count <= 100 else { return nil }
        if let marks = SymbolTable.shared.marks(name) { return Symbol(marks) }
        if let marks = numbered(name) { return Symbol(marks) }
        if let inner = name.without(".slash") { return slashed(inner) }
        if let inner = name.without(".badge") { return symbolOrVariant(inner).map { badged($0, with: nil) } }
        for infix in [".badge.", ".trianglebadge."] {
            guard let range = name.range(of: infix, options: .backwards) else { continue }
            guard let inner = symbolOrVariant(name[..<range.lowerBound]), let badge = variant(name[range.upperBound...])
            else { return nil }
            return badged(inner, with: badge)
        }
        return enclosed(name)
    }

    /// Returns the symbol for the beginning of a name, which may end with `fill`, as in `person.fill.badge.plus`. Such
    /// a filled symbol has no other form.
    private static func symbolOrVariant(_ name: Substring) -> Symbol? {
        if let symbol = symbol(name) { return symbol }
        guard let inner = name.without(".fill"), let filled = symbol(inner)?.filled else { return nil }
        var full = Symbol([])
        full.plain = filled
        return full
    }

    // MARK: symbols inside others

    private struct Enclosure {
        let name: String
        let x, y, scale: CGFloat
    }
    /// The symbols that may contain others, and the position of the inner symbol. A name that ends with another name of
    /// this array is before that name: `square.on.square` before `square`.
    private static let enclosures = [
        Enclosure(name: "rectangle.on.rectangle", x: 14, y: 14.6, scale: 0.42),
        Enclosure(name: "square.on.square", x: 14.6, y: 14.6, scale: 0.46),
        Enclosure(name: "rectangle.portrait", x: 12, y: 12, scale: 0.5),
        Enclosure(name: "square.stack", x: 12, y: 14.8, scale: 0.46),
        Enclosure(name: "rectangle.stack", x: 12, y: 15.2, scale: 0.42),
        Enclosure(name: "circle", x: 12, y: 12, scale: 0.56), Enclosure(name: "square", x: 12, y: 12, scale: 0.58),
        Enclosure(name: "rectangle", x: 12, y: 12, scale: 0.5),
        Enclosure(name: "triangle", x: 12, y: 14.6, scale: 0.46),
        Enclosure(name: "octagon", x: 12, y: 12, scale: 0.54), Enclosure(name: "hexagon", x: 12, y: 12, scale: 0.5),
        Enclosure(name: "diamond", x: 12, y: 12, scale: 0.46), Enclosure(name: "app", x: 12, y: 12, scale: 0.58),
        Enclosure(name: "shield", x: 12, y: 11.8, scale: 0.48), Enclosure(name: "seal", x: 12, y: 12, scale: 0.48),
        Enclosure(name: "bubble", x: 12, y: 10.5, scale: 0.48), Enclosure(name: "message", x: 12, y: 10.9, scale: 0.5),
        Enclosure(name: "viewfinder", x: 12, y: 12, scale: 0.54), Enclosure(name: "icloud", x: 12, y: 14, scale: 0.4),
        Enclosure(name: "tv", x: 12, y: 10.3, scale: 0.44), Enclosure(name: "display", x: 12, y: 9.8, scale: 0.44),
        Enclosure(name: "laptopcomputer", x: 12, y: 10.2, scale: 0.38),
        Enclosure(name: "doc", x: 12, y: 14.6, scale: 0.42),
        Enclosure(name: "folder", x: 12, y: 15.2, scale: 0.3), Enclosure(name: "video", x: 9.2, y: 12, scale: 0.36),
        Enclosure(name: "rectangle.dashed", x: 12, y: 12, scale: 0.5),
        Enclosure(name: "square.dashed", x: 12, y: 12, scale: 0.56),
    ]

    private static func enclosed(_ name: Substring) -> Symbol? {
        for enclosure in enclosures {
            guard let inner = name.without(".\(enclosure.name)"), let outer = symbol(enclosure.name[...]),
                let content = symbolOrVariant(inner) ?? letter(inner)
            else { continue }
            // The inner symbol is small, so it is filled if it has areas.
            let place = SymbolPlace(x: enclosure.x, y: enclosure.y, scale: enclosure.scale)
            let steps = (content.filled ?? content.plain).map { $0.placed(place) }
            var result = outer
            result.plain += steps
            result.filled? += steps.map { with($0) { $0.isErasing.toggle() } }
            return result
        }
        return nil
    }

    /// Returns a letter. A letter alone is not a symbol.
    private static func letter(_ name: Substring) -> Symbol? {
        guard name.count == 1, name >= "a", name <= "z" else { return nil }
        return SymbolTable.shared.marks("_\(name)").map { Symbol($0) }
    }

    // MARK: slashes and badges

    private static let slash = Path { path in
        path.move(to: CGPoint(x: 3.6, y: 3.6))
        path.addLine(to: CGPoint(x: 20.4, y: 20.4))
    }

    private static func slashed(_ name: Substring) -> Symbol? {
        guard var result = symbol(name) else { return nil }
        let steps = [
            SymbolStep(outline: slash, stroke: 1, margin: 3.2, isErasing: true), SymbolStep(outline: slash, stroke: 1),
        ]
        result.plain += steps
        result.filled? += steps
        return result
    }

    private static func badged(_ symbol: Symbol, with badge: [SymbolStep]?) -> Symbol {
        // A badge without a symbol is a dot at the top. A badge with a symbol is at the bottom.
        let center = badge == nil ? CGPoint(x: 18.6, y: 5.4) : CGPoint(x: 17.4, y: 17.4)
        let radius: CGFloat = badge == nil ? 3 : 5.2
        let disc = { (radius: CGFloat) in
            Path(ellipseIn: CGRect(x: center.x - radius, y: center.y - radius, width: 2 * radius, height: 2 * radius))
        }
        var steps = [
            SymbolStep(outline: disc(radius + 1.5), isFilled: true, isErasing: true),
            SymbolStep(outline: disc(radius), isFilled: true),
        ]
        let place = SymbolPlace(x: center.x, y: center.y, scale: 0.29)
        steps += (badge ?? []).map { step in with(step.placed(place)) { $0.isErasing.toggle() } }
        var result = symbol
        result.plain += steps
        result.filled? += steps
        return result
    }

    // MARK: numbers

    /// Returns the marks of `goforward.15`, `15.arrow.trianglehead.clockwise`, and of numbers inside other symbols
    /// (`2.circle`).
    private static func numbered(_ name: Substring) -> [SymbolMark]? {
        for ring in ["goforward", "gobackward"] {
            if let digits = name.dropping("\(ring)."), let ring = SymbolTable.shared.marks(ring[...]) {
                return number(digits, SymbolPlace(x: 12, y: 13, scale: 0.42)).map { ring + $0 }
            }
        }
        for ring in ["arrow.trianglehead.clockwise", "arrow.trianglehead.counterclockwise"] {
            if let digits = name.without(".\(ring)"), let ring = SymbolTable.shared.marks(ring[...]) {
                return number(digits, SymbolPlace(x: 12, y: 12.6, scale: 0.42)).map { ring + $0 }
            }
        }
        return number(name, SymbolPlace(scale: name.count > 1 ? 0.8 : 1))
    }

    private static func number(_ text: Substring, _ place: SymbolPlace) -> [SymbolMark]? {
        guard (1...3).contains(text.count), text.utf8.allSatisfy({ (48...57).contains($0) }) else { return nil }
        var all: [SymbolMark] = []
        for (index, digit) in text.enumerated() {
            guard let marks = SymbolTable.shared.marks("_\(digit)") else { return nil }
            let step: CGFloat = text.count > 2 ? 10 : 12
            let x = place.x + (CGFloat(index) - CGFloat(text.count - 1) / 2) * step * place.scale
            all += marks.map { $0.placed(SymbolPlace(x: x, y: place.y, scale: place.scale)) }
        }
        return all
    }
}

extension SymbolStep {
    fileprivate func placed(_ place: SymbolPlace) -> SymbolStep {
        with(self) {
            $0.outline = outline.applying(place.transform)
            $0.stroke = stroke.map { $0 * place.thinning }
            $0.margin *= place.scale
        }
    }
}

extension Substring {
    fileprivate func without(_ suffix: String) -> Substring? {
        hasSuffix(suffix) && count > suffix.count ? dropLast(suffix.count) : nil
    }
    fileprivate func dropping(_ prefix: String) -> Substring? {
        hasPrefix(prefix) && count > prefix.count ? dropFirst(prefix.count) : nil
    }
}
