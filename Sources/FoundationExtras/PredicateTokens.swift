/// A part of a predicate format.
enum PredicateToken: Equatable {
    /// A keyword or a key. A key that is marked with `#` is never a keyword.
    case word(String, isKey: Bool)
    case text(String)
    case integer(Int)
    case real(Double)
    /// `%@`, `%K`, or `%d` for all numbers.
    case argument(Character)
    case variable(String)
    /// An operator or a punctuation mark.
    case symbol(String)
    case end
}

/// The parts of a predicate format, in order.
struct PredicateTokens {
    private let scalars: [Unicode.Scalar]
    /// The offset of the first scalar that no token contains.
    private var position = 0
    private(set) var current = PredicateToken.end
    /// The offset of the current token.
    private(set) var offset = 0

    init(_ format: String) throws(PredicateFormatError) {
        scalars = Array(format.unicodeScalars)
        try advance()
    }

    /// Continues with the next token.
    mutating func advance() throws(PredicateFormatError) {
        while let scalar = peek(), scalar.properties.isWhitespace { position += 1 }
        offset = position
        current = try next()
    }

    /// Creates an error at the current token.
    func error(_ problem: String) -> PredicateFormatError { PredicateFormatError(problem: problem, offset: offset) }

    private func peek(_ distance: Int = 0) -> Unicode.Scalar? {
        position + distance < scalars.count ? scalars[position + distance] : nil
    }
    private mutating func take(while isPart: (Unicode.Scalar) -> Bool) -> String {
        var text = String.UnicodeScalarView()
        while let scalar = peek(), isPart(scalar) {
            text.append(scalar)
            position += 1
        }
        return String(text)
    }

    private static func isLetter(_ scalar: Unicode.Scalar) -> Bool { scalar == "_" || scalar.properties.isAlphabetic }
    private static func isDigit(_ scalar: Unicode.Scalar) -> Bool { ("0"..."9").contains(scalar) }
    private static func isWordPart(_ scalar: Unicode.Scalar) -> Bool {
        isLetter(scalar) || scalar.properties.numericType != nil || scalar.properties.isGraphemeExtend
    }

    private mutating func next() throws(PredicateFormatError) -> PredicateToken {
        guard let first = peek() else { return .end }
        let second = peek(1)
        if Self.isLetter(first) { return .word(take(while: Self.isWordPart), isKey: false) }
        if first == "#" || first == "@" || first == "$", let second, Self.isLetter(second) {
            position += 1
            let word = take(while: Self.isWordPart)
            return first == "$" ? .variable(word) : .word(first == "@" ? "@" + word : word, isKey: true)
        }
        if first == "'" || first == "\"" { return try text(until: first) }
        if first == "%" { return try argument() }
        if Self.isDigit(first) || ((first == "-" || first == ".") && second.map(Self.isDigit) == true) {
            return try number()
        }
        for length in [2, 1] where position + length <= scalars.count {
            var symbol = String.UnicodeScalarView()
            symbol.append(contentsOf: scalars[position..<position + length])
            guard Self.symbols.contains(String(symbol)) else { continue }
            position += length
            return .symbol(String(symbol))
        }
        throw error("“\(first)” is not part of a predicate")
    }
    private static let symbols: Set<String> = [
        "==", "=", "!=", "<>", "<=", "=<", ">=", "=>", "<", ">", "&&", "||", "!", "(", ")", "{", "}", "[", "]", ",",
        ".",
    ]

    private mutating func text(until quote: Unicode.Scalar) throws(PredicateFormatError) -> PredicateToken {
        position += 1
        var text = String.UnicodeScalarView()
        while let scalar = peek() {
            position += 1
            if scalar == quote { return .text(String(text)) }
            guard scalar == "\\", let escaped = peek() else {
                text.append(scalar)
                continue
            }
            position += 1
            switch escaped {
            case "n": text.append("\n")
            case "r": text.append("\r")
            case "t": text.append("\t")
            default: text.append(escaped)
            }
        }
        throw error("the closing quotation mark is missing")
    }

    private mutating func argument() throws(PredicateFormatError) -> PredicateToken {
        position += 1
        if let kind = peek(), kind == "@" || kind == "K" {
            position += 1
            return .argument(Character(kind))
        }
        _ = take { "hlqLzjt".unicodeScalars.contains($0) }
        guard let kind = peek(), "dDiuUxXoOfFeEgGaAcC".unicodeScalars.contains(kind) else {
            throw error("“%” is not followed by a known specifier, such as “@”, “K” or “d”")
        }
        position += 1
        return .argument("d")
    }

    private mutating func number() throws(PredicateFormatError) -> PredicateToken {
        let isNegative = peek() == "-"
        if isNegative { position += 1 }
        let radix: Int? =
            switch peek() == "0" ? peek(1) : nil {
            case "x", "X": 16
            case "o", "O": 8
            case "b", "B": 2
            default: nil
            }
        if let radix {
            position += 2
            let digits = take(while: Self.isWordPart)
            guard let value = Int((isNegative ? "-" : "") + digits, radix: radix) else {
                throw error("“\(digits)” is not a number of base \(radix)")
            }
            return .integer(value)
        }
        var digits = (isNegative ? "-" : "") + take(while: Self.isDigit)
        var isReal = false
        if peek() == ".", peek(1).map(Self.isDigit) == true {
            position += 1
            isReal = true
            digits += "." + take(while: Self.isDigit)
        }
        if peek() == "e" || peek() == "E" {
            let hasSign = peek(1) == "-" || peek(1) == "+"
            if peek(hasSign ? 2 : 1).map(Self.isDigit) == true {
                digits += peek(1) == "-" ? "e-" : "e"
                position += hasSign ? 2 : 1
                isReal = true
                digits += take(while: Self.isDigit)
            }
        }
        if let scalar = peek(), Self.isWordPart(scalar) { throw error("letters follow a number") }
        if !isReal, let value = Int(digits) { return .integer(value) }
        guard let value = Double(digits.hasPrefix(".") ? "0" + digits : digits) else {
            throw error("“\(digits)” is not a valid number")
        }
        return .real(value)
    }
}
