import Foundation
import Observation
@_spi(Graph) import ViewGraph

/// A view controller that shows a declarative view. Modeled on SwiftUI's type.
@MainActor @preconcurrency
open class UIHostingController<Content: View>: UIViewController {
    private let root: HostedRoot
    /// The declarative view. Views keep their state when this property changes.
    open var rootView: Content {
        didSet { root.view = AnyView(rootView) }
    }
    /// Creates a controller that shows `rootView`.
    public init(rootView: Content) {
        self.rootView = rootView
        root = HostedRoot(AnyView(rootView))
        super.init(nibName: nil, bundle: nil)
    }
    /// Returns nil, because archives of controllers are not supported.
    public required init?(coder: NSCoder) { return nil }
    /// Returns the view's preferred size for a proposed size, in points.
    open func sizeThatFits(in size: CGSize) -> CGSize {
        guard let host = view?.content?.host else { return .zero }
        // A new `rootView` may not have been evaluated yet.
        host.graph.flush()
        return host.surface.root.sizeThatFits(ProposedViewSize(size))
    }
    open override func loadView() {
        let view = UIView()
        view.show(AnyView(HostedRootView(root: root)))
        self.view = view
    }
}

/// The root view of a hosting controller, which can be replaced.
@MainActor @Observable
final class HostedRoot {
    var view: AnyView
    init(_ view: AnyView) { self.view = view }
}
private struct HostedRootView: View {
    let root: HostedRoot
    var body: some View { root.view }
}
