import Foundation
import Overlays

extension UIView {
    /// The options of an animation. Modeled on UIKit's type.
    public struct AnimationOptions: OptionSet, Sendable {
        /// The bit mask, with UIKit's values.
        public let rawValue: UInt
        /// Creates a set from a bit mask. Other bits have no effect.
        public init(rawValue: UInt) { self.rawValue = rawValue }

        /// Stored without effect: subviews are laid out before drawing, or by `layoutIfNeeded()` in the closure.
        public static let layoutSubviews = AnimationOptions(rawValue: 1)
        /// Stored without effect: views receive input while they are animated.
        public static let allowUserInteraction = AnimationOptions(rawValue: 1 << 1)
        /// Stored without effect: animations always begin at the displayed values.
        public static let beginFromCurrentState = AnimationOptions(rawValue: 1 << 2)
        /// Repeats the animation until it is removed, or until the same property of the view is animated again.
        public static let `repeat` = AnimationOptions(rawValue: 1 << 3)
        /// Plays the animation forward and then backward. At the end, the views jump to their new values.
        public static let autoreverse = AnimationOptions(rawValue: 1 << 4)
        /// Keeps the animation's own duration or timing curve inside the closure of another animation.
        public static let overrideInheritedDuration = AnimationOptions(rawValue: 1 << 5),
            overrideInheritedCurve = AnimationOptions(rawValue: 1 << 6)
        /// Animates the changes in the closure of a transition, too.
        public static let allowAnimatedContent = AnimationOptions(rawValue: 1 << 7)
        /// Stored without effect.
        public static let showHideTransitionViews = AnimationOptions(rawValue: 1 << 8),
            overrideInheritedOptions = AnimationOptions(rawValue: 1 << 9)

        /// A slow start and a slow end, which is the default.
        public static let curveEaseInOut: AnimationOptions = []
        /// A slow start, a slow end, or a constant pace.
        public static let curveEaseIn = AnimationOptions(rawValue: 1 << 16),
            curveEaseOut = AnimationOptions(rawValue: 2 << 16), curveLinear = AnimationOptions(rawValue: 3 << 16)

        /// A transition that blends the old look into the new one.
        public static let transitionCrossDissolve = AnimationOptions(rawValue: 5 << 20)
        /// The same as `transitionCrossDissolve`: views are not drawn in three dimensions.
        public static let transitionFlipFromLeft = AnimationOptions(rawValue: 1 << 20),
            transitionFlipFromRight = AnimationOptions(rawValue: 2 << 20),
            transitionFlipFromTop = AnimationOptions(rawValue: 6 << 20),
            transitionFlipFromBottom = AnimationOptions(rawValue: 7 << 20)
        /// The same as `transitionCrossDissolve`: pages are not curled.
        public static let transitionCurlUp = AnimationOptions(rawValue: 3 << 20),
            transitionCurlDown = AnimationOptions(rawValue: 4 << 20)

        var hasTransition: Bool { (rawValue >> 20) & 7 != 0 }
        var curve: CAMediaTimingFunction {
            switch (rawValue >> 16) & 3 {
            case 1: CAMediaTimingFunction(name: .easeIn)
            case 2: CAMediaTimingFunction(name: .easeOut)
            case 3: CAMediaTimingFunction(name: .linear)
            default: CAMediaTimingFunction(name: .easeInEaseOut)
            }
        }
    }

