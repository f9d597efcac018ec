import MediaCore
import OpenCombine

/// Whether two values of a view are the same, so that its body need not be evaluated.
///
/// Values that are bit for bit the same are; else `Equatable` decides where there is one, else the fields
/// are compared one by one. What cannot be compared (a closure that captures) counts as changed.
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
        // What shows itself as it likes may hide a difference.
        if a is any CustomReflectable {
            switch left.displayStyle {
            case .collection, .dictionary, .set, .optional: break
            default: return false
            }
        }
        guard left.subjectType == right.subjectType, left.children.count == right.children.count else { return false }
        // Nothing to look into: a closure, or a type without fields.
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
