import MediaCore

/// An evaluation of a renderer's reports: its position, whether it plays, and what has happened to the item. It has no
/// clock; callers pass the time.
struct RendererState: Equatable {
    struct Report: Equatable {
        /// The value of `CurrentTransportState` (AVTransport:1 §2.2.1).
        var state: String
        /// The value of `CurrentTransportStatus`.
        var status = ""
        /// The position, or nil if the renderer does not report a valid time.
        var place: MediaTime?
        var duration: MediaTime?
    }
    enum Verdict: Equatable {
        case unchanged
        /// The item has played to its end.
        case ended
        /// The user has operated the renderer's own remote control.
        case pausedThere, resumedThere, stoppedThere
        case doesNotPlay(String)
    }

    /// The number of nanoseconds in a second.
    private static let second: Int64 = 1_000_000_000
    /// The basic time limit for the start of playback, and the maximum time without progress while the renderer reports
    /// that it plays, in nanoseconds.
    private static let patience = 20 * second, standstill = 4 * second

    private var knownPosition: MediaTime
    private var host: HostTime
    private var isAdvancing = false
    var speed = 1.0
    var duration: MediaTime?
    private(set) var isAtEnd = false
    private(set) var lastReportTime: HostTime
    private var hasPlayed = false
    private var playRequestTime: HostTime?
    /// The time until which reported positions may be those from before a seek.
    private var uncertainUntil = HostTime.zero
    private var lastPosition: MediaTime?
    private var lastMoved = HostTime.zero
    /// The number of reports in a row that contradict the requested state.
    private var contradictions = 0

    init(at position: MediaTime = 0, duration: MediaTime? = nil, now: HostTime = .now()) {
        (knownPosition, self.duration, host, lastReportTime) = (max(0, position), duration, now, now)
    }

    var isPlaying: Bool { isAdvancing }

    func media(atHostTime now: HostTime) -> MediaTime {
        guard isAdvancing else { return knownPosition }
        let passed = Double(now - host) * speed
        let media = max(0, knownPosition + MediaTime(seconds: passed / 1e9))
        return duration.map { min(media, $0) } ?? media
    }
    func hostTime(media: MediaTime) -> HostTime? {
        guard isAdvancing, speed > 0 else { return nil }
        let ahead = (media - knownPosition).seconds / speed
        return ahead.isFinite && abs(ahead) < 1e8 ? host + Int64(ahead * 1e9) : nil
    }

    mutating func willPlay(at now: HostTime) {
        (playRequestTime, isAtEnd, contradictions, hasPlayed) = (now, false, 0, false)
        (lastPosition, lastMoved) = (nil, now)
    }
    mutating func pause(at now: HostTime) {
        (knownPosition, host) = (media(atHostTime: now), now)
        isAdvancing = false
        contradictions = 0
    }
    mutating func didSeek(to position: MediaTime, at now: HostTime) {
        (knownPosition, host) = (max(0, position), now)
        (isAtEnd, uncertainUntil, lastPosition, lastMoved, contradictions) = (
            false, now + 3 * RendererState.second, nil, now, 0
        )
    }

    mutating func update(with report: Report, wantsToPlay: Bool, isStarted: Bool, at now: HostTime) -> Verdict {
        lastReportTime = now
        if duration == nil, let reported = report.duration, reported > 0 { duration = reported }
        if report.status == "ERROR_OCCURRED", isStarted {
            return .doesNotPlay("the cast device reported a playback error")
        }
        switch report.state {
        case "PLAYING": return plays(report.place, wantsToPlay, at: now)
        case "PAUSED_PLAYBACK", "PAUSED_RECORDING":
            if let position = report.place, isBelieved(position, at: now) {
                (knownPosition, host) = (clamped(position), now)
            }
            hasPlayed = true
            isAdvancing = false
            guard wantsToPlay, isStarted else {
                contradictions = 0
                return .unchanged
            }
            contradictions += 1
            // Some renderers report a pause briefly before they play.
            guard contradictions >= 3 else { return .unchanged }
            contradictions = 0
            return .pausedThere
        case "STOPPED", "NO_MEDIA_PRESENT": return stopped(wantsToPlay, isStarted, at: now)
        default:
            // TRANSITIONING, or a state that no specification defines.
            pause(at: now)
            guard wantsToPlay, isStarted, let requested = playRequestTime, !hasPlayed,
                now - requested > 3 * RendererState.patience
            else { return .unchanged }
            return .doesNotPlay("the cast device did not start playing within a minute")
        }
    }

