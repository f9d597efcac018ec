import Foundation
import Overlays

/// Recognises something that is done with the pointer or with fingers on a `UIView`. UIKit's type.
///
/// Swift for Linux has no selectors: instead of a target and an action a recognizer takes a closure.
///
/// ```swift
/// view.addGestureRecognizer(UITapGestureRecognizer { [weak self] tap in self?.select(at: tap.location(in: nil)) })
/// ```
/// Of two recognizers of one view the first that recognizes keeps the other out, unless the delegate says otherwise.
/// Touches in a control go to the control alone. Main actor.
@MainActor @preconcurrency
open class UIGestureRecognizer: UIGestureHandling {
    /// How far a gesture is.
    public enum State: Int, Sendable {
        /// Nothing has been recognized yet.
        case possible = 0
        /// A gesture that goes on has begun, or goes on.
        case began, changed
        /// The gesture is over. A tap or a swipe has no other state.
        case ended
        /// The gesture was taken away, or came to nothing.
        case cancelled, failed
        /// The same as `ended`.
        public static let recognized = State.ended
    }

    /// Makes a recognizer that tells nobody yet.
    public required init() {}
    private var handlers: [@MainActor () -> Void] = []
    /// Calls `handler`, too, at each change of `state`. Zoetrope's own: in place of `addTarget(_:action:)`.
    public final func addHandler(_ handler: @escaping @MainActor () -> Void) { handlers.append(handler) }

    /// How far the gesture is.
    public private(set) final var state = State.possible
    /// The view that the recognizer was added to.
    public internal(set) weak final var view: UIView?
    /// Decides whether the gesture begins, and beside which others.
    open weak var delegate: (any UIGestureRecognizerDelegate)?
    /// Whether the gesture is recognized. A gesture that is under way ends when this becomes false.
    open var isEnabled = true {
        didSet {
            guard isEnabled != oldValue else { return }
            if !isEnabled { cancel() }
            changed()
        }
    }
    /// The name of the recognizer, for the app.
    open var name: String?
    /// Kept, of no effect: controls get what happens in them at once.
    open var cancelsTouchesInView = true
    /// How many fingers, or pointers, take part.
    open var numberOfTouches: Int { state == .possible ? 0 : 1 }

    /// Recognizes nothing until `otherGestureRecognizer` has failed. It has an effect between taps of one view.
    open func require(toFail otherGestureRecognizer: UIGestureRecognizer) {
        required.insert(ObjectIdentifier(otherGestureRecognizer))
        changed()
    }
    final var required: Set<ObjectIdentifier> = []

    /// Where it happened last.
    /// - Parameter view: the view whose space the point is in; nil: the outermost view's.
    open func location(in view: UIView?) -> CGPoint { Self.point(outer, in: view) }

    // MARK: for subclasses here

    /// The recogniser of the dialect's that does the work; nil: none.
    func primitive() -> _Recognizer? { nil }
    /// How many taps make it; 0: it is no tap.
    var taps: Int { 0 }
    /// In the outermost view's space, which stays where it is while a gesture moves the view.
    private var outer = CGPoint.zero
    final func outermostPoint(_ point: CGPoint) -> CGPoint { view?.layer.convert(point, to: nil) ?? point }
    static func point(_ outer: CGPoint, in view: UIView?) -> CGPoint { view?.layer.convert(outer, from: nil) ?? outer }
    final func take(_ point: CGPoint) { outer = outermostPoint(point) }

    private var isGoingOn: Bool { state == .began || state == .changed }
    private var wasRefused = false
    /// A gesture without duration has been recognized.
    final func recognize() {
        guard mayBegin else { return }
        tell(.ended)
        state = .possible
    }
    /// A gesture goes on, or is over.
    final func follow(isOver: Bool) {
        if !isGoingOn, !wasRefused {
            if mayBegin { tell(.began) } else { wasRefused = true }
        } else if isGoingOn, !isOver {
            tell(.changed)
        }
        guard isOver else { return }
        wasRefused = false
        guard isGoingOn else { return }
        tell(.ended)
        state = .possible
    }
    final func cancel() {
        wasRefused = false
        guard isGoingOn else { return }
        tell(.cancelled)
        state = .possible
    }
    private var mayBegin: Bool { isEnabled && delegate?.gestureRecognizerShouldBegin(self) != false }
    private func tell(_ new: State) {
        state = new
        for handler in handlers { handler() }
    }
    /// The view's gestures are made again.
    final func changed() {
        if let view { view.touches.recognizers = view.touches.recognizers }
    }
    /// Whether both may be recognized with one touch.
    final func goes(with other: UIGestureRecognizer) -> Bool {
        if delegate?.gestureRecognizer(self, shouldRecognizeSimultaneouslyWith: other) == true { return true }
        return taps > 0 && other.taps > 0 && taps != other.taps && !required.contains(ObjectIdentifier(other))
            && !other.required.contains(ObjectIdentifier(self))
    }
}

/// What makes recognizers of closures. Not for apps to adopt.
@MainActor @preconcurrency
public protocol UIGestureHandling: AnyObject {
    /// Makes a recognizer that tells nobody yet.
    init()
    /// Calls `handler`, too, at each change of `state`.
    func addHandler(_ handler: @escaping @MainActor () -> Void)
}
extension UIGestureHandling {
    /// Makes a recognizer. Zoetrope's own: in place of `init(target:action:)`.
    /// - Parameter handler: called with the recognizer at each change of its `state`.
    public init(handler: @escaping @MainActor (Self) -> Void) {
        self.init()
        addHandler { [weak self] in if let self { handler(self) } }
    }
}

/// Decides whether gestures begin, and which go together. UIKit's protocol; main actor.
@MainActor @preconcurrency
public protocol UIGestureRecognizerDelegate: AnyObject {
    /// Whether the gesture may begin; true if not implemented.
    func gestureRecognizerShouldBegin(_ gestureRecognizer: UIGestureRecognizer) -> Bool
    /// Whether both may be recognized with one touch; false if not implemented. Asked when recognizers are added.
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
    /// The recognizers that were added, in that order.
    public var gestureRecognizers: [UIGestureRecognizer]? {
        touches.recognizers.isEmpty ? nil : touches.recognizers
    }
    /// Recognizes a gesture on this view; a recognizer that another view has leaves that.
    public func addGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
        guard gestureRecognizer.view !== self else { return }
        gestureRecognizer.view?.removeGestureRecognizer(gestureRecognizer)
        gestureRecognizer.view = self
        touches.recognizers.append(gestureRecognizer)
        if content == nil { mountContent() }
    }
    /// Recognizes a gesture no more; one of another view does nothing.
    public func removeGestureRecognizer(_ gestureRecognizer: UIGestureRecognizer) {
        guard gestureRecognizer.view === self else { return }
        gestureRecognizer.cancel()
        gestureRecognizer.view = nil
        touches.recognizers.removeAll { $0 === gestureRecognizer }
    }
}
