import CGTK

/// A closure for use as the data of a C callback.
@MainActor
final class GTKClosure {
    let call: @MainActor () -> Bool
    init(_ call: @escaping @MainActor () -> Bool) { self.call = call }

    /// Returns a retained pointer for use as data. `release(_:)` releases it.
    func retained() -> UnsafeMutableRawPointer { Unmanaged.passRetained(self).toOpaque() }
    nonisolated static func release(_ data: UnsafeMutableRawPointer?) {
        if let data { Unmanaged<GTKClosure>.fromOpaque(data).release() }
    }
}

@MainActor
extension GTKObject {
    /// Calls `action` once, when the object is freed.
    package func whenFreed(_ action: @escaping @MainActor () -> Void) {
        let closure = GTKClosure {
            action()
            return true
        }
        g_object_weak_ref(
            raw(),
            { closure, _ in
                MainThread.run(closure, as: GTKClosure.self) { $0.call() }
                GTKClosure.release(closure)
            }, closure.retained())
    }
}
