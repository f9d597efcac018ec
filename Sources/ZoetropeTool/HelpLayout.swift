import Foundation

/// The layout of help, and of messages about invalid arguments, for a terminal.
///
/// The parser wraps each line of a text separately. A text that is already wrapped in the source would therefore get
/// lines of uneven length. Instead, the parser gets an unlimited width, and this type wraps the parser's result once.
/// Lines of a paragraph are joined, and columns are kept. Long examples continue with a backslash, so that they can
/// still be copied.
///
/// The order of the sections is the order in which people read them: usage, examples, description, arguments and
/// options. Reference sections, such as keys, files and exit codes, come last.
enum HelpLayout {
    /// A width at which the parser does not wrap lines.
    static let unlimited = 1 << 20
    /// The limits of the width. Longer lines are hard to read; in shorter ones, option names leave no space for their
    /// texts.
    private static let widest = 100, narrowest = 40

    /// Returns the terminal's width: `COLUMNS` if it is set, otherwise the reported width, or 80 if it is unknown.
    static func columns(_ environment: [String: String]) -> Int {
        if let text = environment["COLUMNS"], let number = Int(text), number > 0 { return number }
        var size = winsize()
        guard ioctl(STDOUT_FILENO, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return 80 }
        return Int(size.ws_col)
    }

    /// Returns whether `text` is help. Completions, versions and JSON are not help, and must not be wrapped.
    static func isHelp(_ text: String) -> Bool { text.hasPrefix("OVERVIEW: ") || text.hasPrefix("USAGE: ") }

    /// Sorts the sections of a help text and wraps its lines.
    /// - Parameters:
    ///   - text: The parser's help, made for `unlimited` columns.
    ///   - columns: The width of the terminal. It is limited to 40…100.
    static func wrapped(_ text: String, columns: Int) -> String {
        let width = min(max(narrowest, columns), widest)
        return sections(of: text).map { wrapped($0, width) }.joined(separator: "\n\n")
    }

    /// Returns the last line of each message about invalid arguments.
    static func hint(_ command: String) -> String { "Try “\(command)” for more information." }

    /// Wraps a message about invalid arguments, and rewords it in the tool's style.
    /// - Parameter text: The parser's message: the error, the help of one option, and the usage.
    static func failure(_ text: String, columns: Int) -> String {
        let width = min(max(narrowest, columns), widest)
        var lines = text.split(separator: "\n", omittingEmptySubsequences: false).map(String.init)
        lines = lines.map { line in
            if line.hasPrefix("Error: ") { return "zoetrope: " + sentence(plain(line.dropFirst("Error: ".count))[...]) }
            if line.hasPrefix("Help:  ") { return "  " + wholeDefaults(String(line.dropFirst("Help:  ".count))) }
            if let command = between(line, "See '", "' for more information.") { return hint(command) }
            return line
        }
        return lines.map { line in
            guard line.hasPrefix("  -") || line.hasPrefix("  <") else { return line }
            return Paragraph(line[...], under: "").wrapped(width).joined(separator: "\n")
        }.joined(separator: "\n")
    }

    /// Rewords the parser's sentence in the tool's style: Invalid value “x” for --renderer. Use auto, gl or cpu.
    private static func plain(_ text: Substring) -> String {
        let lacking = "Missing expected argument "
        if text.hasPrefix(lacking) { return "Missing " + quoted(text.dropFirst(lacking.count)) }
        let start = "The value '"
        guard text.hasPrefix(start), let middle = text.range(of: "' is invalid for '", options: .backwards),
            let end = text[middle.upperBound...].firstIndex(of: "'")
        else {
            let isParsers = ["Missing ", "Unknown ", "Unexpected ", "The option "].contains { text.hasPrefix($0) }
            return isParsers || text.contains(" unexpected arguments: ") ? quoted(text) : String(text)
        }
        let value = text[..<middle.lowerBound].dropFirst(start.count)
        let option = text[middle.upperBound..<end].prefix { $0 != " " }
        let advice = text[text.index(after: end)...].replacingOccurrences(of: "'", with: "")
            .replacingOccurrences(of: "Please provide one of the following:", with: "Use one of these:")
            .replacingOccurrences(of: "Please provide one of ", with: "Use ")
        return "Invalid value “\(value)” for \(option)\(advice)"
    }

