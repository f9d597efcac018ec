import Foundation
@_spi(Graph) import ViewGraph

/// A window that the app creates, or a window of a SwiftUI scene. Modeled on UIKit's type.
@MainActor @preconcurrency
open class UIWindow: UIView {
    private weak var hostWindow: HostWindow?
    private var graph: ViewGraph?

    /// Creates a window that is not shown yet. Its content determines its size.
    public convenience init(windowScene: UIWindowScene) { self.init(frame: .zero) }
    /// Creates a window that is not shown yet.
    /// - Parameter frame: The size of the window; the desktop chooses its position. If the frame is the main screen's
    ///   bounds, as in apps for devices, the content determines the size.
    public override init(frame: CGRect) {
        super.init(frame: frame == UIScreen.main.bounds ? .zero : frame)
    }
    /// Creates an object for an open window.
    init(showing hostWindow: HostWindow) {
        super.init(frame: .zero)
        self.hostWindow = hostWindow
    }
    /// Returns nil, because archives of windows are not supported.
    public required init?(coder: NSCoder) { return nil }

    /// The controller whose view the window shows. Setting nil does not close an open window.
    ///
    /// In a window of a SwiftUI scene or sheet, the controller's own view is empty and not in the window, but the
    /// controller can present other controllers. For a sheet with a presented controller, the property is the root
    /// controller of the window below.
    open var rootViewController: UIViewController? {
        get { ownRoot ?? sceneRoot }
        set {
            guard newValue !== ownRoot else { return }
            ownRoot = newValue
            if isOpen { show() }
        }
    }
    private var ownRoot: UIViewController?
    private var madeSceneRoot: SceneRootController?
    private var sceneRoot: UIViewController? {
        guard graph == nil, let hostWindow, !hostWindow.isClosed else { return nil }
        if let below = hostWindow.window.parent,
            let host = HostWindow.all.first(where: { $0.window == below }),
            let root = UIApplication.shared.windows.first(where: { $0.isShown(by: host.facade) })?.rootViewController,
            root.presents(in: hostWindow)
        {
            return root
        }
        let root = madeSceneRoot ?? SceneRootController(hostWindow)
        madeSceneRoot = root
        return root
    }
    /// The scene of the window, which is the app's only scene. Setting it has no effect.
    open var windowScene: UIWindowScene? {
        get { .shared }
        set {}
    }
    /// The app's screen.
    open var screen: UIScreen { .main }
    /// Whether the window has the keyboard focus.
    open var isKeyWindow: Bool { hostWindow?.isActive ?? false }
    /// The insets of the safe area, which are zero, because GTK reports no display areas that must stay free.
    open override var safeAreaInsets: UIEdgeInsets { .zero }
    /// The area of the window's content, in points.
    open override var bounds: CGRect {
        get { hostWindow.map { CGRect(origin: .zero, size: $0.surface.size) } ?? super.bounds }
        set { super.bounds = newValue }
    }

    /// Returns the receiver of pointer input at a point: a view of the root controller, or this window. Returns nil for
    /// a point outside of the window.
    ///
    /// An override applies to calls by the app only: GTK searches the views of the root controller, without the window.
    open override func hitTest(_ point: CGPoint, with event: UIEvent?) -> UIView? {
        let hit = super.hitTest(point, with: event)
        guard hit === self, let root = rootViewController?.viewIfLoaded else { return hit }
        return root.hitTest(root.convert(point, from: self), with: event) ?? self
    }

    func isShown(by facade: NSWindow) -> Bool { hostWindow?.facade === facade }

    final func setFullScreen(_ isFullScreen: Bool) { hostWindow?.fullScreen.set(isFullScreen) }

    private var isOpen: Bool { !isOpening && graph != nil && hostWindow?.isClosed == false }
    private var isOpening = false
    /// Opens the window, or moves it to the front if it is open. Has no effect without a `rootViewController`.
    open func makeKeyAndVisible() {
        if isOpen || graph == nil && hostWindow != nil { hostWindow?.raise() } else { show() }
    }
    /// Moves the window to the front. Has no effect on a window that is not open.
    open func makeKey() { hostWindow?.raise() }

    private func show() {
        guard !isOpening, let rootViewController = ownRoot else { return }
        graph?.unmount()
        let newGraph = ViewGraph()
        let app = UIApplication.shared
        // Registers the open windows, so that the next new one is registered for this object.
        _ = app.windows
        (isOpening, app.opening) = (true, self)
        let size = super.bounds.size
        AppRoots.mount(
            WindowView(
                title: ProcessInfo.processInfo.processName,
                settings: WindowSettings(size: size == .zero ? nil : size),
                content: TitledContent(controller: rootViewController)),
            in: newGraph)
        graph = newGraph
        _ = app.windows
        (isOpening, app.opening) = (false, nil)
        // The controller may have replaced itself while it appeared.
        if ownRoot !== rootViewController { show() }
    }
    /// Called with the new window while this one is opening. Returns this object.
    final func opened(_ newWindow: HostWindow) -> UIWindow {
        hostWindow = newWindow
        UIApplication.shared.opening = nil
        return self
    }
}

/// The view of a window's root controller, whose title is the title of the window.
struct TitledContent: View {
    let controller: UIViewController
    var body: some View {
        ControllerContent(controller: controller).preference(key: WindowTitleKey.self, value: controller.shownTitle)
    }
}

/// The view of a controller, as large as the window.
struct ControllerContent: View {
    let controller: UIViewController
    var body: some View { Represented(controller: controller).frame(maxWidth: .infinity, maxHeight: .infinity) }

    struct Represented: UIViewControllerRepresentable {
        let controller: UIViewController
        func makeUIViewController(context: Context) -> UIViewController { controller }
        func updateUIViewController(_ uiViewController: UIViewController, context: Context) {}
    }
}

extension UIViewController {
    /// Whether a controller that this one presents, or one above that, is shown in a window.
    fileprivate func presents(in window: HostWindow) -> Bool {
        var presentation = modal.presentation
        while let current = presentation {
            if current.isShown(in: window) { return true }
            presentation = current.presented.modal.presentation
        }
        return false
    }
}

/// The distances from the edges of a rectangle inward, in points. Modeled on UIKit's type.
public struct UIEdgeInsets: Hashable, Sendable {
    /// The distances in points. Negative distances are outward.
    public var top, left, bottom, right: CGFloat
    /// Creates insets in points.
    public init(top: CGFloat = 0, left: CGFloat = 0, bottom: CGFloat = 0, right: CGFloat = 0) {
        (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
    }
    /// Insets of 0.
    public static let zero = UIEdgeInsets()
}
extension CGRect {
    /// Returns the rectangle with its edges moved inward by insets.
    public func inset(by insets: UIEdgeInsets) -> CGRect {
        CGRect(
            x: minX + insets.left, y: minY + insets.top, width: max(0, width - insets.left - insets.right),
            height: max(0, height - insets.top - insets.bottom))
    }
}
extension EdgeInsets {
    /// Creates insets from UIKit's insets. Left becomes leading, and right becomes trailing.
    public init(_ insets: UIEdgeInsets) {
        self.init(top: insets.top, leading: insets.left, bottom: insets.bottom, trailing: insets.right)
    }
}
