import PlayerControls

/// Functions that return the key table as text.
extension KeyTable {
    package struct Line: Sendable, Equatable {
        /// The keys, such as `← / →`. Alternatives are separated by commas, keys of opposite actions by slashes.
        package let keys: String
        package let text: String
    }

    /// Returns the lines of a section. Keys of opposite actions share a line.
    /// - Parameters:
    ///   - section: The section.
    ///   - translate: Translates the actions and the names of keys.
    package static func lines(of section: Section, translate: (String) -> String = { $0 }) -> [Line] {
        groups(of: section).map { line in
            Line(
                keys: joined(line.keys) {
                    $0.split(separator: "+").map { translate(String($0)) }.joined(separator: "+")
                },
                text: translate(line.text))
        }
    }

    private static func groups(of section: Section) -> [(keys: [[String]], text: String)] {
        var lines: [(keys: [[String]], text: String)] = []
        for binding in section.bindings {
            let names = binding.keys.map(\.name)
            if binding.title.isEmpty, !lines.isEmpty {
                lines[lines.count - 1].keys.append(names)
            } else {
                lines.append(([names], binding.title))
            }
        }
        return lines
    }

    private static func joined(_ groups: [[String]], _ name: (String) -> String) -> String {
        let texts = groups.map { $0.map(name).joined(separator: ", ") }
        // For a row of digits, the first and the last are enough.
        return texts.count > 3 ? "\(texts[0]) … \(texts[texts.count - 1])" : texts.joined(separator: " / ")
    }

    /// The lines of the mouse actions.
    private static var mouseLines: [Line] { mouse.map { Line(keys: $0.what, text: $0.text) } }

    /// The key table for a terminal and the manual page.
    package static var text: String {
        var groups: [(title: String, lines: [Line])] = sections.map { ($0.title, lines(of: $0)) }
        groups.append(("Mouse", mouseLines))
        return groups.map { group in
            ([group.title] + group.lines.map { "  \(padded($0.keys, 22))  \($0.text)" }).joined(separator: "\n")
        }.joined(separator: "\n\n")
    }

    /// The key table for docs/keys.md.
    package static var markdown: String {
        func table(_ title: String, _ keys: String, _ rows: [String]) -> String {
            (["## \(title)", "| \(keys) | Action |", "|---|---|"] + rows).joined(separator: "\n")
        }
        var tables = sections.map { section in
            table(
                section.title, "Key",
                groups(of: section).map { line in "| \(joined(line.keys) { "`\($0)`" }) | \(line.text) |" })
        }
        tables.append(table("Mouse", "Mouse", mouseLines.map { "| \($0.keys) | \($0.text) |" }))
        return tables.joined(separator: "\n\n")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
