import CGTK
import GTK

/// The calls of a view at each display refresh, as long as the view needs frames.
@MainActor
final class DisplayTicks {
    private var tick: TickCallback?
    private let frames = Signals()

    var isRunning: Bool { tick != nil }

    /// Starts calling `turn` at each display refresh.
    /// - Parameters:
    ///   - widget: The widget whose frame clock is used.
    ///   - turn: Called with the `GdkFrameClock`. Returns false to stop.
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
