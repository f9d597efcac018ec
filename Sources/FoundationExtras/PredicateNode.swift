/// The object that a predicate is applied to, with the values of the predicate's variables.
struct PredicateSubject {
    let object: Any?
    let variables: [String: Any]
}

/// One side of a comparison.
indirect enum PredicateTerm {
    case constant(PredicateValue)
    /// A value of the object. An empty key path is the object itself.
    case object(PredicateKeyPath)
    case variable(String, PredicateKeyPath)
    case list([PredicateTerm])

    func value(_ subject: PredicateSubject) throws(PredicateEvaluationError) -> PredicateValue {
        switch self {
        case .constant(let value): return value
        case .object(let path): return PredicateValue(try path.value(of: subject.object))
        case .variable(let name, let path):
            guard let value = subject.variables[name] else { throw .unknownVariable(name) }
            return PredicateValue(try path.value(of: value))
        case .list(let terms):
            return .list(
                try terms.map { term throws(PredicateEvaluationError) in try term.value(subject) }, isOrdered: true)
        }
    }
}

/// A predicate as a tree.
indirect enum PredicateNode {
    case constant(Bool)
    case comparison(PredicateComparison)
    case not(PredicateNode)
    case all([PredicateNode])
    case any([PredicateNode])

    func isTrue(_ subject: PredicateSubject) throws(PredicateEvaluationError) -> Bool {
        switch self {
        case .constant(let value): return value
        case .comparison(let comparison): return try comparison.isTrue(subject)
        case .not(let node): return try !node.isTrue(subject)
        case .all(let nodes):
            for node in nodes where try !node.isTrue(subject) { return false }
            return true
        case .any(let nodes):
            for node in nodes where try node.isTrue(subject) { return true }
            return false
        }
    }
}