    private mutating func plays(_ reported: MediaTime?, _ wantsToPlay: Bool, at now: HostTime) -> Verdict {
        hasPlayed = true
        guard wantsToPlay else {
            contradictions += 1
            guard contradictions >= 3 else { return .unchanged }
            contradictions = 0
            return .resumedThere
        }
        contradictions = 0
        let expected = media(atHostTime: now)
        guard let reported else {
            // Without a reported position, assume that it advances with the time.
            if !isAdvancing { (knownPosition, host, isAdvancing) = (knownPosition, now, true) }
            return reachesEnd(now)
        }
        if reported != lastPosition { (lastPosition, lastMoved) = (reported, now) }
        if now - lastMoved > RendererState.standstill {
            // The renderer reports that it plays, but its position does not change.
            (knownPosition, host, isAdvancing) = (
                isBelieved(reported, at: now) ? clamped(reported) : expected, now, false
            )
            if let duration, knownPosition >= duration - 1_500_000_000 { return end() }
            if let requested = playRequestTime, now - lastMoved > 3 * RendererState.patience,
                now - requested > 3 * RendererState.patience
            {
                return .doesNotPlay(
                    "the cast device reports that it is playing, but its position has not changed for a minute")
            }
            return .unchanged
        }
        guard isBelieved(reported, at: now) else {
            if !isAdvancing { (host, isAdvancing) = (now, true) }
            return .unchanged
        }
        // Most renderers report whole seconds, so ignore differences below about one second.
        let difference = (reported - expected).seconds
        if !isAdvancing || difference < -0.4 || difference > 1.2 { (knownPosition, host) = (clamped(reported), now) }
        isAdvancing = true
        return .unchanged
    }

    private mutating func stopped(_ wantsToPlay: Bool, _ isStarted: Bool, at now: HostTime) -> Verdict {
        let expected = media(atHostTime: now)
        guard isStarted else {
            isAdvancing = false
            return .unchanged
        }
        if hasPlayed {
            contradictions += 1
            if let duration, expected >= duration - 3_000_000_000 { return end() }
            // If the duration is unknown, assume that the item has ended. Otherwise a user has stopped the renderer.
            guard contradictions >= 2 else { return .unchanged }
            contradictions = 0
            if duration == nil { return end() }
            pause(at: now)
            return .stoppedThere
        }
        pause(at: now)
        guard wantsToPlay, let requested = playRequestTime, now - requested > RendererState.patience else {
            return .unchanged
        }
        return .doesNotPlay("the cast device did not start playing")
    }

    private mutating func reachesEnd(_ now: HostTime) -> Verdict {
        guard let duration, media(atHostTime: now) >= duration,
            now - host > RendererState.standstill
        else { return .unchanged }
        return end()
    }

    private mutating func end() -> Verdict {
        knownPosition = duration ?? knownPosition
        (isAdvancing, isAtEnd, hasPlayed, contradictions) = (false, true, false, 0)
        return .ended
    }

    private func clamped(_ position: MediaTime) -> MediaTime { max(0, duration.map { min(position, $0) } ?? position) }
    /// Returns whether a reported position is plausible: it is not beyond the end, and just after a seek it is near the
    /// target.
    private func isBelieved(_ position: MediaTime, at now: HostTime) -> Bool {
        if let duration, position > duration + 5_000_000_000 { return false }
        guard now < uncertainUntil else { return true }
        return abs((position - media(atHostTime: now)).seconds) < 2
    }
}
