import Foundation
import MediaCore
import OpenCombine

/// A namespace for running closures on the main actor: at once if the caller is already there, or else in a later main
/// loop iteration.
package enum OnMain {
    package static func run(_ body: @escaping @MainActor () -> Void) {
        if MainActorQueue.isCurrent {
            MainActor.assumeIsolated(body)
        } else {
            later(body)
        }
    }

    /// Runs `body` on the main actor in a later main loop iteration, after closures that were queued before.
    package static func later(_ body: @escaping @MainActor () -> Void) {
        DispatchQueue.main.async { MainActor.assumeIsolated(body) }
    }

    /// Runs `body` on the main actor for a change that an object announces just before it makes the change.
    ///
    /// The main actor may read the old value after an announcement on another thread. `body` therefore runs again a
    /// moment later, when the change has been made.
    static func runForChange(_ body: @escaping @MainActor () -> Void) {
        if MainActorQueue.isCurrent { return MainActor.assumeIsolated(body) }
        later(body)
        later(0.05, body)
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

    /// Subscribes `body`, which runs on the main actor for each announced change of an object.
    func sinkForChanges(_ body: @escaping @MainActor () -> Void) -> AnyCancellable {
        sink { _ in OnMain.runForChange(body) }
    }
}
