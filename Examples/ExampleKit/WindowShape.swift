import Zoetrope

/// The shape of a window, by which example apps choose their layout.
public enum WindowShape: Equatable {
    /// Higher than wide, like a phone.
    case upright
    /// Wide, with space beside the video.
    case wide
    /// The video fills the window: in full screen, or in a small landscape window.
    case picture

    public init(_ size: CGSize, isFullScreen: Bool) {
        if isFullScreen || (size.width > size.height && size.width < 820) {
            self = .picture
        } else {
            self = size.height > size.width ? .upright : .wide
        }
    }
}

extension View {
    /// Calls `action` when the window enters (true) or exits (false) full screen.
    public func onFullScreenChange(_ action: @escaping @MainActor (Bool) -> Void) -> some View {
        onReceive(NotificationCenter.default.publisher(for: NSWindow.didEnterFullScreenNotification)) { _ in
            action(true)
        }
        .onReceive(NotificationCenter.default.publisher(for: NSWindow.didExitFullScreenNotification)) { _ in
            action(false)
        }
    }
}
