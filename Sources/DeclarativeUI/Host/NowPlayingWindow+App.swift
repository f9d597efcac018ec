import DesktopServices
import Foundation

extension NowPlayingWindow {
    /// The app's windows for the desktop's media controls: the window at the front, else the first one.
    static let app = NowPlayingWindow(
        isFullscreen: { front.map { $0.styleMask.contains(.fullScreen) } },
        setFullscreen: { isOn in
            if let front, front.styleMask.contains(.fullScreen) != isOn { front.toggleFullScreen(nil) }
        },
        raise: { front?.makeKeyAndOrderFront(nil) },
        // Runs later, so that the caller gets its reply first.
        quit: { OnMain.later { NSApp.terminate(nil) } })

    /// The action that passes URLs from the desktop to the app's views or delegate. Nil if the app receives no URLs.
    @MainActor static var opens: (@MainActor (URL) -> Void)?

    /// Starts to report playback in the app's windows to the desktop.
    @MainActor static func startReporting() {
        let hub = NowPlayingHub.shared
        hub.window = .app
        hub.window?.open = opens
        hub.begin()
        IdleInhibitor.shared.begin()
        // The observers stay as long as the app runs.
        for name in [NSWindow.didEnterFullScreenNotification, NSWindow.didExitFullScreenNotification] {
            _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
                MainActor.assumeIsolated { NowPlayingHub.shared.changed() }
            }
        }
    }

    @MainActor private static var front: NSWindow? { NSApp.keyWindow ?? NSApp.windows.first }
}
