import Foundation

/// An observer of the beginning and end of an animation. Its methods are called soon after each event.
///
/// ```swift
/// final class AnimationEnd: CAAnimationDelegate {
///     func animationDidStop(_ anim: CAAnimation, finished flag: Bool) {
///         print(flag ? "Finished" : "Removed")
///     }
/// }
/// ```
@MainActor @preconcurrency public protocol CAAnimationDelegate: AnyObject {
    /// Called when the animation is shown for the first time.
    func animationDidStart(_ anim: CAAnimation)
    /// Called when the animation has ended.
    ///
    /// - Parameter flag: Whether the animation ran to its end. False if the animation or its layer was removed before.
    func animationDidStop(_ anim: CAAnimation, finished flag: Bool)
}
extension CAAnimationDelegate {
    /// Does nothing.
    public func animationDidStart(_ anim: CAAnimation) {}
    /// Does nothing.
    public func animationDidStop(_ anim: CAAnimation, finished flag: Bool) {}
}

/// The base class of the animations of layers. Mirrors Core Animation's type of the same name.
///
/// `CALayer.add(_:forKey:)` copies all properties: later changes have no effect. All times are in seconds.
open class CAAnimation {
    /// Creates an animation with Core Animation's default values.
    public init() {}

    /// The start of the animation. 0, the default, starts the animation when it is first shown.
    ///
    /// The time is the layer's, which is `CACurrentMediaTime()` unless the layer has its own timing. In a group, the
    /// time is the group's.
    open var beginTime: Double = 0
    /// The position within the animation at which it starts. The part that is skipped at the start plays at the end. A
    /// negative value has the effect of 0.
    open var timeOffset: Double = 0
    /// The speed: 2 is twice as fast, a negative speed plays the animation backward, and 0 pauses it.
    open var speed: Float = 1
    /// The duration of one repetition. With 0, the default, a spring uses its settling time; other animations use the
    /// group's duration or, outside a group, the transaction's (0.25).
    open var duration: Double = 0
    /// The number of repetitions, which may be a fraction; `.infinity` repeats forever. 0 plays the animation once.
    open var repeatCount: Float = 0
    /// The duration of all repetitions together. It takes precedence over `repeatCount`; 0 uses `repeatCount`.
    open var repeatDuration: Double = 0
    /// Whether each repetition plays forward and then backward, which takes twice the time.
    open var autoreverses = false
    /// The values that are shown before the animation begins and after it has ended. The default is `.removed`.
    open var fillMode = CAMediaTimingFillMode.removed
    /// Whether the layer removes the animation at its end. The default is true; `fillMode` then has no effect after the
    /// end. Animations in a group ignore this property.
    open var isRemovedOnCompletion = true
    /// The timing curve of the animation. If nil, the curve of the transaction applies, which is linear by default; in
    /// a group, nil is linear. A spring ignores this property.
    open var timingFunction: CAMediaTimingFunction?
    /// The observer of the animation's beginning and end. As in Core Animation, the reference is strong. Animations in
    /// a group do not call their delegates.
    open var delegate: (any CAAnimationDelegate)?

    /// Returns the animated values, or nil after reporting a problem to `context`.
    func content(_ context: RecordContext) -> AnimationRecord.Content? {
        context.problem("\(Swift.type(of: self)) can't be shown: use a subclass, such as CABasicAnimation")
        return nil
    }
    func standardDuration(_ context: RecordContext) -> Double { context.duration }
    var timingCurve: TimingCurve? { timingFunction?.curve }

