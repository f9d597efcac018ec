import MediaCore

/// The comparison of two values of a view, to skip the evaluation of an unchanged body.
///
/// Values with the same bytes are the same. Otherwise `Equatable` decides, and types without it are compared field by
/// field. Values that cannot be compared, such as a closure with captures, count as changed.
@MainActor
package enum ViewComparison {
    package static func areSame<V>(_ a: V, _ b: V) -> Bool {
        if sameBytes(a, b) { return true }
        return areEqual(a, b, depth: 0)
    }

    private static func sameBytes<V>(_ a: V, _ b: V) -> Bool {
        withUnsafeBytes(of: a) { a in
            withUnsafeBytes(of: b) { b in a.elementsEqual(b) }
        }
    }

    private static let deepest = 8

    private static func areEqual(_ a: Any, _ b: Any, depth: Int) -> Bool {
        if let property = a as? any GraphProperty { return property.isSame(as: b) }
        if let equal = ErasedEquality.areEqual(a, b) { return equal }
        if type(of: a) is AnyClass, type(of: b) is AnyClass { return ErasedEquality.areIdentical(a, b) }
        guard depth < deepest else { return false }
        let left = Mirror(reflecting: a)
        let right = Mirror(reflecting: b)
        // A custom mirror may hide a difference.
        if a is any CustomReflectable {
            switch left.displayStyle {
            case .collection, .dictionary, .set, .optional: break
            default: return false
            }
        }
        guard left.subjectType == right.subjectType, left.children.count == right.children.count else { return false }
        // A value without children is a closure or a type without fields.
        if left.children.isEmpty {
            switch left.displayStyle {
            case .struct, .tuple, .optional: return true
            case .enum: return isSameCase(a, b)
            default: return false
            }
        }
        for (l, r) in zip(left.children, right.children) {
            guard l.label == r.label, areEqual(l.value, r.value, depth: depth + 1) else { return false }
        }
        return true
    }

    private static func isSameCase<T>(_ a: T, _ b: Any) -> Bool { (b as? T).map { sameBytes(a, $0) } ?? false }
}
