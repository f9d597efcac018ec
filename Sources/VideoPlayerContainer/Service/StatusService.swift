import Zoetrope

/// How the container stands on the screen: decides which of the controls are shown (``ControlService``). The app says
/// which, or has it follow the window (`.status(followsWindow: true)`).
public class StatusService: Service {
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

    public var isFullScreen: Bool { status == .fullScreen }
    public var isHalfScreen: Bool { status == .halfScreen }
    public var isPortrait: Bool { status == .portrait }

    public func toFullScreen() { change(to: .fullScreen) }
    public func toHalfScreen() { change(to: .halfScreen) }
    public func toPortrait() { change(to: .portrait) }

    /// What is so already is no change: nobody is told.
    func change(to status: Status) {
        guard self.status != status else { return }
        self.status = status
    }
}
