/// The transition to the main actor from C code that runs on the main thread, such as callbacks of GLib, GTK and Xlib.
package enum MainThread {
    /// A value from C, which has no isolation that the compiler could check. It never leaves its thread.
    @usableFromInline struct Handed<Value>: @unchecked Sendable {
        @usableFromInline let value: Value
        @usableFromInline init(_ value: Value) { self.value = value }
    }

    /// Runs `body` with `value` synchronously on the main actor, and returns its result. Called from another thread, it
    /// ends the program, as `MainActor.assumeIsolated` does.
    @inlinable @discardableResult
    package static func run<Value, Answer>(_ value: Value, _ body: @MainActor (Value) -> Answer) -> Answer {
        let handed = Handed(value)
        return MainActor.assumeIsolated { Handed(body(handed.value)) }.value
    }

    /// Runs `body` with the object that a callback's data points to, and returns its result, or nil if `data` is nil.
    /// Other code keeps the object alive.
    @inlinable @discardableResult
    package static func run<Owner: AnyObject, Answer>(
        _ data: UnsafeMutableRawPointer?, as type: Owner.Type, _ body: @MainActor (Owner) -> Answer
    ) -> Answer? {
        run(data) { data in data.map { body(Unmanaged<Owner>.fromOpaque($0).takeUnretainedValue()) } }
    }
}
