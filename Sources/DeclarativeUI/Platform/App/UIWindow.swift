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

    /// The controller whose view the window shows, or nil for a window of a SwiftUI scene. Setting nil does not close
    /// an open window.
    open var rootViewController: UIViewController? {
        didSet { if rootViewController !== oldValue, isOpen { show() } }
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

    func isShown(by facade: NSWindow) -> Bool { hostWindow?.facade === facade }

    final func setFullScreen(_ isFullScreen: Bool) { hostWindow?.fullScreen.set(isFullScreen) }

    private var isOpen: Bool { graph != nil && hostWindow?.isClosed == false }
    /// Opens the window, or moves it to the front if it is open. Has no effect without a `rootViewController`.
    open func makeKeyAndVisible() {
        if isOpen || graph == nil && hostWindow != nil { hostWindow?.raise() } else { show() }
    }
    /// Moves the window to the front. Has no effect on a window that is not open.
    open func makeKey() { hostWindow?.raise() }

    private func show() {
        guard let rootViewController else { return }
        graph?.unmount()
        let newGraph = ViewGraph()
        let oldWindows = Set(HostWindow.all.map { ObjectIdentifier($0) })
        let size = super.bounds.size
        AppRoots.mount(
            WindowView(
                title: rootViewController.title ?? ProcessInfo.processInfo.processName,
                settings: WindowSettings(size: size == .zero ? nil : size),
                content: ControllerContent(controller: rootViewController)),
            in: newGraph)
        graph = newGraph
        hostWindow = HostWindow.all.first { !oldWindows.contains(ObjectIdentifier($0)) }
        if let hostWindow { UIApplication.shared.register(self, for: hostWindow) }
    }
}

/// The view of a controller, as large as the window.
private struct ControllerContent: View {
    let controller: UIViewController
    var body: some View { Represented(controller: controller).frame(maxWidth: .infinity, maxHeight: .infinity) }

    struct Represented: UIViewControllerRepresentable {
        let controller: UIViewController
        func makeUIViewController(context: Context) -> UIViewController { controller }
        func updateUIViewController(_ uiViewController: UIViewController, context: Context) {}
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
