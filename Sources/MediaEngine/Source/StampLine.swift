import MediaCore

/// Where a container's stamps become media time: they are laid on one line that goes on from packet to packet.
///
/// A stamp that does not continue its track is held back until what follows tells what it was: **wrong** when its track
/// goes on as if it had not been (a flipped bit), then the packet is placed where it belongs by what came before it; a
/// **gap** when the track goes on behind it and the gap is one the container can mean; else a **jump** (joined files,
/// an encoder that began anew): from there on everything is shifted so that it follows what came before, all tracks by
/// the same amount, so that sound and picture stay together. Nothing is waited for without a bound, and no time passes
/// in which nothing plays but the gaps that are meant. A value without files, threads or clocks: stamps in, places out.
struct StampLine: Sendable {
    struct Rules: Sendable {
        /// Stamps count modulo this; nil: they do not begin anew.
        var wrap: MediaTime?
        /// How far behind everything read so far a stamp may lie and still be meant.
        var gap: MediaTime
        /// Where the header says that the container ends: up to there a gap of an hour is meant.
        var declaredEnd: MediaTime?
        /// How far back a decode stamp may go against the one before.
        var slack: MediaTime
        /// Packets carry no stamps of their own: one follows the other.
        var makesStamps = false

        /// Transport and program streams: 33 bits, joined and cut as they come. Five seconds are what broken reception
        /// leaves out; mpv, too, takes longer ones for a jump.
        static let transport = Rules(
            wrap: MediaTime(stamp: 1 << 33, base: .init(num: 1, den: 90_000)), gap: MediaTime(seconds: 5),
            slack: MediaTime(seconds: 0.1))
        /// A container that has a timeline of its own.
        static func file(declaredEnd: MediaTime?) -> Rules {
            Rules(
                gap: MediaTime(seconds: declaredEnd == nil ? 60 : 10), declaredEnd: declaredEnd,
                slack: MediaTime(seconds: 1))
        }
        static let raw = Rules(gap: MediaTime(seconds: 60), slack: MediaTime(seconds: 1), makesStamps: true)
    }

    /// What a packet brings. Times are the container's less its start, so that a line without jumps leaves them as they
    /// are.
    struct Stamp: Sendable {
        var track: Int
        var pts: MediaTime?
        var dts: MediaTime?
        /// Zero: not known.
        var duration: MediaTime = .zero
        var bytes = 0
        /// It is sound, which has gaps, but goes on behind them.
        var isSound = false
        /// It has stamps, but none that is a time.
        var isBeyond = false
        /// Decoded but not shown (what an edit list cuts away), or of no track that keeps time (subtitles): it may lie
        /// where it likes.
        var isFree = false

        fileprivate var key: MediaTime? { dts ?? pts }
    }

    enum Place: Sendable, Equatable {
        /// Its stamps hold, this much later.
        case shifted(MediaTime)
        /// Its stamps mean nothing: in decoding order it belongs here and lasts so long.
        case guessed(at: MediaTime, length: MediaTime)
    }

    /// From some packet on the stamps of the container are `shift` before media time.
    struct Jump: Sendable, Equatable {
        /// Media time.
        let time: MediaTime
        let shift: MediaTime
    }

    private struct Track {
        var shift = MediaTime.zero
        /// Where its newest packet lies and the next one should; nil before the first.
        var newest: MediaTime?
        var expected: MediaTime?
        /// Where what has been placed is shown to.
        var shownEnd: MediaTime?
        /// Between its newest packets.
        var step: MediaTime
        /// So many of those held are to be placed by what came before.
        var wrong = 0
        /// Its newest packet has no decode stamp: it is placed in the order of presentation.
        var isByPresentation = false

        /// How far apart the orders of decoding and of presentation are expected to be: eight frames, which take
        /// seconds where few frames are shown.
        var reordering: MediaTime { step * 8 }
        /// How far a packet may lie from its place in decoding order.
        var disorder: MediaTime { isByPresentation ? reordering : .zero }
    }
    private struct Held {
        let stamp: Stamp
        /// It has been decided that the gap before it is meant.
        var isMeant = false
    }

