import CGTK
import GTK
import MediaCore

/// The calls of a view for its next frame: at each display refresh, or at the time when the next frame is due.
///
/// GTK's frame clock costs more than a refresh without a new frame. A view that does not need GTK for its frames
/// therefore waits for the next frame without that clock.
@MainActor
final class DisplayTicks {
    /// The time of a call.
    enum Time {
        /// A display refresh, with the `GdkFrameClock`.
        case refresh(OpaquePointer?)
        /// The time that the view has requested, with the time when the frame must be visible. The call can be up to a
        /// millisecond early.
        case due(visible: HostTime)
    }
    /// The time of the next call.
    enum Next {
        case never, refresh
        /// The time when a frame is requested so that it is visible at another time.
        case due(at: HostTime, visible: HostTime)
    }
    private var tick: TickCallback?
    private var timer: LoopTimer?
    /// The change that `start` or `stop` has requested during a call, which replaces the result of the call.
    private var requested: Next?
    private let frames = Signals()

    var isRunning: Bool { isRefreshing || timer != nil }
    /// Whether the next call is at the next display refresh.
    var isRefreshing: Bool { tick != nil }

    /// Calls `turn` at the next display refresh, and then as often as it requests.
    /// - Parameters:
    ///   - widget: The widget whose frame clock is used.
    ///   - turn: Called with the time of the call. Returns the time of the next one.
    func start(_ widget: GTKWidget, turn: @escaping @MainActor (Time) -> Next) {
        requested = .refresh
        timer = nil
        guard tick == nil else { return }
        tick = TickCallback(widget) { [weak self] clock in
            guard let self else { return false }
            let next = self.next(turn, .refresh(clock))
            if case .refresh = next { return true }
            tick = nil
            wait(next, widget, turn)
            return false
        }
    }

    private func wait(_ next: Next, _ widget: GTKWidget, _ turn: @escaping @MainActor (Time) -> Next) {
        switch next {
        case .never: break
        case .refresh: start(widget, turn: turn)
        case .due(let time, let visible):
            let left = max(0, time - HostTime.now()) / 1_000_000
            timer = LoopTimer(milliseconds: UInt32(clamping: left)) { [weak self] in
                guard let self else { return false }
                timer = nil
                wait(self.next(turn, .due(visible: visible)), widget, turn)
                return false
            }
        }
    }

    private func next(_ turn: @MainActor (Time) -> Next, _ time: Time) -> Next {
        requested = nil
        let next = turn(time)
        return requested ?? next
    }

    func stop() {
        requested = .never
        tick?.cancel()
        tick = nil
        timer = nil
    }

    /// Calls `passed` whenever GTK has drawn a frame of the window, until `unfollow()`.
    func follow(_ picture: GTKPicture, passed: @escaping @MainActor () -> Void) {
        if let clock = picture.frameClock { frames.on(clock, "after-paint") { passed() } }
    }

    func unfollow() { frames.disconnect() }
}
