/// A namespace for comparing values whose types are not known at compile time.
package enum ErasedEquality {
    /// Compares with `==` of the type of `a`. Returns false if `b` has another type, and nil if `a` is not equatable.
    package static func areEqual(_ a: Any, _ b: Any) -> Bool? {
        func equals<T: Equatable>(_ a: T) -> Bool {
            guard let b = b as? T else { return false }
            return a == b
        }
        guard let a = a as? any Equatable else { return nil }
        return equals(a)
    }

    /// Returns whether both are the same object. Values that Swift can convert to objects, such as strings, do not
    /// count.
    package static func areIdentical(_ a: Any, _ b: Any) -> Bool {
        type(of: a) is AnyClass && type(of: b) is AnyClass && (a as AnyObject) === (b as AnyObject)
    }
}
