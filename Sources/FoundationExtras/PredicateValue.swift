import Foundation

/// A value in the form in which predicates compare it.
enum PredicateValue {
    /// `nil` or `NSNull`.
    case none
    case text(String)
    case number(PredicateNumber)
    case date(Date)
    case list([PredicateValue], isOrdered: Bool)
    case dictionary([AnyHashable: Any])
    case other(Any)

    /// The maximum depth of lists in lists. Deeper lists are not read, so that the recursion has a limit.
    static let deepest = 32

    /// - Parameter value: Any value. An enumeration with raw values is compared by them.
    init(_ value: Any?) { self.init(value, depth: 0) }

    private init(_ value: Any?, depth: Int) {
        guard let value = Self.unwrapped(value), !(value is NSNull) else {
            self = .none
            return
        }
        switch value {
        case let value as String: self = .text(value)
        case let value as any StringProtocol: self = .text(String(value))
        case let value as Character: self = .text(String(value))
        case let value as Date: self = .date(value)
        default:
            if let number = PredicateNumber(value) {
                self = .number(number)
            } else if let dictionary = value as? [AnyHashable: Any] {
                self = .dictionary(dictionary)
            } else if depth < Self.deepest, let elements = Self.elements(value) {
                let isOrdered = !(value is NSSet) && !(value is Set<AnyHashable>)
                self = .list(elements.map { PredicateValue($0, depth: depth + 1) }, isOrdered: isOrdered)
            } else if let raw = value as? any RawRepresentable, depth < Self.deepest {
                self.init(raw.rawValue, depth: depth + 1)
                if case .other = self { self = .other(value) }
            } else {
                self = .other(value)
            }
        }
    }

    /// Returns the elements of an array or a set; nil for other values.
    static func elements(_ value: Any) -> [Any]? {
        switch value {
        case let value as [Any]: value
        case let value as Set<AnyHashable>: value.map(\.base)
        case let value as NSOrderedSet: value.array
        default: nil
        }
    }

    /// Removes all levels of optional values.
    static func unwrapped(_ value: Any?) -> Any? {
        var value = value
        while let inner = value, let optional = inner as? any AnyOptional { value = optional.wrapped }
        return value
    }

    /// The name of the type for messages.
    var typeName: String {
        switch self {
        case .none: "nil"
        case .text: "String"
        case .number: "a number"
        case .date: "Date"
        case .list: "a list"
        case .dictionary: "Dictionary"
        case .other(let value): "\(type(of: value))"
        }
    }

    /// The elements, if the value is a list, or the values of a dictionary.
    var elements: [PredicateValue]? {
        switch self {
        case .list(let elements, _): elements
        case .dictionary(let dictionary): dictionary.values.map { PredicateValue($0) }
        default: nil
        }
    }

    // MARK: comparing

    func isEqual(to other: PredicateValue, _ options: PredicateOptions) -> Bool {
        switch (self, other) {
        case (.none, .none): return true
        case (.text(let a), .text(let b)): return options.folded(a) == options.folded(b)
        case (.number(let a), .number(let b)): return PredicateNumber.order(a, b) == .orderedSame
        case (.date(let a), .date(let b)): return a == b
        case (.list(let a, let isOrdered), .list(let b, let isOtherOrdered)):
            guard a.count == b.count else { return false }
            if isOrdered, isOtherOrdered { return zip(a, b).allSatisfy { $0.isEqual(to: $1, options) } }
            return a.allSatisfy { one in b.contains { one.isEqual(to: $0, options) } }
        case (.dictionary(let a), .dictionary(let b)): return NSDictionary(dictionary: a).isEqual(to: b)
        case (.other(let a), .other(let b)):
            if let a = a as? AnyHashable, let b = b as? AnyHashable { return a == b }
            return type(of: a) is AnyClass && type(of: b) is AnyClass && (a as AnyObject) === (b as AnyObject)
        default: return false
        }
    }

    /// Returns nil if there is no value on one side, or a number is not a number (NaN).
    func order(to other: PredicateValue, _ options: PredicateOptions) throws(PredicateEvaluationError)
        -> ComparisonResult?
    {
        switch (self, other) {
        case (.none, _), (_, .none): return nil
        case (.text(let a), .text(let b)): return options.order(a, b)
        case (.number(let a), .number(let b)): return PredicateNumber.order(a, b)
        case (.date(let a), .date(let b)): return a.compare(b)
        case (.other(let a), .other(let b)):
            if let a = a as? any Comparable, let order = Self.order(a, b) { return order }
        default: break
        }
        throw .incomparable(typeName, other.typeName)
    }
    private static func order<T: Comparable>(_ a: T, _ b: Any) -> ComparisonResult? {
        guard let b = b as? T else { return nil }
        return a == b ? .orderedSame : a < b ? .orderedAscending : .orderedDescending
    }
}

/// An optional value of any type.
private protocol AnyOptional {
    var wrapped: Any? { get }
}
extension Optional: AnyOptional {
    fileprivate var wrapped: Any? { self }
}
