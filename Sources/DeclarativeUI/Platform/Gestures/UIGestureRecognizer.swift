import Foundation
import Overlays

/// A recognizer of an action with the pointer or fingers on a `UIView`. Modeled on UIKit's type.
///
/// Swift on Linux has no selectors. A recognizer calls a closure in place of a target and an action.
///
/// ```swift
/// view.addGestureRecognizer(UITapGestureRecognizer { [weak self] tap in self?.select(at: tap.location(in: nil)) })
/// ```
/// If a view has two recognizers, the first one that succeeds excludes the other, unless the delegate allows both. Taps
/// of different counts both succeed, unless ``require(toFail:)`` prevents that. Touches on a control are delivered only
/// to the control.
@MainActor @preconcurrency
open class UIGestureRecognizer: UIGestureHandling {
    /// The state of a gesture.
    public enum State: Int, Sendable {
        /// No gesture is recognized yet.
        case possible = 0
        /// A continuous gesture has begun or has changed.
        case began, changed
        /// The gesture has ended. Discrete gestures, such as taps and swipes, report only this state.
        case ended
        /// The gesture was interrupted, or failed. `failed` is never reported.
        case cancelled, failed
        /// Same as `ended`.
        public static let recognized = State.ended
    }

    /// Creates a recognizer without a handler.
    public required init() {}
    private final var handlers: [@MainActor () -> Void] = []
    /// Adds a closure that is called at each change of `state` and at each movement of a continuous gesture. Zoetrope's
    /// replacement for `addTarget(_:action:)`.
    ///
    /// The closure is not called when `state` returns to `possible` after a gesture.
    public final func addHandler(_ handler: @escaping @MainActor () -> Void) { handlers.append(handler) }

    /// The current state of the gesture.
    public private(set) final var state = State.possible
    /// The view that has this recognizer.
    public internal(set) weak final var view: UIView?
    /// The delegate, which decides whether the gesture begins and which gestures can succeed together with it.
    open weak var delegate: (any UIGestureRecognizerDelegate)?
    /// Whether the recognizer can recognize its gesture. Setting false cancels a gesture in progress.
    open var isEnabled = true {
        didSet {
            guard isEnabled != oldValue else { return }
            if !isEnabled { cancel() }
            changed()
        }
    }
    /// A name for the app's own use.
    open var name: String?
    /// Stored without effect: controls receive their touches at once.
    open var cancelsTouchesInView = true
    /// The number of fingers or pointers in the gesture, or 0 if no gesture is in progress.
    open var numberOfTouches: Int { state == .possible ? 0 : 1 }

    /// Delays this recognizer until another one has failed. Has an effect only between taps of one view.
    open func require(toFail otherGestureRecognizer: UIGestureRecognizer) {
        required.insert(ObjectIdentifier(otherGestureRecognizer))
        changed()
    }
    final var required: Set<ObjectIdentifier> = []

    /// Returns the position of the gesture, in points.
    ///
    /// This is the latest position of a tap, a press or a drag. For a swipe, it is the position at the start, and for a
    /// pinch or a rotation, the center between the fingers at the start.
    /// - Parameter view: The view whose coordinates are used, or nil for the outermost view.
    open func location(in view: UIView?) -> CGPoint { Self.point(outermostLocation, in: view) }

    // MARK: for subclasses in this module

    /// Returns a new recognizer of the view system that reports to this object, or nil if there is none.
    func makeRecognizer() -> _Recognizer? { nil }
    /// The number of taps of the gesture, or 0 if it is not a tap.
    var taps: Int { 0 }
    /// The latest position in the outermost view's coordinates, which do not change when a gesture moves the view.
    private var outermostLocation = CGPoint.zero
    final func outermostPoint(_ point: CGPoint) -> CGPoint { view?.layer.convert(point, to: nil) ?? point }
    static func point(_ outer: CGPoint, in view: UIView?) -> CGPoint { view?.layer.convert(outer, from: nil) ?? outer }
    final func take(_ point: CGPoint) { outermostLocation = outermostPoint(point) }

