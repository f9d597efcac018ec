import Zoetrope

/// How much room a window gives: what example apps choose their layout by.
public enum WindowShape: Equatable {
    /// Higher than wide, as a phone.
    case upright
    /// Wide, with room beside the picture.
    case wide
    /// All of it is for the picture: full screen, or low.
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
    /// Tells whether the window fills the screen.
    public func onFullScreenChange(_ action: @escaping @MainActor (Bool) -> Void) -> some View {
        onReceive(NotificationCenter.default.publisher(for: NSWindow.didEnterFullScreenNotification)) { _ in
            action(true)
        }
        .onReceive(NotificationCenter.default.publisher(for: NSWindow.didExitFullScreenNotification)) { _ in
            action(false)
        }
    }
}
