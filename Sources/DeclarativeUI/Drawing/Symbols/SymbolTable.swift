import Foundation

/// The symbols that are drawn, by name; what is made of several of them is `SymbolComposition`'s. They are our own
/// drawings, under the repository's licence (MIT): only their names are Apple's.
///
/// A line of a family's table is `name: mark; mark …` or `name = another`, perhaps turned. A mark is a role's letter
/// (`SymbolMark.Role`), perhaps its line's width, and an outline (`SymbolOutline`); or `@name`, another symbol,
/// perhaps with `x y scale`, `turn degrees`, `mirror`. Names that begin with `_` are parts, no symbols.
struct SymbolTable {
    private var lines: [Substring: Substring] = [:]
    /// Names in the order of the tables, parts left out.
    private(set) var names: [String] = []
    /// Names that are another one's picture: what that is.
    private(set) var synonyms: [String: String] = [:]

    static let shared = SymbolTable([
        transportSymbols, soundSymbols, screenSymbols, timeSymbols, arrowSymbols, shapeSymbols, textSymbols,
        signSymbols, letterSymbols,
        peopleSymbols, objectSymbols, toolSymbols, deviceSymbols, skySymbols,
    ])

    init(_ families: [String]) {
        for family in families {
            for line in family.split(separator: "\n") where !line.hasPrefix("#") {
                guard let mark = line.firstIndex(where: { $0 == ":" || $0 == "=" }) else { continue }
                let name = line[..<mark].trimmed
                let rest = line[line.index(after: mark)...].trimmed
                lines[name] = line[mark] == ":" ? rest : "@\(rest)"
                guard !name.hasPrefix("_") else { continue }
                names.append(String(name))
                if line[mark] == "=", !rest.contains(" ") { synonyms[String(name)] = String(rest) }
            }
        }
    }

    /// Nil for a name that no table has, or a line that cannot be read.
    func marks(_ name: Substring) -> [SymbolMark]? { marks(name, depth: 0) }

    private func marks(_ name: Substring, depth: Int) -> [SymbolMark]? {
        guard depth < 6, let line = lines[name] else { return nil }
        var all: [SymbolMark] = []
        for text in line.split(separator: ";") {
            let text = text.trimmed
            if text.hasPrefix("@") {
                let words = text.dropFirst().split(separator: " ")
                guard let first = words.first, let place = SymbolTable.place(words.dropFirst()),
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

    private static func place(_ words: ArraySlice<Substring>) -> SymbolPlace? {
        var place = SymbolPlace()
        var words = words[...]
        var numbers: [CGFloat] = []
        while let word = words.popFirst() {
            switch word {
            case "mirror": place.isMirrored = true
            case "turn":
                guard let degrees = words.popFirst().flatMap({ Double($0) }) else { return nil }
                place.turn = degrees
            default:
                guard let number = Double(word) else { return nil }
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
