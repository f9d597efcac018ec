/// Equality of values whose types are not known where they are compared.
package enum ErasedEquality {
    /// By `==` of `a`'s type, which a `b` of another type never equals; nil where `a` has no `==`.
    package static func areEqual(_ a: Any, _ b: Any) -> Bool? {
        func equals<T: Equatable>(_ a: T) -> Bool {
            guard let b = b as? T else { return false }
            return a == b
        }
        guard let a = a as? any Equatable else { return nil }
        return equals(a)
    }

    /// Both are objects, and the same one. What merely bridges to an object is none.
    package static func areIdentical(_ a: Any, _ b: Any) -> Bool {
        type(of: a) is AnyClass && type(of: b) is AnyClass && (a as AnyObject) === (b as AnyObject)
    }
}
