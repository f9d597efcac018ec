import CGTK
import GTK

/// Asks a view for a frame at each refresh of the display, as long as there is something to ask for. Main actor.
@MainActor
final class DisplayTicks {
    private var tick: TickCallback?
    private let frames = Signals()

    var isRunning: Bool { tick != nil }

    /// - Parameter turn: given the `GdkFrameClock`; false: no more.
    func start(_ widget: GTKWidget, turn: @escaping @MainActor (OpaquePointer?) -> Bool) {
        guard tick == nil else { return }
        tick = TickCallback(widget) { [weak self] clock in
            guard turn(clock) else {
                self?.tick = nil
                return false
            }
            return true
        }
    }

    func stop() {
        tick?.cancel()
        tick = nil
    }

    /// Calls `passed` whenever GTK has drawn a frame of the window, until `unfollow()`.
    func follow(_ picture: GTKPicture, passed: @escaping @MainActor () -> Void) {
        if let clock = picture.frameClock { frames.on(clock, "after-paint") { passed() } }
    }

    func unfollow() { frames.disconnect() }
}