    let rules: Rules
    private(set) var jumps: [Jump] = []
    private var tracks: [Int: Track] = [:]
    private var held: [Held] = []
    private var heldBytes = 0
    private var ready: [Place] = []
    private var isFinishing = false
    /// Of everything placed, the latest.
    private var lead: MediaTime?
    /// Where the first packets should lie, and how far before it they may.
    private var anchor = MediaTime.zero
    private var lookback: MediaTime
    private var anchorShift = MediaTime.zero
    private let steps: [Int: MediaTime]

    // What is held back at most: enough for a group of frames that share a wrong stamp, and for both tracks of a joint.
    private static let heldSpan = MediaTime(seconds: 1.5)
    private static let heldCount = 512
    private static let heldSize = 16 << 20
    /// A second's silence or so between two packets needs no second look, less does not either.
    private static let near = MediaTime(seconds: 0.5)
    /// How much one track's joint may differ from another's: how far apart tracks are interleaved.
    private static let spread = MediaTime(seconds: 3)
    private static let longestGap = MediaTime(seconds: 3600)
    /// The longest that one frame is expected to last: files of slides and of one frame per second or two exist.
    private static let longestStep = MediaTime(seconds: 10)
    /// Jumps remembered.
    private static let jumpCount = 256

    /// - Parameters:
    ///   - steps: how long a packet of a track usually lasts, where that is known.
    ///   - jumps: known from reading it before.
    init(rules: Rules, steps: [Int: MediaTime] = [:], jumps: [Jump] = []) {
        self.rules = rules
        self.steps = steps
        self.jumps = jumps
        lookback = MediaTime(seconds: 10)
    }

    /// Takes a packet; it comes out of `next` in the order of pushing, at once or when more has come.
    mutating func push(_ stamp: Stamp) {
        isFinishing = false
        held.append(Held(stamp: stamp))
        heldBytes = heldBytes.addingSaturating(stamp.bytes)
        settle()
    }

    /// Where the next packet belongs; nil: more must come.
    mutating func next() -> Place? { ready.isEmpty ? nil : ready.removeFirst() }

    /// Nothing more comes: what is held back comes out.
    mutating func finish() {
        isFinishing = true
        settle()
    }

    /// Reading goes on elsewhere: near `time`, after a jump whose shift was `shift`. What is held back is gone.
    mutating func move(to time: MediaTime, shift: MediaTime = .zero) {
        tracks = [:]
        held = []
        ready = []
        heldBytes = 0
        lead = nil
        anchor = time
        anchorShift = shift
        // A keyframe may lie far back.
        lookback = time == .zero ? MediaTime(seconds: 10) : StampLine.longestGap
    }

    /// How much later than the container says the newest packet of `track` lies.
    func shift(of track: Int) -> MediaTime { tracks[track]?.shift ?? anchorShift }

    /// Where everything placed ends.
    var end: MediaTime? { tracks.values.compactMap(\.expected).max() }

    /// The longest a packet may last where `time` is.
    func longest(at time: MediaTime) -> MediaTime {
        guard let end = rules.declaredEnd else { return rules.gap }
        return max(rules.gap, min(StampLine.longestGap, end - time + rules.gap))
    }

    // MARK: placing

    private mutating func settle() {
        while let head = held.first {
            var track = track(head.stamp.track)
            guard let key = head.stamp.key, !head.stamp.isFree else {
                if rules.makesStamps || head.stamp.isBeyond && !head.stamp.isFree, head.stamp.key == nil {
                    put(guess(head.stamp, &track), track)
                } else {
                    put(.shifted(tracks[head.stamp.track] == nil ? nearestShift(head.stamp.key) : track.shift), nil)
                }
                continue
            }
            if track.wrong > 0 {
                track.wrong -= 1
                put(guess(head.stamp, &track), track)
                continue
            }
            let raw = unwrapped(key, near: (track.expected ?? anchor) - track.shift)
            let place = raw + track.shift
            if head.isMeant || isNear(place, track) {
                put(self.place(head.stamp, raw: raw, &track), track)
                continue
            }
            guard let verdict = judge(head.stamp, raw, track) else { return }
            switch verdict {
            case .meant: held[0].isMeant = true
            case .wrong(let count):
                track.wrong = count
                tracks[head.stamp.track] = track
            case .jump(let shift):
                track.shift = shift
                tracks[head.stamp.track] = track
                held[0].isMeant = true
            }
        }
    }

