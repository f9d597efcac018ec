import Foundation
import Synchronization

/// An `AssRenderer` that is made in the background before the first cue is due: looking for fonts takes a moment.
final class PreparedRenderer: Sendable {
    private struct Slot {
        var renderer: AssRenderer?
        var isTaken = false
    }
    private let hasBegun = Mutex(false)
    /// Locked while the renderer is made.
    private let slot = Mutex(Slot())

    /// Makes the renderer on another thread. Later calls do nothing.
    func begin() {
        let isFirst = hasBegun.withLock { hasBegun in
            defer { hasBegun = true }
            return !hasBegun
        }
        guard isFirst else { return }
        DispatchQueue.global(qos: .utility).async { [self] in
            slot.withLock { slot in
                // The first cue was due earlier: its drawing has made one.
                if !slot.isTaken { slot.renderer = AssRenderer() }
            }
        }
    }

    /// The renderer, once; waits if it is being made. Nil if there is none.
    func take() -> sending AssRenderer? {
        slot.withLock { slot in
            let taken = slot.renderer
            slot = Slot(isTaken: true)
            return taken
        }
    }
}