    /// Animates the changes that a closure makes to views.
    ///
    /// The properties have their new values at once; only their display changes gradually. The closure can change
    /// `alpha`, `frame`, `bounds`, `center`, `transform`, `backgroundColor`, and the corner radius, border and shadow
    /// of `layer`. To animate a change of constraints, call `layoutIfNeeded()` in the closure:
    ///
    /// ```swift
    /// height.constant = 200
    /// UIView.animate(withDuration: 0.3) { self.view.layoutIfNeeded() }
    /// ```
    /// Changes of views that are in no window are shown at once. Layers that the app has added to a view's layer, and
    /// other properties, are not animated. Runs on the main actor.
    /// - Parameters:
    ///   - duration: The duration, in seconds. 0 shows the changes at once.
    ///   - animations: The changes. Called once, before this method returns.
    public static func animate(withDuration duration: TimeInterval, animations: @escaping @MainActor () -> Void) {
        ViewAnimation.run(duration: duration, delay: 0, options: [], animations, nil)
    }
    /// Animates the changes that a closure makes to views, as described for `animate(withDuration:animations:)`.
    /// - Parameters:
    ///   - duration: The duration, in seconds. 0 shows the changes at once.
    ///   - animations: The changes. Called once, before this method returns.
    ///   - completion: Called after the end, with whether the animations ran to their end. The value is false if an
    ///     animation or its view was removed before. Without an animation, it is called in the next pass of the main
    ///     loop, with true.
    public static func animate(
        withDuration duration: TimeInterval, animations: @escaping @MainActor () -> Void,
        completion: (@MainActor (_ finished: Bool) -> Void)?
    ) {
        ViewAnimation.run(duration: duration, delay: 0, options: [], animations, completion)
    }
    /// Animates the changes that a closure makes to views, as described for `animate(withDuration:animations:)`.
    /// - Parameters:
    ///   - duration: The duration, in seconds.
    ///   - delay: The time before the start, in seconds, 0 or more.
    ///   - options: The timing curve, and whether the animation repeats.
    ///   - animations: The changes. Called once, before this method returns.
    ///   - completion: Called after the end, with whether the animations ran to their end. With `.repeat`, called with
    ///     false after the animations are removed.
    public static func animate(
        withDuration duration: TimeInterval, delay: TimeInterval, options: AnimationOptions = [],
        animations: @escaping @MainActor () -> Void, completion: (@MainActor (_ finished: Bool) -> Void)? = nil
    ) {
        ViewAnimation.run(duration: duration, delay: delay, options: options, animations, completion)
    }
    /// Animates the changes that a closure makes to views like a damped spring.
    /// - Parameters:
    ///   - duration: The time in which the spring comes to rest, in seconds.
    ///   - delay: The time before the start, in seconds, 0 or more.
    ///   - dampingRatio: The damping, above 0. With 1 or more, the spring does not overshoot.
    ///   - velocity: The velocity at the start, in multiples of the whole distance per second.
    ///   - options: Whether the animation repeats. The timing curve has no effect.
    ///   - animations: The changes. Called once, before this method returns.
    ///   - completion: Called after the end, with whether the animations ran to their end.
    public static func animate(
        withDuration duration: TimeInterval, delay: TimeInterval, usingSpringWithDamping dampingRatio: CGFloat,
        initialSpringVelocity velocity: CGFloat, options: AnimationOptions = [],
        animations: @escaping @MainActor () -> Void, completion: (@MainActor (_ finished: Bool) -> Void)? = nil
    ) {
        ViewAnimation.run(
            duration: duration, delay: delay, options: options,
            spring: ChangeTiming.Spring(dampingRatio: Double(dampingRatio), velocity: Double(velocity)), animations,
            completion)
    }
    /// Blends from the current look of a view to its look after a closure has changed it.
    ///
    /// The changes themselves are not animated, unless `options` contains `.allowAnimatedContent`. Without a transition
    /// in `options`, or for a view that is in no window, the changes are shown at once. The same holds for a
    /// `UIWindow`: a new `rootViewController` opens a new window of the desktop.
    /// - Parameters:
    ///   - view: The view, which is drawn with its subviews.
    ///   - duration: The duration, in seconds.
    ///   - options: The transition and its timing curve. All transitions are cross dissolves.
    ///   - animations: The changes, or nil for none. Called once, before this method returns.
    ///   - completion: Called after the end, with true. With `.allowAnimatedContent`, called with false if an animation
    ///     of the changes was removed before.
    public static func transition(
        with view: UIView, duration: TimeInterval, options: AnimationOptions = [],
        animations: (@MainActor () -> Void)?, completion: (@MainActor (_ finished: Bool) -> Void)? = nil
    ) {
        ViewAnimation.blend(view, duration: duration, options: options, { animations?() }, completion)
    }

    /// Runs a closure whose changes are shown at once, even inside the closure of an animation. Calls of `animate` in
    /// the closure do not animate either.
    public static func performWithoutAnimation(_ actionsWithoutAnimation: @MainActor () -> Void) {
        ViewAnimation.disabled(actionsWithoutAnimation)
    }
    /// The duration of the animation whose closure runs now, in seconds, or 0 outside of such closures.
    public static var inheritedAnimationDuration: TimeInterval { ViewAnimation.current?.timing.duration ?? 0 }
    /// Whether `animate` animates changes. True unless set by `setAnimationsEnabled(_:)`.
    public static var areAnimationsEnabled: Bool { ViewAnimation.isEnabled }
    /// Sets whether `animate` animates changes. If false, later changes are shown at once.
    public static func setAnimationsEnabled(_ enabled: Bool) { ViewAnimation.isEnabled = enabled }
}