    /// Replaces the parser's quotation marks with the tool's: Unknown option “--sped”.
    private static func quoted(_ text: Substring) -> String {
        guard !text.contains("“") else { return String(text) }
        let parts = text.components(separatedBy: "'")
        guard parts.count % 2 == 1 else { return String(text) }
        return parts.enumerated().map { index, part in index % 2 == 1 ? "“\(part)”" : part }.joined()
    }

    /// Returns the text between `start` and `end`; nil unless the line begins with `start`, after its indentation,
    /// and ends with `end`.
    private static func between(_ line: String, _ start: String, _ end: String) -> String? {
        let body = line.drop { $0 == " " }
        guard body.hasPrefix(start), body.hasSuffix(end) else { return nil }
        return String(body.dropFirst(start.count).dropLast(end.count))
    }

    private static func sentence(_ text: Substring) -> String {
        text.last.map { ".:?!".contains($0) } == true ? String(text) : text + "."
    }

    // MARK: sections

    private struct Section {
        /// The title of the section; empty for the summary at the top.
        var heading: String
        var lines: [Substring] = []
        /// The rank of the section, lowest first. Sections of the same rank keep their order.
        var rank: Int
    }

    private static func sections(of text: String) -> [Section] {
        var sections = [Section(heading: "", rank: 0)]
        for line in wholeDefaults(text).split(separator: "\n", omittingEmptySubsequences: false) {
            if line.hasPrefix("OVERVIEW: ") {
                sections[0].lines.append(line.dropFirst("OVERVIEW: ".count))
            } else if line.hasPrefix("USAGE: ") {
                sections.append(Section(heading: "USAGE", lines: ["  " + line.dropFirst("USAGE: ".count)], rank: 1))
            } else if isHeading(line) {
                let rank =
                    switch line {
                    case "EXAMPLES": 2
                    case "DESCRIPTION": 3
                    case "EXIT CODES": 7
                    // Headings that the parser writes: arguments, groups of options and subcommands have rank 4, other
                    // options rank 5.
                    case "OPTIONS:": 5
                    case let heading where heading.hasSuffix(":"): 4
                    default: 6
                    }
                var heading = line.hasSuffix(":") ? String(line.dropLast()) : String(line)
                if heading == "SUBCOMMANDS" { heading = "COMMANDS" }
                // If other options are in groups, this section contains only help and version.
                if heading == "OPTIONS", sections.contains(where: { $0.rank == 4 && $0.heading != "ARGUMENTS" }) {
                    heading = "GENERAL"
                }
                sections.append(Section(heading: heading, rank: rank))
            } else if sections.last?.heading == "USAGE", !line.isEmpty {
                sections[sections.count - 1].lines.append("  " + line.drop { $0 == " " })
            } else if let help = between(String(line), "See '", " <subcommand>' for detailed help.") {
                sections[sections.count - 1].lines.append("  Try “\(help) <command>” for the options of a command.")
            } else {
                sections[sections.count - 1].lines.append(line)
            }
        }
        for index in sections.indices {
            while sections[index].lines.last?.isEmpty == true { sections[index].lines.removeLast() }
        }
        sections.removeAll { $0.lines.isEmpty }
        return sections.enumerated().sorted { ($0.element.rank, $0.offset) < ($1.element.rank, $1.offset) }.map(
            \.element)
    }

    /// Replaces `(default: 60.0)` with `(default: 60)`.
    private static func wholeDefaults(_ text: String) -> String {
        let parts = text.components(separatedBy: ".0)")
        return parts.dropLast().map { part in
            let isWhole = part.components(separatedBy: "(default: ").last?.allSatisfy(\.isNumber) == true
            return part + (isWhole ? ")" : ".0)")
        }.joined() + (parts.last ?? "")
    }

    private static func wrapped(_ section: Section, _ width: Int) -> String {
        var result = section.heading.isEmpty ? [] : [section.heading]
        var paragraph: Paragraph?
        func end() {
            if let paragraph { result += paragraph.wrapped(width) }
            paragraph = nil
        }
        for line in section.lines {
            if line.allSatisfy({ $0 == " " }) {
                end()
                result.append("")
            } else if let more = paragraph?.joined(with: Paragraph(line, under: section.heading)) {
                paragraph = more
            } else {
                end()
                paragraph = Paragraph(line, under: section.heading)
            }
        }
        end()
        return result.joined(separator: "\n")
    }

