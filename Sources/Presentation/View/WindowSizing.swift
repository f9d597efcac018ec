import CGTK
import Foundation
import GTK
import MediaCore

/// The size of what a window holds. GTK's own measure of a window includes the bar that it draws itself where the
/// compositor draws none (Wayland), and the frame around it all that stands for a shadow where nothing composites; and
/// a size that is asked for while the windowing system is still answering to the one before is forgotten. Main actor.
@MainActor
package final class WindowSizing {
    private let window: GTKWindow
    private let signals = Signals()
    private var isFollowing = false
    private var wanted: CGSize?
    private var tries = 0
    /// The content's when it was last looked at.
    private var seen: CGSize?
    /// Until an unheard wish is said again, nanoseconds; twice as long each time.
    private var patience: Int64 = 0
    private var isPatient = false
    /// When it is given up: later sizes are the user's.
    private var until = HostTime.min

    package init(_ window: GTKWindow) { self.window = window }

    /// Gives the window's content `size`, points, before it is shown or afterwards. Whoever manages windows may decide
    /// otherwise.
    package func set(_ size: CGSize) {
        wanted = CGSize(width: size.width.rounded(), height: size.height.rounded())
        tries = 0
        seen = nil
        patience = 16_000_000
        until = .now() + 10_000_000_000
        apply()
    }

    package func close() {
        wanted = nil
        signals.disconnect()
    }

    private func apply() {
        guard let wanted else { return }
        let width = Int32(min(16_000, max(1, wanted.width)))
        let height = Int32(min(16_000, max(1, wanted.height)))
        // The bar is made with the window's surface, and that opens with the size it was made for.
        if !window.isRealized { window.setDefaultSize(width, height) }
        window.realize()
        if !isFollowing, let surface = window.surface {
            isFollowing = true
            signals.on(surface, "layout") { [weak self] in
                // GTK is at it; what comes of it is seen afterwards.
                DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.laidOut() } }
            }
        }
        let frame = frameSize
        window.setDefaultSize(width + frame.width, height + barHeight(width) + frame.height)
    }

    /// Of what GTK draws around bar and content: left and right, above and below together, points. It is the window's
    /// padding.
    private var frameSize: (width: Int32, height: Int32) {
        let sides = window.frameExtents
        return (Int32(sides.left) + Int32(sides.right), Int32(sides.top) + Int32(sides.bottom))
    }

    /// What GTK draws above the content, points.
    private func barHeight(_ width: Int32) -> Int32 {
        guard window.isDecorated else { return 0 }
        let bar = window.children.first { $0.hasClass("titlebar") && $0.isVisible }
        return bar?.measure(GTK_ORIENTATION_VERTICAL, for: width).natural ?? 0
    }

    private func laidOut() {
        guard let wanted, let content = window.child,
            let surface = window.surface,
            window.isMapped
        else { return }
        let fixed =
            GDK_TOPLEVEL_STATE_MAXIMIZED.rawValue | GDK_TOPLEVEL_STATE_FULLSCREEN.rawValue
            | GDK_TOPLEVEL_STATE_TILED.rawValue
        let size = content.size
        let isAnswer = size != seen
        seen = size
        if isAnswer { tries += 1 }
        // Somebody else decides; the user has the last word, too.
        if size == wanted || tries > 6 || HostTime.now() > until
            || surface.state.rawValue & fixed != 0
        {
            self.wanted = nil
            return
        }
        if isAnswer { apply() } else { wait() }
    }

    /// GTK lays out as often as it is asked to; a busy windowing system answers when it can. The same size again is no
    /// answer, so the wish is said again after a while, in case it was forgotten.
    private func wait() {
        guard !isPatient else { return }
        isPatient = true
        let patience = patience
        self.patience *= 2
        DispatchQueue.main.asyncAfter(deadline: .now() + .nanoseconds(Int(patience))) { [weak self] in
            MainActor.assumeIsolated {
                guard let self else { return }
                self.isPatient = false
                if HostTime.now() > self.until { self.wanted = nil }
                self.apply()
            }
        }
    }
}
