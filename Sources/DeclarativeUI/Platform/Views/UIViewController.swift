import Foundation

/// The way in which a controller is presented. Modeled on UIKit's type.
public enum UIModalPresentationStyle: Int, Sendable {
    /// A presentation over the whole screen.
    case fullScreen = 0
    /// The other styles of UIKit, which are stored without effect.
    case pageSheet, formSheet, currentContext, custom, overFullScreen, overCurrentContext, popover
    /// No presentation.
    case none = -1
    /// The system's default style.
    case automatic = -2
}

/// An object that manages a view. Modeled on UIKit's type, as far as controllers of players use it.
///
/// `UIViewControllerRepresentable` shows the view. Storyboards are not supported, and a controller can't present
/// another one. Use `sheet` and `fullScreenCover` of declarative views instead.
@MainActor @preconcurrency
open class UIViewController: GtkViewOwner {
    /// Creates a controller. The parameters have no effect, because nib files are not supported.
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {}
    /// Creates a controller, which loads its view on first use.
    public convenience init() { self.init(nibName: nil, bundle: nil) }
    /// Returns nil, because archives of controllers are not supported.
    public required init?(coder: NSCoder) { return nil }

    // MARK: view

    private var loaded: UIView?
    /// The managed view, loaded on first use. Reading it never returns nil.
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
    /// The managed view, or nil if it is not loaded.
    open var viewIfLoaded: UIView? { loaded }
    /// Whether `view` is loaded. Reading this property does not load it.
    open var isViewLoaded: Bool { loaded != nil }
    /// Loads `view` if it is not loaded yet.
    open func loadViewIfNeeded() { _ = view }
    /// Creates and sets `view`. The default implementation sets an empty view; overrides must not call `super`.
    open func loadView() { adopt(UIView()) }
    /// Called after `view` has been loaded. Not called if the app sets `view` before the first use.
    open func viewDidLoad() {}
    /// A title for the app's own use. `UIWindow` shows the title of its root controller.
    open var title: String?
    /// The presentation style, which is stored without effect.
    open var modalPresentationStyle = UIModalPresentationStyle.automatic

    // MARK: orientation

    /// Whether the user interface follows the device. Has no effect, because windows do not rotate.
    open var shouldAutorotate: Bool { true }
    /// The orientations in which the controller can be shown: all but upside down, unless overridden.
    ///
    /// Windows do not rotate. `setNeedsUpdateOfSupportedInterfaceOrientations()` uses the value.
    open var supportedInterfaceOrientations: UIInterfaceOrientationMask { .allButUpsideDown }
    /// The orientation in which the controller is first shown: the window's orientation, unless overridden. Has no
    /// effect, because windows do not rotate.
    open var preferredInterfaceOrientationForPresentation: UIInterfaceOrientation {
        UIWindowScene.shared.interfaceOrientation
    }
    /// Applies a change of `supportedInterfaceOrientations` to the window that shows the controller.
    ///
    /// As for ``UIWindowScene/requestGeometryUpdate(_:errorHandler:)``, the window enters full screen if only landscape
    /// orientations are supported, and leaves full screen if only portrait orientations are supported.
    open func setNeedsUpdateOfSupportedInterfaceOrientations() {
        guard let isFullScreen = supportedInterfaceOrientations.isFullScreen else { return }
        viewIfLoaded?.window?.setFullScreen(isFullScreen)
    }

    // MARK: in a window

    /// Called when `view` is about to appear in a window, directly before the children are notified.
    /// - Parameter animated: Always false.
    open func viewWillAppear(_ animated: Bool) {}
    /// Called after `view` has appeared in a window.
    /// - Parameter animated: Always false.
    open func viewDidAppear(_ animated: Bool) {}
    /// Called when `view` is about to disappear from its window, directly before the children are notified.
    /// - Parameter animated: Always false.
    open func viewWillDisappear(_ animated: Bool) {}
    /// Called when `view` disappears from its window, directly after the children have been notified.
    /// - Parameter animated: Always false.
    open func viewDidDisappear(_ animated: Bool) {}
    /// Called before the view's `layoutSubviews()`.
    open func viewWillLayoutSubviews() {}
    /// Called after the view's `layoutSubviews()`.
    open func viewDidLayoutSubviews() {}

    /// The managed view, for `GtkViewOwner`.
    public final var gtkView: GtkView { view ?? UIView() }
    private var isShown = false
    /// Notifies the controller and its children that the view appears or disappears. Repeated calls with the same value
    /// have no effect.
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

    // MARK: child controllers

    /// The child controllers, which appear and disappear with this controller.
    open private(set) var children: [UIViewController] = []
    /// The parent controller, or nil.
    open private(set) weak var parent: UIViewController?
    /// Adds a child controller, which then appears and disappears with this controller.
    ///
    /// The app adds the child's view to this controller's view.
    open func addChild(_ childController: UIViewController) {
        guard childController !== self, childController.parent !== self else { return }
        childController.removeFromParent()
        childController.willMove(toParent: self)
        childController.parent = self
        children.append(childController)
        if isShown { childController.gtkViewIsShown(true) }
    }
    /// Removes the controller from its parent and notifies the controller that its view disappears.
    ///
    /// The method does not remove the controller's view from the parent's view.
    open func removeFromParent() {
        guard let parent else { return }
        parent.children.removeAll { $0 === self }
        self.parent = nil
        gtkViewIsShown(false)
        didMove(toParent: nil)
    }
    /// Called by `addChild(_:)` before the parent changes. Never called with nil.
    open func willMove(toParent parent: UIViewController?) {}
    /// Called with nil by `removeFromParent()`. An app calls it itself after `addChild(_:)`.
    open func didMove(toParent parent: UIViewController?) {}
}

/// Controllers are equal if they are the same object.
extension UIViewController: Hashable {
    nonisolated public static func == (a: UIViewController, b: UIViewController) -> Bool { a === b }
    nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
