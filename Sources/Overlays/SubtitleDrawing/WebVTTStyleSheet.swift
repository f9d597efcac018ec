import Foundation

/// A CSS style sheet from `STYLE` blocks, as far as WebVTT section 8.2 allows: rules for `::cue` and `::cue(selector)`.
struct WebVTTStyleSheet: Sendable, Hashable {
    /// A selector of one element, or of the whole cue.
    struct Selector: Sendable, Hashable {
        /// The name of the element, or nil for any.
        var tag: String?
        var classes: Set<String> = []
        var identifier: String?
        var voice: String?
        var language: String?
        /// Whether text before the current time is selected (`:past`). False selects text after it (`:future`). Nil
        /// selects both.
        var isPast: Bool?
        /// Whether the selector is `::cue` without parentheses.
        var isCue = false
        var weight: Int {
            (identifier == nil ? 0 : 100)
                + (classes.count + (voice == nil ? 0 : 1) + (language == nil ? 0 : 1) + (isPast == nil ? 0 : 1)) * 10
                + (tag == nil ? 0 : 1)
        }
    }
    struct Declaration: Sendable, Hashable {
        var name: String
        var value: String
    }
    struct Rule: Sendable, Hashable {
        var selector: Selector
        /// The declarations in their order. Of two for the same property, the later one applies.
        var declarations: [Declaration]
    }

    /// The rules by increasing weight, and in the order of the sheets if weights are equal.
    private(set) var rules: [Rule] = []
    var knowsTime: Bool { rules.contains { $0.selector.isPast != nil } }

    init(_ sheets: [String]) {
        var all: [Rule] = []
        for sheet in sheets { WebVTTStyleSheet.parse(sheet, into: &all) }
        rules = all.enumerated().sorted {
            ($0.element.selector.weight, $0.offset) < ($1.element.selector.weight, $1.offset)
        }.map(\.element)
    }

    // MARK: parsing

    private static func parse(_ sheet: String, into rules: inout [Rule]) {
        var text = sheet[...]
        var clean = ""
        while let open = text.range(of: "/*") {
            clean += text[..<open.lowerBound]
            text = text[open.upperBound...].range(of: "*/").map { text[$0.upperBound...] } ?? ""
        }
        clean += text
        var rest = clean[...]
        while let open = rest.firstIndex(of: "{") {
            var heading = rest[..<open]
            // At-rules without a block (@import) are ignored.
            if let end = heading.lastIndex(of: ";") { heading = heading[heading.index(after: end)...] }
            let close = rest[open...].firstIndex(of: "}") ?? rest.endIndex
            let declarations = declarations(rest[rest.index(after: open)..<close])
            for selector in split(heading, ",").compactMap(selector) {
                rules.append(Rule(selector: selector, declarations: declarations))
            }
            rest = close < rest.endIndex ? rest[rest.index(after: close)...] : ""
        }
    }

    /// Splits text at `separator`, except within parentheses, brackets and quotation marks.
    private static func split(_ text: Substring, _ separator: Character) -> [Substring] {
        var parts: [Substring] = []
        var depth = 0
        var quote: Character?
        var start = text.startIndex
        for index in text.indices {
            let character = text[index]
            if let open = quote {
                if character == open { quote = nil }
            } else if character == "\"" || character == "'" {
                quote = character
            } else if character == "(" || character == "[" {
                depth += 1
            } else if character == ")" || character == "]" {
                depth -= 1
            } else if character == separator, depth == 0 {
                parts.append(text[start..<index])
                start = text.index(after: index)
            }
        }
        return parts + [text[start...]]
    }

    private static func declarations(_ text: Substring) -> [Declaration] {
        split(text, ";").compactMap { part in
            guard let colon = part.firstIndex(of: ":") else { return nil }
            let name = part[..<colon].trimmingCharacters(in: .whitespacesAndNewlines).lowercased()
            let value = part[part.index(after: colon)...].trimmingCharacters(in: .whitespacesAndNewlines)
            return Declaration(
                name: name,
                value: value.replacingOccurrences(of: "!important", with: "").trimmingCharacters(in: .whitespaces))
        }
    }

    /// Parses a selector. Returns nil if it does not select a cue, or selects by more than one element.
    private static func selector(_ text: Substring) -> Selector? {
        let text = text.trimmingCharacters(in: .whitespacesAndNewlines)
        guard let match = text.range(of: "::cue") else { return nil }
        var rest = text[match.upperBound...]
        guard !rest.isEmpty else { return Selector(isCue: true) }
        guard rest.first == "(", rest.last == ")" else { return nil }
        rest = rest.dropFirst().dropLast()
        var inner = rest.trimmingCharacters(in: .whitespaces)[...]
        var selector = Selector()
        let named = inner.prefix { $0.isLetter }
        if !named.isEmpty { selector.tag = named.lowercased() }
        inner = inner.dropFirst(named.count)
        if inner.first == "*" { inner = inner.dropFirst() }
        while let mark = inner.first {
            inner = inner.dropFirst()
            if mark == "[" {
                guard let end = inner.firstIndex(of: "]") else { return nil }
                let parts = inner[..<end].split(separator: "=", maxSplits: 1).map {
                    $0.trimmingCharacters(in: CharacterSet(charactersIn: " \"'"))
                }
                guard parts.count == 2 else { return nil }
                if parts[0] == "voice" {
                    selector.voice = parts[1]
                } else if parts[0] == "lang" {
                    selector.language = parts[1]
                } else {
                    return nil
                }
                inner = inner[inner.index(after: end)...]
                continue
            }
            let word = identifier(&inner)
            guard !word.isEmpty else { return nil }
            switch (mark, word) {
            case (".", _): selector.classes.insert(word)
            case ("#", _): selector.identifier = word
            case (":", "past"): selector.isPast = true
            case (":", "future"): selector.isPast = false
            case (":", "lang"):
                guard inner.first == "(", let end = inner.firstIndex(of: ")") else { return nil }
                selector.language = inner[..<end].dropFirst().trimmingCharacters(in: .whitespaces)
                inner = inner[inner.index(after: end)...]
            default: return nil
            }
        }
        return selector
    }

    /// Removes and returns an identifier, with CSS's escapes decoded: `\31 23` is `123`.
    private static func identifier(_ text: inout Substring) -> String {
        var result = ""
        while let character = text.first {
            if character == "\\" {
                text = text.dropFirst()
                let digits = text.prefix(6).prefix { $0.isHexDigit }
                if digits.isEmpty {
                    if let literal = text.first { result.append(literal) }
                    text = text.dropFirst()
                } else {
                    if let scalar = UInt32(digits, radix: 16).flatMap(Unicode.Scalar.init) {
                        result.unicodeScalars.append(scalar)
                    }
                    text = text.dropFirst(digits.count)
                    if text.first == " " { text = text.dropFirst() }
                }
            } else if character.isLetter || character.isNumber || character == "-" || character == "_" {
                result.append(character)
                text = text.dropFirst()
            } else {
                break
            }
        }
        return result
    }

    // MARK: values

    /// Parses a CSS color. Returns nil if the text is not a color.
    static func color(_ text: String) -> SubtitleStyle.Color? { CSSColor.parse(text) }
}
