import Foundation

/// An object that describes the presentation of a controller. Modeled on UIKit's type, without custom presentations.
@MainActor @preconcurrency
open class UIPresentationController {
    private weak var presented: UIViewController?
    /// Creates an object. Apps use `UIViewController.presentationController` instead.
    init(_ presented: UIViewController) { self.presented = presented }

    /// The delegate, which is notified when the user closes the presentation.
    open weak var delegate: (any UIAdaptivePresentationControllerDelegate)?
    /// The presented controller.
    ///
    /// After that controller has been released, the property is an empty controller.
    open var presentedViewController: UIViewController { presented ?? UIViewController() }
    /// The controller that presents the controller. Before and after the presentation, the property is the presented
    /// controller itself.
    open var presentingViewController: UIViewController {
        presented?.presentingViewController ?? presentedViewController
    }
    /// The style of the presentation.
    open var presentationStyle: UIModalPresentationStyle { presented?.shownStyle ?? UIModalPresentationStyle.none }
}

/// A delegate that is notified when the user closes a presentation. Modeled on UIKit's protocol. Each method has a
/// default.
@MainActor @preconcurrency
public protocol UIAdaptivePresentationControllerDelegate: AnyObject {
    /// Returns whether the user may close the presentation. Called on the user's request. The default returns true.
    func presentationControllerShouldDismiss(_ presentationController: UIPresentationController) -> Bool
    /// Called before the presentation closes on the user's request. Not called when the app dismisses the controller.
    func presentationControllerWillDismiss(_ presentationController: UIPresentationController)
    /// Called after the user has closed the presentation. Not called when the app dismisses the controller.
    func presentationControllerDidDismiss(_ presentationController: UIPresentationController)
    /// Called when the user requests to close a presentation that stays open, because of `isModalInPresentation`,
    /// `interactiveDismissDisabled` or `presentationControllerShouldDismiss(_:)`.
    func presentationControllerDidAttemptToDismiss(_ presentationController: UIPresentationController)
    /// Is never called: presentations keep their style in every size of the window.
    func adaptivePresentationStyle(for controller: UIPresentationController) -> UIModalPresentationStyle
}
extension UIAdaptivePresentationControllerDelegate {
    public func presentationControllerShouldDismiss(_ presentationController: UIPresentationController) -> Bool { true }
    public func presentationControllerWillDismiss(_ presentationController: UIPresentationController) {}
    public func presentationControllerDidDismiss(_ presentationController: UIPresentationController) {}
    public func presentationControllerDidAttemptToDismiss(_ presentationController: UIPresentationController) {}
    public func adaptivePresentationStyle(for controller: UIPresentationController) -> UIModalPresentationStyle {
        controller.presentationStyle
    }
}

/// The presentation of a controller with the style `.popover`. Modeled on UIKit's type.
///
/// The controller is shown in a sheet, which does not point to a view. The properties are stored without effect.
@MainActor @preconcurrency
open class UIPopoverPresentationController: UIPresentationController {
    /// The view that a popover points to.
    open var sourceView: UIView?
    /// The rectangle in `sourceView`, in points.
    open var sourceRect = CGRect.zero
    /// The bar button that a popover points to.
    open var barButtonItem: UIBarButtonItem?
}

/// The context in which the height of a sheet is determined. Modeled on UIKit's protocol.
@MainActor @preconcurrency
public protocol UISheetPresentationControllerDetentResolutionContext: AnyObject {
    /// The greatest height, which is the height of the window below, in points.
    var maximumDetentValue: CGFloat { get }
}

/// The presentation of a controller in a sheet. Modeled on UIKit's type.
///
/// ```swift
/// let controller = QueueController()
/// controller.sheetPresentationController?.detents = [.medium(), .large()]
/// present(controller, animated: true)
/// ```
/// A sheet is a window over the app's window, which users can resize. The height is determined when the sheet opens.
@MainActor @preconcurrency
open class UISheetPresentationController: UIPresentationController {
    /// A height of a sheet.
    @MainActor @preconcurrency
    public final class Detent {
        /// The name of a height.
        public struct Identifier: RawRepresentable, Hashable, Sendable {
            /// The text of the identifier.
            public let rawValue: String
            /// Creates an identifier.
            public init(rawValue: String) { self.rawValue = rawValue }
            /// Creates an identifier.
            public init(_ rawValue: String) { self.rawValue = rawValue }
            /// Half the height of the window below, and its whole height.
            public static let medium = Identifier("com.apple.UIKit.medium"), large = Identifier("com.apple.UIKit.large")
        }
        /// The name of the height.
        public let identifier: Identifier
        private let height: (any UISheetPresentationControllerDetentResolutionContext) -> CGFloat?

        private init(
            _ identifier: Identifier,
            _ height: @escaping (any UISheetPresentationControllerDetentResolutionContext) -> CGFloat?
        ) { (self.identifier, self.height) = (identifier, height) }

        /// Returns half the height of the window below the sheet.
        public static func medium() -> Detent { Detent(.medium) { $0.maximumDetentValue / 2 } }
        /// Returns the height of the window below the sheet.
        public static func large() -> Detent { Detent(.large) { $0.maximumDetentValue } }
        /// Returns a height that a closure determines.
        /// - Parameters:
        ///   - identifier: The name of the height, or nil for a unique one.
        ///   - resolver: Returns the height in points, or nil if the height is not available now.
        public static func custom(
            identifier: Identifier? = nil,
            resolver: @escaping (any UISheetPresentationControllerDetentResolutionContext) -> CGFloat?
        ) -> Detent { Detent(identifier ?? Identifier(UUID().uuidString), resolver) }
        /// Returns the height in points, or nil if the height is not available in the context.
        public func resolvedValue(in context: any UISheetPresentationControllerDetentResolutionContext) -> CGFloat? {
            height(context)
        }
    }

    /// The heights of the sheet. The sheet opens with the selected one, or else with the smallest, at least 100 points.
    open var detents: [Detent] {
        get { ownDetents ?? [.large()] }
        set { ownDetents = newValue }
    }
    private var ownDetents: [Detent]?
    /// The name of the height with which the sheet opens, or nil for the smallest. A change has no effect on an open
    /// sheet.
    open var selectedDetentIdentifier: Detent.Identifier?
    /// Stored without effect: the window has a frame in place of a grabber.
    open var prefersGrabberVisible = false
    /// Stored without effect: the desktop draws the corners of the window.
    open var preferredCornerRadius: CGFloat?
    /// Stored without effect: the window below a sheet is always darkened and receives no input.
    open var largestUndimmedDetentIdentifier: Detent.Identifier?
    /// Stored without effect: users resize a sheet like any window.
    open var prefersScrollingExpandsWhenScrolledToEdge = true
    /// Stored without effect: sheets look the same in windows of every height.
    open var prefersEdgeAttachedInCompactHeight = false
    /// Runs `changes`. Nothing is animated.
    open func animateChanges(_ changes: () -> Void) { changes() }

    private final class Context: UISheetPresentationControllerDetentResolutionContext {
        let maximumDetentValue: CGFloat
        init(_ maximum: CGFloat) { maximumDetentValue = maximum }
    }
    /// Returns the heights for a sheet over a window of a height in points, or nil if the app has set no heights.
    final func heights(over window: CGFloat) -> Set<PresentationDetent>? {
        guard let ownDetents else { return nil }
        let context = Context(window)
        let chosen = ownDetents.first { $0.identifier == selectedDetentIdentifier }.map { [$0] } ?? ownDetents
        return Set(chosen.compactMap { $0.resolvedValue(in: context) }.map { PresentationDetent.height($0) })
    }
}
