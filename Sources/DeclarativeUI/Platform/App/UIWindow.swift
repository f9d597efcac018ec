import Foundation
import GTK
@_spi(Graph) import ViewGraph

/// A window of the app. UIKit's type: one that the app makes, or one of SwiftUI's scenes. Main actor.
@MainActor @preconcurrency
open class UIWindow: UIView {
    private weak var place: HostWindow?
    private var graph: ViewGraph?

    /// Makes a window that is not shown yet, as large as its content likes.
    public convenience init(windowScene: UIWindowScene) { self.init(frame: .zero) }
    /// Makes a window that is not shown yet. - Parameter frame: its size; a desktop chooses the place. The whole
    ///   screen's, as apps for devices say, leaves the size to the content.
    public override init(frame: CGRect) {
        super.init(frame: frame == UIScreen.main.bounds ? .zero : frame)
    }
    /// A window that is open.
    init(showing place: HostWindow) {
        super.init(frame: .zero)
        self.place = place
    }
    /// Nil: there are no archives of windows here.
    public required init?(coder: NSCoder) { return nil }

    /// What the window shows; nil for a window of a SwiftUI scene.
    open var rootViewController: UIViewController? {
        didSet { if rootViewController !== oldValue, isOpen { show() } }
    }
    /// The app's only scene.
    open var windowScene: UIWindowScene? {
        get { .shared }
        set {}
    }
    /// The screen that the app is on.
    open var screen: UIScreen { .main }
    /// It has the keyboard.
    open var isKeyWindow: Bool { place?.isActive ?? false }
    /// No display that GTK serves has areas to keep clear of: zero.
    open override var safeAreaInsets: UIEdgeInsets { .zero }
    /// The size of what is in the window.
    open override var bounds: CGRect {
        get { place.map { CGRect(origin: .zero, size: $0.surface.size) } ?? super.bounds }
        set { super.bounds = newValue }
    }

    func isShown(by facade: NSWindow) -> Bool { place?.facade === facade }

    private var isOpen: Bool { graph != nil && place?.isClosed == false }
    /// Opens the window, or brings it to the front.
    open func makeKeyAndVisible() {
        if isOpen || graph == nil && place != nil { place?.raise() } else { show() }
    }
    /// Brings the window to the front.
    open func makeKey() { place?.raise() }

    private func show() {
        guard let rootViewController else { return }
        graph?.unmount()
        let fresh = ViewGraph()
        let before = Set(HostWindow.all.map { ObjectIdentifier($0) })
        let size = super.bounds.size
        fresh.mount(
            WindowView(
                title: rootViewController.title ?? ProcessInfo.processInfo.processName,
                settings: WindowSettings(size: size == .zero ? nil : size),
                content: ControllerContent(controller: rootViewController)),
            environment: Appearance.environment())
        graph = fresh
        place = HostWindow.all.first { !before.contains(ObjectIdentifier($0)) }
        if let place { UIApplication.shared.register(self, for: place) }
    }
}

/// A controller's view, as large as the window.
private struct ControllerContent: View {
    let controller: UIViewController
    var body: some View { Represented(controller: controller).frame(maxWidth: .infinity, maxHeight: .infinity) }

    struct Represented: UIViewControllerRepresentable {
        let controller: UIViewController
        func makeUIViewController(context: Context) -> UIViewController { controller }
        func updateUIViewController(_ uiViewController: UIViewController, context: Context) {}
    }
}

/// Distances from a rectangle's edges inwards, points. UIKit's type.
public struct UIEdgeInsets: Hashable, Sendable {
    /// Points from each edge; negative goes outwards.
    public var top, left, bottom, right: CGFloat
    /// Makes distances in points; what is not said is 0.
    public init(top: CGFloat = 0, left: CGFloat = 0, bottom: CGFloat = 0, right: CGFloat = 0) {
        (self.top, self.left, self.bottom, self.right) = (top, left, bottom, right)
    }
    /// No distances.
    public static let zero = UIEdgeInsets()
}
extension CGRect {
    /// The rectangle with its edges moved inwards.
    public func inset(by insets: UIEdgeInsets) -> CGRect {
        CGRect(
            x: minX + insets.left, y: minY + insets.top, width: max(0, width - insets.left - insets.right),
            height: max(0, height - insets.top - insets.bottom))
    }
}
extension EdgeInsets {
    /// The same distances, left as leading.
    public init(_ insets: UIEdgeInsets) {
        self.init(top: insets.top, leading: insets.left, bottom: insets.bottom, trailing: insets.right)
    }
}
