import MediaCore
import Synchronization

/// The one clock of a player. Everything that asks "what is due now?" asks here.
///
/// It tells `TimelineTime`, which grows while the player plays and never jumps back, across seeks, loops and items.
/// `Segment` maps it to an item's media time.
///
/// **Which clock leads.** With sound the audio device does: timeline time is what is being heard, read
/// off the device's position in the PCM ring. Without sound it is the monotonic clock times the rate.
/// **Rate** is kept per stretch of the ring (`Anchor`), because samples already in the ring play at the
/// speed they were written for; so a change of rate has no gap and no jump.
final class PlaybackClock: Sendable {
    /// From ring position `frame` on, the ring holds the timeline from `time` at `speed`.
    private struct Anchor {
        var frame: Int64
        var time: Double
        var speed: Double
    }

    private struct State {
        var output: AudioOutput?
        var anchors: [Anchor] = []
        var sampleRate = 48_000.0
        // Monotonic lead.
        var hostAnchor = HostTime(nanoseconds: 0)
        var timeAnchor = TimelineTime.zero
        var rate = 1.0
        var isRunning = false
        /// Never tell less than was told, while running.
        var floor = TimelineTime.zero
        /// Nothing lies beyond this; known once the last segment's end is.
        var ceiling = TimelineTime.max
        /// The last sample is in the ring: when it has been heard, time is at its end.
        var isComplete = false
    }

    private let state = Mutex(State())

    func now(_ host: HostTime = .now()) -> TimelineTime {
        state.withLock { s in
            let t = min(PlaybackClock.raw(s, host), s.ceiling)
            if t > s.floor { s.floor = t }
            return s.floor
        }
    }

    private static func raw(_ s: State, _ host: HostTime) -> TimelineTime {
        guard let output = s.output else {
            guard s.isRunning else { return s.timeAnchor }
            return s.timeAnchor + MediaTime(nanoseconds: Int64(saturating: Double(host - s.hostAnchor) * s.rate))
        }
        let played = output.playedFrames(atHostTime: host)
        // The stretcher swallows a few milliseconds at the very end; they count as heard.
        if s.isComplete, s.ceiling != .max, played >= Double(output.writtenFrames) - 1 { return s.ceiling }
        var anchor = s.anchors.first ?? Anchor(frame: 0, time: Double(s.timeAnchor.nanoseconds), speed: 1)
        for candidate in s.anchors where Double(candidate.frame) <= played { anchor = candidate }
        let passed = (played - Double(anchor.frame)) / s.sampleRate * 1e9 * anchor.speed
        return TimelineTime(rounding: anchor.time + max(0, passed))
    }

    /// When `t` will come; nil while time stands still.
    func hostTime(for t: TimelineTime, after host: HostTime = .now()) -> HostTime? {
        let current = now(host)
        return state.withLock { s in
            guard s.isRunning, s.rate > 0 else { return nil }
            return host + Int64(saturating: Double(t.nanoseconds.subtractingSaturating(current.nanoseconds)) / s.rate)
        }
    }

    var isRunning: Bool { state.withLock { $0.isRunning } }

    func setRunning(_ running: Bool, host: HostTime = .now()) {
        state.withLock { s in
            guard running != s.isRunning else { return }
            if s.output == nil {
                s.timeAnchor = min(PlaybackClock.raw(s, host), s.ceiling)
                s.hostAnchor = host
            }
            s.isRunning = running
            if running { s.output?.start() } else { s.output?.pause() }
        }
    }

    /// The rate without sound, and the one future host times are reckoned with.
    func setRate(_ rate: Double, host: HostTime = .now()) {
        state.withLock { s in
            if s.output == nil {
                s.timeAnchor = min(PlaybackClock.raw(s, host), s.ceiling)
                s.hostAnchor = host
            }
            s.rate = rate
        }
    }

    /// Stands at `t` and waits; the start of a seek or of a new item. Sound is not leading until attached.
    func rebase(to t: TimelineTime, host: HostTime = .now()) {
        state.withLock { s in
            if s.isRunning { s.output?.pause() }
            s.isRunning = false
            s.output = nil
            s.anchors = []
            s.timeAnchor = t
            s.hostAnchor = host
            s.floor = t
            s.ceiling = .max
            s.isComplete = false
        }
    }

    /// All sound there will be is written.
    func soundIsComplete() { state.withLock { $0.isComplete = true } }

    /// Lets sound lead: ring position `frame` is timeline time `t`.
    func attach(_ output: AudioOutput, sampleRate: Int, frame: Int64, time t: TimelineTime, speed: Double) {
        state.withLock { s in
            s.output = output
            s.sampleRate = Double(sampleRate)
            s.anchors = [Anchor(frame: frame, time: Double(t.nanoseconds), speed: speed)]
            if s.isRunning { output.start() }
        }
    }

    /// Sound is gone (the next item has none): the monotonic clock leads from where we are.
    func detach(host: HostTime = .now()) {
        state.withLock { s in
            guard s.output != nil else { return }
            s.timeAnchor = max(s.floor, min(PlaybackClock.raw(s, host), s.ceiling))
            s.hostAnchor = host
            s.output = nil
            s.anchors = []
        }
    }

    /// From ring position `frame` on another speed holds; `time` in nanoseconds of the timeline, between two of them.
    func anchor(frame: Int64, time: Double, speed: Double) {
        state.withLock { s in
            guard let output = s.output else { return }
            let played = output.playedFrames(atHostTime: .now())
            // All but the newest anchor already passed are history.
            while s.anchors.count > 1, Double(s.anchors[1].frame) <= played { s.anchors.removeFirst() }
            s.anchors.append(Anchor(frame: frame, time: time, speed: speed))
        }
    }

    func setCeiling(_ t: TimelineTime) { state.withLock { $0.ceiling = t } }
}
