import Foundation

/// Runs what must run on the main actor: at once when that is where we are, else in its next turn.
package enum OnMain {
    private static let key: DispatchSpecificKey<Bool> = {
        let key = DispatchSpecificKey<Bool>()
        DispatchQueue.main.setSpecific(key: key, value: true)
        return key
    }()

    package static func run(_ body: @escaping @MainActor () -> Void) {
        // A program without a main loop of GLib's lets libdispatch drain the main queue on any thread.
        if Thread.isMainThread || DispatchQueue.getSpecific(key: key) == true {
            MainActor.assumeIsolated(body)
        } else {
            later(body)
        }
    }

    /// Runs `body` on the main actor in a later turn of the main loop, after what was handed over before.
    package static func later(_ body: @escaping @MainActor () -> Void) {
        DispatchQueue.main.async { MainActor.assumeIsolated(body) }
    }

    /// The same after `seconds`.
    package static func later(_ seconds: Double, _ body: @escaping @MainActor () -> Void) {
        DispatchQueue.main.asyncAfter(deadline: .now() + seconds) { MainActor.assumeIsolated(body) }
    }
}
