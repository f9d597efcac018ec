import Foundation

/// Lays help out for a terminal.
///
/// The parser wraps each line of a text by itself, so a text that is wrapped in the source comes out ragged. Here the
/// parser's lines are as long as they come (`unlimited`), and are wrapped once: lines of a paragraph are joined,
/// columns stay columns, and examples break with a backslash, so that they can still be copied.
enum HelpLayout {
    /// For the parser: nothing is wrapped.
    static let unlimited = 1 << 20
    /// Columns: longer lines are hard to read, and shorter ones cannot be told from lists.
    private static let widest = 100, narrowest = 40

    /// The terminal's width: what `COLUMNS` says, else what the terminal says, else 80.
    static func columns(_ environment: [String: String]) -> Int {
        if let text = environment["COLUMNS"], let number = Int(text), number > 0 { return number }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// What of `text` is help is wrapped; completions, versions and JSON are not.
    static func isHelp(_ text: String) -> Bool { text.hasPrefix("OVERVIEW: ") || text.hasPrefix("USAGE: ") }

    /// - Parameters:
    ///   - text: help of the parser's, made for `unlimited` columns.
    ///   - columns: bounded to 40…100.
    static func wrapped(_ text: String, columns: Int) -> String {
        let width = min(max(narrowest, columns), widest)
        var result: [String] = []
        var paragraph: Paragraph?
        var heading = ""
        func end() {
            if let paragraph { result += paragraph.wrapped(width) }
            paragraph = nil
        }
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            let trimmed = line.trimmingCharacters(in: .whitespaces)
            if trimmed.isEmpty {
                end()
                result.append("")
            } else if isHeading(line) {
                end()
                heading = trimmed
                result.append(trimmed)
            } else if let more = paragraph?.joined(with: Paragraph(line, under: heading)) {
                paragraph = more
            } else {
                end()
                paragraph = Paragraph(line, under: heading)
            }
        }
        end()
        return result.joined(separator: "\n")
    }

    /// `EXAMPLES`, `OPTIONS:`
    private static func isHeading(_ line: Substring) -> Bool {
        line.contains { $0.isLetter } && !line.hasPrefix(" ")
            && line.allSatisfy { $0.isUppercase || $0 == " " || $0 == ":" }
    }

    /// What is wrapped together.
    private struct Paragraph {
        private enum Kind {
            case words
            /// Something, a gap, and words beside it, which are wrapped in their own column.
            case columns
            /// A label alone: its words are the next line.
            case label
            /// To be typed.
            case command
            /// `USAGE: …`
            case usage
        }
        private let kind: Kind
        private var text: String
        /// Columns before the first line, and before those that follow.
        private let indent: Int, hang: Int

        /// As the parser has it: before an option's name, and before its words.
        private static let optionIndent = 2, optionColumn = 26

        init(_ line: Substring, under heading: String) {
            let body = line.drop { $0 == " " }
            indent = line.count - body.count
            text = String(body)
            if line.hasPrefix("USAGE: ") {
                (kind, hang) = (.usage, "USAGE: ".count)
            } else if heading.hasPrefix("EXAMPLE"), indent > 0 {
                (kind, hang) = (.command, indent + 4)
            } else if indent == 0 || indent >= Self.optionColumn {
                (kind, hang) = (.words, indent)
            } else if let column = Self.lastColumn(of: text) {
                (kind, hang) = (.columns, indent + column)
            } else if indent == Self.optionIndent, body.hasPrefix("-") || body.hasPrefix("<") {
                (kind, hang) = (.label, indent)
            } else {
                (kind, hang) = (.words, indent)
            }
        }

        /// Both as one, where `next` goes on with what this says.
        func joined(with next: Paragraph) -> Paragraph? {
            guard kind == .words, next.kind == .words, indent == next.indent else { return nil }
            var both = self
            both.text += " " + next.text
            return both
        }

        func wrapped(_ width: Int) -> [String] {
            let first = String(repeating: " ", count: indent)
            if kind == .label || kind != .words && indent + text.count <= width { return [first + text] }
            // A column that leaves no room for words beside it has them below.
            let hang = hang > width - 20 ? indent + 4 : hang
            if kind == .command, let mark = text.range(of: " # ") {
                let comment = Self.lines(
                    Self.words(text[mark.upperBound...]), first: first + "# ", next: first + "# ", end: "", width)
                return comment + Self.command(text[..<mark.lowerBound], first, hang, width)
            }
            if kind == .command { return Self.command(text[...], first, hang, width) }
            let next = String(repeating: " ", count: hang)
            guard kind == .columns, let column = Self.lastColumn(of: text) else {
                return Self.lines(
                    kind == .usage ? Self.tokens(text[...]) : Self.words(text[...]), first: first, next: next, end: "",
                    width)
            }
            let label = first + text.prefix(column)
            return Self.lines(Self.words(text.dropFirst(column)), first: label, next: next, end: "", width)
        }

        private static func command(_ text: Substring, _ first: String, _ hang: Int, _ width: Int) -> [String] {
            lines(tokens(text), first: first, next: String(repeating: " ", count: hang), end: " \\", width)
        }

        /// - Parameter end: of each line but the last.
        private static func lines(_ words: [String], first: String, next: String, end: String, _ width: Int) -> [String]
        {
            var lines: [String] = []
            var (line, isEmpty) = (first, true)
            for (index, word) in words.enumerated() {
                let added = (isEmpty ? "" : " ") + word
                let room = width - (index + 1 < words.count ? end.count : 0)
                if !isEmpty, line.count + added.count > room {
                    lines.append(line + end)
                    line = next + word
                } else {
                    line += added
                }
                isEmpty = false
            }
            return lines + [line]
        }

        /// Where the words begin that stand beside something, behind the last gap of two spaces and more.
        private static func lastColumn(of text: String) -> Int? {
            let all = Array(text)
            for index in stride(from: all.count - 1, to: 2, by: -1)
            where all[index] != " " && all[index - 1] == " " && all[index - 2] == " " {
                return index
            }
            return nil
        }

        private static func words(_ text: Substring) -> [String] { text.split(separator: " ").map(String.init) }

        /// Words of a command; what is in quotes or brackets stays together, so does an option with its value.
        private static func tokens(_ text: Substring) -> [String] {
            var tokens: [String] = []
            for word in words(text) {
                if let last = tokens.last, isOpen(last) || takesNext(last) && !word.hasPrefix("-") {
                    tokens[tokens.count - 1] += " " + word
                } else {
                    tokens.append(word)
                }
            }
            return tokens
        }
        private static func takesNext(_ text: String) -> Bool {
            text.hasPrefix("-") && !text.contains(" ") || text == "|" || text == "&&"
        }
        private static func isOpen(_ text: String) -> Bool {
            func count(_ character: Character) -> Int { text.count { $0 == character } }
            return count("\"") % 2 == 1 || count("'") % 2 == 1 || count("[") > count("]")
        }
    }
}
