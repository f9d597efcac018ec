import Foundation

/// The timing of the animations that follow changes of a layer's properties.
package struct ChangeTiming {
    /// The start, in the seconds of `CACurrentMediaTime()`.
    package var begin: Double
    /// The duration of one repetition, in seconds.
    package var duration: Double
    /// The timing curve. A spring ignores it.
    package var curve: CAMediaTimingFunction
    /// A spring that comes to rest within the duration, or nil for the timing curve.
    package var spring: Spring?
    /// Whether the animation repeats forever.
    package var repeats: Bool
    /// Whether each repetition plays forward and then backward.
    package var autoreverses: Bool

    /// The movement of a spring.
    package struct Spring {
        /// The damping relative to a spring that does not overshoot, above 0 and at most 1.
        package var dampingRatio: Double
        /// The velocity at the start, in multiples of the whole distance per second.
        package var velocity: Double

        package init(dampingRatio: Double, velocity: Double) {
            self.dampingRatio = dampingRatio.isFinite ? min(max(dampingRatio, 0.02), 1) : 1
            self.velocity = velocity.isFinite ? velocity : 0
        }
    }

    package init(
        begin: Double, duration: Double, curve: CAMediaTimingFunction, spring: Spring? = nil, repeats: Bool = false,
        autoreverses: Bool = false
    ) {
        (self.begin, self.duration, self.curve, self.spring) = (begin, duration, curve, spring)
        (self.repeats, self.autoreverses) = (repeats, autoreverses)
    }

    /// The time from `begin` to the end of all repetitions, in seconds.
    package var length: Double { repeats ? .infinity : duration * (autoreverses ? 2 : 1) }

    /// Returns the progress of the timing curve at a time in the seconds of `CACurrentMediaTime()`, 0…1.
    package func progress(at time: Double) -> Double {
        duration > 0 ? curve.curve(min(max((time - begin) / duration, 0), 1)) : 1
    }

    /// Returns a new animation of a property with this timing.
    fileprivate func animation(_ keyPath: String) -> CABasicAnimation {
        let animation: CABasicAnimation
        if let spring {
            let bounce = CASpringAnimation(keyPath: keyPath)
            bounce.initialVelocity = CGFloat(spring.velocity)
            // The frequency of a spring that comes to rest within 1 second. The settling time is nearly in inverse
            // proportion to the frequency, so a few rounds are enough.
            let duration = max(duration, 1e-6)
            var frequency = 10.0
            for _ in 0..<12 {
                frequency *=
                    SpringCurve(
                        mass: 1, stiffness: frequency * frequency, damping: 2 * spring.dampingRatio * frequency,
                        velocity: spring.velocity * duration
                    ).settlingDuration
            }
            frequency /= duration
            bounce.stiffness = CGFloat(frequency * frequency)
            bounce.damping = CGFloat(2 * spring.dampingRatio * frequency)
            animation = bounce
        } else {
            animation = CABasicAnimation(keyPath: keyPath)
            animation.timingFunction = curve
        }
        animation.duration = duration
        animation.autoreverses = autoreverses
        animation.repeatCount = repeats ? .infinity : 0
        animation.fillMode = .backwards
        return animation
    }
}

/// An animation that was added after a change, and its name in the layer.
package struct ChangeAnimation {
    package let animation: CAAnimation
    package let key: String
}

extension CALayer {
    /// The properties whose changes are animated.
    private static let changing = [
        "position", "bounds", "transform", "opacity", "backgroundColor", "cornerRadius", "borderWidth", "borderColor",
        "shadowColor", "shadowOpacity", "shadowOffset", "shadowRadius",
    ]

    /// Animates the properties that differ from `old` from their displayed values to the current ones.
    ///
    /// Numbers, points and rectangles are animated by their difference. Several animations of one property therefore
    /// add up, and an interrupted movement continues smoothly. The animation of a color or of a transform replaces an
    /// earlier one. An animation that repeats forever never adds up: it begins at the displayed value, and the next
    /// animation of the property replaces it. The animations stay in the layer until they are removed by their key.
    ///
    /// - Parameters:
    ///   - old: The values before the change.
    ///   - timing: The timing of the animations.
    ///   - delegate: The delegate of the animations.
    ///   - willReplace: Called with an earlier animation that is replaced, before it is removed.
    package final func animateChanges(
        from old: LayerValues, _ timing: ChangeTiming, delegate: any CAAnimationDelegate,
        willReplace: (CAAnimation) -> Void
    ) -> [ChangeAnimation] {
        var added: [ChangeAnimation] = []
        let begin = convertTime(timing.begin, from: nil)
        for keyPath in CALayer.changing {
            guard let property = LayerProperty.all[keyPath], let before = property.get(old),
                let after = property.get(values), before != after
            else { continue }
            let animation = timing.animation(keyPath)
            var key = "change.\(keyPath)"
            let earlier = self.animation(forKey: key)
            if before.addsUp, !timing.repeats, earlier == nil {
                animation.fromValue = before.adding(after, times: -1).any
                animation.toValue = after.zero.any
                animation.isAdditive = true
                key += ".\(AttachedAnimation.nextToken())"
            } else {
                animation.fromValue = (property.get(displayed(old)) ?? before).any
                animation.toValue = after.any
                if let earlier { willReplace(earlier) }
            }
            // A `beginTime` of 0 would mean the first display.
            animation.beginTime = begin == 0 ? 1e-9 : begin
            animation.isRemovedOnCompletion = false
            animation.delegate = delegate
            add(animation, forKey: key)
            added.append(ChangeAnimation(animation: animation, key: key))
        }
        return added
    }

    /// Returns the values `own` as the current animations display them now.
    private func displayed(_ own: LayerValues) -> LayerValues {
        var shown = own
        let now = convertTime(CACurrentMediaTime(), from: nil)
        for record in attached.compactMap(\.record) {
            record.apply(to: &shown, at: now, begin: record.timing.begin ?? now)
        }
        return shown
    }
}

extension AnimationValue {
    /// Whether a difference of two values can be animated in place of the values.
    fileprivate var addsUp: Bool {
        switch self {
        case .number, .point, .size, .rect: true
        case .color, .colors, .numbers, .transform, .path: false
        }
    }
    /// The value in the type that an app sets for an animation.
    fileprivate var any: Any {
        switch self {
        case .number(let number): number
        case .point(let point): point
        case .size(let size): size
        case .rect(let rect): rect
        case .color(let color): color
        case .colors(let colors): colors
        case .numbers(let numbers): numbers
        case .transform(let transform): transform
        case .path(let path): CGPath(data: path)
        }
    }
}
