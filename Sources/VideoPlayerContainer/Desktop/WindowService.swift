import Zoetrope

/// The window that contains the container, and its full screen.
///
/// ```swift
/// WithService(WindowService.self) { window in
///     Button(window.isFullScreen ? "Exit full screen" : "Full screen") { window.toggleFullScreen() }
/// }
/// ```
/// Full screen is a state of the window. The ``StatusService`` decides which controls are shown, and can follow the
/// window (`.status(followsWindow: true)`).
public class WindowService: Service {
    /// The window; nil while the container is not in a window.
    public private(set) weak var window: NSWindow?
    /// Whether the window fills the screen, whether this service, a key or the desktop changed it.
    @Published public private(set) var isFullScreen = false
    /// Whether a double click on the video enters or exits full screen. Default: true.
    public private(set) var isFullScreenOnDoubleTap = true
    private var observations: [AnyCancellable] = []

    /// Sets whether a double click on the video enters or exits full screen.
    ///
    /// An observer of the double tap (``GestureService/observe(_:handler:)``), or the app's
    /// ``GestureService/simultaneousDoubleTapGesture``, replaces this action.
    public func configure(fullScreenOnDoubleTap: Bool) { isFullScreenOnDoubleTap = fullScreenOnDoubleTap }

    /// Enters or exits full screen. The desktop carries out the change later; ``isFullScreen`` then changes. Without a
    /// window, nothing happens.
    public func toggleFullScreen() { window?.toggleFullScreen(nil) }
    /// Enters full screen. It has no effect in full screen.
    public func enterFullScreen() { if !isFullScreen { toggleFullScreen() } }
    /// Exits full screen. It has no effect outside of full screen.
    public func exitFullScreen() { if isFullScreen { toggleFullScreen() } }

    /// Follows the container into another window, or out of its window.
    func moved(to window: NSWindow?) {
        guard window !== self.window else { return }
        self.window = window
        observations = []
        if let window {
            for name in [NSWindow.didEnterFullScreenNotification, NSWindow.didExitFullScreenNotification] {
                observations.append(
                    NotificationCenter.default.publisher(for: name, object: window).sink { [weak self] _ in
                        MainActor.assumeIsolated { self?.update() }
                    })
            }
        }
        update()
    }

    private func update() {
        let isFull = window?.styleMask.contains(.fullScreen) ?? false
        if isFull != isFullScreen { isFullScreen = isFull }
    }

    /// Handles a double tap for which there is no other handler.
    func doubleTapped() { if isFullScreenOnDoubleTap { toggleFullScreen() } }
}

extension Context {
    /// The service that has the window of the container, and its full screen.
    public var window: WindowService { self[WindowService.self] }
}

/// An invisible view that reports its window to the service.
struct WindowFinder: NSViewRepresentable {
    let service: WindowService

    func makeNSView(context: NSViewRepresentableContext<WindowFinder>) -> FinderView { FinderView(service) }
    func updateNSView(_ view: FinderView, context: NSViewRepresentableContext<WindowFinder>) { view.reportWindow() }
    static func dismantleNSView(_ view: FinderView, coordinator: Void) { view.end() }
}

final class FinderView: NSView {
    private weak var service: WindowService?
    private var hasEnded = false

    init(_ service: WindowService) {
        self.service = service
        super.init(frame: .zero)
    }
    @available(*, unavailable)
    required init?(coder: NSCoder) { nil }

    override func viewDidMoveToWindow() { reportWindow() }
    func reportWindow() { if !hasEnded { service?.moved(to: window) } }

    /// Ends the reports. The service's window is only removed if it is still the window of this view, because another
    /// container of the same context may be in another window by now.
    func end() {
        hasEnded = true
        if let service, service.window === window { service.moved(to: nil) }
    }
}