    private func track(_ index: Int) -> Track {
        tracks[index]
            ?? Track(
                shift: anchorShift,
                step: steps[index].flatMap { $0 > .zero && $0 <= StampLine.longestStep ? $0 : nil }
                    ?? MediaTime(seconds: 0.04))
    }

    private mutating func put(_ place: Place, _ track: Track?) {
        let first = held.removeFirst()
        heldBytes = heldBytes.subtractingSaturating(first.stamp.bytes)
        if let track { tracks[first.stamp.track] = track }
        ready.append(place)
    }

    /// `raw` is its key as it would be without wraps.
    private mutating func place(_ stamp: Stamp, raw: MediaTime, _ track: inout Track) -> Place {
        let here = raw + track.shift
        let length = length(stamp.duration, at: here, track)
        track.isByPresentation = stamp.dts == nil && stamp.pts != nil
        if !track.isByPresentation, let last = track.newest, here > last, here - last <= MediaTime(seconds: 1) {
            track.step = here - last
        }
        // Decode order and order of presentation differ by a bound; what lies beyond is wrong.
        if let pts = stamp.pts, let dts = stamp.dts {
            let delay = unwrapped(pts, near: dts) - dts
            if delay < -rules.slack - MediaTime(seconds: 1) || delay > max(MediaTime(seconds: 10), track.reordering) {
                track.newest = here
                track.expected = here + length
                lead = max(lead ?? here, here + length)
                return .guessed(at: here, length: length)
            }
            track.shownEnd = max(track.shownEnd ?? here, here + delay + length)
        }
        // Without decode stamps, presentation's order is not that of packets.
        track.expected = stamp.dts == nil ? max(track.expected ?? here, here + length) : here + length
        track.newest = here
        lead = max(lead ?? here, here + length)
        return .shifted(track.shift + (raw - (stamp.key ?? raw)))
    }

    private mutating func guess(_ stamp: Stamp, _ track: inout Track) -> Place {
        let here = track.expected ?? anchor
        let length = length(stamp.duration, at: here, track)
        track.newest = here
        track.expected = here + length
        track.shownEnd = max(track.shownEnd ?? here, here + length)
        lead = max(lead ?? here, here + length)
        return .guessed(at: here, length: length)
    }

    /// How long a packet lasts that says `duration`: what is beyond belief is its track's step.
    private func length(_ duration: MediaTime, at time: MediaTime, _ track: Track) -> MediaTime {
        if duration > .zero, duration <= MediaTime(seconds: 1) || track.newest == nil && duration <= longest(at: time) {
            return duration
        }
        return track.step
    }

    /// The nearest of what the stamp may mean.
    private func unwrapped(_ time: MediaTime, near: MediaTime) -> MediaTime {
        guard let wrap = rules.wrap, wrap > .zero else { return time }
        let times = (near - time).nanoseconds.addingSaturating(wrap.nanoseconds / 2)
        let floor = times >= 0 ? times / wrap.nanoseconds : -((-times + wrap.nanoseconds - 1) / wrap.nanoseconds)
        return time + wrap * Int(floor)
    }

    /// It goes on where its track was.
    private func isNear(_ place: MediaTime, _ track: Track) -> Bool {
        guard let expected = track.expected, let newest = track.newest else {
            let ahead = lookback > MediaTime(seconds: 10) ? lookback : longest(at: anchor)
            return place >= anchor - lookback && place <= max(anchor, lead ?? anchor) + ahead
        }
        return place >= min(newest, expected) - max(rules.slack, track.disorder)
            && place <= max(expected, lead ?? expected) + max(StampLine.near, track.disorder)
    }

    // MARK: judging

    private enum Verdict {
        case meant
        case wrong(Int)
        case jump(MediaTime)
    }

