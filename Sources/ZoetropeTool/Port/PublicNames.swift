import Foundation

/// The public names of Zoetrope, read from the sources of a checkout, to suggest replacements for missing names.
struct PublicNames {
    private static let folders = [
        "MediaCore", "MediaEngine", "Downloads", "PlayerControls", "Filters", "Overlays", "Export", "Presentation",
        "ViewGraph", "DeclarativeUI", "PlayerViews", "Zoetrope", "FoundationExtras",
    ]
    private(set) var names: Set<String> = []

    /// Reads the names from the sources.
    /// - Parameter checkout: The folder with Zoetrope's manifest.
    init(checkout: URL) {
        for folder in Self.folders {
            let root = checkout.appendingPathComponent("Sources/\(folder)")
            for file in PortFolder.files(in: root, below: "").sources {
                guard let text = try? String(contentsOf: root.appendingPathComponent(file), encoding: .utf8) else {
                    continue
                }
                take(text)
            }
        }
    }

    private mutating func take(_ text: String) {
        for line in text.split(whereSeparator: \.isNewline) {
            var tokens = line.split(whereSeparator: { $0 == " " || $0 == "\t" })[...]
            guard let open = tokens.firstIndex(where: { $0 == "public" || $0 == "open" }) else { continue }
            // Only attributes and modifiers may come before the access level.
            guard tokens[..<open].allSatisfy({ $0.hasPrefix("@") || $0 == "nonisolated" || $0.hasSuffix(")") }) else {
                continue
            }
            tokens = tokens[tokens.index(after: open)...]
            let kinds: Set<Substring> = [
                "func", "var", "let", "class", "struct", "enum", "protocol", "typealias", "actor", "macro",
            ]
            guard let kind = tokens.firstIndex(where: kinds.contains), kind + 1 < tokens.endIndex else { continue }
            // In `class func` and `class var`, `class` is followed by the kind of the member.
            let next = kinds.contains(tokens[kind + 1]) && kind + 2 < tokens.endIndex ? kind + 2 : kind + 1
            let name = tokens[next].prefix { $0.isLetter || $0.isNumber || $0 == "_" }
            if name.count > 2, !name.hasPrefix("_") { names.insert(String(name)) }
        }
    }

    /// Returns the name nearest to `wanted`; nil if no name is similar.
    func nearest(to wanted: String) -> String? {
        let lowercaseName = wanted.lowercased()
        let limit = max(1, min(4, wanted.count / 4))
        var best: (name: String, score: Int)?
        for name in names where name != wanted {
            let other = name.lowercased()
            let score: Int
            if other == lowercaseName {
                score = 0
            } else if min(other.count, lowercaseName.count) >= 5,
                other.hasPrefix(lowercaseName) || lowercaseName.hasPrefix(other)
            {
                score = 3 + abs(other.count - lowercaseName.count) / 3
            } else {
                guard abs(other.count - lowercaseName.count) <= limit else { continue }
                let distance = Self.distance(Array(lowercaseName.utf8), Array(other.utf8))
                guard distance <= limit else { continue }
                score = distance + 1
            }
            if best.map({ (score, name) < ($0.score, $0.name) }) ?? true { best = (name, score) }
        }
        return best?.name
    }

    /// Returns the number of bytes to change, add or remove to turn `a` into `b`.
    static func distance(_ a: [UInt8], _ b: [UInt8]) -> Int {
        var row = Array(0...b.count)
        for (i, x) in a.enumerated() {
            var corner = row[0]
            row[0] = i + 1
            for (j, y) in b.enumerated() {
                let above = row[j + 1]
                row[j + 1] = x == y ? corner : 1 + min(corner, above, row[j])
                corner = above
            }
        }
        return row[b.count]
    }
}
