import Foundation

/// The symbols with their own drawings, by name. `SymbolComposition` composes others from them.
///
/// The drawings are Zoetrope's own, under the repository's license (MIT). Only the names are Apple's.
///
/// A line of a table is `name: mark; mark …`, or `name = another`. A mark is a role's letter (`SymbolMark.Role`), an
/// optional line width, and an outline (`SymbolOutline`). A mark may also be `@name` for another symbol. After
/// `another` and `@name`, a line may contain `x y scale`, `turn degrees` and `mirror`. Names that begin with `_` are
/// parts, not symbols.
struct SymbolTable {
    private var lines: [Substring: Substring] = [:]
    /// The names in the order of the tables, without parts.
    private(set) var names: [String] = []
    /// The names that show another symbol's drawing, with that symbol's name.
    private(set) var synonyms: [String: String] = [:]

    static let shared = SymbolTable([
        transportSymbols, soundSymbols, screenSymbols, timeSymbols, arrowSymbols, shapeSymbols, textSymbols,
        signSymbols, letterSymbols,
        peopleSymbols, objectSymbols, toolSymbols, deviceSymbols, skySymbols,
    ])

    init(_ families: [String]) {
        for family in families {
            for line in family.split(separator: "\n") where !line.hasPrefix("#") {
                guard let separator = line.firstIndex(where: { $0 == ":" || $0 == "=" }) else { continue }
                let name = line[..<separator].trimmed
                let rest = line[line.index(after: separator)...].trimmed
                lines[name] = line[separator] == ":" ? rest : "@\(rest)"
                guard !name.hasPrefix("_") else { continue }
                names.append(String(name))
                if line[separator] == "=", !rest.contains(" ") { synonyms[String(name)] = String(rest) }
            }
        }
    }

    /// Returns the marks of a symbol, or nil if no table contains it or its line is invalid.
    func marks(_ name: Substring) -> [SymbolMark]? { marks(name, depth: 0) }

    private func marks(_ name: Substring, depth: Int) -> [SymbolMark]? {
        guard depth < 6, let line = lines[name] else { return nil }
        var all: [SymbolMark] = []
        for text in line.split(separator: ";") {
            let text = text.trimmed
            if text.hasPrefix("@") {
                let tokens = text.dropFirst().split(separator: " ")
                guard let first = tokens.first, let place = SymbolTable.place(tokens.dropFirst()),
                    let marks = marks(first, depth: depth + 1)
                else { return nil }
                all += marks.map { $0.placed(place) }
            } else {
                guard let letter = text.first, let role = SymbolMark.Role(rawValue: letter),
                    let space = text.firstIndex(of: " "),
                    let outline = SymbolOutline.read(text[space...].trimmed)
                else { return nil }
                let width = text[text.index(after: text.startIndex)..<space]
                guard let factor = width.isEmpty ? (role == .solid ? 0 : 1) : Double(width) else { return nil }
                all.append(SymbolMark(role: role, outline: outline, width: factor))
            }
        }
        return all
    }

    private static func place(_ tokens: ArraySlice<Substring>) -> SymbolPlace? {
        var place = SymbolPlace()
        var tokens = tokens[...]
        var numbers: [CGFloat] = []
        while let token = tokens.popFirst() {
            switch token {
            case "mirror": place.isMirrored = true
            case "turn":
                guard let degrees = tokens.popFirst().flatMap({ Double($0) }) else { return nil }
                place.turn = degrees
            default:
                guard let number = Double(token) else { return nil }
                numbers.append(number)
            }
        }
        if numbers.isEmpty { return place }
        guard numbers.count == 3 else { return nil }
        (place.x, place.y, place.scale) = (numbers[0], numbers[1], numbers[2])
        return place
    }
}

extension Substring {
    fileprivate var trimmed: Substring {
        var text = self
        while text.first == " " { text.removeFirst() }
        while text.last == " " { text.removeLast() }
        return text
    }
}