    /// What to make of a packet that does not go on where its track was; nil: more must come.
    private mutating func judge(_ stamp: Stamp, _ raw: MediaTime, _ track: Track) -> Verdict? {
        let expected = track.expected ?? anchor
        // A jump that is known, by another track or from reading before.
        let ahead =
            raw + track.shift > expected && raw + track.shift <= max(expected, lead ?? expected) + longest(at: expected)
        if !ahead, let shift = knownShift(raw, expected, track) { return .jump(shift) }

        let mine = held.filter { $0.stamp.track == stamp.track && !$0.stamp.isFree }.compactMap(\.stamp.key)
        let isFull = isFinishing || held.count >= StampLine.heldCount || heldBytes >= StampLine.heldSize
        var going = expected
        for (index, key) in mine.enumerated().dropFirst() {
            going += track.step
            let place = unwrapped(key, near: going - track.shift) + track.shift
            if place >= going - rules.slack - track.step, place <= going + track.step + MediaTime(seconds: 0.25) {
                return .wrong(index)
            }
        }
        let isFar = stamp.isSound && raw + track.shift - expected > rules.gap
        guard mine.count > 1 else { return isFull ? (ahead && !isFar ? .meant : .wrong(1)) : nil }
        let second = unwrapped(mine[1], near: raw)
        // Nothing goes on behind it either.
        guard second >= raw - MediaTime(seconds: 1), second <= raw + longest(at: expected) else { return .wrong(1) }
        // Packets of sound that each lie minutes from the next come from a wrong clock; of pictures they may be slides.
        if ahead { return isFar && second - raw > rules.gap ? .wrong(1) : .meant }

        // How long it has gone on so; two wrong stamps in a row lie far apart and are no proof.
        let span = zip(mine, mine.dropFirst()).reduce(MediaTime.zero) {
            $0 + min(max(.zero, unwrapped($1.1, near: $1.0) - $1.0), StampLine.near)
        }
        let joints = joints(but: stamp.track, like: raw + track.shift - expected)
        guard isFull || span >= StampLine.heldSpan || joints.areComplete else { return nil }
        // The new part follows where the last of the tracks ends.
        var shift = expected - raw
        if let pts = stamp.pts, let shown = track.shownEnd { shift = max(shift, shown - unwrapped(pts, near: raw)) }
        for joint in joints.found { shift = max(shift, joint) }
        return .jump(note(shift, at: raw + shift))
    }

    /// The shifts that the other tracks would need whose packets, too, stop going on; complete when there are some and
    /// none goes on.
    private func joints(but mine: Int, like distance: MediaTime) -> (found: [MediaTime], areComplete: Bool) {
        var found: [MediaTime] = []
        var areComplete = true
        for (index, track) in tracks where index != mine {
            guard var expected = track.expected, expected >= (lead ?? expected) - MediaTime(seconds: 10) else {
                continue
            }
            var state = track
            var joint: MediaTime?
            for other in held where other.stamp.track == index && !other.stamp.isFree {
                guard let key = other.stamp.key else { continue }
                let raw = unwrapped(key, near: expected - track.shift)
                let place = raw + track.shift
                if isNear(place, state) {
                    expected = place + length(other.stamp.duration, at: place, state)
                    state.newest = place
                    state.expected = expected
                } else {
                    let away = place - expected - distance
                    guard away.magnitude <= StampLine.spread else { break }
                    var needed = expected - raw
                    if let pts = other.stamp.pts, let shown = track.shownEnd {
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

    /// The shift of a jump known already by which `raw` goes on at `expected`.
    private func knownShift(_ raw: MediaTime, _ expected: MediaTime, _ track: Track) -> MediaTime? {
        let zero = Jump(time: .zero, shift: .zero)
        var best: (shift: MediaTime, off: MediaTime)?
        for jump in [zero] + jumps where jump.shift != track.shift {
            let place = unwrapped(raw, near: expected - jump.shift) + jump.shift
            guard
                place >= expected
                    - (track.newest == nil ? min(lookback, MediaTime(seconds: 10)) : MediaTime(seconds: 0.1)),
                place <= expected + StampLine.spread
            else { continue }
            let off = (place - expected).magnitude
            if best.map({ off < $0.off }) ?? true { best = (jump.shift, off) }
        }
        return best?.shift
    }

    /// For what keeps no time of its own: the shift by which it comes nearest to what has been read.
    private func nearestShift(_ key: MediaTime?) -> MediaTime {
        guard let key, let lead, !jumps.isEmpty else { return anchorShift }
        return tracks.values.map(\.shift).min { (key + $0 - lead).magnitude < (key + $1 - lead).magnitude }
            ?? anchorShift
    }

    private mutating func note(_ shift: MediaTime, at time: MediaTime) -> MediaTime {
        if jumps.count >= StampLine.jumpCount { jumps.removeFirst() }
        jumps.append(Jump(time: time, shift: shift))
        return shift
    }
}
