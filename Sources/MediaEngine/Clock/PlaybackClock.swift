import MediaCore

/// The one clock of a player. Everything that asks "what is due now?" asks here.
///
/// It tells `TimelineTime`, which grows while the player plays and never jumps back, across seeks, loops and items.
/// `Segment` maps it to an item's media time.
///
/// **Which clock leads.** With sound the audio device does: timeline time is what is being heard, read
/// off the device's position in the PCM ring. Without sound it is the monotonic clock times the rate.
/// **Rate** is kept per stretch of the ring (`Anchor`), because samples already in the ring play at the
/// speed they were written for; so a change of rate has no gap and no jump.
///
/// It belongs to `PipelineState`, whose lock is its only lock: the compiler keeps other threads away, because it is not
/// `Sendable`.
final class PlaybackClock {
    /// From ring position `frame` on, the ring holds the timeline from `time` at `speed`.
    private struct Anchor {
        var frame: Int64
        var time: Double
        var speed: Double
    }

    /// The machine's time.
    let host: @Sendable () -> HostTime
    private var output: AudioOutput?
    private var anchors: [Anchor] = []
    private var sampleRate = 48_000.0
    // Monotonic lead.
    private var hostAnchor: HostTime
    private var timeAnchor = TimelineTime.zero
    private var rate = 1.0
    private(set) var isRunning = false
    /// Never tell less than was told, while running.
    private var floor = TimelineTime.zero
    /// Nothing lies beyond this; known once the last segment's end is.
    private var ceiling = TimelineTime.max
    /// The last sample is in the ring: when it has been heard, time is at its end.
    private var isComplete = false

    /// Stands at zero.
    init(host: @escaping @Sendable () -> HostTime = { .now() }) {
        self.host = host
        hostAnchor = host()
    }

    func now() -> TimelineTime { now(at: host()) }

    func now(at host: HostTime) -> TimelineTime {
        floor = max(floor, time(at: host))
        return floor
    }

    /// The same of a moment that may have passed: less than what has been told since.
    func time(at host: HostTime) -> TimelineTime { min(uncut(host), ceiling) }

    private func uncut(_ host: HostTime) -> TimelineTime {
        guard let output else {
            guard isRunning else { return timeAnchor }
            return timeAnchor + MediaTime(nanoseconds: Int64(saturating: Double(host - hostAnchor) * rate))
        }
        let played = output.playedFrames(atHostTime: host)
        // The stretcher swallows a few milliseconds at the very end; they count as heard.
        if isComplete, ceiling != .max, played >= Double(output.writtenFrames) - 1 { return ceiling }
        var anchor = anchors.first ?? Anchor(frame: 0, time: Double(timeAnchor.nanoseconds), speed: 1)
        for candidate in anchors where Double(candidate.frame) <= played { anchor = candidate }
        let passed = (played - Double(anchor.frame)) / sampleRate * 1e9 * anchor.speed
        return TimelineTime(rounding: anchor.time + max(0, passed))
    }

    /// When `t` will come; nil while time stands still.
    func hostTime(for t: TimelineTime) -> HostTime? {
        guard isRunning, rate > 0 else { return nil }
        let host = host()
        let left = t.nanoseconds.subtractingSaturating(now(at: host).nanoseconds)
        return host + Int64(saturating: Double(left) / rate)
    }

    func setRunning(_ running: Bool) {
        guard running != isRunning else { return }
        if output == nil { leadFromHere() }
        isRunning = running
        if running { output?.start() } else { output?.pause() }
    }

    /// The rate without sound, and the one future host times are reckoned with.
    func setRate(_ rate: Double) {
        if output == nil { leadFromHere() }
        self.rate = rate
    }

    private func leadFromHere() {
        let host = host()
        timeAnchor = time(at: host)
        hostAnchor = host
    }

    /// Stands at `t` and waits; the start of a seek or of a new item. Sound is not leading until attached.
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

    /// All sound there will be is written.
    func soundIsComplete() { isComplete = true }

    /// Lets sound lead: ring position `frame` is timeline time `t`.
    func attach(_ output: AudioOutput, sampleRate: Int, frame: Int64, time t: TimelineTime, speed: Double) {
        self.output = output
        self.sampleRate = Double(sampleRate)
        anchors = [Anchor(frame: frame, time: Double(t.nanoseconds), speed: speed)]
        if isRunning { output.start() }
    }

    /// Sound is gone (the next item has none): the monotonic clock leads from where we are.
    func detach() {
        guard output != nil else { return }
        let host = host()
        timeAnchor = max(floor, time(at: host))
        hostAnchor = host
        output = nil
        anchors = []
    }

    /// From ring position `frame` on another speed holds; `time` in nanoseconds of the timeline, between two of them.
    func anchor(frame: Int64, time: Double, speed: Double) {
        guard let output else { return }
        let played = output.playedFrames(atHostTime: host())
        // All but the newest anchor already passed are history.
        while anchors.count > 1, Double(anchors[1].frame) <= played { anchors.removeFirst() }
        anchors.append(Anchor(frame: frame, time: time, speed: speed))
    }

    func setCeiling(_ t: TimelineTime) { ceiling = t }
}
