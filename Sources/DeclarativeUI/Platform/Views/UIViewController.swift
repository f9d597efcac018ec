import Foundation
@_spi(Graph) import ViewGraph

/// An object that manages a view. Modeled on UIKit's type, as far as controllers of players use it.
///
/// `UIViewControllerRepresentable` shows the view. Storyboards are not supported.
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
    /// The title, which a navigation bar shows. Setting it also sets the title of `navigationItem`. A `UIWindow` shows
    /// the title of its root controller, and the window of a sheet shows the title of the presented controller.
    open var title: String? {
        didSet {
            navigationItem.title = title
            titleRevision.current += 1
        }
    }
    private final let titleRevision = ControlValues(0)
    /// The title for bodies of views. Reading it registers a dependency with Observation.
    final var shownTitle: String? {
        _ = titleRevision.shown
        return title
    }
    /// The content of the navigation bar while a `UINavigationController` shows this controller.
    public private(set) final lazy var navigationItem: UINavigationItem = {
        let item = UINavigationItem()
        item.title = title
        return item
    }()

    // MARK: presentation

    final var modal = ModalLinks()
    /// The style with which this controller is presented. Set it before the presentation.
    open var modalPresentationStyle = UIModalPresentationStyle.automatic
    /// The animation of the presentation. Stored without effect, because presentations are not animated.
    open var modalTransitionStyle = UIModalTransitionStyle.coverVertical
    /// Whether Escape and the window's close button leave the presentation of this controller open.
    open var isModalInPresentation = false
    /// The size of this controller's view in a sheet, in points, or zero for the size of the presentation's style. A
    /// change has no effect on an open sheet.
    open var preferredContentSize = CGSize.zero
    /// Whether this controller is being presented. False again after `viewDidAppear(_:)`.
    open var isBeingPresented: Bool { modal.isBeingPresented }
    /// Whether this controller is being dismissed. False again after `viewDidDisappear(_:)`.
    open var isBeingDismissed: Bool { modal.isBeingDismissed }
    /// The controller that this one presents, or that the outermost controller around it presents. Nil without one.
    open var presentedViewController: UIViewController? { presentationBase.modal.presentation?.presented }
    /// The controller that presents this one or the controller around it, or nil.
    open var presentingViewController: UIViewController? { presentationBase.modal.presentedIn?.presenting }
    /// The description of this controller's presentation. Use it to set a delegate before the presentation.
    open var presentationController: UIPresentationController? { presentationBase.ownPresentationController }
    /// The description of this controller's sheet, or nil for a style that is not a sheet.
    open var sheetPresentationController: UISheetPresentationController? {
        presentationController as? UISheetPresentationController
    }
    /// The description of this controller's popover, or nil for other styles than `.popover`.
    open var popoverPresentationController: UIPopoverPresentationController? {
        presentationController as? UIPopoverPresentationController
    }

    /// Presents a controller over the window of this one.
    ///
    /// ```swift
    /// let player = AVPlayerViewController()
    /// player.player = AVPlayer(url: url)
    /// present(player, animated: true) { player.player?.play() }
    /// ```
    /// The outermost controller presents the other one: a presented controller around this one, or else the root
    /// controller of the window. A sheet is a window over that window, and other presentations cover the window's
    /// content. The user closes them by Escape, and a sheet also by its window's close button, as described for
    /// ``isModalInPresentation``. Below a full-screen presentation, this controller and those around it are notified
    /// that they disappear.
    ///
    /// The controller appears in the next iteration of the main loop. If the outermost controller already presents one,
    /// is being dismissed or is not in a window, or if `viewControllerToPresent` is already presented or has a parent,
    /// the method logs a warning and does nothing else.
    /// - Parameters:
    ///   - viewControllerToPresent: The controller.
    ///   - flag: Has no effect: presentations are not animated.
    ///   - completion: Called on the main actor after the controller has appeared.
    open func present(
        _ viewControllerToPresent: UIViewController, animated flag: Bool, completion: (() -> Void)? = nil
    ) { ControllerPresentation.begin(viewControllerToPresent, from: presentationPath, completion) }

    /// Closes the controller that this one presents, with all controllers above that. If there is none, closes this
    /// controller, or the presented controller around it.
    ///
    /// The views disappear in the next iteration of the main loop. `presentedViewController` is nil at once.
    /// - Parameters:
    ///   - flag: If true, another call closes nothing until the views have disappeared, as during UIKit's animation.
    ///     Presentations are not animated.
    ///   - completion: Called on the main actor after the views have disappeared, also if nothing was presented.
    open func dismiss(animated flag: Bool, completion: (() -> Void)? = nil) {
        let base = presentationBase
        if let presentation = base.modal.presentation ?? base.modal.dismissing ?? base.modal.presentedIn {
            if flag { presentation.presenting?.modal.dismissing = presentation }
            return presentation.end(completion)
        }
        if let completion { OnMain.later { completion() } }
    }

    /// Shows a controller in the navigation controller, or presents it if there is none.
    /// - Parameters:
    ///   - vc: The controller.
    ///   - sender: Has no effect.
    open func show(_ vc: UIViewController, sender: Any?) {
        guard let navigation = self as? UINavigationController ?? navigationController else {
            return present(vc, animated: true)
        }
        navigation.pushViewController(vc, animated: true)
    }
    /// Presents a controller, because there are no split view controllers.
    /// - Parameters:
    ///   - vc: The controller.
    ///   - sender: Has no effect.
    open func showDetailViewController(_ vc: UIViewController, sender: Any?) { present(vc, animated: true) }

    /// The style with which the controller is shown.
    final var shownStyle: UIModalPresentationStyle {
        modalPresentationStyle == .automatic ? .pageSheet : modalPresentationStyle
    }
    private final var ownPresentationController: UIPresentationController {
        let known = modal.controller
        let new: UIPresentationController
        switch shownStyle {
        case .pageSheet, .formSheet:
            if let known, known is UISheetPresentationController { return known }
            new = UISheetPresentationController(self)
        case .popover:
            if let known, known is UIPopoverPresentationController { return known }
            new = UIPopoverPresentationController(self)
        default:
            if let known, type(of: known) == UIPresentationController.self { return known }
            new = UIPresentationController(self)
        }
        // The style has changed since the last use.
        new.delegate = known?.delegate
        modal.controller = new
        return new
    }
    /// The element over which this controller presents another one. Nil outside of a window.
    var presentationElement: Element? { modal.presentedIn?.root ?? viewIfLoaded?.outermost.enclosing }
    /// The settings of a hosted declarative view, or nil for other controllers.
    var hostedSettings: HostedSettings? { nil }
    /// Returns the size of a hosted declarative view, or nil for other controllers.
    func hostedSize(_ proposal: ProposedViewSize) -> CGSize? { nil }
    /// Called before the view appears. `isShownModally` is then valid.
    package final var onShow: (@MainActor () -> Void)?
    /// Called when the user closes the presentation of this controller, before it closes.
    package final var onCloseByUser: (@MainActor () -> Void)?
    /// Whether this controller itself is presented.
    package final var isShownModally: Bool { modal.presentedIn != nil }
    /// Closes the presentation of this controller as if the user had pressed Escape.
    package final func closeByUser() { modal.presentedIn?.requestClose() }

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

    /// Applies the supported orientations of the root controllers to their windows, as described for
    /// `setNeedsUpdateOfSupportedInterfaceOrientations()`. Windows do not rotate.
    public static func attemptRotationToDeviceOrientation() {
        for window in UIApplication.shared.windows {
            window.rootViewController?.setNeedsUpdateOfSupportedInterfaceOrientations()
        }
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
    private(set) final var isShown = false
    /// The children that appear and disappear with this controller.
    var appearingChildren: [UIViewController] { children }
    /// Notifies the controller and its children that the view appears or disappears. Repeated calls with the same value
    /// have no effect.
    public final func gtkViewIsShown(_ isShown: Bool) {
        guard isShown != self.isShown else { return }
        self.isShown = isShown
        if isShown {
            onShow?()
            viewWillAppear(false)
            for child in appearingChildren { child.gtkViewIsShown(true) }
            viewDidAppear(false)
        } else {
            viewWillDisappear(false)
            for child in appearingChildren { child.gtkViewIsShown(false) }
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
        if isShown, appearingChildren.contains(childController) { childController.gtkViewIsShown(true) }
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
