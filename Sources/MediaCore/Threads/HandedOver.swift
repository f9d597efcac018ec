/// A value that one thread hands to another, and uses no more: the compiler can't see this where the value passes
/// through a lock, a stream or an escaping closure.
package struct HandedOver<Value>: @unchecked Sendable {
    // Unchecked because of `value`: the code that makes an instance promises the above.
    package let value: Value
    package init(_ value: Value) { self.value = value }
}
