/// A mistake in a predicate format.
struct PredicateFormatError: Error, Equatable {
    /// The problem, as a clause.
    let problem: String
    /// The number of Unicode scalars before the mistake.
    let offset: Int
}

/// The reason why an object can't be compared.
enum PredicateEvaluationError: Error, Equatable {
    case unknownKey(String, type: String)
    case unknownVariable(String)
    case unsupportedOperand(String, type: String)
    case incomparable(String, String)
    case slowPattern

    /// The problem, as a clause.
    var problem: String {
        switch self {
        case .unknownKey(let key, let type): "\(type) has no stored property “\(key)”"
        case .unknownVariable(let name): "the variable “$\(name)” has no value"
        case .unsupportedOperand(let name, let type): "\(name) can't be used with a value of type \(type)"
        case .incomparable(let left, let right): "\(left) and \(right) have no order"
        case .slowPattern: "the regular expression takes too long"
        }
    }
}
