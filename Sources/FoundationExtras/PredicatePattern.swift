import Foundation

/// A pattern that a whole string has to match.
enum PredicatePattern {
    /// The pattern of LIKE.
    case wildcards([Wildcard])
    /// The pattern of MATCHES, which ends at the end of the string.
    case expression(NSRegularExpression)

    enum Wildcard: Equatable {
        case one(Character), any, sequence
    }

    /// Creates the pattern of LIKE, in which `?` matches one character and `*` any number of characters.
    init(wildcards pattern: String, _ options: PredicateOptions) {
        var result: [Wildcard] = []
        var isEscaped = false
        for character in options.folded(pattern) {
            switch character {
            case "\\" where !isEscaped:
                isEscaped = true
                continue
            case "*" where !isEscaped: if result.last != .sequence { result.append(.sequence) }
            case "?" where !isEscaped: result.append(.any)
            default: result.append(.one(character))
            }
            isEscaped = false
        }
        self = .wildcards(result)
    }

    /// Creates the pattern of MATCHES. Returns nil if the regular expression is not valid.
    init?(expression pattern: String, _ options: PredicateOptions) {
        let pattern = options.ignoresDiacritics ? pattern.folding(options: .diacriticInsensitive, locale: nil) : pattern
        let flags: NSRegularExpression.Options = options.ignoresCase ? .caseInsensitive : []
        // The first compilation refuses patterns that are valid only inside the group.
        guard (try? NSRegularExpression(pattern: pattern, options: flags)) != nil,
            let whole = try? NSRegularExpression(pattern: #"\A(?:\#(pattern))\z"#, options: flags)
        else { return nil }
        self = .expression(whole)
    }

    func matches(_ text: String, _ options: PredicateOptions) throws(PredicateEvaluationError) -> Bool {
        switch self {
        case .wildcards(let pattern): return Self.matches(Array(options.folded(text)), pattern)
        case .expression(let expression):
            let text = options.ignoresDiacritics ? text.folding(options: .diacriticInsensitive, locale: nil) : text
            return try Self.matches(text, expression)
        }
    }

    /// Compares without recursion. When a character does not match, only the last `*` is extended.
    private static func matches(_ text: [Character], _ pattern: [Wildcard]) -> Bool {
        var (position, next) = (0, 0)
        var lastSequence: (pattern: Int, position: Int)?
        while position < text.count {
            if next < pattern.count, pattern[next] == .sequence {
                lastSequence = (next, position)
                next += 1
            } else if next < pattern.count, pattern[next] == .any || pattern[next] == .one(text[position]) {
                next += 1
                position += 1
            } else if let last = lastSequence {
                next = last.pattern + 1
                position = last.position + 1
                lastSequence = (last.pattern, position)
            } else {
                return false
            }
        }
        return pattern[next...].allSatisfy { $0 == .sequence }
    }

    /// The longest time for one string. Some expressions need a time that grows exponentially with the string.
    private static let timeLimit = Duration.seconds(1)

    private static func matches(_ text: String, _ expression: NSRegularExpression) throws(PredicateEvaluationError)
        -> Bool
    {
        var isMatch = false
        var isSlow = false
        let deadline = ContinuousClock.now + timeLimit
        let range = NSRange(text.startIndex..., in: text)
        expression.enumerateMatches(in: text, options: .reportProgress, range: range) { match, flags, stop in
            isMatch = isMatch || match != nil
            isSlow = !isMatch && flags.contains(.progress) && ContinuousClock.now > deadline
            if isMatch || isSlow { stop.pointee = true }
        }
        if isSlow { throw .slowPattern }
        return isMatch
    }
}