    /// Returns whether the line is a heading such as `EXAMPLES` or `OPTIONS:`.
    private static func isHeading(_ line: Substring) -> Bool {
        line.contains { $0.isLetter } && !line.hasPrefix(" ")
            && line.allSatisfy { $0.isUppercase || $0 == " " || $0 == ":" }
    }

    /// A group of lines that are wrapped together.
    private struct Paragraph {
        private enum Kind {
            case prose
            /// A label and a text next to it, which is wrapped in its own column.
            case columns
            /// A label alone. Its text is on the next line.
            case label
            /// A command to copy.
            case command
            /// A comment above a command.
            case comment
            /// A usage line such as `zoetrope play [options] …`.
            case usage
        }
        private let kind: Kind
        private var text: String
        /// The number of columns before the first line (`indent`) and before the following lines (`hang`).
        private let indent: Int, hang: Int

        /// The columns at which the parser prints an option's name and its text.
        private static let optionIndent = 2, optionColumn = 26

        init(_ line: Substring, under heading: String) {
            let body = line.drop { $0 == " " }
            indent = line.count - body.count
            text = String(body)
            let isOption = indent == Self.optionIndent && (body.hasPrefix("-") || body.hasPrefix("<"))
            if heading == "USAGE" {
                (kind, hang) = (.usage, indent + 4)
            } else if heading == "EXAMPLES", body.hasPrefix("# ") {
                (kind, hang) = (.comment, indent)
            } else if heading == "EXAMPLES" {
                (kind, hang) = (.command, indent + 4)
            } else if heading == "DESCRIPTION" || indent == 0 || indent >= Self.optionColumn {
                (kind, hang) = (.prose, indent)
            } else if let column = Self.lastColumn(of: text) {
                (kind, hang) = (.columns, indent + column)
            } else if isOption, text.dropFirst(Self.optionColumn - indent - 1).first == " ",
                text.dropFirst(Self.optionColumn - indent).first != "<"
            {
                // The option name has the greatest length at which the parser still prints the text on the same line.
                (kind, hang) = (.columns, Self.optionColumn)
            } else if isOption {
                (kind, hang) = (.label, indent)
            } else {
                (kind, hang) = (.prose, indent)
            }
        }

        /// Returns both paragraphs as one if `next` continues the same prose, otherwise nil.
        func joined(with next: Paragraph) -> Paragraph? {
            guard kind == .prose, next.kind == .prose, indent == next.indent else { return nil }
            var both = self
            both.text += " " + next.text
            return both
        }

        func wrapped(_ width: Int) -> [String] {
            let first = String(repeating: " ", count: indent)
            if kind == .label || kind != .prose && indent + text.count <= width { return [first + text] }
            let column = self.hang - indent
            // If the label is wide, its text begins on the next line.
            let hang = self.hang > width - 20 ? indent + 4 : self.hang
            if kind == .comment {
                return Self.lines(
                    Self.words(text.dropFirst(2)), first: first + "# ", next: first + "# ", end: "", width)
            }
            if kind == .command { return Self.command(text[...], first, hang, width) }
            let next = String(repeating: " ", count: hang)
            guard kind == .columns else {
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

        /// Wraps words into lines.
        /// - Parameter end: A text to append to each line except the last.
        private static func lines(_ words: [String], first: String, next: String, end: String, _ width: Int) -> [String]
        {
            var lines: [String] = []
            var (line, isEmpty) = (first, true)
            for (index, word) in words.enumerated() {
                let added = (isEmpty ? "" : " ") + word
                let space = width - (index + 1 < words.count ? end.count : 0)
                if !isEmpty, line.count + added.count > space {
                    lines.append(line + end)
                    line = next + word
                } else {
                    line += added
                }
                isEmpty = false
            }
            return lines + [line]
        }

        /// Returns the column after the last gap of two or more spaces; nil if there is no gap.
        private static func lastColumn(of text: String) -> Int? {
            let all = Array(text)
            for index in stride(from: all.count - 1, to: 2, by: -1)
            where all[index] != " " && all[index - 1] == " " && all[index - 2] == " " {
                return index
            }
            return nil
        }

        private static func words(_ text: Substring) -> [String] { text.split(separator: " ").map(String.init) }

        /// Splits a command into words. Quoted texts, brackets and options with their values stay together.
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
