import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

/// The tests use no threads, files or network. See `PipelineModel`. Its films have one keyframe per second.
@Suite("Waiting for playback")
struct WaitingTests {
    private static let frame = TestPicture.quadrants(width: 16, height: 16)

    /// The kind of a source and of its reports.
    enum Kind: String, CaseIterable {
        case file, audioAlone, videoAlone, clipLoop, queueItem
        /// Remote sources whose data has all arrived. `whole` reports that, `silentAndFull` reports only a full buffer,
        /// and `silentAndBroken` reports only a coming failure.
        case whole, silentAndFull, silentAndBroken
        /// Remote sources whose data arrives twice as fast as playback, as fast, or half as fast.
        case fast, even, slow
        /// Remote sources whose data arrives during playback. `boasting` always reports 30 s ahead, and `understating`
        /// never reports media ahead.
        case boasting, understating
    }

    private func film(_ kind: Kind) -> PipelineModel.Film {
        var film = PipelineModel.Film(duration: 12_000_000_000)
        film.hasAudio = kind != .videoAlone
        film.hasVideo = kind != .audioAlone
        switch kind {
        case .file, .audioAlone, .videoAlone, .clipLoop, .queueItem: return film
        case .whole, .silentAndFull, .silentAndBroken: film.arrived = Boxed(12_000_000_000)
        case .fast, .even, .slow, .boasting, .understating: film.arrived = Boxed(1_500_000_000)
        }
        film.tells = { arrived, playhead in
            var status = BufferStatus()
            switch kind {
            case .silentAndFull: status.isFull = true
            case .silentAndBroken: status.willFail = true
            case .boasting: status.ahead = 30_000_000_000
            case .understating: (status.surplus, status.isComplete) = (2, arrived >= 12_000_000_000)
            default:
                status.ahead = max(0, arrived - playhead)
                status.isComplete = arrived >= 12_000_000_000
                status.surplus = kind == .fast ? 2 : kind == .even ? 1 : 0.5
            }
            return status
        }
        return film
    }

    @Test("every kind of source plays from each millisecond around a keyframe", arguments: Kind.allCases)
    func playsFromEveryMillisecond(kind: Kind) throws {
        let frame = try #require(WaitingTests.frame)
        for offset in Int64(-10)...110 {
            let model = PipelineModel(frame: frame)
            let entry = model.add(film(kind))
            let first = kind == .queueItem ? model.add(PipelineModel.Film(duration: 500_000_000)) : entry
            let target = MediaTime(nanoseconds: 1_000_000_000 + offset * 1_000_000)
            model.state.withLock { state in
                state.setPlaylist(kind == .queueItem ? [first, entry] : [entry], feedsNext: true)
                if kind == .clipLoop { state.setLoops(entry, true, in: target...(target + 500_000_000)) }
                if kind != .queueItem { state.seek(.exact(target, in: entry)) }
                state.setRate(1)
            }
            let goal = kind == .clipLoop ? target + 400_000_000 : target + 700_000_000
            var reasons: [WaitReason] = []
            var media: MediaTime?
            for _ in 0..<600 where media.map({ $0 < goal }) ?? true {
                for _ in 0..<8 where !model.stepFeeder() { break }
                for _ in 0..<6 {
                    model.stepVideo()
                    model.stepAudio()
                }
                let rate: Int64 = kind == .fast ? 2 : kind == .slow ? 1 : 2
                model.arrive(entry, MediaTime(nanoseconds: 40_000_000 * rate / (kind == .slow ? 2 : 1)))
                model.pass(40_000_000)
                let runs = model.state.withLock { state in
                    state.position().map { $0.entry === entry ? media = $0.media : () }
                    if let reason = state.waitReason, reasons.last != reason { reasons.append(reason) }
                    return state.clock.isRunning
                }
                // A player that neither runs nor has a reason to wait would never continue.
                let reason = model.state.withLock { $0.waitReason }
                if runs == (reason != nil) {
                    Issue.record("\(kind) at \(offset) ms: runs \(runs), waits for \(reason as Any)")
                }
            }
            #expect((media ?? 0) >= goal, "\(kind) at \(offset) ms: stands at \(media as Any), waited for \(reasons)")
            model.context.close()
        }
    }