    private var isInProgress: Bool { state == .began || state == .changed }
    private var wasDenied = false
    /// Reports a discrete gesture.
    final func recognize() {
        guard mayBegin else { return }
        report(.ended)
        state = .possible
    }
    /// Reports a change or the end of a continuous gesture.
    final func follow(isOver: Bool) {
        if !isInProgress, !wasDenied {
            if mayBegin { report(.began) } else { wasDenied = true }
        } else if isInProgress, !isOver {
            report(.changed)
        }
        guard isOver else { return }
        wasDenied = false
        guard isInProgress else { return }
        report(.ended)
        state = .possible
    }
    final func cancel() {
        wasDenied = false
        guard isInProgress else { return }
        report(.cancelled)
        state = .possible
    }
    private var mayBegin: Bool { isEnabled && delegate?.gestureRecognizerShouldBegin(self) != false }
    private func report(_ new: State) {
        state = new
        for handler in handlers { handler() }
    }
    /// Requests that the view creates its gestures again.
    final func changed() {
        if let view { view.touches.recognizers = view.touches.recognizers }
    }
    /// Returns whether both recognizers can succeed with one touch.
    final func canSucceed(with other: UIGestureRecognizer) -> Bool {
        if delegate?.gestureRecognizer(self, shouldRecognizeSimultaneouslyWith: other) == true { return true }
        return taps > 0 && other.taps > 0 && taps != other.taps && !required.contains(ObjectIdentifier(other))
            && !other.required.contains(ObjectIdentifier(self))
    }
}

/// The base protocol of recognizers that call closures. Not for apps to adopt.
@MainActor @preconcurrency
public protocol UIGestureHandling: AnyObject {
    /// Creates a recognizer without a handler.
    init()
    /// Adds a closure that is called at each change of `state` and at each movement of a continuous gesture.
    func addHandler(_ handler: @escaping @MainActor () -> Void)
}
extension UIGestureHandling {
    /// Creates a recognizer with a closure. Zoetrope's replacement for `init(target:action:)`.
    /// - Parameter handler: Called with the recognizer at each change of its `state` and at each movement of a
    ///   continuous gesture.
    public init(handler: @escaping @MainActor (Self) -> Void) {
        self.init()
        addHandler { [weak self] in if let self { handler(self) } }
    }
}

/// A delegate that decides whether gestures begin, and which gestures can succeed together. Modeled on UIKit's
/// protocol.
@MainActor @preconcurrency
public protocol UIGestureRecognizerDelegate: AnyObject {
    /// Returns whether the gesture may begin. The default is true.
    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool
    /// Returns whether both recognizers can succeed with one touch. The default is false.
    ///
    /// Called when the recognizers of the view change, not during a touch.
    func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool
}
extension UIGestureRecognizerDelegate {
    public func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool { true }
    public func gestureRecognizer(
        _ gestureRecognizer: UIGestureRecognizer,
        shouldRecognizeSimultaneouslyWith otherGestureRecognizer: UIGestureRecognizer
    ) -> Bool { false }
}

extension UIView {
    /// The recognizers of this view in the order in which they were added, or nil if there are none.
    public var gestureRecognizers: [UIGestureRecognizer]? {
        touches.recognizers.isEmpty ? nil : touches.recognizers
    }
    /// Adds a recognizer to this view and removes it from its old view.
    public func addGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
        guard gestureRecognizer.view !== self else { return }
        gestureRecognizer.view?.removeGestureRecognizer(gestureRecognizer)
        gestureRecognizer.view = self
        touches.recognizers.append(gestureRecognizer)
        if content == nil { mountContent() }
    }
    /// Removes a recognizer from this view. Has no effect for a recognizer of another view.
    public func removeGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
        guard gestureRecognizer.view === self else { return }
        gestureRecognizer.cancel()
        gestureRecognizer.view = nil
        touches.recognizers.removeAll { $0 === gestureRecognizer }
    }
}
