import Foundation
import Synchronization

/// A renderer that is created in the background before the first cue is due, because finding fonts takes time.
final class PreparedRenderer: Sendable {
    private struct Slot {
        var renderer: AssRenderer?
        var isTaken = false
    }
    private let hasBegun = Mutex(false)
    /// The renderer. The lock is held while the renderer is created.
    private let slot = Mutex(Slot())

    /// Creates the renderer on another thread. Later calls do nothing.
    func begin() {
        let isFirst = hasBegun.withLock { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
        }
        guard isFirst else { return }
        DispatchQueue.global(qos: .utility).async { [self] in
            slot.withLock { slot in
                // If `take()` was called first, its caller has created a renderer.
                if !slot.isTaken { slot.renderer = AssRenderer() }
            }
        }
    }

    /// Returns the renderer to the first caller, and waits while it is being created. Returns nil to later callers, or
    /// if none was created.
    func take() -> sending AssRenderer? {
        slot.withLock { slot in
            let taken = slot.renderer
            slot = Slot(isTaken: true)
            return taken
        }
    }
}
