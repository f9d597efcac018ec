import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Edits of compositions")
struct CompositionEditTests {
    private let composition = AVMutableComposition()

    /// Returns the starts of the segments in seconds: in their files, or −1 for an empty segment, and in the track.
    private func starts(_ track: AVCompositionTrack) -> [[Double]] {
        track.segments.map { segment in
            [
                segment.isEmpty ? -1 : (segment.timeMapping.source.start.seconds * 1000).rounded() / 1000,
                (segment.timeMapping.target.start.seconds * 1000).rounded() / 1000,
            ]
        }
    }
    private func video(_ ranges: CMTimeRange...) throws -> AVMutableCompositionTrack {
        try CompositionRig.add(ranges, of: CompositionRig.track("counter-video.mp4"), to: composition)
    }
    private func seconds(_ from: Int64, _ to: Int64) -> CMTimeRange { CompositionRig.frames(from, to, 1) }
    private func second(_ value: Int64) -> CMTime { CompositionRig.time(value, 1) }

    @Test("an insertion moves what follows")
    func insertion() throws {
        let track = try video(seconds(0, 2))
        let source = try CompositionRig.track("counter-video.mp4")
        try track.insertTimeRange(seconds(5, 6), of: source, at: second(1))
        #expect(starts(track) == [[0, 0], [5, 1], [1, 2]])
        #expect(track.timeRange == CMTimeRange(start: .zero, duration: second(3)))
        #expect(composition.duration == second(3))
        // After the end, an empty segment comes first.
        try track.insertTimeRange(seconds(8, 9), of: source, at: second(5))
        #expect(starts(track) == [[0, 0], [5, 1], [1, 2], [-1, 3], [8, 5]])
        #expect(composition.duration == second(6))
        try track.insertTimeRanges(
            [NSValue(timeRange: seconds(2, 3)), NSValue(timeRange: seconds(4, 5))], of: [source, source],
            at: .invalid)
        #expect(starts(track).suffix(2) == [[2, 6], [4, 7]])
    }

    @Test("a segment names its file and its track")
    func segments() throws {
        let track = try video(seconds(1, 2))
        track.insertEmptyTimeRange(seconds(0, 1))
        let segments = track.segments
        #expect(segments.map(\.isEmpty) == [true, false])
        #expect(segments[0].sourceURL == nil && segments[0].sourceTrackID == kCMPersistentTrackID_Invalid)
        #expect(try segments[1].sourceURL == TestMedia.url("counter-video.mp4") && segments[1].sourceTrackID == 1)
        #expect(segments[1].timeMapping.source == seconds(1, 2))
        #expect(segments[1].timeMapping.target == seconds(1, 2))
    }

    @Test("a range is clamped to the track")
    func clamping() throws {
        let track = try video(seconds(9, 20))
        #expect(abs(composition.duration.seconds - 1) < 0.001)
        let source = try CompositionRig.track("counter-video.mp4")
        let whole = CMTimeRange(start: second(-3), duration: .positiveInfinity)
        try track.insertTimeRange(whole, of: source, at: .zero)
        #expect(abs(composition.duration.seconds - 11) < 0.001)
    }

