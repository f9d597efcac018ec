import Zoetrope

/// The status of the container on the screen, which decides which controls are shown (``ControlService``).
///
/// ```swift
/// WithService(StatusService.self) { status in
///     Button(status.isFullScreen ? "Fewer controls" : "All controls") {
///         if status.isFullScreen { status.toHalfScreen() } else { status.toFullScreen() }
///     }
/// }
/// ```
/// The app sets the status, or lets it follow the window (`.status(followsWindow: true)`).
public class StatusService: Service {
    /// A status of a container on the screen.
    public enum Status {
        /// The container fills a part of the screen or the window, and is not taller than it is wide.
        case halfScreen
        /// The container fills a landscape screen.
        case fullScreen
        /// The container is taller than it is wide.
        case portrait
    }

    /// The current status. Default: `.halfScreen`.
    @Published public private(set) var status = Status.halfScreen

    /// Whether the status is `.fullScreen`.
    public var isFullScreen: Bool { status == .fullScreen }
    /// Whether the status is `.halfScreen`.
    public var isHalfScreen: Bool { status == .halfScreen }
    /// Whether the status is `.portrait`.
    public var isPortrait: Bool { status == .portrait }

    /// Sets the status to `.fullScreen`. The window does not change; see ``WindowService``.
    public func toFullScreen() { change(to: .fullScreen) }
    /// Sets the status to `.halfScreen`. The window does not change; see ``WindowService``.
    public func toHalfScreen() { change(to: .halfScreen) }
    /// Sets the status to `.portrait`. The window does not change; see ``WindowService``.
    public func toPortrait() { change(to: .portrait) }

    /// Sets the status. Nothing is reported if it does not change.
    func change(to status: Status) {
        guard self.status != status else { return }
        self.status = status
    }
}
