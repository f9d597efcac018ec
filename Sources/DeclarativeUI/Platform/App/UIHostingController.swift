import Foundation
import Observation
@_spi(Graph) import ViewGraph

/// A controller whose view shows views of the dialect. SwiftUI's type; main actor.
@MainActor @preconcurrency
open class UIHostingController<Content: View>: UIViewController {
    private let root: HostedRoot
    /// What is shown. Another value of it keeps the state of its views.
    open var rootView: Content {
        didSet { root.view = AnyView(rootView) }
    }
    /// Makes a controller that shows `rootView`.
    public init(rootView: Content) {
        self.rootView = rootView
        root = HostedRoot(AnyView(rootView))
        super.init(nibName: nil, bundle: nil)
    }
    /// Nil: there are no archives of controllers here.
    public required init?(coder: NSCoder) { return nil }
    /// The size that the view likes best in a space, points.
    open func sizeThatFits(in size: CGSize) -> CGSize {
        view?.content?.host.surface.root.sizeThatFits(ProposedViewSize(size)) ?? .zero
    }
    open override func loadView() {
        let view = UIView()
        view.show(AnyView(HostedRootView(root: root)))
        self.view = view
    }
}

/// The view of a hosting controller, which may be replaced by another.
@MainActor @Observable
final class HostedRoot {
    var view: AnyView
    init(_ view: AnyView) { self.view = view }
}
private struct HostedRootView: View {
    let root: HostedRoot
    var body: some View { root.view.frame(maxWidth: .infinity, maxHeight: .infinity) }
}