    @Test("invalid insertions throw and change nothing")
    func errors() throws {
        let track = try video(seconds(0, 1))
        let source = try CompositionRig.track("counter-video.mp4")
        let sound = try CompositionRig.track("counter.mp4", .audio)
        func code(_ body: () throws(AVError) -> Void) -> AVError.Code? {
            do throws(AVError) { try body() } catch { return error.code }
            return nil
        }
        for range in [
            CMTimeRange.invalid, .zero, seconds(30, 40), CMTimeRange(start: .indefinite, duration: second(1)),
        ] {
            #expect(
                code { () throws(AVError) in try track.insertTimeRange(range, of: source, at: .zero) }
                    == .invalidArgument, "\(range)")
        }
        #expect(
            code { () throws(AVError) in try track.insertTimeRange(seconds(0, 1), of: sound, at: .zero) }
                == .invalidArgument)
        #expect(
            code { () throws(AVError) in try track.insertTimeRange(seconds(0, 1), of: source, at: .positiveInfinity) }
                == .invalidArgument)
        #expect(
            code { () throws(AVError) in
                try track.insertTimeRanges([NSValue(timeRange: seconds(0, 1))], of: [], at: .zero)
            } == .invalidArgument)
        track.insertEmptyTimeRange(.invalid)
        track.removeTimeRange(CMTimeRange(start: .zero, duration: .indefinite))
        track.scaleTimeRange(seconds(0, 1), toDuration: .zero)
        #expect(starts(track) == [[0, 0]] && composition.duration == second(1))
    }

    @Test("empty ranges move what follows, except at the end")
    func empty() throws {
        let track = try video(seconds(0, 2))
        track.insertEmptyTimeRange(seconds(1, 3))
        track.insertEmptyTimeRange(seconds(2, 3))
        #expect(starts(track) == [[0, 0], [-1, 1], [1, 4]])
        composition.insertEmptyTimeRange(seconds(5, 9))
        #expect(composition.duration == second(5))
    }

    @Test("a removal closes the gap")
    func removal() throws {
        let track = try video(seconds(0, 3), seconds(5, 7))
        composition.removeTimeRange(seconds(2, 4))
        #expect(starts(track) == [[0, 0], [6, 2]])
        #expect(composition.duration == second(3))
        track.removeTimeRange(seconds(0, 50))
        #expect(track.segments.isEmpty && composition.duration == .zero && composition.tracks.count == 1)
    }

    @Test("scaling changes the duration of its range only")
    func scaling() throws {
        let track = try video(seconds(0, 4))
        composition.scaleTimeRange(seconds(1, 3), toDuration: second(1))
        #expect(starts(track) == [[0, 0], [1, 1], [3, 2]])
        #expect(composition.duration == second(3))
        let scaled = track.segments[1].timeMapping
        #expect(scaled.source.duration == second(2) && scaled.target.duration == second(1))
        // Half of the scaled segment is cut off.
        track.removeTimeRange(CMTimeRange(start: CompositionRig.time(3, 2), end: second(3)))
        #expect(abs(track.segments[1].timeMapping.source.duration.seconds - 1) < 1e-6)
    }

    /// Appending places only the new segments. If it placed all of them, this test would take much longer.
    @Test("many segments can be appended")
    func many() throws {
        let source = try CompositionRig.track("counter-video.mp4")
        let range = CompositionRig.frames(30, 40)
        let track = try video(range)
        for _ in 1..<10_000 { try track.insertTimeRange(range, of: source, at: .invalid) }
        #expect(composition.duration == CompositionRig.time(100_000))
        let segments = track.segments
        #expect(segments.count == 10_000)
        #expect(segments[9_999].timeMapping.target == CompositionRig.frames(99_990, 100_000))
    }

    @Test("appending and inserting leave the same segments")
    func orders() throws {
        let source = try CompositionRig.track("counter-video.mp4")
        let new = try [(0, 7), (40, 41), (8, 100)].map { from, to in
            try CompositionInsertion.segments(of: source, CompositionRig.frames(from, to, 24), for: .video)
        }
        let gap = CompositionSegment(empty: CompositionRig.time(11))
        var appended = SegmentList()
        appended.insert(new[0], at: nil)
        appended.insert(new[1], at: appended.end + gap.duration)
        appended.insert([gap, gap], at: nil)
        appended.insert(new[2] + [gap], at: appended.end)
        var inserted = SegmentList()
        inserted.insert(new[2], at: .zero)
        inserted.insert(new[1], at: .zero)
        inserted.insert([gap], at: .zero)
        inserted.insert(new[0], at: .zero)
        #expect(appended.all.map(\.target) == inserted.all.map(\.target))
        #expect(appended.all.map { $0.source == nil } == [false, true, false, false])
    }

    @Test("the gaps of a video track show the tracks below")
    func layers() throws {
        let above = try video(seconds(0, 1), seconds(0, 1))
        above.insertEmptyTimeRange(seconds(0, 1))
        above.insertEmptyTimeRange(seconds(2, 3))
        _ = try video(CMTimeRange(start: .zero, end: CompositionRig.time(5, 2)), seconds(5, 6), seconds(7, 8))
        _ = try video(seconds(0, 7))
        let plan = CompositionPlan(composition.content.state)
        let starts: [Double] = [0, 1, 2, 2.5, 3, 4, 4.5]
        #expect(plan.video.map(\.target.lowerBound.seconds) == starts)
        #expect(plan.video.map(\.target.upperBound.seconds) == Array(starts.dropFirst()) + [7])
        #expect(plan.video.map(\.start.seconds) == [0, 0, 2, 5, 0, 7.5, 4.5])
    }

    @Test("tracks have identifiers and can be removed")
    func tracks() throws {
        let first = try #require(composition.addMutableTrack(withMediaType: .video, preferredTrackID: 7))
        let second = try #require(composition.addMutableTrack(withMediaType: .audio, preferredTrackID: 7))
        #expect(first.trackID == 7 && second.trackID == 8 && first.asset === composition)
        #expect(composition.addMutableTrack(withMediaType: .subtitle, preferredTrackID: 1) == nil)
        #expect(composition.tracks(withMediaType: .audio).map(\.trackID) == [8])
        #expect(composition.track(withTrackID: 7) === first)
        let source = try CompositionRig.track("counter.mp4", .audio)
        #expect(composition.mutableTrack(compatibleWith: source) === second)
        composition.removeTrack(second)
        #expect(composition.tracks.map(\.trackID) == [7] && composition.mutableTrack(compatibleWith: source) == nil)
        try second.insertTimeRange(seconds(0, 1), of: source, at: .zero)
        #expect(second.segments.isEmpty)
    }

    @Test("a removed track does not change a track with its identifier")
    func sameIdentifier() throws {
        let removed = try #require(composition.addMutableTrack(withMediaType: .video, preferredTrackID: 1))
        composition.removeTrack(removed)
        let track = try #require(composition.addMutableTrack(withMediaType: .audio, preferredTrackID: 1))
        #expect(track.trackID == removed.trackID)
        try removed.insertTimeRange(seconds(0, 1), of: CompositionRig.track("counter-video.mp4"), at: .zero)
        removed.isEnabled = false
        #expect(track.segments.isEmpty && track.isEnabled && removed.segments.isEmpty)
        composition.removeTrack(removed)
        #expect(composition.tracks.count == 1 && composition.content.state.tracks.count == 1)
    }

    @Test("properties come from the first file until they are set")
    func properties() throws {
        let track = try video(seconds(0, 1))
        #expect(track.codecName == "h264" && track.naturalSize == CGSize(width: 320, height: 64))
        #expect(
            composition.naturalSize == CGSize(width: 320, height: 64) && track.isEnabled && track.preferredVolume == 1)
        #expect(track.naturalTimeScale == 15_360 && track.preferredTransform.isIdentity)
        track.preferredTransform = CGAffineTransform(a: 0, b: 1, c: -1, d: 0, tx: 64, ty: 0)
        track.preferredVolume = -.infinity
        track.naturalTimeScale = 90
        track.isEnabled = false
        track.extendedLanguageTag = "de"
        composition.naturalSize = CGSize(width: 10, height: 20)
        #expect(track.presentationSize == CGSize(width: 64, height: 320) && track.rotation == 90)
        #expect(track.preferredVolume == 0 && track.naturalTimeScale == 90 && !track.isEnabled)
        #expect(track.languageCode == "deu" && composition.naturalSize == CGSize(width: 10, height: 20))
        (track.naturalTimeScale, composition.naturalSize) = (0, .zero)
        #expect(track.naturalTimeScale == 15_360 && composition.naturalSize.width == 320)
    }

    @Test("a copy does not change with its composition")
    func copies() async throws {
        _ = try video(seconds(0, 2))
        let fixed = try #require(composition.copy() as? AVComposition)
        let other = try #require(composition.mutableCopy() as? AVMutableComposition)
        composition.removeTimeRange(seconds(0, 1))
        other.insertEmptyTimeRange(seconds(0, 1))
        let (duration, tracks) = try await fixed.load(.duration, .tracks)
        #expect(duration == second(2) && tracks.count == 1 && tracks[0] === fixed.tracks[0])
        #expect(!(fixed is AVMutableComposition) && fixed.tracks[0].asset === fixed)
        #expect(composition.duration == second(1) && other.duration == second(3))
        #expect(try await fixed.load(.isPlayable))
        #expect(try await fixed.loadMediaSelectionGroup(for: .audible) == nil)
        #expect(try await AVMutableComposition().load(.isPlayable) == false)
    }

    @Test("an inserted asset brings its tracks and stays synchronous")
    func asset() async throws {
        let film = AVURLAsset(url: try TestMedia.url("counter.mp4"))
        let silent = AVURLAsset(url: try TestMedia.url("counter-video.mp4"))
        try await composition.insertTimeRange(seconds(2, 4), of: film, at: .zero)
        #expect(composition.tracks.map(\.mediaType) == [.video, .audio])
        try await composition.insertTimeRange(seconds(0, 1), of: silent, at: second(1))
        #expect(starts(composition.tracks[0]) == [[2, 0], [0, 1], [3, 2]])
        #expect(starts(composition.tracks[1]) == [[2, 0], [-1, 1], [3, 2]])
        // A composition can be a source, too.
        let whole = AVMutableComposition()
        try await whole.insertTimeRange(
            CMTimeRange(start: CompositionRig.time(3, 2), duration: .positiveInfinity), of: composition, at: .invalid)
        #expect(starts(whole.tracks[0]) == [[0.5, 0], [3, 0.5]])
        #expect(starts(whole.tracks[1]) == [[-1, 0], [3, 0.5]])
        await #expect(throws: AVError.self) {
            try await composition.insertTimeRange(seconds(50, 60), of: film, at: .zero)
        }
        await #expect(throws: AVError.self) {
            try await composition.insertTimeRange(
                seconds(0, 1), of: AVURLAsset(url: URL(fileURLWithPath: "/none.mp4")), at: .zero)
        }
    }

    @Test("a track of an asset knows its asset")
    func owner() async throws {
        let film = AVURLAsset(url: try TestMedia.url("counter.mp4"))
        let tracks = try await film.load(.tracks)
        #expect(!tracks.isEmpty && tracks.allSatisfy { $0.asset === film })
        // A track can be inserted even if nothing else refers to its asset.
        let alone = try CompositionRig.track("counter-video.mp4")
        #expect(alone.asset == nil)
        try CompositionRig.add([seconds(0, 1)], of: alone, to: composition)
    }

    @Test("a stream is refused with a remedy")
    func stream() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let stream = AVURLAsset(url: server.url(for: "vod-ts/master.m3u8"))
        let track = try #require(try await stream.loadTracks(withMediaType: .video).first)
        let own = try video(seconds(0, 1))
        let errors = [
            try await #require(throws: AVError.self) {
                try await composition.insertTimeRange(seconds(0, 1), of: stream, at: .zero)
            },
            try #require(throws: AVError.self) { try own.insertTimeRange(seconds(0, 1), of: track, at: .zero) },
        ]
        for error in errors {
            #expect(error.code == .operationNotSupported && error.suggestion.contains("AVAssetExportSession"))
        }
    }
}
