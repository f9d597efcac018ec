import Foundation

/// Told when an animation begins and ends, on the main actor, soon after.
@MainActor @preconcurrency public protocol CAAnimationDelegate: AnyObject {
    /// It is shown for the first time.
    func animationDidStart(_ anim: CAAnimation)
    /// - Parameter flag: it ran to its end; false when it or its layer was taken away before.
    func animationDidStop(_ anim: CAAnimation, finished flag: Bool)
}
extension CAAnimationDelegate {
    /// Does nothing.
    public func animationDidStart(_ anim: CAAnimation) {}
    /// Does nothing.
    public func animationDidStop(_ anim: CAAnimation, finished flag: Bool) {}
}

/// What all animations of layers share. Core Animation's type.
///
/// `CALayer.add(_:forKey:)` copies what it says: changes afterwards have no effect. Seconds.
open class CAAnimation {
    /// With Core Animation's standard values.
    public init() {}

    /// In the layer's time (`CACurrentMediaTime()` unless the layer has one of its own), in a group that of the group.
    /// 0, as at first: when it is first shown.
    open var beginTime: Double = 0
    /// How far into it it begins; what is left out at the beginning comes at the end.
    open var timeOffset: Double = 0
    /// 2 is twice as fast, a negative one runs backwards, 0 stands still.
    open var speed: Float = 1
    /// Of one pass. 0, as at first: the transaction's (0.25), a spring's settling time, or the group's.
    open var duration: Double = 0
    /// May be a fraction; `.infinity` for ever. 0: once.
    open var repeatCount: Float = 0
    /// All passes together, instead of `repeatCount`. 0: as many as that says.
    open var repeatDuration: Double = 0
    /// Each pass runs back again, in as much time.
    open var autoreverses = false
    /// What is shown before it begins and after it has ended; `.removed` at first.
    open var fillMode = CAMediaTimingFillMode.removed
    /// Taken away from the layer when it is over, so that nothing is filled after it.
    open var isRemovedOnCompletion = true
    /// Nil: linear. A spring has its own pace.
    open var timingFunction: CAMediaTimingFunction?
    /// Held, as by Core Animation. Of animations in a group not called.
    open var delegate: (any CAAnimationDelegate)?

    /// Nil, and a problem told, when it cannot be shown.
    func content(_ context: RecordContext) -> AnimationRecord.Content? {
        context.problem("\(Swift.type(of: self)) can't be shown: use a subclass, such as CABasicAnimation")
        return nil
    }
    func standardDuration(_ context: RecordContext) -> Double { context.duration }
    var pace: TimingCurve? { timingFunction?.curve }

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
        // A microsecond and thirty years: beyond, dividing by it tells nothing.
        timing.duration = min(max(duration > 0 ? duration : standardDuration(context), 1e-6), 1e9)
        timing.autoreverses = autoreverses
        let cycle = timing.duration * (autoreverses ? 2 : 1)
        let passes =
            repeatCount > 0 ? (repeatCount >= .greatestFiniteMagnitude ? Double.infinity : Double(repeatCount)) : 1
        timing.total = repeatDuration > 0 ? repeatDuration : cycle * passes
        if timing.total > 1e12 { timing.total = .infinity }
        timing.fillsBefore = fillMode == .backwards || fillMode == .both
        // Within a group only the group is ever removed.
        timing.fillsAfter = (fillMode == .forwards || fillMode == .both) && (!isRemovedOnCompletion || token == 0)
        return AnimationRecord(token: token, timing: timing, pace: pace, content: content)
    }
}

/// What is known where an animation becomes a record.
final class RecordContext {
    let values: LayerValues
    let layer: String
    /// Of animations that give none.
    var duration: Double
    private(set) var problems: [String] = []
    init(values: LayerValues, layer: String, duration: Double) {
        self.values = values
        self.layer = layer
        self.duration = duration
    }
    func problem(_ text: String) { problems.append(text) }
}

