import Foundation

/// How a controller comes over another one. UIKit's type.
public enum UIModalPresentationStyle: Int, Sendable {
    case fullScreen = 0
    case pageSheet, formSheet, currentContext, custom, overFullScreen, overCurrentContext, popover
    case none = -1
    case automatic = -2
}

/// What looks after a view. UIKit's type, as far as players' controllers use it; shown by
/// `UIViewControllerRepresentable`.
///
/// Not here: storyboards, and presenting one by another (`sheet` and `fullScreenCover` do that for the dialect's
/// views). Main actor.
@MainActor @preconcurrency
open class UIViewController: GtkViewOwner {
    /// - Parameters: of no effect; there are no archives of views here.
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {}
    public convenience init() { self.init(nibName: nil, bundle: nil) }
    /// Nil: there are no archives of controllers here.
    public required init?(coder: NSCoder) { return nil }

    // MARK: view

    private var loaded: UIView?
    /// Loaded when it is first asked for; never nil then.
    open var view: UIView! {
        get {
            if let loaded { return loaded }
            loadView()
            let fresh = loaded ?? UIView()
            adopt(fresh)
            viewDidLoad()
            return fresh
        }
        set { adopt(newValue) }
    }
    private func adopt(_ view: UIView?) {
        guard view !== loaded else { return }
        loaded?.controller = nil
        loaded = view
        view?.controller = self
    }
    open var viewIfLoaded: UIView? { loaded }
    open var isViewLoaded: Bool { loaded != nil }
    open func loadViewIfNeeded() { _ = view }
    /// Sets `view`, without calling `super`. By default it is an empty one.
    open func loadView() { adopt(UIView()) }
    /// `view` is there.
    open func viewDidLoad() {}
    open var title: String?
    /// Kept, and of no effect: no controller presents another one here.
    open var modalPresentationStyle = UIModalPresentationStyle.automatic

    // MARK: in a window

    /// - Parameter animated: always false, as in the next three.
    open func viewWillAppear(_ animated: Bool) {}
    /// `view` is in a window.
    open func viewDidAppear(_ animated: Bool) {}
    open func viewWillDisappear(_ animated: Bool) {}
    /// `view` has left its window.
    open func viewDidDisappear(_ animated: Bool) {}
    /// Around the view's `layoutSubviews()`.
    open func viewWillLayoutSubviews() {}
    open func viewDidLayoutSubviews() {}

    public final var gtkView: GtkView { view ?? UIView() }
    private var isShown = false
    public final func gtkViewIsShown(_ isShown: Bool) {
        guard isShown != self.isShown else { return }
        self.isShown = isShown
        if isShown {
            viewWillAppear(false)
            for child in children { child.gtkViewIsShown(true) }
            viewDidAppear(false)
        } else {
            viewWillDisappear(false)
            for child in children { child.gtkViewIsShown(false) }
            viewDidDisappear(false)
        }
    }

    // MARK: controllers within

    open private(set) var children: [UIViewController] = []
    open private(set) weak var parent: UIViewController?
    /// It comes and goes with this one from now on. Its view is put into this one's by the app.
    open func addChild(_ childController: UIViewController) {
        guard childController !== self, childController.parent !== self else { return }
        childController.removeFromParent()
        childController.willMove(toParent: self)
        childController.parent = self
        children.append(childController)
        if isShown { childController.gtkViewIsShown(true) }
    }
    open func removeFromParent() {
        guard let parent else { return }
        parent.children.removeAll { $0 === self }
        self.parent = nil
        gtkViewIsShown(false)
        didMove(toParent: nil)
    }
    open func willMove(toParent parent: UIViewController?) {}
    open func didMove(toParent parent: UIViewController?) {}
}

/// Controllers are equal when they are the same object.
extension UIViewController: Hashable {
    nonisolated public static func == (a: UIViewController, b: UIViewController) -> Bool { a === b }
    nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
