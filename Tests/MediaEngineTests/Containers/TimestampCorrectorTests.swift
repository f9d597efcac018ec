import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Conversion of container timestamps to media time")
struct TimestampCorrectorTests {
    private static let video = 0, audio = 1
    private static let frame = MediaTime(seconds: 0.04), sound = MediaTime(seconds: 0.02)

    /// Returns interleaved packets of `seconds` seconds of a program. Timestamps begin at `start` seconds; the audio
    /// begins `late` seconds after the video.
    private static func part(_ seconds: Double, from start: Double, late: Double = 0) -> [TimestampCorrector
        .PacketTimes]
    {
        var all: [TimestampCorrector.PacketTimes] = []
        for index in 0..<Int(seconds * 25) {
            let dts = MediaTime(seconds: start) + frame * index
            all.append(.init(track: video, pts: dts + frame, dts: dts, duration: frame))
            for half in 0..<2 {
                let at = MediaTime(seconds: start + late) + frame * index + sound * half
                all.append(.init(track: audio, pts: at, dts: at, duration: sound))
            }
        }
        return all
    }

    /// Pushes the packets into `line` and returns the corrected decode time of each, in the same order.
    private static func lay(_ stamps: [TimestampCorrector.PacketTimes], _ line: inout TimestampCorrector) -> [MediaTime]
    {
        var places: [TimestampCorrector.Correction] = []
        for stamp in stamps {
            line.push(stamp)
            while let place = line.next() { places.append(place) }
        }
        line.finish()
        while let place = line.next() { places.append(place) }
        #expect(places.count == stamps.count, "every packet comes out once")
        return zip(stamps, places).map { stamp, place in
            switch place {
            case .shifted(let shift): (stamp.dts ?? .zero) + shift
            case .guessed(let at, _): at
            }
        }
    }

    private static func times(_ times: [MediaTime], of track: Int, in stamps: [TimestampCorrector.PacketTimes])
        -> [MediaTime]
    {
        zip(stamps, times).filter { $0.0.track == track }.map(\.1)
    }

    /// Checks that successive times differ by `step`, with at most one exception, where the difference may be up to
    /// `step + pause`.
    private static func expectEven(_ all: [MediaTime], step: MediaTime, pause: MediaTime = .zero, _ note: Comment) {
        var pauses = 0
        for (a, b) in zip(all, all.dropFirst()) where (b - a - step).magnitude > MediaTime(seconds: 0.001) {
            pauses += 1
            #expect(b > a && b - a <= step + pause, note)
        }
        #expect(pauses <= 1, note)
    }

    @Test("continuous timestamps stay unchanged, whatever their start")
    func asItIs() {
        for start in [0.0, 0.5, 3] {
            var line = TimestampCorrector(rules: .transport)
            let stamps = Self.part(5, from: start, late: 0.3)
            #expect(Self.lay(stamps, &line) == stamps.map { $0.dts ?? .zero })
            #expect(line.jumps.isEmpty)
        }
    }

    @Test(
        "continuous packets are returned without delay",
        arguments: [
            TimestampCorrector.Rules.transport, .file(declaredEnd: MediaTime(seconds: 5)), .file(declaredEnd: nil),
        ])
    func atOnce(_ rules: TimestampCorrector.Rules) {
        var line = TimestampCorrector(rules: rules)
        for stamp in Self.part(5, from: 0) {
            line.push(stamp)
            #expect(line.next() == .shifted(.zero))
        }
    }

