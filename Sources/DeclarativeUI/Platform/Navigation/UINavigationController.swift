import Foundation
import Presentation
@_spi(Graph) import ViewGraph

/// A delegate of a navigation controller. Modeled on UIKit's protocol.
@MainActor @preconcurrency
public protocol UINavigationControllerDelegate: AnyObject {
    /// Called before another controller is shown.
    func navigationController(
        _ navigationController: UINavigationController, willShow viewController: UIViewController, animated: Bool)
    /// Called after another controller has been shown.
    func navigationController(
        _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool)
}
extension UINavigationControllerDelegate {
    /// Does nothing.
    public func navigationController(
        _ navigationController: UINavigationController, willShow viewController: UIViewController, animated: Bool
    ) {}
    /// Does nothing.
    public func navigationController(
        _ navigationController: UINavigationController, didShow viewController: UIViewController, animated: Bool
    ) {}
}

/// A controller that shows the top controller of a stack, below a bar with its title and a back button. Modeled on
/// UIKit's type.
///
/// ```swift
/// let navigation = UINavigationController(rootViewController: LibraryController())
/// window.rootViewController = navigation
/// navigation.pushViewController(PlayerController(), animated: true)
/// ```
/// The controllers are children of this controller. Only the top one appears in the window, and the others are notified
/// that their views disappear. `viewDidAppear` and `viewDidDisappear` are called when an animation begins. The bar
/// belongs to the window's content: a desktop's title bar does not change.
@MainActor @preconcurrency
open class UINavigationController: UIViewController {
    private final var stack: [UIViewController] = []
    private final let container = NavigationContainer(frame: .zero)
    private final let revision = ControlValues(0)

    /// Creates a controller with one controller on its stack.
    public init(rootViewController: UIViewController) {
        super.init(nibName: nil, bundle: nil)
        setViewControllers([rootViewController], animated: false)
    }
    /// Creates a controller with an empty stack. The parameters have no effect, because nib files are not supported.
    public override init(nibName nibNameOrNil: String?, bundle nibBundleOrNil: Bundle?) {
        super.init(nibName: nibNameOrNil, bundle: nibBundleOrNil)
    }
    /// Returns nil, because archives of controllers are not supported.
    public required init?(coder: NSCoder) { return nil }

    open override func loadView() {
        container.bar.show(AnyView(ControllerBar(controller: self, revision: revision)))
        container.pages.addGestureRecognizer(interactivePop)
        view = container
        showTop()
        barChanged()
    }

    // MARK: stack

    /// The delegate, which is notified when another controller is shown.
    open weak var delegate: (any UINavigationControllerDelegate)?
    /// The controllers on the stack, from the root to the top. Setting them is not animated.
    open var viewControllers: [UIViewController] {
        get { stack }
        set { setViewControllers(newValue, animated: false) }
    }
    /// The controller that is shown, or nil if the stack is empty.
    open var topViewController: UIViewController? { stack.last }
    /// The presented controller if there is one, and otherwise `topViewController`.
    open var visibleViewController: UIViewController? { presentedViewController ?? stack.last }

    /// Replaces the stack.
    /// - Parameters:
    ///   - viewControllers: The controllers, from the root to the top. Repeated controllers are used once.
    ///   - animated: Whether a new top controller moves in: from the left if it was on the stack, otherwise from the
    ///     right.
    open func setViewControllers(_ viewControllers: [UIViewController], animated: Bool) {
        var seen: Set<ObjectIdentifier> = []
        let new = viewControllers.filter { $0 !== self && seen.insert(ObjectIdentifier($0)).inserted }
        let old = stack
        let oldTop = old.last, top = new.last
        stack = new
        isReplacing = true
        for controller in new where controller.parent !== self {
            addChild(controller)
            controller.didMove(toParent: self)
        }
        isReplacing = false
        let isAnimated = animated && isShown && !old.isEmpty && !new.isEmpty
        if oldTop !== top, let top { delegate?.navigationController(self, willShow: top, animated: isAnimated) }
        for controller in new { controller.navigationItem.onChange = { [weak self] in self?.barChanged() } }
        barChanged()
        if oldTop !== top, isViewLoaded {
            let isBack = top.map { top in old.contains { $0 === top } } ?? true
            container.show(top?.view, isBack: isBack, animated: isAnimated) { [weak self] in
                guard let self, let top, top === topViewController else { return }
                delegate?.navigationController(self, didShow: top, animated: isAnimated)
            }
        }
        if oldTop !== top, isShown {
            oldTop?.gtkViewIsShown(false)
            top?.gtkViewIsShown(true)
        }
        for controller in old where !new.contains(where: { $0 === controller }) {
            controller.navigationItem.onChange = nil
            controller.removeFromParent()
        }
    }
    /// Shows a controller on top of the others. Has no effect if the controller is on the stack.
    /// - Parameter animated: Whether the controller's view moves in from the right.
    open func pushViewController(_ viewController: UIViewController, animated: Bool) {
        guard !stack.contains(where: { $0 === viewController }) else { return }
        setViewControllers(stack + [viewController], animated: animated)
    }
    /// Removes the top controller, unless it is the only one.
    /// - Parameter animated: Whether the view below moves in from the left.
    /// - Returns: The removed controller, or nil.
    @discardableResult open func popViewController(animated: Bool) -> UIViewController? {
        guard stack.count > 1, let top = stack.last else { return nil }
        setViewControllers(Array(stack.dropLast()), animated: animated)
        return top
    }
    /// Removes all controllers except the root, and returns them.
    @discardableResult open func popToRootViewController(animated: Bool) -> [UIViewController]? {
        stack.first.flatMap { popToViewController($0, animated: animated) }
    }
    /// Removes the controllers above another one, and returns them. Returns nil if that one is not on the stack or is
    /// the top controller.
    @discardableResult open func popToViewController(_ viewController: UIViewController, animated: Bool)
        -> [UIViewController]?
    {
        guard let index = stack.firstIndex(where: { $0 === viewController }), index < stack.count - 1 else {
            return nil
        }
        let removed = Array(stack[(index + 1)...])
        setViewControllers(Array(stack[...index]), animated: animated)
        return removed
    }
    /// Whether children are being added that appear later.
    private final var isReplacing = false
    override var appearingChildren: [UIViewController] { isReplacing ? [] : stack.suffix(1) }
    private func showTop() { container.show(stack.last?.view, isBack: false, animated: false) {} }

