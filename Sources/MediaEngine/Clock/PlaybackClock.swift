import MediaCore

/// The clock of a player. It determines the position on the timeline for a host time.
///
/// The clock returns `TimelineTime`, which increases during playback and never jumps back, across seeks, loops and
/// items. `Segment` maps it to the media time of an item.
///
/// **Source.** With audio, the audio device leads: timeline time is the audible time, read from the device's position
/// in the PCM ring. Without audio, timeline time is monotonic time multiplied by the rate.
///
/// **Rate.** The rate is stored for each range of the ring (`Anchor`). Samples in the ring play at the speed for which
/// they were written, so a change of rate causes no gap and no jump.
///
/// The clock belongs to `PipelineState`, whose lock protects it. It is not `Sendable`, so the compiler prevents access
/// from other threads.
final class PlaybackClock {
    /// A range of the ring. From ring position `frame`, the ring contains the timeline from `time`, in nanoseconds, at
    /// `speed`.
    private struct Anchor {
        var frame: Int64
        var time: Double
        var speed: Double
    }

    /// A function that returns the current host time.
    let host: @Sendable () -> HostTime
    private var output: AudioOutput?
    private var anchors: [Anchor] = []
    private var sampleRate = 48_000.0
    // The following properties are used when monotonic time leads.
    private var hostAnchor: HostTime
    private var timeAnchor = TimelineTime.zero
    private var rate = 1.0
    private(set) var isRunning = false
    /// The latest time returned by `now(at:)`, so that the clock never runs backward.
    private var floor = TimelineTime.zero
    /// The end of the timeline; `.max` until the end of the last segment is known.
    private var ceiling = TimelineTime.max
    /// Whether the last sample is in the ring. When it has been heard, the clock is at its ceiling.
    private var isComplete = false

    /// Creates a clock that is stopped at zero.
    init(host: @escaping @Sendable () -> HostTime = { .now() }) {
        self.host = host
        hostAnchor = host()
    }

    func now() -> TimelineTime { now(at: host()) }

    /// Returns the timeline time at `host`, at which a display shows its next frame. The clock then never returns an
    /// earlier time. To convert any other time, use `time(at:)`.
    func now(at host: HostTime) -> TimelineTime {
        floor = max(floor, time(at: host))
        return floor
    }

    /// Returns the timeline time at `host`, which can be in the past or future, and does not change the clock. Unlike
    /// `now(at:)`, the result can be earlier than times already returned.
    func time(at host: HostTime) -> TimelineTime { min(unclampedTime(host), ceiling) }

    private func unclampedTime(_ host: HostTime) -> TimelineTime {
        guard let output else {
            guard isRunning else { return timeAnchor }
            return timeAnchor + MediaTime(nanoseconds: Int64(saturating: Double(host - hostAnchor) * rate))
        }
        let played = output.playedFrames(atHostTime: host)
        // The time stretcher drops a few milliseconds at the very end, which count as heard.
        if isComplete, ceiling != .max, played >= Double(output.writtenFrames) - 1 { return ceiling }
        var anchor = anchors.first ?? Anchor(frame: 0, time: Double(timeAnchor.nanoseconds), speed: 1)
        for candidate in anchors where Double(candidate.frame) <= played { anchor = candidate }
        let elapsed = (played - Double(anchor.frame)) / sampleRate * 1e9 * anchor.speed
        return TimelineTime(rounding: anchor.time + max(0, elapsed))
    }

    /// Returns the host time at which timeline time `t` is reached; nil while the clock is stopped.
    func hostTime(for t: TimelineTime) -> HostTime? {
        guard isRunning, rate > 0 else { return nil }
        let host = host()
        let left = t.nanoseconds.subtractingSaturating(now(at: host).nanoseconds)
        return host + Int64(saturating: Double(left) / rate)
    }

    /// Returns the host time at which timeline time `t` is reached if the clock continues as it moves at `host`; nil while
    /// it stands still. More exact than `hostTime(for:)` for a time that is near: samples in the ring still play at their
    /// own speed after a change of rate, and times that were returned for the future have no influence.
    func hostTime(near t: TimelineTime, from host: HostTime) -> HostTime? {
        guard isRunning else { return nil }
        let span: Int64 = 10_000_000
        let start = time(at: host)
        let progress = (time(at: host + span) - start).nanoseconds
        guard progress > 0 else { return nil }
        return host + Int64(saturating: Double((t - start).nanoseconds) * Double(span) / Double(progress))
    }

    func setRunning(_ running: Bool) {
        guard running != isRunning else { return }
        if output == nil { leadFromHere() }
        isRunning = running
        if running { output?.start() } else { output?.pause() }
    }

    /// Sets the rate for playback without audio, and for the calculation of future host times.
    func setRate(_ rate: Double) {
        if output == nil { leadFromHere() }
        self.rate = rate
    }

    private func leadFromHere() {
        let host = host()
        timeAnchor = time(at: host)
        hostAnchor = host
    }

    /// Stops the clock at `t`, for a seek or a new item. Audio leads the clock again only after
    /// `attach(_:sampleRate:frame:time:speed:)`.
    func rebase(to t: TimelineTime) {
        if isRunning { output?.pause() }
        isRunning = false
        output = nil
        anchors = []
        timeAnchor = t
        hostAnchor = host()
        floor = t
        ceiling = .max
        isComplete = false
    }

    /// Records that all audio has been written to the ring.
    func audioIsComplete() { isComplete = true }

    /// Makes audio lead the clock. Ring position `frame` corresponds to timeline time `t`.
    func attach(_ output: AudioOutput, sampleRate: Int, frame: Int64, time t: TimelineTime, speed: Double) {
        self.output = output
        self.sampleRate = Double(sampleRate)
        anchors = [Anchor(frame: frame, time: Double(t.nanoseconds), speed: speed)]
        if isRunning { output.start() }
    }

    /// Makes monotonic time lead from the current time, because the next item has no audio.
    func detach() {
        guard output != nil else { return }
        let host = host()
        timeAnchor = max(floor, time(at: host))
        hostAnchor = host
        output = nil
        anchors = []
    }

    /// Records that the samples from ring position `frame` on play at `speed`.
    /// - Parameter time: The timeline time of `frame`, in nanoseconds, which can be fractional.
    func anchor(frame: Int64, time: Double, speed: Double) {
        guard let output else { return }
        let played = output.playedFrames(atHostTime: host())
        // Remove the anchors before the one that plays.
        while anchors.count > 1, Double(anchors[1].frame) <= played { anchors.removeFirst() }
        anchors.append(Anchor(frame: frame, time: time, speed: speed))
    }

    func setCeiling(_ t: TimelineTime) { ceiling = t }
}
