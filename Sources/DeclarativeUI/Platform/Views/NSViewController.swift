import Foundation

/// What looks after a view. AppKit's type, as far as players' controllers use it; shown by
/// `NSViewControllerRepresentable`.
///
/// Not here: nib files, and presenting one by another. Main actor.
@MainActor @preconcurrency
open class NSViewController: GtkViewOwner {
    /// - Parameters: of no effect; there are no archives of views here.
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {}
    /// Makes a controller; its view is loaded when it is first asked for.
    public convenience init() { self.init(nibName: nil, bundle: nil) }
    /// Nil: there are no archives of controllers here.
    public required init?(coder: NSCoder) { return nil }

    // MARK: view

    private var loaded: NSView?
    /// Loaded when it is first asked for.
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
    /// Whether `view` was loaded; asking does not load it.
    open var isViewLoaded: Bool { loaded != nil }
    /// Loads `view` now.
    open func loadViewIfNeeded() { _ = view }
    /// Sets `view`, without calling `super`. By default it is an empty one.
    open func loadView() { adopt(NSView()) }
    /// `view` is there.
    open func viewDidLoad() {}
    /// Kept for the app; nothing here shows it.
    open var title: String?
    /// Kept for the app; nothing here reads it.
    open var representedObject: Any?

    // MARK: in a window

    /// `view` is about to be in a window; called right before its children's and `viewDidAppear()`.
    open func viewWillAppear() {}
    /// `view` is in a window.
    open func viewDidAppear() {}
    /// `view` is about to leave its window; called right before its children's and `viewDidDisappear()`.
    open func viewWillDisappear() {}
    /// `view` has left its window.
    open func viewDidDisappear() {}
    /// Around the view's `layout()`.
    open func viewWillLayout() {}
    /// After the view's `layout()`.
    open func viewDidLayout() {}

    /// The same as `view`, for `GtkViewOwner`.
    public final var gtkView: GtkView { view }
    private var isShown = false
    /// Calls what is to be called when the view comes or goes, on the children's too; once for each change.
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

    // MARK: controllers within

    /// The controllers that come and go with this one.
    open private(set) var children: [NSViewController] = []
    /// The controller that this one comes and goes with; nil is none.
    open private(set) weak var parent: NSViewController?
    /// It comes and goes with this one from now on. Its view is put into this one's by the app.
    open func addChild(_ childViewController: NSViewController) {
        guard childViewController !== self, childViewController.parent !== self else { return }
        childViewController.removeFromParent()
        childViewController.parent = self
        children.append(childViewController)
        if isShown { childViewController.gtkViewIsShown(true) }
    }
    /// It comes and goes by itself from now on, and has gone at first. Its view stays where it is.
    open func removeFromParent() {
        guard let parent else { return }
        parent.children.removeAll { $0 === self }
        self.parent = nil
        gtkViewIsShown(false)
    }
}

/// Controllers are equal when they are the same object.
extension NSViewController: Hashable {
    nonisolated public static func == (a: NSViewController, b: NSViewController) -> Bool { a === b }
    nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}
