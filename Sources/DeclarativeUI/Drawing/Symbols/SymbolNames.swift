import Foundation

/// The symbols that `Image(systemName:)` draws: a set of our own, by Apple's names.
///
/// What a name is made of is understood: any symbol in `.circle`, `.square` and their like, struck out (`.slash`), with a
/// `.badge.plus`, full (`.fill`); and numbers (`goforward.15`, `3.circle`). Apple's set has some thousands
/// more. What is not known shows a dashed square and writes a line to the log: never another symbol's picture.
@MainActor @preconcurrency
public enum SymbolNames {
    /// Those that are drawn as they are, without the families made of them.
    public static var all: [String] { SymbolTable.shared.names }
    /// Whether there is a picture for `name`, as it is or made of parts.
    public static func isKnown(_ name: String) -> Bool { SymbolComposition.steps(name) != nil }

    /// What assistive technology calls a symbol that stands for itself: "Skip forward 10 seconds" for `goforward.10`.
    static func label(_ name: String) -> String {
        let words = spoken(name.split(separator: ".").map(String.init))
        return words.prefix(1).uppercased() + words.dropFirst()
    }

    private static func spoken(_ parts: [String]) -> String {
        let name = parts.joined(separator: ".")
        if let words = symbolWords[name] { return words }
        guard let last = parts.last else { return "" }
        if let seconds = Int(last), parts.count == 2, let way = ["goforward": "forward", "gobackward": "back"][parts[0]] { return "skip \(way) \(seconds) seconds" }
        if parts.count == 4, let seconds = Int(parts[0]), parts[2] == "trianglehead" { return "skip \(parts[3] == "clockwise" ? "forward" : "back") \(seconds) seconds" }
        // How it is drawn says nothing of what it means.
        if parts.count > 1, ["fill", "circle", "square", "rectangle", "app", "badge"].contains(last) { return spoken(parts.dropLast()) }
        if parts.count > 1, last == "slash" { return "\(spoken(parts.dropLast())) off" }
        if let badge = parts.lastIndex(where: { $0 == "badge" || $0 == "trianglebadge" }), badge > 0 {
            let what = spoken(Array(parts[..<badge])), sign = Array(parts[(badge + 1)...])
            return sign == ["plus"] ? "add \(what)" : sign == ["minus"] ? "remove \(what)" : "\(what), \(spoken(sign))"
        }
        let words = parts.filter { $0 != "fill" && Int($0) == nil }
        return (words.isEmpty ? parts : words).joined(separator: " ")
    }
}
