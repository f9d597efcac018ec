import VideoPlayerContainer
import Zoetrope

/// Whether the app's window fills the screen, and what changes that.
public final class WindowService: Service {
    @Published public private(set) var isFullScreen = false
    private var observations: Set<AnyCancellable> = []

    public required init(_ context: Context) {
        super.init(context)
        isFullScreen = window?.styleMask.contains(.fullScreen) ?? false
        for (name, value) in [(NSWindow.didEnterFullScreenNotification, true), (NSWindow.didExitFullScreenNotification, false)] {
            NotificationCenter.default.publisher(for: name).sink { [weak self] _ in self?.isFullScreen = value }.store(in: &observations)
        }
    }

    private var window: NSWindow? { NSApp.keyWindow ?? NSApp.windows.first }

    public func toggleFullScreen() { window?.toggleFullScreen(nil) }
    public func close() { window?.performClose(nil) }
    public func leaveFullScreen() {
        if let window, window.styleMask.contains(.fullScreen) { window.toggleFullScreen(nil) }
    }
}
