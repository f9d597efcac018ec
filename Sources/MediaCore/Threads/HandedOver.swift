/// A value that one thread passes to another and no longer uses. The compiler can't verify this if the value passes
/// through a lock, a stream or an escaping closure.
package struct HandedOver<Value>: @unchecked Sendable {
    // Unchecked because of `value`. The code that creates an instance guarantees that only one thread at a time uses
    // the value.
    package let value: Value
    package init(_ value: Value) { self.value = value }
}
