import MediaCore

/// The conversion of a container's timestamps to continuous media time.
///
/// A timestamp that does not continue its track is held back until the following ones show its kind:
///
/// - **Wrong**: the track continues as if the timestamp did not exist (a flipped bit). The packet is placed after the
///   previous one.
/// - **Gap**: the track continues after it, and a gap of this length is plausible for the container.
/// - **Jump**: all other cases (joined files, a restarted encoder). From there on all tracks are shifted by the same
///   amount, so that they follow the previous packets and audio and video stay synchronous.
///
/// The number of held packets is bounded. After the correction, the timeline has only plausible gaps. This type is a
/// value without files, threads or clocks: it takes timestamps and returns corrections.
struct TimestampCorrector: Sendable {
    struct Rules: Sendable {
        /// The period after which timestamps wrap around; `nil` if they do not.
        var wrap: MediaTime?
        /// The maximum plausible gap after everything read so far.
        var gap: MediaTime
        /// The end of the container according to its header. Up to there, gaps of up to an hour are plausible.
        var declaredEnd: MediaTime?
        /// The maximum plausible step back between decode timestamps.
        var slack: MediaTime
        /// Whether packets have no timestamps of their own, so that each follows the previous one.
        var makesStamps = false

        /// The rules for transport and program streams: 33-bit timestamps, joined and cut at any position. Poor
        /// reception causes gaps of up to 5 s; like mpv, longer ones count as jumps.
        static let transport = Rules(
            wrap: MediaTime(stamp: 1 << 33, base: .init(num: 1, den: 90_000)), gap: MediaTime(seconds: 5),
            slack: MediaTime(seconds: 0.1))
        /// Returns the rules for a container with its own timeline.
        static func file(declaredEnd: MediaTime?) -> Rules {
            Rules(
                gap: MediaTime(seconds: declaredEnd == nil ? 60 : 10), declaredEnd: declaredEnd,
                slack: MediaTime(seconds: 1))
        }
        static let raw = Rules(gap: MediaTime(seconds: 60), slack: MediaTime(seconds: 1), makesStamps: true)
    }

    /// The timestamps and properties of a packet. Times are relative to the container's start, so timestamps without
    /// jumps stay unchanged.
    struct PacketTimes: Sendable {
        var track: Int
        var pts: MediaTime?
        var dts: MediaTime?
        /// The duration; zero if unknown.
        var duration: MediaTime = .zero
        var bytes = 0
        /// Whether the packet is audio, which has gaps but continues after them.
        var isAudio = false
        /// Whether a timestamp of the packet is beyond the bounds of `MediaTime`, and therefore counts as missing.
        var isBeyond = false
        /// Whether the packet may have any time. Such a packet is decoded but not displayed (cut by an edit list), or
        /// its track is neither audio nor video (subtitles).
        var isFree = false

        /// The key time, by which packets are compared: the decode timestamp, or else the presentation timestamp.
        fileprivate var key: MediaTime? { dts ?? pts }
    }

    /// The correction of a packet's timestamps.
    enum Correction: Sendable, Equatable {
        /// The timestamps are valid after adding this shift.
        case shifted(MediaTime)
        /// The timestamps are invalid. In decoding order, the packet belongs at this time and has this length.
        case guessed(at: MediaTime, length: MediaTime)
    }

    /// A change of the shift that is added to the container's timestamps to get media time.
    struct Jump: Sendable, Equatable {
        /// The media time of the change.
        let time: MediaTime
        let shift: MediaTime
    }

    private struct Track {
        var shift = MediaTime.zero
        /// The media time of the newest packet; `nil` before the first.
        var newest: MediaTime?
        /// The media time expected for the next packet; `nil` before the first.
        var expected: MediaTime?
        /// The end of the presentation of the placed packets.
        var shownEnd: MediaTime?
        /// The time between the newest packets.
        var step: MediaTime
        /// The number of held packets whose timestamps are wrong.
        var wrong = 0
        /// Whether the newest packet has no decode timestamp, so that it is placed by its presentation time.
        var isByPresentation = false

        /// The maximum expected difference between decoding and presentation order: eight frames, which may last
        /// seconds at a low frame rate.
        var reordering: MediaTime { step * 8 }
        /// The maximum deviation of a packet from its position in decoding order.
        var disorder: MediaTime { isByPresentation ? reordering : .zero }
    }
    private struct Held {
        let packet: PacketTimes
        /// Whether the time of the packet has been accepted, after a gap or with a new shift.
        var isAccepted = false
    }