    func record(_ context: RecordContext, token: UInt64) -> AnimationRecord? {
        guard let content = content(context) else { return nil }
        let numbers = [beginTime, timeOffset, Double(speed)]
        guard numbers.allSatisfy(\.isFinite), !duration.isNaN, !repeatCount.isNaN, !repeatDuration.isNaN else {
            context.problem("the animation's times must be finite numbers")
            return nil
        }
        var timing = AnimationTiming()
        timing.begin = beginTime == 0 ? (token == 0 ? 0 : nil) : beginTime
        timing.speed = Double(speed)
        timing.offset = max(0, timeOffset)
        // From 1 µs to 30 years: beyond these limits, divisions by the duration lose all precision.
        timing.duration = min(max(duration > 0 ? duration : standardDuration(context), 1e-6), 1e9)
        timing.autoreverses = autoreverses
        let cycle = timing.duration * (autoreverses ? 2 : 1)
        let passes =
            repeatCount > 0 ? (repeatCount >= .greatestFiniteMagnitude ? Double.infinity : Double(repeatCount)) : 1
        timing.total = repeatDuration > 0 ? repeatDuration : cycle * passes
        if timing.total > 1e12 { timing.total = .infinity }
        timing.fillsBefore = fillMode == .backwards || fillMode == .both
        // An animation in a group is never removed separately, so its fill mode applies even if `isRemovedOnCompletion`
        // is true.
        timing.fillsAfter = (fillMode == .forwards || fillMode == .both) && (!isRemovedOnCompletion || token == 0)
        return AnimationRecord(token: token, timing: timing, timingCurve: timingCurve, content: content)
    }
}

/// The context for converting an animation to a record: the layer, the defaults, and the problems that were found.
final class RecordContext {
    let values: LayerValues
    let layer: String
    /// The duration of animations that have none.
    var duration: Double
    /// The groups that contain the animation, the outermost first.
    var groups: [CAAnimationGroup] = []
    private(set) var problems: [String] = []
    init(values: LayerValues, layer: String, duration: Double) {
        self.values = values
        self.layer = layer
        self.duration = duration
    }
    func problem(_ text: String) { problems.append(text) }
}

/// The base class of animations of one property. Mirrors Core Animation's type of the same name.
open class CAPropertyAnimation: CAAnimation {
    /// The name of the property, such as `"opacity"` or `"transform.rotation.z"`. An animation of an unknown property
    /// has no effect.
    open var keyPath: String?
    /// Whether the animated values are added to the layer's own.
    open var isAdditive = false
    /// Whether each repetition begins at the end value of the previous repetition.
    open var isCumulative = false

    /// Creates an animation without a key path, which has no effect until `keyPath` is set.
    public override init() {}
    /// Creates an animation of the property with the name `path`.
    ///
    /// - Parameter path: The value for `keyPath`. The name is checked when the animation is added to a layer.
    public convenience init(keyPath path: String?) {
        self.init()
        keyPath = path
    }

    final override func content(_ context: RecordContext) -> AnimationRecord.Content? {
        guard let keyPath, let property = LayerProperty.all[keyPath], property.get(context.values) != nil else {
            context.problem("\(context.layer) has no animatable property “\(keyPath ?? "nil")”")
            return nil
        }
        return course(property, context).map {
            .property(
                PropertyAnimation(property: property, course: $0, isAdditive: isAdditive, isCumulative: isCumulative))
        }
    }
    func course(_ property: LayerProperty, _ context: RecordContext) -> PropertyAnimation.Course? {
        context.problem("\(Swift.type(of: self)) has no values for “\(property.keyPath)”")
        return nil
    }
    /// Converts an app's value. A nil value is valid; a value of the wrong type is reported to `context`.
    func read(_ value: Any?, _ property: LayerProperty, _ context: RecordContext) -> (
        value: AnimationValue?, isGood: Bool
    ) {
        guard let value else { return (nil, true) }
        if let read = AnimationValue(value, as: property.kind) { return (read, true) }
        context.problem(
            "“\(property.keyPath)” requires values of kind \(property.kind.rawValue), but the value is \(Swift.type(of: value)) \(value)"
        )
        return (nil, false)
    }
}

