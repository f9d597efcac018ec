import Foundation
import OpenCombine

/// A namespace for running closures on the main actor: at once if the caller is already there, or else in a later main
/// loop iteration.
package enum OnMain {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    package static func run(_ body: @escaping @MainActor () -> Void) {
        // In a program without GLib's main loop, libdispatch may drain the main queue on any thread.
        if Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true {
            MainActor.assumeIsolated(body)
        } else {
            later(body)
        }
    }

    /// Runs `body` on the main actor in a later main loop iteration, after closures that were queued before.
    package static func later(_ body: @escaping @MainActor () -> Void) {
        DispatchQueue.main.async { MainActor.assumeIsolated(body) }
    }

    /// Runs `body` on the main actor after `seconds`.
    package static func later(_ seconds: Double, _ body: @escaping @MainActor () -> Void) {
        DispatchQueue.main.asyncAfter(deadline: .now() + seconds) { MainActor.assumeIsolated(body) }
    }
}

extension Publisher where Failure == Never {
    /// Subscribes `body`, which runs on the main actor for each value, whichever thread the value is sent on.
    ///
    /// Code on the main actor must not call `sink` for such values: the compiler isolates that closure to the main
    /// actor, and the program ends if the closure is called on another thread. An object sends `objectWillChange` on
    /// the thread that makes the change.
    func sinkOnMain(_ body: @escaping @MainActor (Output) -> Void) -> AnyCancellable {
        sink { value in
            // The publisher hands the value over, but its type does not have to be `Sendable`.
            nonisolated(unsafe) let value = value
            OnMain.run { body(value) }
        }
    }
}
