import Zoetrope

private struct FollowsWindowKey: EnvironmentKey { static let defaultValue = false }

extension EnvironmentValues {
    var statusFollowsWindow: Bool {
        get { self[FollowsWindowKey.self] }
        set { self[FollowsWindowKey.self] = newValue }
    }
}

extension View {
    /// Sets whether the status (``StatusService``) of the containers in this view follows their windows.
    ///
    /// Without this modifier, only the app changes the status.
    ///
    /// ```swift
    /// PlayerWidget(context).status(followsWindow: true)
    /// ```
    /// In a window that fills the screen, the status is `.fullScreen`. Otherwise it is `.portrait` if the container is
    /// taller than it is wide, and `.halfScreen` if not. A status that the app sets (`context.status.toPortrait()`)
    /// stays until the window or the shape of the container changes again.
    public func status(followsWindow: Bool) -> some View { environment(\.statusFollowsWindow, followsWindow) }
}

/// An invisible view that sets the status.
struct StatusFollower: View {
    @Environment(\.statusFollowsWindow) private var follows
    @ObservedObject private var window: WindowService
    private let status: StatusService
    private let size: CGSize

    init(_ context: Context, size: CGSize) {
        window = context.own(WindowService.self)
        status = context.own(StatusService.self)
        self.size = size
    }

    var body: some View {
        Color.clear.onChange(of: requestedStatus, initial: true) {
            if let requestedStatus { status.change(to: requestedStatus) }
        }
    }

    private var requestedStatus: StatusService.Status? {
        // Before the first layout, the size is not known.
        guard follows, size.width > 0, size.height > 0 else { return nil }
        return .followed(isFullScreen: window.isFullScreen, size: size)
    }
}

extension StatusService.Status {
    static func followed(isFullScreen: Bool, size: CGSize) -> Self {
        isFullScreen ? .fullScreen : size.height > size.width ? .portrait : .halfScreen
    }
}
