/// A piece of Swift code that is shown in one color.
///
/// The scanner recognizes keywords, strings with interpolations, comments, numbers, attributes and capitalized names.
/// All other code is plain text, so the scanner never fails.
public struct CodePiece: Equatable, Sendable {
    public enum Kind: Sendable { case plain, keyword, type, text, number, comment }
    public var kind: Kind
    public var text: String

    public init(_ kind: Kind, _ text: String) {
        self.kind = kind
        self.text = text
    }

    /// Splits `code` into pieces. The joined pieces equal `code`, and adjacent pieces differ in kind.
    public static func pieces(of code: String) -> [CodePiece] {
        var reader = CodeReader(rest: Substring(code))
        while let piece = reader.next() { reader.add(piece) }
        return reader.pieces
    }
}

private struct CodeReader {
    var rest: Substring
    private(set) var pieces: [CodePiece] = []

    init(rest: Substring) { self.rest = rest }

    private static let keywords: Set<Substring> = [
        "actor", "any", "as", "async", "await", "break", "case", "catch", "class", "continue", "default", "defer", "do",
        "else", "enum", "extension", "fallthrough", "false", "fileprivate", "final", "for", "func", "get", "guard",
        "if", "import", "in", "init", "inout", "internal", "is", "lazy", "let", "mutating", "nil", "nonisolated",
        "open", "private", "protocol", "public", "repeat", "return", "self", "Self", "set", "some", "static", "struct",
        "subscript", "super", "switch", "throw", "throws", "true", "try", "typealias", "var", "weak", "where", "while",
    ]

    mutating func add(_ piece: CodePiece) {
        // White space becomes part of the previous piece.
        if let last = pieces.last, last.kind == piece.kind || piece.text.allSatisfy(\.isWhitespace) {
            pieces[pieces.count - 1].text += piece.text
        } else {
            pieces.append(piece)
        }
    }

    mutating func next() -> CodePiece? {
        guard let first = rest.first else { return nil }
        if rest.hasPrefix("//") { return take(.comment) { $0.prefix { !$0.isNewline } } }
        if rest.hasPrefix("/*") {
            return take(.comment) { rest in
                let body = rest.dropFirst(2)
                guard let end = body.firstRange(of: "*/") else { return rest }
                return rest[..<end.upperBound]
            }
        }
        if rest.hasPrefix("\"\"\"") {
            return take(.text) { rest in
                guard let end = rest.dropFirst(3).firstRange(of: "\"\"\"") else { return rest }
                return rest[..<end.upperBound]
            }
        }
        if first == "\"" { return take(.text) { $0[..<CodeReader.endOfString($0)] } }
        if first == "@" || first == "#" || first == "$" {
            let kind = first == "$" ? CodePiece.Kind.plain : .keyword
            return take(kind) { $0.prefix(1) + $0.dropFirst().prefix(while: CodeReader.isWord) }
        }
        if first.isNumber { return take(.number) { $0.prefix { CodeReader.isWord($0) } } }
        if CodeReader.isWord(first) {
            let word = rest.prefix(while: CodeReader.isWord)
            // `.default` and `.init` are names, not keywords.
            let isMember = pieces.last?.text.last == "."
            let kind: CodePiece.Kind =
                !isMember && CodeReader.keywords.contains(word) ? .keyword : first.isUppercase ? .type : .plain
            return take(kind) { _ in word }
        }
        return take(.plain) { $0.prefix(1) }
    }

    private mutating func take(_ kind: CodePiece.Kind, _ part: (Substring) -> Substring) -> CodePiece {
        let text = part(rest)
        rest = rest.dropFirst(max(1, text.count))
        return CodePiece(kind, String(text))
    }

    private static func isWord(_ c: Character) -> Bool { c.isLetter || c.isNumber || c == "_" }

    /// Returns the index after the string at the beginning of `text`: after its closing quote or at the end of its
    /// line. An interpolation may contain further strings.
    private static func endOfString(_ text: Substring) -> String.Index {
        var at = text.index(after: text.startIndex)
        while at < text.endIndex, !text[at].isNewline {
            let next = text.index(after: at)
            switch text[at] {
            case "\"": return next
            case "\\" where next < text.endIndex && text[next] == "(": at = endOfInterpolation(text, next)
            case "\\": at = next < text.endIndex ? text.index(after: next) : next
            default: at = next
            }
        }
        return at
    }

    /// Returns the index after the bracket that closes the one at `start`, or the end of the text or line.
    private static func endOfInterpolation(_ text: Substring, _ start: String.Index) -> String.Index {
        var depth = 0
        var at = start
        while at < text.endIndex, !text[at].isNewline {
            switch text[at] {
            case "(": depth += 1
            case ")": depth -= 1
            case "\"":
                at = endOfString(text[at...])
                continue
            default: break
            }
            at = text.index(after: at)
            if depth == 0 { break }
        }
        return at
    }
}
