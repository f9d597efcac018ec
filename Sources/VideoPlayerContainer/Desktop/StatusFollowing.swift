import Zoetrope

private struct FollowsWindowKey: EnvironmentKey { static let defaultValue = false }

extension EnvironmentValues {
    var statusFollowsWindow: Bool {
        get { self[FollowsWindowKey.self] }
        set { self[FollowsWindowKey.self] = newValue }
    }
}

extension View {
    /// Whether the status (``StatusService``) of the containers in this view follows their windows. Default: false, the
    /// app alone changes it.
    ///
    /// ```swift
    /// PlayerWidget(context).status(followsWindow: true)
    /// ```
    /// A window that fills the screen is `.fullScreen`; else a container that is higher than wide is `.portrait`, any
    /// other `.halfScreen`. What the app says itself (`context.status.toPortrait()`) stands until one of these changes
    /// again.
    public func status(followsWindow: Bool) -> some View { environment(\.statusFollowsWindow, followsWindow) }
}

/// Nothing to see.
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
        Color.clear.onChange(of: wanted, initial: true) { if let wanted { status.change(to: wanted) } }
    }

    private var wanted: StatusService.Status? {
        // Before the first layout there is no shape.
        guard follows, size.width > 0, size.height > 0 else { return nil }
        return .followed(isFullScreen: window.isFullScreen, size: size)
    }
}

extension StatusService.Status {
    static func followed(isFullScreen: Bool, size: CGSize) -> Self {
        isFullScreen ? .fullScreen : size.height > size.width ? .portrait : .halfScreen
    }
}
