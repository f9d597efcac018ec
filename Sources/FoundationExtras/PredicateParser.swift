/// Parses a predicate format with its arguments.
struct PredicateParser {
    /// The maximum length of a format, in bytes.
    private static let longest = 1 << 20
    /// The maximum depth of parentheses and braces.
    private static let deepest = 100

    /// The content of parentheses, which shows only later whether it is a predicate or one side of a comparison.
    private enum Part {
        case predicate(PredicateNode)
        case term(PredicateTerm)
    }
    private var tokens: PredicateTokens
    private let arguments: [Any?]
    private var nextArgument = 0
    private var depth = 0

    static func parse(_ format: String, _ arguments: [Any?]) throws(PredicateFormatError) -> PredicateNode {
        guard format.utf8.count <= longest else {
            throw PredicateFormatError(problem: "the format is longer than \(longest) bytes", offset: 0)
        }
        var parser = PredicateParser(tokens: try PredicateTokens(format), arguments: arguments)
        let part = try parser.alternatives()
        let node = try parser.predicate(part)
        guard parser.tokens.current == .end else { throw parser.tokens.error("AND, OR or the end is expected") }
        return node
    }
    private init(tokens: PredicateTokens, arguments: [Any?]) { (self.tokens, self.arguments) = (tokens, arguments) }

    // MARK: tokens

    private mutating func take(_ symbol: String) throws(PredicateFormatError) -> Bool {
        guard tokens.current == .symbol(symbol) else { return false }
        try tokens.advance()
        return true
    }
    private mutating func takeKeyword(_ words: String...) throws(PredicateFormatError) -> Bool {
        guard let keyword, words.contains(keyword) else { return false }
        try tokens.advance()
        return true
    }
    private mutating func expect(_ symbol: String) throws(PredicateFormatError) {
        guard try take(symbol) else { throw tokens.error("“\(symbol)” is expected") }
    }
    /// The current word in uppercase letters, if it can be a keyword.
    private var keyword: String? {
        guard case .word(let word, isKey: false) = tokens.current else { return nil }
        return word.uppercased()
    }
    private mutating func deeper<T>(_ parse: (inout PredicateParser) throws(PredicateFormatError) -> T)
        throws(PredicateFormatError) -> T
    {
        guard depth < Self.deepest else {
            throw tokens.error("parentheses or braces are nested more than \(Self.deepest) times")
        }
        depth += 1
        defer { depth -= 1 }
        return try parse(&self)
    }

    // MARK: predicates

    /// - Parameter part: The part before the current token.
    private func predicate(_ part: Part) throws(PredicateFormatError) -> PredicateNode {
        guard case .predicate(let node) = part else {
            throw tokens.error("an operator such as “==” or CONTAINS is expected")
        }
        return node
    }

    private mutating func alternatives() throws(PredicateFormatError) -> Part {
        let first = try conjunction()
        var nodes: [PredicateNode] = []
        while tokens.current == .symbol("||") || keyword == "OR" {
            if nodes.isEmpty { nodes.append(try predicate(first)) }
            try tokens.advance()
            let next = try conjunction()
            nodes.append(try predicate(next))
        }
        return nodes.isEmpty ? first : .predicate(.any(nodes))
    }

    private mutating func conjunction() throws(PredicateFormatError) -> Part {
        let first = try negation()
        var nodes: [PredicateNode] = []
        while tokens.current == .symbol("&&") || keyword == "AND" {
            if nodes.isEmpty { nodes.append(try predicate(first)) }
            try tokens.advance()
            let next = try negation()
            nodes.append(try predicate(next))
        }
        return nodes.isEmpty ? first : .predicate(.all(nodes))
    }

    private mutating func negation() throws(PredicateFormatError) -> Part {
        var (isNegation, isNegative) = (false, false)
        while tokens.current == .symbol("!") || keyword == "NOT" {
            try tokens.advance()
            isNegation = true
            isNegative.toggle()
        }
        let part = try comparison()
        guard isNegation else { return part }
        let node = try predicate(part)
        return .predicate(isNegative ? .not(node) : node)
    }

    private mutating func comparison() throws(PredicateFormatError) -> Part {
        if try takeKeyword("TRUEPREDICATE") { return .predicate(.constant(true)) }
        if try takeKeyword("FALSEPREDICATE") { return .predicate(.constant(false)) }
        var quantifier: PredicateComparison.Quantifier?
        switch keyword {
        case "ANY"?, "SOME"?: quantifier = .any
        case "ALL"?: quantifier = .all
        case "NONE"?: quantifier = PredicateComparison.Quantifier.none
        default: break
        }
        if quantifier != nil { try tokens.advance() }
        let left = try operand()
        guard case .term(let term) = left else {
            guard quantifier == nil else { throw tokens.error("ANY, ALL and NONE require a key path") }
            return left
        }
        guard let operation else {
            guard quantifier == nil else { throw tokens.error("an operator such as “==” or CONTAINS is expected") }
            return left
        }
        try tokens.advance()
        let options = try options()
        let error = tokens.error("the regular expression is not valid")
        let right = try self.term()
        guard let comparison = PredicateComparison(term, operation, right, options, quantifier) else { throw error }
        return .predicate(.comparison(comparison))
    }

