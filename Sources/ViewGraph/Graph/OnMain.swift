import Foundation

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
