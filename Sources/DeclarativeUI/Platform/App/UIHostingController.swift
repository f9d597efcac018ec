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
        root.dismiss = DismissAction { [weak self] in self?.dismissView() }
        onShow = { [weak self] in self?.updatePresentation() }
    }
    /// Returns nil, because archives of controllers are not supported.
    public required init?(coder: NSCoder) { return nil }
    /// Returns the view's preferred size for a proposed size, in points.
    open func sizeThatFits(in size: CGSize) -> CGSize {
        hostedSize(ProposedViewSize(size)) ?? .zero
    }
    override func hostedSize(_ proposal: ProposedViewSize) -> CGSize? {
        guard let host = view?.content?.host else { return nil }
        // A new `rootView` may not have been evaluated yet.
        host.graph.flush()
        return host.surface.root.sizeThatFits(proposal)
    }
    override var hostedSettings: HostedSettings? { root.settings }

    private var isPushed: Bool {
        guard let stack = navigationController?.viewControllers else { return false }
        return stack.count > 1 && stack.last === self
    }
    private func updatePresentation() {
        let isPresented = isPushed || presentationBase.isShownModally
        if root.isPresented != isPresented { root.isPresented = isPresented }
    }
    /// Closes the page or the presentation that contains the view, when the view calls `dismiss`.
    private func dismissView() {
        if isPushed {
            navigationController?.popViewController(animated: true)
        } else {
            presentationBase.modal.presentedIn?.end()
        }
    }
    open override func loadView() {
        // The view appears before the controller is shown.
        updatePresentation()
        let view = UIView()
        view.show(AnyView(HostedRootView(root: root)))
        self.view = view
    }
}

/// The root view of a hosting controller, which can be replaced.
@MainActor @Observable
final class HostedRoot {
    var view: AnyView
    /// Whether the view is in a presentation or in a page that was pushed.
    var isPresented = false
    /// The settings that the view requests.
    var settings = HostedSettings()
    @ObservationIgnored var dismiss = DismissAction()
    init(_ view: AnyView) { self.view = view }
}
/// The settings of a sheet and of its window that a hosted view requests.
struct HostedSettings: Equatable {
    var sheet = SheetSettings()
    var title: String?
}
private struct HostedRootView: View {
    let root: HostedRoot
    var body: some View {
        let (root, isPresented) = (root, root.isPresented)
        root.view
            .environment(\.isPresented, isPresented)
            .environment(\.dismiss, isPresented ? root.dismiss : DismissAction())
            .onPreferenceChange(SheetSettingsKey.self) { settings in root.settings.sheet = settings }
            .onPreferenceChange(WindowTitleKey.self) { title in root.settings.title = title }
    }
}
