import Foundation
import MediaCore

/// How a layer's time follows from the host's: `local = host · scale + shift`. Seconds.
struct LayerTimeline: Sendable, Equatable {
    var scale = 1.0
    var shift = 0.0

    init() {}
    init(begin: Double, speed: Double, offset: Double) {
        scale = speed
        shift = offset - begin * speed
    }
    func local(_ t: Double) -> Double { t * scale + shift }
    /// The time whose local one this is; of a layer that stands still there is none, and it is the given one.
    func parent(_ t: Double) -> Double { scale == 0 ? t : (t - shift) / scale }
    /// `inner` within this.
    func then(_ inner: LayerTimeline) -> LayerTimeline {
        var result = LayerTimeline()
        result.scale = scale * inner.scale
        result.shift = shift * inner.scale + inner.shift
        return result
    }
}

/// When an animation runs, and where in it a moment lies; after Core Animation's `CAMediaTiming`. Seconds.
struct AnimationTiming: Sendable, Equatable {
    /// In the layer's time; nil: when it is first shown.
    var begin: Double?
    var speed = 1.0
    var offset = 0.0
    var duration = 0.25
    /// With all repeats.
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
    /// When it ends, in the layer's time.
    func end(begin: Double) -> Double { speed == 0 ? .infinity : begin + total / abs(speed) }

    /// The seconds into one pass, 0…duration, and how many passes came before.
    func sample(_ parent: Double, begin: Double) -> (time: Double, pass: Double) {
        guard duration > 0 else { return (0, 0) }
        let elapsed = min(max((parent - begin) * abs(speed), 0), total)
        // Backwards from the end; of an endless one from the end of a pass.
        let cycle = autoreverses ? 2 * duration : duration
        let backwards = total.isFinite ? total - elapsed : cycle - elapsed.truncatingRemainder(dividingBy: cycle)
        let t = (speed < 0 ? backwards : elapsed) + offset
        var pass = (t / cycle).rounded(.down)
        var time = t - pass * cycle
        // What ends with a whole pass ends at that pass's end, not at the next one's beginning.
        if time <= cycle * 1e-9, pass > 0, elapsed >= total || speed < 0 {
            time = cycle
            pass -= 1
        }
        if autoreverses, time > duration { time = 2 * duration - time }
        return (min(max(time, 0), duration), max(0, pass))
    }
}

/// The time animations run by: seconds of CLOCK_MONOTONIC.
///
/// While an overlay for an export builds its layers it is the export's beginning, so that `beginTime =
/// CACurrentMediaTime() + 1` means the same there.
public func CACurrentMediaTime() -> Double { AnimationClock.fixed ?? HostTime.now().seconds }

enum AnimationClock {
    @TaskLocal static var fixed: Double?
}
