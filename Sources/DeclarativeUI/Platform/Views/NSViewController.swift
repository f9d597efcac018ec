import Foundation

/// What looks after a view. AppKit's type, as far as players' controllers use it; shown by
/// `NSViewControllerRepresentable`.
///
/// Not here: nib files, and presenting one by another. Main actor.
@MainActor @preconcurrency
open class NSViewController: GtkViewOwner {
    /// - Parameters: of no effect; there are no archives of views here.
    public init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {}
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
    open var isViewLoaded: Bool { loaded != nil }
    open func loadViewIfNeeded() { _ = view }
    /// Sets `view`, without calling `super`. By default it is an empty one.
    open func loadView() { adopt(NSView()) }
    /// `view` is there.
    open func viewDidLoad() {}
    open var title: String?
    open var representedObject: Any?

    // MARK: in a window

    open func viewWillAppear() {}
    /// `view` is in a window.
    open func viewDidAppear() {}
    open func viewWillDisappear() {}
    /// `view` has left its window.
    open func viewDidDisappear() {}
    /// Around the view's `layout()`.
    open func viewWillLayout() {}
    open func viewDidLayout() {}

    public final var gtkView: GtkView { view }
    private var isShown = false
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

    open private(set) var children: [NSViewController] = []
    open private(set) weak var parent: NSViewController?
    /// It comes and goes with this one from now on. Its view is put into this one's by the app.
    open func addChild(_ childViewController: NSViewController) {
        guard childViewController !== self, childViewController.parent !== self else { return }
        childViewController.removeFromParent()
        childViewController.parent = self
        children.append(childViewController)
        if isShown { childViewController.gtkViewIsShown(true) }
    }
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