    @Test("wait reasons follow in order: opening, first frame, data")
    func tellsWhatItWaitsFor() throws {
        let model = PipelineModel(frame: try #require(WaitingTests.frame))
        let arrived = Boxed<MediaTime>(1_200_000_000)
        var film = PipelineModel.Film(duration: 30_000_000_000)
        film.arrived = arrived
        let entry = model.add(film)
        var reasons: [WaitReason?] = []
        func look() {
            let reason = model.state.withLock { $0.waitReason }
            if reasons.isEmpty || reasons.last != .some(reason) { reasons.append(reason) }
        }
        model.state.withLock { $0.setPlaylist([entry], feedsNext: true) }
        look()
        model.state.withLock { $0.setRate(1) }
        look()
        for _ in 0..<40 {
            model.stepFeeder()
            look()
            model.stepVideo()
            model.stepAudio()
            look()
            model.pass(5_000_000)
        }
        #expect(
            reasons == [nil, .opening, .firstFrame, .data]
                || reasons == [nil, .opening, .firstFrame, .firstAudio, .data])
        model.arrive(entry, 20_000_000_000)
        model.stepFeeder()
        #expect(model.state.withLock { $0.waitReason } == nil)
        model.context.close()
    }

    @Test("playback does not wait for a late or empty track", arguments: [true, false])
    func tracksThatBeginLate(isVideo: Bool) throws {
        let model = PipelineModel(frame: try #require(WaitingTests.frame))
        var film = PipelineModel.Film(duration: 3_600_000_000_000)
        if isVideo { film.videoFrom = 3_000_000_000_000 } else { film.audioFrom = 3_000_000_000_000 }
        let entry = model.add(film)
        model.state.withLock {
            $0.setPlaylist([entry], feedsNext: true)
            $0.setRate(1)
        }
        for _ in 0..<2_000 {
            model.stepFeeder()
            // A decoding thread fills its own queue, but does not run ahead of the clock.
            if isVideo {
                model.stepVideo()
                if model.state.withLock({ $0.feed.audio.segments > 0 }) { model.stepAudio() }
            } else {
                model.stepAudio()
                if model.state.withLock({ $0.feed.video.segments > 0 }) { model.stepVideo() }
            }
        }
        model.state.withLock { state in
            #expect(state.feed.isMissing(isVideo ? .video : .audio))
            #expect(!state.feed.isMissing(isVideo ? .audio : .video))
            if isVideo { #expect(state.run.hasFirstFrame) }
        }
        model.context.close()
    }
}

@Suite("Media times of byte positions")
struct ByteTimesTests {
    /// One keyframe every two seconds and every megabyte, the first after a header of 4,000 bytes.
    private let times = ByteTimes(
        (0..<30).map {
            .init(position: 4_000 + Int64($0) * 1_000_000, time: MediaTime(nanoseconds: Int64($0) * 2_000_000_000))
        },
        duration: 60_000_000_000)

    @Test("times between keyframes of a sparse index are interpolated")
    func interpolates() {
        let length: Int64 = 30_004_000
        #expect(!times.isProportional)
        var last: MediaTime = 0
        for position in stride(from: Int64(0), through: length, by: 10_000) {
            let time = times.time(of: position, length: length)
            #expect(time >= last && (position < 24_000 || time > last || time == 60_000_000_000))
            last = time
        }
        #expect(last > 59_000_000_000 && times.time(of: length, length: length) == 60_000_000_000)
        #expect(times.time(of: 14_504_000, length: length) == 29_000_000_000)
    }

    @Test("invalid indexes and lengths give times within the file")
    func absurd() {
        var numbers = SeededNumbers(seed: 7)
        for _ in 0..<2_000 {
            let entries = (0..<numbers.below(20)).map { _ in
                ByteTimes.Entry(
                    position: numbers.below(1_000) - 100, time: MediaTime(nanoseconds: numbers.below(2_000) - 500))
            }
            let times = ByteTimes(entries, duration: numbers.below(3) == 0 ? nil : 1_000)
            for position: Int64 in [.min, -1, 0, 1, 500, 1_000, .max] {
                let time = times.time(of: position, length: numbers.below(1_200))
                #expect(time >= -500 && time <= 1_000)
            }
        }
    }

    @Test("the read rate ignores jumps")
    func measures() {
        let rate = ReadRate()
        for step in Int64(0)..<40 { rate.note(step * 10_000, MediaTime(nanoseconds: step * 100_000_000)) }
        rate.note(500_000_000, 600_000_000_000)
        for step in Int64(1)..<40 {
            rate.note(500_000_000 + step * 10_000, MediaTime(nanoseconds: 600_000_000_000 + step * 100_000_000))
        }
        #expect(rate.bytesPerSecond == 100_000)
        #expect(ReadRate().bytesPerSecond == nil)
    }
}