    private var operation: PredicateComparison.Operator? {
        if case .symbol(let symbol) = tokens.current {
            switch symbol {
            case "==", "=": return .equal
            case "!=", "<>": return .notEqual
            case "<": return .less
            case "<=", "=<": return .lessOrEqual
            case ">": return .greater
            case ">=", "=>": return .greaterOrEqual
            default: return nil
            }
        }
        switch keyword {
        case "BETWEEN"?: return .between
        case "IN"?: return .isIn
        case "CONTAINS"?: return .contains
        case "BEGINSWITH"?: return .beginsWith
        case "ENDSWITH"?: return .endsWith
        case "LIKE"?: return .like
        case "MATCHES"?: return .matches
        default: return nil
        }
    }

    private mutating func options() throws(PredicateFormatError) -> PredicateOptions {
        guard try take("[") else { return PredicateOptions() }
        guard case .word(let letters, _) = tokens.current, let options = PredicateOptions(letters) else {
            throw tokens.error("“c”, “d” or “cd” is expected")
        }
        try tokens.advance()
        try expect("]")
        return options
    }

    // MARK: terms

    private mutating func term() throws(PredicateFormatError) -> PredicateTerm {
        guard case .term(let term) = try operand() else { throw tokens.error("a value is expected, not a predicate") }
        return term
    }

    private mutating func operand() throws(PredicateFormatError) -> Part {
        guard try take("(") else { return .term(try path(from: try value())) }
        let part = try deeper { parser throws(PredicateFormatError) in try parser.alternatives() }
        try expect(")")
        guard case .term(let term) = part else { return part }
        return .term(try path(from: term))
    }

    /// Appends the keys that follow a key path.
    private mutating func path(from term: PredicateTerm) throws(PredicateFormatError) -> PredicateTerm {
        var keys: [String] = []
        while tokens.current == .symbol(".") {
            try tokens.advance()
            guard case .word(let key, _) = tokens.current else { throw tokens.error("a key is expected after “.”") }
            keys.append(key)
            try tokens.advance()
        }
        if tokens.current == .symbol("[") || tokens.current == .symbol("(") {
            throw tokens.error("functions and indexes are not supported")
        }
        guard !keys.isEmpty else { return term }
        switch term {
        case .object(let path): return .object(path.appending(keys))
        case .variable(let name, let path): return .variable(name, path.appending(keys))
        case .constant, .list: throw tokens.error("only a key path can be followed by “.”")
        }
    }

    private mutating func value() throws(PredicateFormatError) -> PredicateTerm {
        let term: PredicateTerm
        switch tokens.current {
        case .text(let text): term = .constant(.text(text))
        case .integer(let number): term = .constant(.number(.integer(Int128(number))))
        case .real(let number): term = .constant(.number(.real(number)))
        case .variable(let name): term = .variable(name, PredicateKeyPath([]))
        case .argument(let kind): term = try argument(kind)
        case .word(let word, let isKey): term = try named(word, isKey: isKey)
        case .symbol("{"): return try list()
        default: throw tokens.error("a value is expected")
        }
        try tokens.advance()
        return term
    }

    private func named(_ word: String, isKey: Bool) throws(PredicateFormatError) -> PredicateTerm {
        switch keyword {
        case "SELF"?: return .object(PredicateKeyPath([]))
        case "TRUE"?, "YES"?: return .constant(PredicateValue(true))
        case "FALSE"?, "NO"?: return .constant(PredicateValue(false))
        case "NIL"?, "NULL"?: return .constant(.none)
        case "AND"?, "OR"?, "NOT"?, "ANY"?, "SOME"?, "ALL"?, "NONE"?, "TRUEPREDICATE"?, "FALSEPREDICATE"?:
            throw tokens.error("a value is expected; for a key of this name, write “#\(word)”")
        default:
            if !isKey, operation != nil {
                throw tokens.error("a value is expected; for a key of this name, write “#\(word)”")
            }
            return .object(PredicateKeyPath([word]))
        }
    }

    private mutating func list() throws(PredicateFormatError) -> PredicateTerm {
        try expect("{")
        if try take("}") { return .constant(.list([], isOrdered: true)) }
        let terms = try deeper { parser throws(PredicateFormatError) in
            var terms = [try parser.term()]
            while try parser.take(",") { terms.append(try parser.term()) }
            return terms
        }
        try expect("}")
        // A list of constants is not created again for each object.
        let values = terms.compactMap { if case .constant(let value) = $0 { value } else { nil } }
        return values.count == terms.count ? .constant(.list(values, isOrdered: true)) : .list(terms)
    }

    private mutating func argument(_ kind: Character) throws(PredicateFormatError) -> PredicateTerm {
        nextArgument += 1
        guard nextArgument <= arguments.count else { throw tokens.error("argument \(nextArgument) is missing") }
        let value = PredicateValue(arguments[nextArgument - 1])
        switch (kind, value) {
        case ("@", _): return .constant(value)
        case ("K", .text(let path)):
            let keys = path.split(separator: ".", omittingEmptySubsequences: false).map(String.init)
            guard !keys.contains("") else { throw tokens.error("“\(path)” is not a valid key path") }
            return .object(PredicateKeyPath(keys))
        case ("K", _): throw tokens.error("argument \(nextArgument) is not a key path; pass a string")
        case (_, .number): return .constant(value)
        default: throw tokens.error("argument \(nextArgument) is not a number; use “%@” for other values")
        }
    }
}