    let rules: Rules
    private(set) var jumps: [Jump] = []
    private var tracks: [Int: Track] = [:]
    private var held: [Held] = []
    private var heldBytes = 0
    private var ready: [Correction] = []
    private var isFinishing = false
    /// The latest end of all placed packets.
    private var lead: MediaTime?
    /// The media time expected for the first packets.
    private var anchor = MediaTime.zero
    /// The maximum time before `anchor` of the first packets.
    private var lookback: MediaTime
    private var anchorShift = MediaTime.zero
    private let steps: [Int: MediaTime]

    // The limits for held packets: enough for a group of frames with the same wrong timestamp, and for a jump in both
    // tracks.
    private static let heldSpan = MediaTime(seconds: 1.5)
    private static let heldCount = 512
    private static let heldSize = 16 << 20
    /// The maximum gap that is accepted without a further check, such as half a second of silence.
    private static let near = MediaTime(seconds: 0.5)
    /// The maximum difference between the jumps of two tracks, given by their interleaving.
    private static let spread = MediaTime(seconds: 3)
    private static let longestGap = MediaTime(seconds: 3600)
    /// The longest expected duration of a frame. Slide shows and videos with a frame every one or two seconds exist.
    private static let longestStep = MediaTime(seconds: 10)
    /// The maximum number of remembered jumps.
    private static let jumpCount = 256

    /// Creates a corrector.
    ///
    /// - Parameters:
    ///   - steps: The usual duration of a packet for each track, if known.
    ///   - jumps: The jumps that are known from an earlier reading.
    init(rules: Rules, steps: [Int: MediaTime] = [:], jumps: [Jump] = []) {
        self.rules = rules
        self.steps = steps
        self.jumps = jumps
        lookback = MediaTime(seconds: 10)
    }

    /// Adds a packet. `next()` returns its correction at once, or after more packets. Corrections are returned in the
    /// order of packets.
    mutating func push(_ packet: PacketTimes) {
        isFinishing = false
        held.append(Held(packet: packet))
        heldBytes = heldBytes.addingSaturating(packet.bytes)
        settle()
    }

    /// Returns the correction of the next packet; `nil` if more packets are needed.
    mutating func next() -> Correction? { ready.isEmpty ? nil : ready.removeFirst() }

    /// Releases the held packets because no more follow.
    mutating func finish() {
        isFinishing = true
        settle()
    }

    /// Restarts at `time`, because reading continues there. Discards the held packets. `shift` is the shift after the
    /// last jump before `time`.
    mutating func move(to time: MediaTime, shift: MediaTime = .zero) {
        tracks = [:]
        held = []
        ready = []
        heldBytes = 0
        lead = nil
        anchor = time
        anchorShift = shift
        // The keyframe may be far before the target.
        lookback = time == .zero ? MediaTime(seconds: 10) : TimestampCorrector.longestGap
    }

    /// Returns the difference between media time and the container's time of the newest packet of `track`.
    func shift(of track: Int) -> MediaTime { tracks[track]?.shift ?? anchorShift }

    /// The end of all placed packets in media time.
    var end: MediaTime? { tracks.values.compactMap(\.expected).max() }

    /// Returns the longest plausible duration of a packet at `time`.
    func longest(at time: MediaTime) -> MediaTime {
        guard let end = rules.declaredEnd else { return rules.gap }
        return max(rules.gap, min(TimestampCorrector.longestGap, end - time + rules.gap))
    }

    // MARK: correction

    private mutating func settle() {
        while let head = held.first {
            var track = track(head.packet.track)
            guard let key = head.packet.key, !head.packet.isFree else {
                if rules.makesStamps || head.packet.isBeyond && !head.packet.isFree, head.packet.key == nil {
                    put(guess(head.packet, &track), track)
                } else {
                    put(.shifted(tracks[head.packet.track] == nil ? nearestShift(head.packet.key) : track.shift), nil)
                }
                continue
            }
            if track.wrong > 0 {
                track.wrong -= 1
                put(guess(head.packet, &track), track)
                continue
            }
            let raw = unwrapped(key, near: (track.expected ?? anchor) - track.shift)
            let time = raw + track.shift
            if head.isAccepted || isNear(time, track) {
                put(correct(head.packet, raw: raw, &track), track)
                continue
            }
            guard let classification = classify(head.packet, raw, track) else { return }
            switch classification {
            case .accepted: held[0].isAccepted = true
            case .wrong(let count):
                track.wrong = count
                tracks[head.packet.track] = track
            case .jump(let shift):
                track.shift = shift
                tracks[head.packet.track] = track
                held[0].isAccepted = true
            }
        }
    }

    private func track(_ index: Int) -> Track {
        tracks[index]
            ?? Track(
                shift: anchorShift,
                step: steps[index].flatMap { $0 > .zero && $0 <= TimestampCorrector.longestStep ? $0 : nil }
                    ?? MediaTime(seconds: 0.04))
    }

