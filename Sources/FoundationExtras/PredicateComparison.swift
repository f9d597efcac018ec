import Foundation

/// A comparison of two terms.
struct PredicateComparison {
    enum Operator {
        case equal, notEqual, less, lessOrEqual, greater, greaterOrEqual, between, isIn, contains
        case beginsWith, endsWith, like, matches
    }
    /// The elements of the left side that have to fulfill the comparison.
    enum Quantifier {
        case any, all, none
    }
    let left: PredicateTerm
    let right: PredicateTerm
    let operation: Operator
    let options: PredicateOptions
    let quantifier: Quantifier?
    /// The pattern of the right side, if it is constant.
    private let pattern: PredicatePattern?

    /// Returns nil if the right side is an invalid regular expression.
    init?(
        _ left: PredicateTerm, _ operation: Operator, _ right: PredicateTerm, _ options: PredicateOptions,
        _ quantifier: Quantifier?
    ) {
        (self.left, self.right, self.operation) = (left, right, operation)
        (self.options, self.quantifier) = (options, quantifier)
        if case .constant(.text(let text)) = right, operation == .like || operation == .matches {
            guard let pattern = Self.pattern(text, operation, options) else { return nil }
            self.pattern = pattern
        } else {
            pattern = nil
        }
    }

    private static func pattern(_ text: String, _ operation: Operator, _ options: PredicateOptions)
        -> PredicatePattern?
    {
        operation == .like
            ? PredicatePattern(wildcards: text, options) : PredicatePattern(expression: text, options)
    }

    func isTrue(_ subject: PredicateSubject) throws(PredicateEvaluationError) -> Bool {
        let left = try left.value(subject)
        let right = try right.value(subject)
        guard let quantifier else { return try holds(left, right) }
        if case .none = left { return quantifier != .any }
        guard let elements = left.elements else {
            throw .unsupportedOperand("ANY, ALL or NONE", type: left.typeName)
        }
        for element in elements {
            switch (quantifier, try holds(element, right)) {
            case (.any, true): return true
            case (.all, false), (.none, true): return false
            default: break
            }
        }
        return quantifier != .any
    }

    private func holds(_ left: PredicateValue, _ right: PredicateValue) throws(PredicateEvaluationError) -> Bool {
        switch operation {
        case .equal: return left.isEqual(to: right, options)
        case .notEqual: return !left.isEqual(to: right, options)
        case .less: return try left.order(to: right, options) == .orderedAscending
        case .greater: return try left.order(to: right, options) == .orderedDescending
        case .lessOrEqual: return try isInOrder(left, right)
        case .greaterOrEqual: return try isInOrder(right, left)
        case .between:
            guard let limits = right.elements, limits.count == 2 else {
                throw .unsupportedOperand("BETWEEN", type: right.typeName)
            }
            let isAbove = try isInOrder(limits[0], left)
            let isBelow = try isInOrder(left, limits[1])
            return isAbove && isBelow
        case .isIn: return try contains(right, left, "IN")
        case .contains: return try contains(left, right, "CONTAINS")
        case .beginsWith: return try withTexts(left, right, "BEGINSWITH") { !$1.isEmpty && $0.hasPrefix($1) }
        case .endsWith: return try withTexts(left, right, "ENDSWITH") { !$1.isEmpty && $0.hasSuffix($1) }
        case .like, .matches:
            guard let (text, other) = try texts(left, right, operation == .like ? "LIKE" : "MATCHES") else {
                return false
            }
            guard let pattern = pattern ?? Self.pattern(other, operation, options) else {
                throw .unsupportedOperand("MATCHES", type: "an invalid regular expression")
            }
            return try pattern.matches(text, options)
        }
    }

    private func isInOrder(_ first: PredicateValue, _ second: PredicateValue) throws(PredicateEvaluationError) -> Bool {
        switch try first.order(to: second, options) {
        case .orderedAscending?, .orderedSame?: true
        default: false
        }
    }

    private func contains(_ whole: PredicateValue, _ part: PredicateValue, _ name: String)
        throws(PredicateEvaluationError) -> Bool
    {
        if let elements = whole.elements { return elements.contains { $0.isEqual(to: part, options) } }
        return try withTexts(whole, part, name) { !$1.isEmpty && $0.contains($1) }
    }

    /// Returns nil if there is no value on one side.
    private func texts(_ left: PredicateValue, _ right: PredicateValue, _ name: String)
        throws(PredicateEvaluationError) -> (String, String)?
    {
        switch (left, right) {
        case (.none, _), (_, .none): return nil
        case (.text(let left), .text(let right)): return (left, right)
        case (.text, let other), (let other, _): throw .unsupportedOperand(name, type: other.typeName)
        }
    }

    private func withTexts(
        _ left: PredicateValue, _ right: PredicateValue, _ name: String, _ test: (String, String) -> Bool
    ) throws(PredicateEvaluationError) -> Bool {
        guard let (left, right) = try texts(left, right, name) else { return false }
        return test(options.folded(left), options.folded(right))
    }
}
