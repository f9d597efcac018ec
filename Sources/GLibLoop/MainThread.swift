/// The way from C code that runs on the main thread (callbacks of GLib, GTK and Xlib) to the main actor.
package enum MainThread {
    /// What C hands over has no isolation that the compiler could see; it never leaves the thread it came on.
    @usableFromInline struct Handed<Value>: @unchecked Sendable {
        @usableFromInline let value: Value
        @usableFromInline init(_ value: Value) { self.value = value }
    }

    /// Runs `body` on the main actor, now, with what the callback was given, and answers what it answers. Ends the
    /// program when called from another thread, as `MainActor.assumeIsolated` does.
    @inlinable @discardableResult
    package static func run<Value, Answer>(_ value: Value, _ body: @MainActor (Value) -> Answer) -> Answer {
        let handed = Handed(value)
        return MainActor.assumeIsolated { Handed(body(handed.value)) }.value
    }

    /// The same with the object that a callback's data point to, which somebody else keeps alive; nil: there are none.
    @inlinable @discardableResult
    package static func run<Owner: AnyObject, Answer>(
        _ data: UnsafeMutableRawPointer?, as type: Owner.Type, _ body: @MainActor (Owner) -> Answer
    ) -> Answer? {
        run(data) { data in data.map { body(Unmanaged<Owner>.fromOpaque($0).takeUnretainedValue()) } }
    }
}