    @Test("a jump shifts both tracks by the same amount", arguments: [7.5, 36_000, -2, -30_000, 60_000, -0.7])
    func jump(by seconds: Double) {
        let first = Self.part(3, from: 100, late: 0.1)
        let second = Self.part(3, from: 103 + seconds, late: 0.1)
        let stamps = (first + second).map { stamp in
            var stamp = stamp
            stamp.pts = stamp.pts.map { $0 - MediaTime(seconds: 100) }
            stamp.dts = stamp.dts.map { $0 - MediaTime(seconds: 100) }
            return stamp
        }
        var line = TimestampCorrector(rules: .transport)
        let times = Self.lay(stamps, &line)
        let pictures = Self.times(times, of: Self.video, in: stamps)
        let sound = Self.times(times, of: Self.audio, in: stamps)
        Self.expectEven(pictures, step: Self.frame, pause: MediaTime(seconds: 0.2), "pictures")
        Self.expectEven(sound, step: Self.sound, pause: MediaTime(seconds: 0.2), "sound")
        #expect(
            ((sound.last ?? .zero) - (pictures.last ?? .zero) - MediaTime(seconds: 0.12)).magnitude
                < MediaTime(seconds: 0.001), "they stay together")
        #expect(line.jumps.count == 1)
    }

    @Test("tracks of different lengths do not overlap at a joint")
    func unevenJoint() {
        var first = Self.part(3, from: 0)
        // The audio ends 400 ms before the video.
        first.removeAll { $0.track == Self.audio && ($0.dts ?? .zero) >= MediaTime(seconds: 2.6) }
        let stamps = first + Self.part(3, from: 500)
        var line = TimestampCorrector(rules: .transport)
        let times = Self.lay(stamps, &line)
        let pictures = Self.times(times, of: Self.video, in: stamps)
        let sound = Self.times(times, of: Self.audio, in: stamps)
        Self.expectEven(pictures, step: Self.frame, "pictures have no seam")
        Self.expectEven(sound, step: Self.sound, pause: MediaTime(seconds: 0.41), "sound waits for the picture")
        #expect(sound.last.map { $0 + Self.sound } == pictures.last.map { $0 + Self.frame })
    }

    @Test("a single wrong timestamp moves no other packet", arguments: [0, 1, 2, 10, 20, 25, 30, 31, 32])
    func flippedBit(_ bit: Int) {
        let clean = Self.part(4, from: 0).map { stamp in
            var stamp = stamp
            stamp.pts = stamp.dts
            return stamp
        }
        for index in [1, 40, 120, clean.count - 1] {
            var stamps = clean
            let flipped = MediaTime(
                stamp: (stamps[index].dts?.stamp(in: .init(num: 1, den: 90_000)) ?? 0) ^ (1 << Int64(bit)),
                base: .init(num: 1, den: 90_000))
            stamps[index].pts = flipped
            stamps[index].dts = flipped
            var line = TimestampCorrector(rules: .transport)
            let times = Self.lay(stamps, &line)
            for (at, (time, stamp)) in zip(times, clean).enumerated() {
                // An error below the threshold of a discontinuity leaves the packet's timestamp as it is. All other
                // packets must be unchanged.
                let allowed = at == index ? MediaTime(seconds: 0.6) : .zero
                #expect((time - (stamp.dts ?? .zero)).magnitude <= allowed, "bit \(bit) of packet \(index) at \(at)")
            }
            #expect(line.jumps.isEmpty)
        }
    }

    @Test("frames that share a wrong timestamp get their correct times")
    func wrongGroup() {
        var stamps = Self.part(6, from: 0)
        let clean = stamps
        let group = stamps.indices.filter {
            stamps[$0].track == Self.audio && (stamps[$0].dts ?? .zero) >= 3 * MediaTime(seconds: 1)
        }.prefix(9)
        for index in group {
            stamps[index].pts = stamps[index].pts.map { $0 + MediaTime(seconds: 47_721.8) }
            stamps[index].dts = stamps[index].pts
        }
        var line = TimestampCorrector(rules: .transport)
        #expect(Self.lay(stamps, &line) == clean.map { $0.dts ?? .zero })
        #expect(line.jumps.isEmpty)
    }

    @Test("two wrong timestamps in a row are not a joint", arguments: [true, false])
    func twoWrong(hasSound: Bool) {
        let clean = Self.part(4, from: 0).filter { hasSound || $0.track == Self.video }
        var stamps = clean
        let pictures = stamps.indices.filter { stamps[$0].track == Self.video }
        for (index, wrong) in [(4, -1.3), (5, 0.587), (60, 0.3), (61, 2.9)] {
            stamps[pictures[index]].dts = MediaTime(seconds: wrong)
        }
        var line = TimestampCorrector(rules: .transport)
        let times = Self.lay(stamps, &line)
        for (time, stamp) in zip(times, clean) {
            #expect((time - (stamp.dts ?? .zero)).magnitude < MediaTime(seconds: 0.6))
        }
        #expect(line.jumps.isEmpty)
    }

    @Test("timestamps continue after each 33-bit wrap")
    func wrap() {
        let period = 8_589_934_592.0 / 90_000
        var line = TimestampCorrector(rules: .transport)
        let stamps = Self.part(4, from: 0).map { stamp in
            var stamp = stamp
            // Four seconds. From 1.5 s on, timestamps are one wrap period lower, and from 3 s on two periods.
            let at = stamp.dts?.seconds ?? 0
            let back = MediaTime(seconds: period * (at >= 3 ? 2 : at >= 1.5 ? 1 : 0))
            stamp.pts = stamp.pts.map { $0 - back }
            stamp.dts = stamp.dts.map { $0 - back }
            return stamp
        }
        let times = Self.lay(stamps, &line)
        for (time, clean) in zip(times, Self.part(4, from: 0)) {
            #expect((time - (clean.dts ?? .zero)).magnitude < MediaTime(seconds: 0.000_1))
        }
        #expect(line.jumps.isEmpty)
    }

    @Test("a plausible gap is kept")
    func gap() {
        var line = TimestampCorrector(rules: .transport)
        let stamps = Self.part(2, from: 0) + Self.part(2, from: 5)
        #expect(Self.lay(stamps, &line) == stamps.map { $0.dts ?? .zero })
        // One frame per minute, as in a recorded lecture, in a file whose header states the duration.
        let slides = (0..<10).map {
            TimestampCorrector.PacketTimes(
                track: 0, pts: MediaTime(seconds: 60 * Double($0)), dts: MediaTime(seconds: 60 * Double($0)),
                duration: MediaTime(seconds: 0.04))
        }
        var file = TimestampCorrector(rules: .file(declaredEnd: MediaTime(seconds: 600)))
        #expect(Self.lay(slides, &file) == slides.map { $0.dts ?? .zero })
        #expect(file.jumps.isEmpty && line.jumps.isEmpty)
    }

    @Test("implausible gaps between all audio packets are closed; one gap stays")
    func wrongClock() {
        var stamps: [TimestampCorrector.PacketTimes] = []
        for index in 0..<20 {
            stamps.append(
                .init(track: Self.video, pts: Self.frame * index, dts: Self.frame * index, duration: Self.frame))
            let at = MediaTime(seconds: 2097.188) * index
            stamps.append(.init(track: Self.audio, pts: at, dts: at, isAudio: true))
        }
        var line = TimestampCorrector(rules: .file(declaredEnd: MediaTime(seconds: 39_846)))
        let times = Self.lay(stamps, &line)
        #expect(
            Self.times(times, of: Self.video, in: stamps)
                == Self.times(stamps.map { $0.dts ?? .zero }, of: Self.video, in: stamps))
        #expect(Self.times(times, of: Self.audio, in: stamps).allSatisfy { $0 < MediaTime(seconds: 2) })
        let gap = (Self.part(2, from: 0) + Self.part(2, from: 600)).map { stamp in
            var stamp = stamp
            stamp.isAudio = stamp.track == Self.audio
            return stamp
        }
        var second = TimestampCorrector(rules: .file(declaredEnd: MediaTime(seconds: 602)))
        #expect(Self.lay(gap, &second) == gap.map { $0.dts ?? .zero })
    }

    @Test("slow frames in decoding order keep their timestamps", arguments: [0.5, 1, 2, 5])
    func slowFrames(_ seconds: Double) {
        func stamp(_ index: Int, _ dts: Int?) -> TimestampCorrector.PacketTimes {
            let frame = MediaTime(seconds: seconds)
            return .init(track: Self.video, pts: frame * index, dts: dts.map { frame * $0 }, duration: frame)
        }
        // As libavformat returns them from Matroska: frames without decode timestamps, but some with them after a seek.
        for stamps in [
            [stamp(0, nil), stamp(2, nil), stamp(1, nil)],
            [stamp(0, nil), stamp(2, nil), stamp(1, 0)],
            [stamp(0, nil), stamp(4, nil), stamp(2, 0), stamp(1, 1), stamp(3, 2), stamp(8, 3), stamp(6, 4)],
        ] {
            var line = TimestampCorrector(
                rules: .file(declaredEnd: MediaTime(seconds: 60)), steps: [Self.video: MediaTime(seconds: seconds)])
            line.move(to: MediaTime(seconds: 1))
            for stamp in stamps {
                line.push(stamp)
                #expect(line.next() == .shifted(.zero))
            }
        }
    }

    @Test("absurd packet durations do not move later packets", arguments: [100.0, 1e6, 1e10])
    func longPackets(_ seconds: Double) {
        let stamps = Self.part(3, from: 0).map { stamp in
            var stamp = stamp
            if stamp.track == Self.video { stamp.duration = MediaTime(seconds: seconds) }
            return stamp
        }
        var line = TimestampCorrector(rules: .file(declaredEnd: MediaTime(seconds: 3)))
        #expect(Self.lay(stamps, &line) == stamps.map { $0.dts ?? .zero })
        #expect((line.end ?? .max) <= MediaTime(seconds: 15))
    }

    @Test("random timestamps keep every packet, bounded waiting and a plausible end")
    func seeded() {
        for seed in 0..<400 as Range<UInt64> {
            var random = SeededNumbers(seed: seed)
            var stamps = Self.part(6, from: Double(random.below(20)))
            for _ in 0..<(1 + random.below(12)) {
                let index = Int(random.below(UInt64(stamps.count)))
                switch random.below(5) {
                case 0:
                    let flip = MediaTime(
                        stamp: (stamps[index].dts?.stamp(in: .init(num: 1, den: 90_000)) ?? 0)
                            ^ Int64(1 << random.below(62)), base: .init(num: 1, den: 90_000))
                    stamps[index].dts = flip
                case 1: stamps[index].pts = MediaTime(nanoseconds: Int64(bitPattern: random.next()))
                case 2:
                    stamps[index].duration = MediaTime(
                        nanoseconds: Int64(bitPattern: random.next() >> random.below(60)))
                case 3:
                    let by = MediaTime(nanoseconds: Int64(bitPattern: random.next()) >> Int64(random.below(40)))
                    for later in index..<stamps.count {
                        stamps[later].dts = stamps[later].dts.map { $0 + by }
                        stamps[later].pts = stamps[later].pts.map { $0 + by }
                    }
                default:
                    stamps[index].dts = nil
                    if random.below(2) == 0 { stamps[index].pts = nil }
                }
            }
            let rules = [
                TimestampCorrector.Rules.transport, .file(declaredEnd: nil), .file(declaredEnd: MediaTime(seconds: 6)),
                .raw,
            ][Int(random.below(4))]
            var line = TimestampCorrector(rules: rules)
            var waiting = 0
            var most = 0
            var out = 0
            for stamp in stamps {
                line.push(stamp)
                waiting += 1
                while line.next() != nil {
                    waiting -= 1
                    out += 1
                }
                most = max(most, waiting)
            }
            line.finish()
            while line.next() != nil { out += 1 }
            #expect(out == stamps.count, "seed \(seed)")
            #expect(most <= 512, "seed \(seed)")
            // The content has at most twelve intended gaps.
            #expect(
                (line.end ?? .zero) <= MediaTime(seconds: 30 + 13 * rules.gap.seconds),
                "seed \(seed): ends at \(line.end ?? .zero)")
        }
    }

    @Test("known jumps apply again, wherever reading starts")
    func again() {
        let stamps = Self.part(3, from: 0) + Self.part(3, from: 900) + Self.part(3, from: 20)
        var line = TimestampCorrector(rules: .transport)
        let times = Self.lay(stamps, &line)
        #expect(line.jumps.count == 2)
        var second = TimestampCorrector(rules: .transport, jumps: line.jumps)
        #expect(Self.lay(stamps, &second) == times)
        #expect(second.jumps == line.jumps)
        // Reading from the second part on, with its known shift, gives the same times.
        let from = 3 * 25 * 3 + 30
        second.move(to: times[from], shift: line.jumps[0].shift)
        #expect(Self.lay(Array(stamps[from...]), &second) == Array(times[from...]))
    }
}