/// An animation from one value to another. Mirrors Core Animation's type of the same name.
///
/// Missing values come from the layer. `fromValue` alone animates to the layer's value, and `toValue` alone animates
/// from it. `byValue` alone animates from the layer's value by that difference.
///
/// ```swift
/// let fade = CABasicAnimation(keyPath: "opacity")
/// fade.fromValue = 0
/// fade.toValue = 1
/// fade.duration = 0.5
/// layer.add(fade, forKey: "fade")
/// ```
open class CABasicAnimation: CAPropertyAnimation {
    /// The value at the start, of the property's type: a number, `CGPoint`, `CGSize`, `CGRect`, `CGColor`,
    /// `CATransform3D`, `CGPath`, or an array of colors or numbers. A value of another type disables the animation.
    open var fromValue: Any?
    /// The value at the end, of the same types as `fromValue`.
    open var toValue: Any?
    /// The difference between start and end, of the same types as `fromValue`. Ignored if `fromValue` and `toValue` are
    /// set.
    open var byValue: Any?

    final func ends(_ property: LayerProperty, _ context: RecordContext) -> PropertyAnimation.Ends? {
        let from = read(fromValue, property, context)
        let to = read(toValue, property, context)
        let by = read(byValue, property, context)
        guard from.isGood, to.isGood, by.isGood else { return nil }
        return PropertyAnimation.Ends(from: from.value, to: to.value, by: by.value)
    }
    override func course(_ property: LayerProperty, _ context: RecordContext) -> PropertyAnimation.Course? {
        ends(property, context).map { .basic($0) }
    }
}

/// An animation from one value to another that moves like a damped spring. Mirrors Core Animation's type of the same
/// name.
///
/// An animation without a `duration` runs for its `settlingDuration`. Apple's uses the transaction's 0.25 s, which cuts
/// the movement off.
///
/// ```swift
/// let bounce = CASpringAnimation(keyPath: "transform.scale")
/// bounce.fromValue = 0.5
/// bounce.toValue = 1
/// bounce.damping = 6
/// bounce.duration = bounce.settlingDuration
/// layer.add(bounce, forKey: "bounce")
/// ```
open class CASpringAnimation: CABasicAnimation {
    /// The mass, above 0. The default is 1. An invalid value has the effect of the default.
    open var mass: CGFloat = 1
    /// The stiffness, above 0. The default is 100. An invalid value has the effect of the default.
    open var stiffness: CGFloat = 100
    /// The damping, 0 or more. The default is 10. An invalid value has the effect of the default. From
    /// 2·√(mass·stiffness), the spring does not oscillate.
    open var damping: CGFloat = 10
    /// The velocity at the start, toward the end value, in multiples of the whole distance per second. A value that is
    /// not finite has the effect of 0, the default.
    open var initialVelocity: CGFloat = 0

    /// Creates a spring that looks as described. If a parameter is not finite or `perceptualDuration` is not above 0,
    /// creates the default spring.
    ///
    /// - Parameters:
    ///   - perceptualDuration: The duration of one oscillation, in seconds.
    ///   - bounce: The bounciness, −0.999…1, clamped. 0 does not overshoot; 1 oscillates forever.
    public convenience init(perceptualDuration: Double, bounce: CGFloat) {
        self.init()
        guard perceptualDuration > 0, perceptualDuration.isFinite, bounce.isFinite else { return }
        let bounce = min(max(Double(bounce), -0.999), 1)
        let omega = 2 * Double.pi / perceptualDuration
        stiffness = CGFloat(omega * omega)
        damping = CGFloat(bounce >= 0 ? 2 * omega * (1 - bounce) : 2 * omega / (1 + bounce))
    }

    private var spring: SpringCurve {
        SpringCurve(
            mass: Double(mass), stiffness: Double(stiffness), damping: Double(damping),
            velocity: Double(initialVelocity))
    }
    /// The time after which the value stays within 0.1 % of the distance from its end, in seconds, at most 60.
    open var settlingDuration: Double { spring.settlingDuration }

    override func standardDuration(_ context: RecordContext) -> Double { settlingDuration }
    override var timingCurve: TimingCurve? { nil }
    override func course(_ property: LayerProperty, _ context: RecordContext) -> PropertyAnimation.Course? {
        ends(property, context).map { .spring($0, spring) }
    }
}

