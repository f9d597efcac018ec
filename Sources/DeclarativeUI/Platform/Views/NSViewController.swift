import Foundation

/// An object that manages a view. Modeled on AppKit's type, as far as controllers of players use it.
///
/// `NSViewControllerRepresentable` shows the view. Nib files are not supported, and a controller can't present another
/// one.
@MainActor @preconcurrency
open class NSViewController: GtkViewOwner {
    /// Creates a controller. The parameters have no effect, because nib files are not supported.
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {}
    /// Creates a controller, which loads its view on first use.
    public convenience init() { self.init(nibName: nil, bundle: nil) }
    /// Returns nil, because archives of controllers are not supported.
    public required init?(coder: NSCoder) { return nil }

    // MARK: view

    private var loaded: NSView?
    /// The managed view, loaded on first use.
    open var view: NSView {
        get {
            if let loaded { return loaded }
            loadView()
            let fresh = loaded ?? NSView()
            adopt(fresh)
            viewDidLoad()
            return fresh
        }
        set { adopt(newValue) }
    }
    private func adopt(_ view: NSView) {
        guard view !== loaded else { return }
        loaded?.controller = nil
        loaded = view
        view.controller = self
    }
    /// Whether `view` is loaded. Reading this property does not load it.
    open var isViewLoaded: Bool { loaded != nil }
    /// Loads `view` if it is not loaded yet.
    open func loadViewIfNeeded() { _ = view }
    /// Creates and sets `view`. The default implementation sets an empty view; overrides must not call `super`.
    open func loadView() { adopt(NSView()) }
    /// Called after `view` has been loaded. Not called if the app sets `view` before the first use.
    open func viewDidLoad() {}
    /// A title for the app's own use.
    open var title: String?
    /// A value for the app's own use.
    open var representedObject: Any?

    // MARK: in a window

    /// Called when `view` is about to appear in a window, directly before the children are notified.
    open func viewWillAppear() {}
    /// Called after `view` has appeared in a window.
    open func viewDidAppear() {}
    /// Called when `view` is about to disappear from its window, directly before the children are notified.
    open func viewWillDisappear() {}
    /// Called when `view` disappears from its window, directly after the children have been notified.
    open func viewDidDisappear() {}
    /// Called before the view's `layout()`.
    open func viewWillLayout() {}
    /// Called after the view's `layout()`.
    open func viewDidLayout() {}

    /// The managed view, for `GtkViewOwner`.
    public final var gtkView: GtkView { view }
    private var isShown = false
    /// Notifies the controller and its children that the view appears or disappears. Repeated calls with the same value
    /// have no effect.
    public final func gtkViewIsShown(_ isShown: Bool) {
        guard isShown != self.isShown else { return }
        self.isShown = isShown
        if isShown {
            viewWillAppear()
            for child in children { child.gtkViewIsShown(true) }
            viewDidAppear()
        } else {
            viewWillDisappear()
            for child in children { child.gtkViewIsShown(false) }
            viewDidDisappear()
        }
    }

    // MARK: child controllers

    /// The child controllers, which appear and disappear with this controller.
    open private(set) var children: [NSViewController] = []
    /// The parent controller, or nil.
    open private(set) weak var parent: NSViewController?
    /// Adds a child controller, which then appears and disappears with this controller.
    ///
    /// The app adds the child's view to this controller's view.
    open func addChild(_ childViewController: NSViewController) {
        guard childViewController !== self, childViewController.parent !== self else { return }
        childViewController.removeFromParent()
        childViewController.parent = self
        children.append(childViewController)
        if isShown { childViewController.gtkViewIsShown(true) }
    }
    /// Removes the controller from its parent and notifies the controller that its view disappears.
    ///
    /// The method does not remove the controller's view from the parent's view.
    open func removeFromParent() {
        guard let parent else { return }
        parent.children.removeAll { $0 === self }
        self.parent = nil
        gtkViewIsShown(false)
    }
}

/// Controllers are equal if they are the same object.
extension NSViewController: Hashable {
    nonisolated public static func == (a: NSViewController, b: NSViewController) -> Bool { a === b }
    nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
