import Foundation
import Overlays

/// The animations of one call of `UIView.animate`, and its completion.
@MainActor
final class ViewAnimation: CAAnimationDelegate {
    /// The call whose closure changes views now, or nil outside of such closures.
    private(set) static var current: ViewAnimation?
    /// Whether `UIView.animate` animates changes.
    static var isEnabled = true

    let timing: ChangeTiming
    private let completion: (@MainActor (Bool) -> Void)?
    private struct Running {
        let animation: CAAnimation
        weak var layer: CALayer?
        let key: String

        /// Removes the animation from its layer. Returns false if it was removed before.
        @MainActor func remove() -> Bool {
            guard let layer, layer.animation(forKey: key) === animation else { return false }
            layer.removeAnimation(forKey: key)
            return true
        }
    }
    private var running: [ObjectIdentifier: Running] = [:]
    private var isFinished = true
    private var isEnded = false
    private var end: Task<Void, Never>?

    private init(_ timing: ChangeTiming, _ completion: (@MainActor (Bool) -> Void)?) {
        self.timing = timing
        self.completion = completion
    }

    /// Runs `changes` and animates the changes of views in windows.
    ///
    /// - Parameters:
    ///   - duration: The duration, in seconds. With 0, changes are shown at once.
    ///   - delay: The time before the start, in seconds.
    ///   - completion: Called with whether no animation was removed before its end.
    static func run(
        duration: Double, delay: Double, options: UIView.AnimationOptions, spring: ChangeTiming.Spring? = nil,
        _ changes: @MainActor () -> Void, _ completion: (@MainActor (Bool) -> Void)?
    ) {
        let animation = ViewAnimation(
            timing(duration: duration, delay: delay, options: options, spring: spring), completion)
        let isAnimated = isEnabled && animation.timing.duration > 0
        with(isAnimated ? animation : nil, changes)
        animation.wait(isHeld: false)
    }

    /// Blends from the current look of a view to its look after `changes`.
    static func blend(
        _ view: UIView, duration: Double, options: UIView.AnimationOptions, _ changes: @MainActor () -> Void,
        _ completion: (@MainActor (Bool) -> Void)?
    ) {
        let animation = ViewAnimation(timing(duration: duration, delay: 0, options: options, spring: nil), completion)
        let isBlended = isEnabled && animation.timing.duration > 0 && options.hasTransition && view.shownWindow != nil
        if isBlended { view.outermost.host?.blend(view.backing, animation.timing) }
        with(isBlended && options.contains(.allowAnimatedContent) ? animation : nil, changes)
        animation.wait(isHeld: isBlended)
    }

    /// Runs `body` without animations, including those that `body` itself requests.
    static func disabled(_ body: @MainActor () -> Void) {
        let outer = isEnabled
        isEnabled = false
        with(nil, body)
        isEnabled = outer
    }

    /// Runs `body` with the animation that its changes have, or with none.
    static func with(_ animation: ViewAnimation?, _ body: @MainActor () -> Void) {
        let outer = current
        current = animation
        body()
        current = outer
    }

    private static func timing(
        duration: Double, delay: Double, options: UIView.AnimationOptions, spring: ChangeTiming.Spring?
    ) -> ChangeTiming {
        let delay = delay.isFinite ? max(0, delay) : 0
        var duration = duration.isFinite ? max(0, duration) : 0
        // A change without a duration still waits for the delay.
        if delay > 0 { duration = max(duration, 1e-3) }
        var timing = ChangeTiming(
            begin: CACurrentMediaTime() + delay, duration: duration, curve: options.curve, spring: spring,
            repeats: options.contains(.repeat), autoreverses: options.contains(.autoreverse))
        if let outer = current?.timing {
            if !options.contains(.overrideInheritedDuration) { timing.duration = outer.duration }
            if !options.contains(.overrideInheritedCurve) {
                (timing.curve, timing.spring) = (outer.curve, outer.spring)
            }
        }
        return timing
    }

    /// Animates the changes of a layer since it had the values `old`.
    fileprivate func animate(_ layer: CALayer, from old: LayerValues) {
        let added = layer.animateChanges(from: old, timing, delegate: self) { replaced in
            // The closure has changed the property before.
            running[ObjectIdentifier(replaced)] = nil
        }
        for one in added {
            running[ObjectIdentifier(one.animation)] = Running(animation: one.animation, layer: layer, key: one.key)
        }
    }

    // MARK: end

    /// Waits for the end of the animations.
    /// - Parameter isHeld: Whether to wait for the duration even if no property is animated.
    private func wait(isHeld: Bool) {
        let length = running.isEmpty && !isHeld ? 0 : timing.begin + timing.length - CACurrentMediaTime()
        guard length.isFinite, completion != nil || !running.isEmpty else { return }
        let nanoseconds = UInt64(min(max(0, length), 86_400) * 1e9)
        // The closure keeps this object until the end.
        end = Task { @MainActor in
            if nanoseconds > 0 { try? await Task.sleep(nanoseconds: nanoseconds) }
            if !Task.isCancelled { self.complete() }
        }
    }
    private func complete() {
        guard !isEnded else { return }
        isEnded = true
        end?.cancel()
        end = nil
        let ended = running.values
        running = [:]
        for one in ended where !one.remove() { isFinished = false }
        completion?(isFinished)
    }

    /// Called when the host of the views has shown the last frame of an animation, or when the animation was removed.
    func animationDidStop(_ anim: CAAnimation, finished flag: Bool) {
        // The timer determines the end, so that a view that is not drawn does not delay the completion.
        guard !flag, let stopped = running.removeValue(forKey: ObjectIdentifier(anim)) else { return }
        isFinished = false
        // The layer of a removed view still has the animation, which would continue when the view is added again.
        _ = stopped.remove()
        // The host may be laying out its views now, and the app's closure may change them.
        if running.isEmpty { OnMain.later { self.complete() } }
    }
}

extension LayeredView {
    /// Animates later changes of a layer that belongs to the view, while the closure of `UIView.animate` runs.
    final func animateChanges(of layer: CALayer) {
        guard self is UIView else { return }
        layer.valuesDidChange = { [weak self, weak layer] old in
            guard Thread.isMainThread, let animation = ViewAnimation.current, let self, let layer,
                self.shownWindow != nil, !CATransaction.disableActions()
            else { return }
            animation.animate(layer, from: old)
        }
    }
}
