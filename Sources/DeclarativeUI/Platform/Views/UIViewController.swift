import Foundation

/// How a controller comes over another one. UIKit's type.
public enum UIModalPresentationStyle: Int, Sendable {
    /// Over the whole screen.
    case fullScreen = 0
    /// UIKit's other ways; kept, of no effect.
    case pageSheet, formSheet, currentContext, custom, overFullScreen, overCurrentContext, popover
    /// Not at all.
    case none = -1
    /// As the system thinks best.
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
    /// Makes a controller; its view is loaded when it is first asked for.
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
    /// Its view where it was loaded; nil otherwise.
    open var viewIfLoaded: UIView? { loaded }
    /// Whether `view` was loaded; asking does not load it.
    open var isViewLoaded: Bool { loaded != nil }
    /// Loads `view` now.
    open func loadViewIfNeeded() { _ = view }
    /// Sets `view`, without calling `super`. By default it is an empty one.
    open func loadView() { adopt(UIView()) }
    /// `view` is there.
    open func viewDidLoad() {}
    /// Kept for the app; nothing here shows it.
    open var title: String?
    /// Kept, and of no effect: no controller presents another one here.
    open var modalPresentationStyle = UIModalPresentationStyle.automatic

    // MARK: in a window

    /// - Parameter animated: always false, as in the next three.
    open func viewWillAppear(_ animated: Bool) {}
    /// `view` is in a window.
    open func viewDidAppear(_ animated: Bool) {}
    /// `view` is about to leave its window; called right before its children's and `viewDidDisappear(_:)`.
    open func viewWillDisappear(_ animated: Bool) {}
    /// `view` has left its window.
    open func viewDidDisappear(_ animated: Bool) {}
    /// Around the view's `layoutSubviews()`.
    open func viewWillLayoutSubviews() {}
    /// After the view's `layoutSubviews()`.
    open func viewDidLayoutSubviews() {}

    /// The same as `view`, for `GtkViewOwner`.
    public final var gtkView: GtkView { view ?? UIView() }
    private var isShown = false
    /// Calls what is to be called when the view comes or goes, on the children's too; once for each change.
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

    /// The controllers that come and go with this one.
    open private(set) var children: [UIViewController] = []
    /// The controller that this one comes and goes with; nil is none.
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
    /// It comes and goes by itself from now on, and has gone at first. Its view stays where it is.
    open func removeFromParent() {
        guard let parent else { return }
        parent.children.removeAll { $0 === self }
        self.parent = nil
        gtkViewIsShown(false)
        didMove(toParent: nil)
    }
    /// Another controller is about to become its parent. Called by `addChild(_:)`, never for nil.
    open func willMove(toParent parent: UIViewController?) {}
    /// It has left its parent: called with nil by `removeFromParent()`; an app calls it after `addChild(_:)`.
    open func didMove(toParent parent: UIViewController?) {}
}

/// Controllers are equal when they are the same object.
extension UIViewController: Hashable {
    nonisolated public static func == (a: UIViewController, b: UIViewController) -> Bool { a === b }
    nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