    private mutating func put(_ correction: Correction, _ track: Track?) {
        let first = held.removeFirst()
        heldBytes = heldBytes.subtractingSaturating(first.packet.bytes)
        if let track { tracks[first.packet.track] = track }
        ready.append(correction)
    }

    /// Returns the correction of a packet with a plausible time.
    ///
    /// - Parameter raw: The packet's key time without wrap-arounds.
    private mutating func correct(_ packet: PacketTimes, raw: MediaTime, _ track: inout Track) -> Correction {
        let mediaTime = raw + track.shift
        let length = length(packet.duration, at: mediaTime, track)
        track.isByPresentation = packet.dts == nil && packet.pts != nil
        if !track.isByPresentation, let last = track.newest, mediaTime > last, mediaTime - last <= MediaTime(seconds: 1)
        {
            track.step = mediaTime - last
        }
        // The difference between decoding and presentation order is bounded. A larger one is an error.
        if let pts = packet.pts, let dts = packet.dts {
            let delay = unwrapped(pts, near: dts) - dts
            if delay < -rules.slack - MediaTime(seconds: 1) || delay > max(MediaTime(seconds: 10), track.reordering) {
                track.newest = mediaTime
                track.expected = mediaTime + length
                lead = max(lead ?? mediaTime, mediaTime + length)
                return .guessed(at: mediaTime, length: length)
            }
            track.shownEnd = max(track.shownEnd ?? mediaTime, mediaTime + delay + length)
        }
        // Without decode timestamps, packets are not in presentation order.
        track.expected = packet.dts == nil ? max(track.expected ?? mediaTime, mediaTime + length) : mediaTime + length
        track.newest = mediaTime
        lead = max(lead ?? mediaTime, mediaTime + length)
        return .shifted(track.shift + (raw - (packet.key ?? raw)))
    }

    private mutating func guess(_ packet: PacketTimes, _ track: inout Track) -> Correction {
        let mediaTime = track.expected ?? anchor
        let length = length(packet.duration, at: mediaTime, track)
        track.newest = mediaTime
        track.expected = mediaTime + length
        track.shownEnd = max(track.shownEnd ?? mediaTime, mediaTime + length)
        lead = max(lead ?? mediaTime, mediaTime + length)
        return .guessed(at: mediaTime, length: length)
    }

    /// Returns the duration of a packet: `duration` if it is plausible, otherwise the step of its track.
    private func length(_ duration: MediaTime, at time: MediaTime, _ track: Track) -> MediaTime {
        if duration > .zero, duration <= MediaTime(seconds: 1) || track.newest == nil && duration <= longest(at: time) {
            return duration
        }
        return track.step
    }

    /// Returns the time closest to `near` that the wrapped timestamp `time` may represent.
    private func unwrapped(_ time: MediaTime, near: MediaTime) -> MediaTime {
        guard let wrap = rules.wrap, wrap > .zero else { return time }
        let times = (near - time).nanoseconds.addingSaturating(wrap.nanoseconds / 2)
        let floor = times >= 0 ? times / wrap.nanoseconds : -((-times + wrap.nanoseconds - 1) / wrap.nanoseconds)
        return time + wrap * Int(floor)
    }

    /// Returns whether `time` continues the track.
    private func isNear(_ time: MediaTime, _ track: Track) -> Bool {
        guard let expected = track.expected, let newest = track.newest else {
            let ahead = lookback > MediaTime(seconds: 10) ? lookback : longest(at: anchor)
            return time >= anchor - lookback && time <= max(anchor, lead ?? anchor) + ahead
        }
        return time >= min(newest, expected) - max(rules.slack, track.disorder)
            && time <= max(expected, lead ?? expected) + max(TimestampCorrector.near, track.disorder)
    }

    // MARK: classification

    private enum Classification {
        case accepted
        case wrong(Int)
        case jump(MediaTime)
    }

