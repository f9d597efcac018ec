import Zoetrope

/// How the container stands on the screen: decides which of the controls are shown (``ControlService``). The app says
/// which, or has it follow the window (`.status(followsWindow: true)`).
public class StatusService: Service {
    /// How a container stands.
    public enum Status {
        /// The picture is wider than high and fills part of the screen or the window.
        case halfScreen
        /// The container fills a landscape screen.
        case fullScreen
        /// The picture is higher than wide.
        case portrait
    }

    /// Default: `.halfScreen`.
    @Published public private(set) var status = Status.halfScreen

    /// `status` is `.fullScreen`.
    public var isFullScreen: Bool { status == .fullScreen }
    /// `status` is `.halfScreen`.
    public var isHalfScreen: Bool { status == .halfScreen }
    /// `status` is `.portrait`.
    public var isPortrait: Bool { status == .portrait }

    /// Sets `status`; the window stays as it is, see ``WindowService``.
    public func toFullScreen() { change(to: .fullScreen) }
    /// Sets `status`; the window stays as it is, see ``WindowService``.
    public func toHalfScreen() { change(to: .halfScreen) }
    /// Sets `status`; the window stays as it is, see ``WindowService``.
    public func toPortrait() { change(to: .portrait) }

    /// What is so already is no change: nobody is told.
    func change(to status: Status) {
        guard self.status != status else { return }
        self.status = status
    }
}
