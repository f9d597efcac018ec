/// The symbols of `Image(systemName:)`: Zoetrope's own drawings under Apple's names.
///
/// Names may be composed. Any symbol can be enclosed (`.circle`, `.square` and others), and can have a slash (`.slash`)
/// or a badge (`.badge.plus`). A symbol with areas can be filled (`.fill`). Numbers (`goforward.15`, `3.circle`) and
/// letters (`e.circle`) work too.
///
/// Apple's set has several thousand more symbols. An unknown name shows a dashed square and logs an error; it never
/// shows another symbol.
@MainActor @preconcurrency
public enum SymbolNames {
    /// The names of all symbols except composed ones.
    public static var all: [String] { SymbolTable.shared.names }
    /// Returns whether `name` is the name of a symbol or of a composed symbol.
    public static func isKnown(_ name: String) -> Bool { SymbolComposition.steps(name) != nil }

    /// Returns the known name that is most similar to `name`, as a suggestion.
    static func nearest(_ name: String) -> String {
        // Names may come from data, so their length is limited.
        let name = name.prefix(100).lowercased()
        let isFull = name.hasSuffix(".fill")
        let stem = Array((isFull ? String(name.dropLast(5)) : name).utf8)
        let found =
            all.map { (name: $0, changes: changes(stem, Array($0.utf8))) }.min { $0.changes < $1.changes }?.name
            ?? "questionmark"
        return isFull && isKnown(found + ".fill") ? found + ".fill" : found
    }

    /// Returns the number of letters to insert, remove or replace to turn one name into the other.
    private static func changes(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var row = Array(0...b.count)
        for (i, x) in a.enumerated() {
            var diagonal = row[0]
            row[0] = i + 1
            for (j, y) in b.enumerated() {
                let next = Swift.min(row[j] + 1, row[j + 1] + 1, diagonal + (x == y ? 0 : 1))
                diagonal = row[j + 1]
                row[j + 1] = next
            }
        }
        return row[b.count]
    }

    /// Returns the text that assistive technology reads for a symbol to which the app has given no label: "Skip forward
    /// 10 seconds" for `goforward.10`.
    static func label(_ name: String) -> String {
        let text = spoken(name.split(separator: ".").map(String.init))
        return text.prefix(1).uppercased() + text.dropFirst()
    }

    private static func spoken(_ parts: [String]) -> String {
        let name = parts.joined(separator: ".")
        if let label = symbolLabels[name] { return label }
        guard let last = parts.last else { return "" }
        if let seconds = Int(last), parts.count == 2,
            let direction = ["goforward": "forward", "gobackward": "back"][parts[0]]
        {
            return "skip \(direction) \(seconds) seconds"
        }
        if parts.count == 4, let seconds = Int(parts[0]), parts[2] == "trianglehead" {
            return "skip \(parts[3] == "clockwise" ? "forward" : "back") \(seconds) seconds"
        }
        // The enclosure and the filling do not affect the meaning.
        if parts.count > 1, ["fill", "circle", "square", "rectangle", "app", "badge"].contains(last) {
            return spoken(parts.dropLast())
        }
        if parts.count > 1, last == "slash" { return "\(spoken(parts.dropLast())) off" }
        if let badge = parts.lastIndex(where: { $0 == "badge" || $0 == "trianglebadge" }), badge > 0 {
            let object = spoken(Array(parts[..<badge]))
            let sign = Array(parts[(badge + 1)...])
            return sign == ["plus"]
                ? "add \(object)" : sign == ["minus"] ? "remove \(object)" : "\(object), \(spoken(sign))"
        }
        let meaningfulParts = parts.filter { $0 != "fill" && Int($0) == nil }
        return (meaningfulParts.isEmpty ? parts : meaningfulParts).joined(separator: " ")
    }
}
