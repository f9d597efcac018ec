import CGTK
import Foundation
import GTK
import MediaCore

/// The size of a window's content.
///
/// GTK's own size of a window includes the title bar that GTK draws if the compositor draws none (Wayland). It also
/// includes the frame that replaces a shadow if there is no compositing. A size that is requested while the windowing
/// system is still answering the previous request is lost.
@MainActor
package final class WindowSizing {
    private let window: GTKWindow
    private let signals = Signals()
    private var isFollowing = false
    private var requestedSize: CGSize?
    private var tries = 0
    /// The last known size of the content.
    private var lastSize: CGSize?
    /// The time until an unanswered request is repeated, in nanoseconds. Doubled each time.
    private var retryDelay: Int64 = 0
    private var isRetryScheduled = false
    /// The time when the request is abandoned. A size after that time is the user's choice.
    private var deadline = HostTime.min

    package init(_ window: GTKWindow) { self.window = window }

    /// Requests a size in points for the window's content, before or after the window is shown. The window manager may
    /// choose another one.
    package func set(_ size: CGSize) {
        requestedSize = CGSize(width: size.width.rounded(), height: size.height.rounded())
        tries = 0
        lastSize = nil
        retryDelay = 16_000_000
        deadline = .now() + 10_000_000_000
        apply()
    }

    package func close() {
        requestedSize = nil
        signals.disconnect()
    }

    private func apply() {
        guard let requestedSize else { return }
        let width = Int32(min(16_000, max(1, requestedSize.width)))
        let height = Int32(min(16_000, max(1, requestedSize.height)))
        // GTK creates the title bar with the window's surface, and the surface opens with the size that was set before.
        if !window.isRealized { window.setDefaultSize(width, height) }
        window.realize()
        if !isFollowing, let surface = window.surface {
            isFollowing = true
            signals.on(surface, "layout") { [weak self] in
                // GTK is laying out now. The result is available afterward.
                DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.laidOut() } }
            }
        }
        let frame = frameSize
        let whole = (width: width + frame.width, height: height + barHeight(width) + frame.height)
        if WindowFullScreen.of(window).keep(CGSize(width: Int(whole.width), height: Int(whole.height))) {
            self.requestedSize = nil
            return
        }
        window.setDefaultSize(whole.width, whole.height)
    }

    /// The size of the frame that GTK draws around the bar and the content, in points: left plus right, and top plus
    /// bottom. It is the window's padding.
    private var frameSize: (width: Int32, height: Int32) {
        let sides = window.frameExtents
        return (Int32(sides.left) + Int32(sides.right), Int32(sides.top) + Int32(sides.bottom))
    }

    /// Returns the height of the bar that GTK draws above the content, in points.
    private func barHeight(_ width: Int32) -> Int32 {
        guard window.isDecorated else { return 0 }
        guard let bar = window.children.first(where: { $0.hasClass("titlebar") && $0.isVisible }) else { return 0 }
        // A window is not narrower than its bar.
        let least = bar.measure(GTK_ORIENTATION_HORIZONTAL).minimum
        return bar.measure(GTK_ORIENTATION_VERTICAL, for: max(width, least)).natural
    }

    private func laidOut() {
        guard let requestedSize, let content = window.child,
            let surface = window.surface,
            window.isMapped
        else { return }
        let fixed =
            GDK_TOPLEVEL_STATE_MAXIMIZED.rawValue | GDK_TOPLEVEL_STATE_FULLSCREEN.rawValue
            | GDK_TOPLEVEL_STATE_TILED.rawValue
        let size = content.size
        let isAnswer = size != lastSize
        lastSize = size
        if isAnswer { tries += 1 }
        // The request is fulfilled, or the window manager or the user has decided otherwise.
        if size == requestedSize || tries > 6 || HostTime.now() > deadline
            || surface.state.rawValue & fixed != 0
        {
            self.requestedSize = nil
            return
        }
        if isAnswer { apply() } else { wait() }
    }

    /// Repeats the request after a while, in case it was lost.
    ///
    /// GTK lays out whenever requested, and a busy windowing system answers later. A layout with the same size is
    /// therefore not an answer.
    private func wait() {
        guard !isRetryScheduled else { return }
        isRetryScheduled = true
        let retryDelay = retryDelay
        self.retryDelay *= 2
        DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(Int(retryDelay))) { [weak self] in
            MainActor.assumeIsolated {
                guard let self else { return }
                self.isRetryScheduled = false
                if HostTime.now() > self.deadline { self.requestedSize = nil }
                self.apply()
            }
        }
    }
}
