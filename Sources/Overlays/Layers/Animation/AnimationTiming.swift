import MediaCore

/// The mapping from the host's time to a layer's time: `local = host · scale + shift`, in seconds.
struct LayerTimeline: Sendable, Equatable {
    var scale = 1.0
    var shift = 0.0

    init() {}
    init(begin: Double, speed: Double, offset: Double) {
        scale = speed
        shift = offset - begin * speed
    }
    func local(_ t: Double) -> Double { t * scale + shift }
    /// Returns the parent's time for a local time. If the layer's time is paused, returns `t` unchanged.
    func parent(_ t: Double) -> Double { scale == 0 ? t : (t - shift) / scale }
    /// Returns the timeline of `inner`, a child of this timeline, relative to the host.
    func appending(child inner: LayerTimeline) -> LayerTimeline {
        var result = LayerTimeline()
        result.scale = scale * inner.scale
        result.shift = shift * inner.scale + inner.shift
        return result
    }
}

/// The timing of an animation, like Core Animation's `CAMediaTiming`. All times are in seconds.
struct AnimationTiming: Sendable, Equatable {
    /// The start, in the layer's time. If nil, the animation begins when it is first shown.
    var begin: Double?
    var speed = 1.0
    var offset = 0.0
    var duration = 0.25
    /// The duration of all repetitions together.
    var total = 0.25
    var autoreverses = false
    var fillsBefore = false
    var fillsAfter = false

    enum Phase: UInt8, Sendable { case before, active, after }

    func phase(_ parent: Double, begin: Double) -> Phase {
        if parent < begin { return .before }
        return (parent - begin) * abs(speed) < total ? .active : .after
    }
    var moves: Bool { speed != 0 && total > 0 }

    /// Returns the time within the current repetition, 0…`duration`, and the number of repetitions completed before.
    func sample(_ parent: Double, begin: Double) -> (time: Double, pass: Double) {
        guard duration > 0 else { return (0, 0) }
        let elapsed = min(max((parent - begin) * abs(speed), 0), total)
        // With a negative speed, the time runs backward from the end, or from the end of a cycle if the animation is
        // endless.
        let cycle = autoreverses ? 2 * duration : duration
        let backwards = total.isFinite ? total - elapsed : cycle - elapsed.truncatingRemainder(dividingBy: cycle)
        let t = (speed < 0 ? backwards : elapsed) + offset
        var pass = (t / cycle).rounded(.down)
        var time = t - pass * cycle
        // An animation that ends with a whole repetition shows that repetition's end, not the next one's start.
        if time <= cycle * 1e-9, pass > 0, elapsed >= total || speed < 0 {
            time = cycle
            pass -= 1
        }
        if autoreverses, time > duration { time = 2 * duration - time }
        return (min(max(time, 0), duration), max(0, pass))
    }
}

/// Returns the time that animations use: the seconds of `CLOCK_MONOTONIC`.
///
/// While an overlay builds its layers for an export, the function returns the export's start, so that `beginTime =
/// CACurrentMediaTime() + 1` has the same meaning there.
public func CACurrentMediaTime() -> Double { AnimationClock.fixed ?? HostTime.now().seconds }

enum AnimationClock {
    @TaskLocal static var fixed: Double?
}