    // MARK: bar

    /// The bar above the top controller's view.
    public private(set) final lazy var navigationBar: UINavigationBar = {
        let bar = UINavigationBar()
        bar.controller = self
        return bar
    }()
    /// Whether the bar is hidden.
    open var isNavigationBarHidden: Bool {
        get { container.isBarHidden }
        set { setNavigationBarHidden(newValue, animated: false) }
    }
    /// Shows or hides the bar.
    /// - Parameter animated: Whether the bar moves.
    open func setNavigationBarHidden(_ hidden: Bool, animated: Bool) {
        guard hidden != container.isBarHidden else { return }
        container.isBarHidden = hidden
        container.setNeedsLayout()
        if animated { UIView.animate(withDuration: 0.2) { self.container.layoutIfNeeded() } }
    }
    final func barChanged() {
        revision.current += 1
        if isViewLoaded { container.measureBar() }
    }

    // MARK: gesture

    private final lazy var interactivePop: UISwipeGestureRecognizer = {
        let swipe = UISwipeGestureRecognizer { [weak self] swipe in
            guard let self, swipe.location(in: container.pages).x <= 24 else { return }
            popViewController(animated: true)
        }
        swipe.direction = .right
        return swipe
    }()
    /// The recognizer of a swipe to the right that begins at most 24 points from the left edge, and removes the top
    /// controller.
    ///
    /// The views do not follow the finger. A control or a recognizer in the top controller's view receives the swipe
    /// first. Set `isEnabled` to false to turn the gesture off.
    open var interactivePopGestureRecognizer: UIGestureRecognizer? { interactivePop }
}

extension UIViewController {
    /// The nearest navigation controller that contains this controller, or nil.
    public var navigationController: UINavigationController? {
        var controller = parent
        while let each = controller {
            if let navigation = each as? UINavigationController { return navigation }
            controller = each.parent
        }
        return nil
    }
}

/// The bar of a navigation controller.
private struct ControllerBar: View {
    /// Weak, because the controller owns the bar.
    weak var controller: UINavigationController?
    let revision: ControlValues<Int>

    var body: some View {
        // Reading the revision evaluates this view again after each change of an item.
        let _ = revision.shown
        if let controller, let top = controller.topViewController {
            bar(controller, top.navigationItem)
        }
    }
    private func bar(_ controller: UINavigationController, _ item: UINavigationItem) -> some View {
        let below = controller.viewControllers.dropLast().last?.navigationItem
        let left = item.leftBarButtonItems ?? [], right = item.rightBarButtonItems ?? []
        let hasBack = below != nil && !item.hidesBackButton && (left.isEmpty || item.leftItemsSupplementBackButton)
        let bar = controller.navigationBar
        let tint = bar.tintColor ?? UINavigationBar.appearance().tintColor
        let backTitle = [below?.backButtonTitle, below?.title].compactMap { $0 }.first { !$0.isEmpty }
        return NavigationBar(
            title: item.title.flatMap { $0.isEmpty ? nil : $0 },
            back: hasBack ? backTitle ?? PlayerWords.localized("Back") : nil,
            goBack: { [weak controller] in controller?.popViewController(animated: true) },
            items: entries(left, .navigationBarLeading, tint)
                + entries(right.reversed(), .navigationBarTrailing, tint),
            isLarge: bar.prefersLargeTitles && item.largeTitleDisplayMode != .never, bar: bar
        )
        .tint(tint.map { Color($0) })
    }
    private func entries(_ items: [UIBarButtonItem], _ placement: ToolbarItemPlacement, _ tint: UIColor?)
        -> [ToolbarEntry]
    {
        items.filter { !$0.isHidden }.map { item in
            ToolbarEntry(
                placement: placement, view: AnyView(BarButton(item: item, tint: tint, revision: revision.current)),
                identity: ToolbarEntry.Identity(
                    place: ObjectIdentifier(item), path: [], version: revision.current))
        }
    }
}