    /// Decides the kind of a packet that does not continue its track; `nil` if more packets are needed.
    private mutating func classify(_ packet: PacketTimes, _ raw: MediaTime, _ track: Track) -> Classification? {
        let expected = track.expected ?? anchor
        // A jump that is known from another track or an earlier reading.
        let ahead =
            raw + track.shift > expected && raw + track.shift <= max(expected, lead ?? expected) + longest(at: expected)
        if !ahead, let shift = knownShift(raw, expected, track) { return .jump(shift) }

        let keys = held.filter { $0.packet.track == packet.track && !$0.packet.isFree }.compactMap(\.packet.key)
        let isFull =
            isFinishing || held.count >= TimestampCorrector.heldCount || heldBytes >= TimestampCorrector.heldSize
        var predicted = expected
        for (index, key) in keys.enumerated().dropFirst() {
            predicted += track.step
            let time = unwrapped(key, near: predicted - track.shift) + track.shift
            if time >= predicted - rules.slack - track.step, time <= predicted + track.step + MediaTime(seconds: 0.25) {
                return .wrong(index)
            }
        }
        let isFar = packet.isAudio && raw + track.shift - expected > rules.gap
        guard keys.count > 1 else { return isFull ? (ahead && !isFar ? .accepted : .wrong(1)) : nil }
        let second = unwrapped(keys[1], near: raw)
        // The next packet does not continue from this packet either, so this packet is wrong.
        guard second >= raw - MediaTime(seconds: 1), second <= raw + longest(at: expected) else { return .wrong(1) }
        // Audio packets that are minutes apart come from a wrong clock. Frames that are minutes apart may be slides.
        if ahead { return isFar && second - raw > rules.gap ? .wrong(1) : .accepted }

        // The time over which the track continues from here. Each step counts as at most 0.5 s, because two wrong
        // timestamps in a row may be far apart.
        let span = zip(keys, keys.dropFirst()).reduce(MediaTime.zero) {
            $0 + min(max(.zero, unwrapped($1.1, near: $1.0) - $1.0), TimestampCorrector.near)
        }
        let joints = joints(but: packet.track, like: raw + track.shift - expected)
        guard isFull || span >= TimestampCorrector.heldSpan || joints.areComplete else { return nil }
        // The new part begins where the last of the tracks ends.
        var shift = expected - raw
        if let pts = packet.pts, let shown = track.shownEnd { shift = max(shift, shown - unwrapped(pts, near: raw)) }
        for joint in joints.found { shift = max(shift, joint) }
        return .jump(note(shift, at: raw + shift))
    }

    /// Returns the shifts that the other tracks with a jump would need. The result is complete if at least one other
    /// track has jumped and no other track continues. Tracks that ended more than 10 s before the latest packet do not
    /// count.
    private func joints(but ownTrack: Int, like distance: MediaTime) -> (found: [MediaTime], areComplete: Bool) {
        var found: [MediaTime] = []
        var areComplete = true
        for (index, track) in tracks where index != ownTrack {
            guard var expected = track.expected, expected >= (lead ?? expected) - MediaTime(seconds: 10) else {
                continue
            }
            var state = track
            var joint: MediaTime?
            for other in held where other.packet.track == index && !other.packet.isFree {
                guard let key = other.packet.key else { continue }
                let raw = unwrapped(key, near: expected - track.shift)
                let time = raw + track.shift
                if isNear(time, state) {
                    expected = time + length(other.packet.duration, at: time, state)
                    state.newest = time
                    state.expected = expected
                } else {
                    let away = time - expected - distance
                    guard away.magnitude <= TimestampCorrector.spread else { break }
                    var needed = expected - raw
                    if let pts = other.packet.pts, let shown = track.shownEnd {
                        needed = max(needed, shown - unwrapped(pts, near: raw))
                    }
                    joint = needed
                    break
                }
            }
            if let joint { found.append(joint) } else { areComplete = false }
        }
        return (found, areComplete && !found.isEmpty)
    }

    /// Returns the shift of a known jump with which `raw` continues the track at `expected`; `nil` if there is none.
    private func knownShift(_ raw: MediaTime, _ expected: MediaTime, _ track: Track) -> MediaTime? {
        let zero = Jump(time: .zero, shift: .zero)
        var best: (shift: MediaTime, off: MediaTime)?
        for jump in [zero] + jumps where jump.shift != track.shift {
            let time = unwrapped(raw, near: expected - jump.shift) + jump.shift
            guard
                time >= expected
                    - (track.newest == nil ? min(lookback, MediaTime(seconds: 10)) : MediaTime(seconds: 0.1)),
                time <= expected + TimestampCorrector.spread
            else { continue }
            let off = (time - expected).magnitude
            if best.map({ off < $0.off }) ?? true { best = (jump.shift, off) }
        }
        return best?.shift
    }

    /// Returns the shift for a packet without reliable time: the one that brings it closest to the packets read so far.
    private func nearestShift(_ key: MediaTime?) -> MediaTime {
        guard let key, let lead, !jumps.isEmpty else { return anchorShift }
        return tracks.values.map(\.shift).min { (key + $0 - lead).magnitude < (key + $1 - lead).magnitude }
            ?? anchorShift
    }

    private mutating func note(_ shift: MediaTime, at time: MediaTime) -> MediaTime {
        if jumps.count >= TimestampCorrector.jumpCount { jumps.removeFirst() }
        jumps.append(Jump(time: time, shift: shift))
        return shift
    }
}
