import DesktopServices
import Foundation

extension NowPlayingWindow {
    /// The app's windows, as a desktop's media controls reach them: the one in front, else the first.
    static let app = NowPlayingWindow(
        isFullscreen: { front.map { $0.styleMask.contains(.fullScreen) } },
        setFullscreen: { isOn in if let front, front.styleMask.contains(.fullScreen) != isOn { front.toggleFullScreen(nil) } },
        raise: { front?.makeKeyAndOrderFront(nil) },
        // In a turn of its own: who asked is answered.
        quit: { DispatchQueue.main.async { MainActor.assumeIsolated { NSApp.terminate(nil) } } })

    @MainActor private static var front: NSWindow? { NSApp.keyWindow ?? NSApp.windows.first }
}
