import Zoetrope

/// The window that the container is shown in, and whether it fills the screen.
///
/// What fills the screen is the window; how the container's controls stand is the ``StatusService``'s, which may follow
/// it (`.status(followsWindow: true)`).
public class WindowService: Service {
    /// Nil while the container is in none.
    public private(set) weak var window: NSWindow?
    /// The window fills the screen: whoever did it (this service, a key, the desktop).
    @Published public private(set) var isFullScreen = false
    /// A double click on the picture makes the window fill the screen, and back. Default: true.
    public private(set) var isFullScreenOnDoubleTap = true
    private var observations: [AnyCancellable] = []

    /// Whether a double click on the picture makes the window fill the screen, and back. Where somebody observes the
    /// double tap (``GestureService/observe(_:handler:)``), or the app has a
    /// ``GestureService/simultaneousDoubleTapGesture``, it is theirs alone.
    public func configure(fullScreenOnDoubleTap: Bool) { isFullScreenOnDoubleTap = fullScreenOnDoubleTap }

    /// To full screen, or back. It is so when ``isFullScreen`` says so: the desktop takes its time.
    public func toggleFullScreen() { window?.toggleFullScreen(nil) }
    /// No effect where it is so.
    public func enterFullScreen() { if !isFullScreen { toggleFullScreen() } }
    /// No effect where it is not full screen.
    public func exitFullScreen() { if isFullScreen { toggleFullScreen() } }

    /// The container has come into a window, or left it.
    func moved(to window: NSWindow?) {
        guard window !== self.window else { return }
        self.window = window
        observations = []
        if let window {
            for name in [NSWindow.didEnterFullScreenNotification, NSWindow.didExitFullScreenNotification] {
                observations.append(
                    NotificationCenter.default.publisher(for: name, object: window).sink { [weak self] _ in
                        MainActor.assumeIsolated { self?.look() }
                    })
            }
        }
        look()
    }

    private func look() {
        let isFull = window?.styleMask.contains(.fullScreen) ?? false
        if isFull != isFullScreen { isFullScreen = isFull }
    }

    /// A double tap that nobody else wants.
    func doubleTapped() { if isFullScreenOnDoubleTap { toggleFullScreen() } }
}

extension Context {
    /// The window that the container is in, and whether it fills the screen.
    public var window: WindowService { self[WindowService.self] }
}

/// Tells the service in which window it is; nothing to see.
struct WindowFinder: NSViewRepresentable {
    let service: WindowService

    func makeNSView(context: NSViewRepresentableContext<WindowFinder>) -> FinderView { FinderView(service) }
    func updateNSView(_ view: FinderView, context: NSViewRepresentableContext<WindowFinder>) { view.look() }
    static func dismantleNSView(_ view: FinderView, coordinator: Void) { view.end() }
}

final class FinderView: NSView {
    private weak var service: WindowService?
    private var isOver = false

    init(_ service: WindowService) {
        self.service = service
        super.init(frame: .zero)
    }
    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override func viewDidMoveToWindow() { look() }
    func look() { if !isOver { service?.moved(to: window) } }

    /// Another container of the same context may be in another window by now.
    func end() {
        isOver = true
        if let service, service.window === window { service.moved(to: nil) }
    }
}
