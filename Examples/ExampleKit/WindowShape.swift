import Zoetrope

/// The shape of a window, by which example apps choose their layout.
public enum WindowShape: Equatable {
    /// A window that is higher than wide, like a phone.
    case upright
    /// A wide window, with space beside the video.
    case wide
    /// A window that the video fills: in full screen, or in a small landscape window.
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