/// An animation of a property. Core Animation's type.
open class CAPropertyAnimation: CAAnimation {
    /// Which property, such as `"opacity"` or `"transform.rotation.z"`. An unknown one is ignored, and said once.
    open var keyPath: String?
    /// Its values are added to the layer's own.
    open var isAdditive = false
    /// Each pass begins where the one before ended.
    open var isCumulative = false

    /// Without a key path: nothing is animated until one is set.
    public override init() {}
    /// - Parameter path: as `keyPath`; what there is no such property of is found out when the animation is added.
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
    /// Nil is none; a wrong type tells a problem.
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

/// From one value to another. Core Animation's type.
///
/// What is not given is the layer's own: from alone runs to it, to alone from it, by alone from it that much further.
open class CABasicAnimation: CAPropertyAnimation {
    /// The value at the beginning, of the property's kind: a number, `CGPoint`, `CGSize`, `CGRect`, `CGColor`,
    /// `CATransform3D`, `CGPath`, or an array of colours or numbers. With one of another kind nothing is animated.
    open var fromValue: Any?
    /// The value at the end, of the same kinds.
    open var toValue: Any?
    /// The difference between both, of the same kinds.
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

/// From one value to another as a damped spring goes. Core Animation's type.
///
/// Unlike Apple's, one without a `duration` runs for its `settlingDuration`, not for the transaction's 0.25 s, in
/// which it would be cut off.
open class CASpringAnimation: CABasicAnimation {
    /// Above 0; 1 at first.
    open var mass: CGFloat = 1
    /// Above 0; 100 at first.
    open var stiffness: CGFloat = 100
    /// 0 and more; 10 at first. With 2·√(mass·stiffness) and above nothing swings over.
    open var damping: CGFloat = 10
    /// In whole ways a second, towards the end.
    open var initialVelocity: CGFloat = 0

    /// - Parameters:
    ///   - perceptualDuration: seconds of one swing. - bounce: −1 … 1; 0 swings over nothing, 1 for ever.
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
    /// From when on it stays within a thousandth of the way; seconds, at most 60.
    open var settlingDuration: Double { spring.settlingDuration }

    override func standardDuration(_ context: RecordContext) -> Double { settlingDuration }
    override var pace: TimingCurve? { nil }
    override func course(_ property: LayerProperty, _ context: RecordContext) -> PropertyAnimation.Course? {
        ends(property, context).map { .spring($0, spring) }
    }
}

/// Through several values, or along a path. Core Animation's type.
open class CAKeyframeAnimation: CAPropertyAnimation {
    /// The keyframes in their order, of the property's kind; with one of another kind, or none, nothing is animated.
    open var values: [Any]?
    /// For properties that are points, instead of `values`: each end of its lines and curves is a keyframe.
    open var path: CGPath?
    /// For each value a part of the duration, 0…1, growing; a discrete one may have one more, the end. Nil: evenly
    /// spread.
    open var keyTimes: [NSNumber]?
    /// For each way between two values. `timingFunction` holds for the whole.
    open var timingFunctions: [CAMediaTimingFunction]?
    /// How it goes from one value to the next; `.linear` at first.
    open var calculationMode = CAAnimationCalculationMode.linear
    /// Along a path: turned as it heads.
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

/// Several animations in one time. Core Animation's type.
///
/// What lasts longer than the group is cut off; one without a duration lasts as long as it.
open class CAAnimationGroup: CAAnimation {
    /// What runs in the group's time; the group itself among them is left out.
    open var animations: [CAAnimation]?

    override func content(_ context: RecordContext) -> AnimationRecord.Content? {
        let outer = context.duration
        if duration > 0, duration.isFinite { context.duration = duration }
        defer { context.duration = outer }
        let records = (animations ?? []).compactMap { $0 === self ? nil : $0.record(context, token: 0) }
        if records.isEmpty { context.problem("the animation group contains no animation that can be shown") }
        return records.isEmpty ? nil : .group(records)
    }
}
