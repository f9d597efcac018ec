import Foundation

/// An animation as a value that any thread can apply to a layer's values.
struct AnimationRecord: Sendable {
    /// A number that is unique in the process; 0 for an animation in a group.
    let token: UInt64
    var timing: AnimationTiming
    var timingCurve: TimingCurve?
    let content: Content

    indirect enum Content: Sendable {
        case property(PropertyAnimation)
        case group([AnimationRecord])
    }

    func changes(_ keyPath: String) -> Bool {
        switch content {
        case .property(let animation): animation.property.keyPath == keyPath
        case .group(let records): records.contains { $0.changes(keyPath) }
        }
    }

    /// Applies the state of the animation at the time `parent` to `values`.
    ///
    /// - Parameters:
    ///   - parent: The time of the layer or of the group, in seconds.
    ///   - begin: The time at which the animation begins, on the same timeline.
    func apply(to values: inout LayerValues, at parent: Double, begin: Double) {
        switch timing.phase(parent, begin: begin) {
        case .before: if !timing.fillsBefore { return }
        case .after: if !timing.fillsAfter { return }
        case .active: break
        }
        let (time, pass) = timing.sample(parent, begin: begin)
        let part = timing.duration > 0 ? time / timing.duration : 1
        let fraction = timingCurve.map { $0(part) } ?? part
        switch content {
        case .property(let animation): animation.apply(to: &values, fraction: fraction, seconds: time, pass: pass)
        case .group(let records):
            for record in records {
                record.apply(to: &values, at: fraction * timing.duration, begin: record.timing.begin ?? 0)
            }
        }
    }
}

/// The change that an animation makes to one property.
struct PropertyAnimation: Sendable {
    enum Course: Sendable {
        case basic(Ends)
        case spring(Ends, SpringCurve)
        case keyframes(Keyframes, rotation: CAAnimationRotationMode?)
    }
    /// The start, end and difference of an animation. Missing values come from the layer, as Apple's documentation of
    /// `CABasicAnimation` specifies.
    struct Ends: Sendable {
        var from: AnimationValue?, to: AnimationValue?, by: AnimationValue?

        func resolved(_ current: AnimationValue) -> (AnimationValue, AnimationValue) {
            switch (from, to, by) {
            case (let from?, let to?, _): (from, to)
            case (let from?, nil, let by?): (from, from.adding(by))
            case (nil, let to?, let by?): (to.adding(by, times: -1), to)
            case (let from?, nil, nil): (from, current)
            case (nil, let to?, nil): (current, to)
            case (nil, nil, let by?): (current, current.adding(by))
            case (nil, nil, nil): (current, current)
            }
        }
    }
    let property: LayerProperty
    let course: Course
    let isAdditive: Bool
    let isCumulative: Bool

    func apply(to values: inout LayerValues, fraction: Double, seconds: Double, pass: Double) {
        guard let current = property.get(values) else { return }
        let base = isAdditive ? current.zero : current
        var angle: Double?
        var value = value(base, fraction, seconds, &angle)
        if isCumulative, pass > 0 {
            var ignored: Double?
            value = value.adding(self.value(base, 1, .infinity, &ignored), times: pass)
        }
        let shown = isAdditive ? current.adding(value) : value
        // The sum of two finite numbers may be infinite.
        guard shown.isFinite else { return }
        property.set(&values, shown)
        if let angle, case .keyframes(_, let rotation?) = course {
            let totalAngle = CGFloat(angle) + (rotation == .rotateAutoReverse ? .pi : 0)
            values.transform.withParts { $0.rotation.z += totalAngle }
        }
    }
    private func value(_ base: AnimationValue, _ fraction: Double, _ seconds: Double, _ angle: inout Double?)
        -> AnimationValue
    {
        switch course {
        case .basic(let ends):
            let (a, b) = ends.resolved(base)
            return .mixed(a, b, fraction)
        case .spring(let ends, let spring):
            let (a, b) = ends.resolved(base)
            return .mixed(a, b, seconds.isFinite ? spring(seconds) : 1)
        case .keyframes(let frames, _):
            let (value, heading) = frames.value(at: fraction)
            angle = heading
            return value
        }
    }
}
