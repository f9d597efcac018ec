import CombineModule
import Foundation

/// A key path such as `director.name` or `scenes.@count`, which reads a value of an object.
struct PredicateKeyPath {
    private let keys: [String]

    init(_ keys: [String]) { self.keys = keys }

    func appending(_ more: [String]) -> PredicateKeyPath { PredicateKeyPath(keys + more) }

    func value(of object: Any?) throws(PredicateEvaluationError) -> Any? {
        try Self.value(of: object, keys[...], depth: 0)
    }

    private static func value(of object: Any?, _ keys: ArraySlice<String>, depth: Int)
        throws(PredicateEvaluationError) -> Any?
    {
        var value = PredicateValue.unwrapped(object)
        for (index, key) in zip(keys.indices, keys) {
            guard let current = value else { return nil }
            if key.hasPrefix("@") { return try collected(key, current, keys[(index + 1)...], depth: depth) }
            if let elements = PredicateValue.elements(current), !isSelf(key) {
                guard depth < PredicateValue.deepest else { return nil }
                return try elements.map { element throws(PredicateEvaluationError) in
                    try self.value(of: element, keys[index...], depth: depth + 1) ?? NSNull()
                }
            }
            value = PredicateValue.unwrapped(try member(key, of: current))
        }
        return value
    }

    private static func isSelf(_ key: String) -> Bool { key.lowercased() == "self" }

    /// Returns the result of a collection operator for the values that `keys` have in the elements of `collection`.
    private static func collected(_ name: String, _ collection: Any, _ keys: ArraySlice<String>, depth: Int)
        throws(PredicateEvaluationError) -> Any?
    {
        guard depth < PredicateValue.deepest else { return nil }
        guard let elements = PredicateValue(collection).elements else {
            throw .unsupportedOperand("“\(name)”", type: "\(type(of: collection))")
        }
        if name == "@count" { return elements.count }
        let values = PredicateValue(try value(of: collection, keys, depth: depth + 1)).elements ?? elements
        let present = values.filter { if case .none = $0 { false } else { true } }
        switch name {
        case "@sum", "@avg":
            var sum = 0.0
            for value in present {
                guard case .number(let number) = value else {
                    throw .unsupportedOperand("“\(name)”", type: value.typeName)
                }
                sum += number.real
            }
            return name == "@sum" ? sum : present.isEmpty ? 0 : sum / Double(present.count)
        case "@min", "@max":
            var best = present.first
            for value in present.dropFirst() {
                guard let before = best else { continue }
                let order = try value.order(to: before, PredicateOptions())
                if order == (name == "@min" ? .orderedAscending : .orderedDescending) { best = value }
            }
            return best?.raw
        default: throw .unknownKey(name, type: "\(type(of: collection))")
        }
    }

    private static func member(_ key: String, of value: Any) throws(PredicateEvaluationError) -> Any? {
        if isSelf(key) { return value }
        switch value {
        case let value as [String: Any]: return value[key]
        case let value as [AnyHashable: Any]: return value[key]
        case let value as String where key == "length": return value.utf16.count
        case let value as UserDefaults: return value.object(forKey: key)
        case is NSNull: return nil
        default: break
        }
        var mirror: Mirror? = Mirror(reflecting: value)
        while let current = mirror {
            // A property with a wrapper, or of an observable class, is stored under its name with an underscore.
            for child in current.children where child.label == key || child.label == "_" + key {
                return (child.value as? any WrappedValue)?.wrapped ?? child.value
            }
            mirror = current.superclassMirror
        }
        throw .unknownKey(key, type: "\(type(of: value))")
    }
}

extension PredicateValue {
    /// The value itself, for a result that is compared again.
    fileprivate var raw: Any? {
        switch self {
        case .none: nil
        case .text(let text): text
        case .number(.integer(let number)): number
        case .number(.real(let number)): number
        case .date(let date): date
        case .list(let elements, _): elements.map { $0.raw ?? NSNull() }
        case .dictionary(let dictionary): dictionary
        case .other(let value): value
        }
    }
}

/// A property wrapper whose value can't be read from its stored properties.
private protocol WrappedValue {
    var wrapped: Any { get }
}
extension Published: WrappedValue {
    /// The current value, which a new subscriber receives at once.
    fileprivate var wrapped: Any {
        var copy = self
        var result: Any = Optional<Value>.none as Any
        copy.projectedValue.sink { result = $0 }.cancel()
        return result
    }
}
