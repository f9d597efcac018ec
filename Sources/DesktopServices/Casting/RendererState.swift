import MediaCore

/// What a renderer says of itself, judged: where it is, whether it moves, and what has become of what it was to play. A
/// value; time is told to it.
struct RendererState: Equatable {
    struct Report: Equatable {
        /// `CurrentTransportState`, as AVTransport:1 §2.2.1 names it.
        var state: String
        /// `CurrentTransportStatus`.
        var status = ""
        /// nil: it does not say, or it is no time.
        var place: MediaTime?
        var duration: MediaTime?
    }
    enum Verdict: Equatable {
        case goesOn
        /// It has played to its end.
        case ended
        /// By its own remote control.
        case pausedThere, resumedThere, stoppedThere
        case doesNotPlay(String)
    }

    /// Nanoseconds.
    private static let second: Int64 = 1_000_000_000
    /// How long it may take to begin, and how long it may stand while it says that it plays.
    private static let patience = 20 * second, standstill = 4 * second

    private var known: MediaTime
    private var host: HostTime
    private var moves = false
    var speed = 1.0
    var duration: MediaTime?
    private(set) var isAtEnd = false
    private(set) var lastHeard: HostTime
    private var hasPlayed = false
    private var toldToPlay: HostTime?
    /// A place it was just sent to: what it says of another one until then is of before.
    private var trusted = HostTime.zero
    private var lastPlace: MediaTime?
    private var lastMoved = HostTime.zero
    /// Said how often in a row, against what was wanted.
    private var contrary = 0

    init(at place: MediaTime = 0, duration: MediaTime? = nil, now: HostTime = .now()) {
        (known, self.duration, host, lastHeard) = (max(0, place), duration, now, now)
    }

    var isPlaying: Bool { moves }

    func media(atHostTime now: HostTime) -> MediaTime {
        guard moves else { return known }
        let passed = Double(now - host) * speed
        let media = max(0, known + MediaTime(seconds: passed / 1e9))
        return duration.map { min(media, $0) } ?? media
    }
    func hostTime(media: MediaTime) -> HostTime? {
        guard moves, speed > 0 else { return nil }
        let ahead = (media - known).seconds / speed
        return ahead.isFinite && abs(ahead) < 1e8 ? host + Int64(ahead * 1e9) : nil
    }

    mutating func isToPlay(at now: HostTime) {
        (toldToPlay, isAtEnd, contrary, hasPlayed) = (now, false, 0, false)
        (lastPlace, lastMoved) = (nil, now)
    }
    mutating func stands(at now: HostTime) {
        (known, host) = (media(atHostTime: now), now)
        moves = false
        contrary = 0
    }
    mutating func went(to place: MediaTime, at now: HostTime) {
        (known, host) = (max(0, place), now)
        (isAtEnd, trusted, lastPlace, lastMoved, contrary) = (
            false, now + 3 * RendererState.second, nil, now, 0
        )
    }

    mutating func heard(_ report: Report, wantsToPlay: Bool, isStarted: Bool, at now: HostTime) -> Verdict {
        lastHeard = now
        if duration == nil, let said = report.duration, said > 0 { duration = said }
        if report.status == "ERROR_OCCURRED", isStarted {
            return .doesNotPlay("the cast device reported a playback error")
        }
        switch report.state {
        case "PLAYING": return plays(report.place, wantsToPlay, at: now)
        case "PAUSED_PLAYBACK", "PAUSED_RECORDING":
            if let place = report.place, isBelieved(place, at: now) { (known, host) = (clamped(place), now) }
            hasPlayed = true
            moves = false
            guard wantsToPlay, isStarted else {
                contrary = 0
                return .goesOn
            }
            contrary += 1
            // Some are so for a moment before they play.
            guard contrary >= 3 else { return .goesOn }
            contrary = 0
            return .pausedThere
        case "STOPPED", "NO_MEDIA_PRESENT": return stopped(wantsToPlay, isStarted, at: now)
        default:
            // TRANSITIONING, and what no specification knows.
            stands(at: now)
            guard wantsToPlay, isStarted, let told = toldToPlay, !hasPlayed,
                now - told > 3 * RendererState.patience
            else { return .goesOn }
            return .doesNotPlay("the cast device did not start playing within a minute")
        }
    }

    private mutating func plays(_ said: MediaTime?, _ wantsToPlay: Bool, at now: HostTime) -> Verdict {
        hasPlayed = true
        guard wantsToPlay else {
            contrary += 1
            guard contrary >= 3 else { return .goesOn }
            contrary = 0
            return .resumedThere
        }
        contrary = 0
        let was = media(atHostTime: now)
        guard let said else {
            // It does not tell: then it is as time goes.
            if !moves { (known, host, moves) = (known, now, true) }
            return reachesEnd(now)
        }
        if said != lastPlace { (lastPlace, lastMoved) = (said, now) }
        if now - lastMoved > RendererState.standstill {
            // It says that it plays, and does not move.
            (known, host, moves) = (isBelieved(said, at: now) ? clamped(said) : was, now, false)
            if let duration, known >= duration - 1_500_000_000 { return end() }
            if let told = toldToPlay, now - lastMoved > 3 * RendererState.patience,
                now - told > 3 * RendererState.patience
            {
                return .doesNotPlay(
                    "the cast device reports that it is playing, but its position has not changed for a minute")
            }
            return .goesOn
        }
        guard isBelieved(said, at: now) else {
            if !moves { (host, moves) = (now, true) }
            return .goesOn
        }
        // Most tell whole seconds: what lies within one is no news.
        let difference = (said - was).seconds
        if !moves || difference < -0.4 || difference > 1.2 { (known, host) = (clamped(said), now) }
        moves = true
        return .goesOn
    }

    private mutating func stopped(_ wantsToPlay: Bool, _ isStarted: Bool, at now: HostTime) -> Verdict {
        let was = media(atHostTime: now)
        guard isStarted else {
            moves = false
            return .goesOn
        }
        if hasPlayed {
            contrary += 1
            if let duration, was >= duration - 3_000_000_000 { return end() }
            // Nobody knows how long it is: then this is its end. Else somebody stopped it.
            guard contrary >= 2 else { return .goesOn }
            contrary = 0
            if duration == nil { return end() }
            stands(at: now)
            return .stoppedThere
        }
        stands(at: now)
        guard wantsToPlay, let told = toldToPlay, now - told > RendererState.patience else {
            return .goesOn
        }
        return .doesNotPlay("the cast device did not start playing")
    }

    private mutating func reachesEnd(_ now: HostTime) -> Verdict {
        guard let duration, media(atHostTime: now) >= duration,
            now - host > RendererState.standstill
        else { return .goesOn }
        return end()
    }

    private mutating func end() -> Verdict {
        known = duration ?? known
        (moves, isAtEnd, hasPlayed, contrary) = (false, true, false, 0)
        return .ended
    }

    private func clamped(_ place: MediaTime) -> MediaTime { max(0, duration.map { min(place, $0) } ?? place) }
    /// A place beyond the end is none, and just after a seek one of before is history.
    private func isBelieved(_ place: MediaTime, at now: HostTime) -> Bool {
        if let duration, place > duration + 5_000_000_000 { return false }
        guard now < trusted else { return true }
        return abs((place - media(atHostTime: now)).seconds) < 2
    }
}
