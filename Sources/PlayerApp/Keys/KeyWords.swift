import Presentation

/// The table of keys as text.
extension KeyTable {
    package struct Line: Sendable, Equatable {
        /// `← →`
        package let keys: String
        package let words: String
    }

    /// A section's keys, those that belong together in one line; alternatives with a comma between.
    package static func lines(of section: Section, words: (String) -> String = { $0 }) -> [Line] {
        var lines: [(groups: [String], words: String)] = []
        for binding in section.bindings {
            let names = binding.keys.map(\.name).joined(separator: ", ")
            if binding.isSameLine, !lines.isEmpty {
                lines[lines.count - 1].groups.append(names)
            } else {
                lines.append(([names], words(binding.words)))
            }
        }
        return lines.map { line in
            // Of a row of digits the first and the last tell.
            let groups =
                line.groups.count > 3 ? [line.groups.first, "…", line.groups.last].compactMap { $0 } : line.groups
            return Line(
                keys: groups.joined(separator: groups.contains { $0.contains(",") } ? "  " : " "), words: line.words)
        }
    }

    /// For a terminal: what the manual page has too.
    package static var text: String {
        var sections = sections.map { section in
            "\(section.title.uppercased())\n"
                + lines(of: section).map { "  \(padded($0.keys, 22)) \($0.words)" }.joined(separator: "\n")
        }
        sections.append("MOUSE\n" + mouse.map { "  \(padded($0.what, 22)) \($0.words)" }.joined(separator: "\n"))
        return sections.joined(separator: "\n\n")
    }

    /// For README.md.
    package static var markdown: String {
        func code(_ keys: String) -> String {
            keys.split(separator: " ").map {
                $0 == "…" ? "…" : "`\($0.hasSuffix(",") && $0.count > 1 ? String($0.dropLast()) : String($0))`"
            }
            .joined(separator: " ")
        }
        return
            (["| keys | |", "|---|---|"]
            + sections.flatMap { lines(of: $0).map { "| \(code($0.keys)) | \($0.words) |" } }
            + mouse.map { "| \($0.what) | \($0.words) |" }).joined(separator: "\n")
    }

    private static func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count))
    }
}
