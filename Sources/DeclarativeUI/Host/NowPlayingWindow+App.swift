import DesktopServices
import Foundation

extension NowPlayingWindow {
    /// The app's windows, as a desktop's media controls reach them: the one in front, else the first.
    static let app = NowPlayingWindow(
        isFullscreen: { front.map { $0.styleMask.contains(.fullScreen) } },
        setFullscreen: { isOn in
            if let front, front.styleMask.contains(.fullScreen) != isOn { front.toggleFullScreen(nil) }
        },
        raise: { front?.makeKeyAndOrderFront(nil) },
        // In a turn of its own: who asked is answered.
        quit: { OnMain.later { NSApp.terminate(nil) } })

    /// What the app's views open addresses with.
    @MainActor static var opens: (@MainActor (URL) -> Void)?

    /// From now on the desktop is told of what plays in the app's windows.
    @MainActor static func beginTelling() {
        let hub = NowPlayingHub.shared
        hub.window = .app
        hub.window?.open = opens
        hub.begin()
        IdleInhibitor.shared.begin()
        // As long as the app runs.
        for name in [NSWindow.didEnterFullScreenNotification, NSWindow.didExitFullScreenNotification] {
            _ = NotificationCenter.default.addObserver(forName: name, object: nil, queue: nil) { _ in
                MainActor.assumeIsolated { NowPlayingHub.shared.changed() }
            }
        }
    }

    @MainActor private static var front: NSWindow? { NSApp.keyWindow ?? NSApp.windows.first }
}