/// An animation through several values, or along a path. Mirrors Core Animation's type of the same name.
///
/// ```swift
/// let blink = CAKeyframeAnimation(keyPath: "opacity")
/// blink.values = [1, 0.2, 1]
/// blink.keyTimes = [0, 0.5, 1]
/// blink.duration = 1
/// blink.repeatCount = .infinity
/// layer.add(blink, forKey: "blink")
/// ```
open class CAKeyframeAnimation: CAPropertyAnimation {
    /// The keyframes in order, of the property's type. A value of another type, or no value, disables the animation.
    open var values: [Any]?
    /// The path to follow, instead of `values`, for properties that are points. Each end of a line or curve is a
    /// keyframe.
    open var path: CGPath?
    /// The time of each value as a fraction of the duration, 0…1, in ascending order. Nil, or an invalid list, spaces
    /// the values evenly.
    ///
    /// With `.discrete`, the list may contain one more time for the end of the last value, which has no effect. The
    /// paced modes ignore the list.
    open var keyTimes: [NSNumber]?
    /// The timing curve of each step between two values. Steps without a curve are linear. The paced modes ignore the
    /// list. `timingFunction` is the timing curve of the whole animation.
    open var timingFunctions: [CAMediaTimingFunction]?
    /// The interpolation between values. The default is `.linear`.
    open var calculationMode = CAAnimationCalculationMode.linear
    /// The rotation of the layer along a path, or nil for none.
    open var rotationMode: CAAnimationRotationMode?

    override func course(_ property: LayerProperty, _ context: RecordContext) -> PropertyAnimation.Course? {
        let frames: Keyframes.Frames
        if let path, property.kind == .point {
            frames = .path(
                path.data.segments.filter { $0.length > 0 }.map {
                    Keyframes.PathPiece(a: $0.a, b: $0.b, c: $0.c, d: $0.d, isLine: $0.isLine)
                })
        } else {
            var read: [AnimationValue] = []
            for value in values ?? [] {
                let (one, isGood) = self.read(value, property, context)
                guard let one, isGood else { return nil }
                read.append(one)
            }
            frames = .values(read)
        }
        guard
            let keyframes = Keyframes(
                frames, times: keyTimes?.map(\.doubleValue), curves: timingFunctions?.map(\.curve) ?? [],
                mode: calculationMode,
                problem: { context.problem("“\(property.keyPath)”: \($0)") })
        else {
            context.problem("“\(property.keyPath)” has no keyframes")
            return nil
        }
        return .keyframes(keyframes, rotation: path == nil ? nil : rotationMode)
    }
}

/// Several animations that share a timeline. Mirrors Core Animation's type of the same name.
///
/// An animation that is longer than the group is cut off. One without a duration is as long as the group.
///
/// ```swift
/// let group = CAAnimationGroup()
/// group.animations = [fade, move]
/// group.duration = 0.4
/// group.timingFunction = CAMediaTimingFunction(name: .easeOut)
/// layer.add(group, forKey: "appear")
/// ```
open class CAAnimationGroup: CAAnimation {
    /// The animations, in the group's time. This group and groups that contain it are ignored. Groups can be nested at
    /// most 16 deep.
    open var animations: [CAAnimation]?

    private static let deepest = 16

    override func content(_ context: RecordContext) -> AnimationRecord.Content? {
        guard context.groups.count < CAAnimationGroup.deepest else {
            context.problem("animation groups are nested more than \(CAAnimationGroup.deepest) deep")
            return nil
        }
        let outer = context.duration
        if duration > 0, duration.isFinite { context.duration = duration }
        context.groups.append(self)
        defer {
            context.duration = outer
            context.groups.removeLast()
        }
        let records = (animations ?? []).compactMap { animation in
            context.groups.contains { $0 === animation } ? nil : animation.record(context, token: 0)
        }
        if records.isEmpty { context.problem("the animation group contains no animation that can be shown") }
        return records.isEmpty ? nil : .group(records)
    }
}
