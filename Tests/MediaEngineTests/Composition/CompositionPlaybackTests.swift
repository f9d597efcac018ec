import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Playback of compositions", .serialized)
@MainActor
struct CompositionPlaybackTests {
    private let composition = AVMutableComposition()

    private func expect(
        _ shown: [CompositionRig.Shown], _ numbers: [Int], _ times: [Double],
        location: SourceLocation = #_sourceLocation
    ) {
        #expect(shown.map(\.number) == numbers, sourceLocation: location)
        #expect(
            shown.count == times.count && zip(shown, times).allSatisfy { abs($0.time - $1) < 1e-6 },
            "\(shown.map(\.time))", sourceLocation: location)
    }

    @Test("parts of files are shown to the frame, one after the other")
    func order() throws {
        let track = try CompositionRig.add(
            [CompositionRig.frames(75, 100), CompositionRig.frames(10, 30)],
            of: CompositionRig.track("counter-video.mp4"), to: composition)
        // The only keyframe of this file is its first frame.
        try track.insertTimeRange(
            CompositionRig.frames(301, 310), of: CompositionRig.track("counter.mp4"), at: .invalid)
        let numbers = Array(75..<100) + Array(10..<30) + Array(301..<310)
        expect(try CompositionRig.shown(composition), numbers, (0..<54).map { Double($0) / 30 })
    }

    @Test("files of other frame rates and containers follow without a gap")
    func mixed() throws {
        let track = try CompositionRig.add(
            [CompositionRig.frames(48, 72, 24)], of: CompositionRig.track("counter-23976.mp4"), to: composition)
        let other = try CompositionRig.track("counter.ts")
        try track.insertTimeRange(CompositionRig.frames(30, 36), of: other, at: .invalid)
        // The file's video begins some milliseconds after its audio, so the rest of frame 29 comes first.
        let start = other.timeRange.start.seconds
        #expect(start > 0.001 && start < 1 / 30.0)
        let shown = try CompositionRig.shown(composition)
        let second = shown.filter { $0.time > 0.999 }
        // At 23.976 frames per second, frame 47 is shown until 2.002 s.
        #expect(shown.filter { $0.time < 0.999 }.map(\.number) == Array(47...71))
        #expect(second.map(\.number) == Array(29..<36))
        let times = [1] + (0..<6).map { 1 + start + Double($0) / 30 }
        #expect(zip(second, times).allSatisfy { abs($0.time - $1) < 0.001 }, "\(second.map(\.time))")
    }

    /// The container states about 33 ms for each frame. Frame n lasts 80 ms if n is a multiple of 3, otherwise 20 ms.
    @Test(
        "a part begins inside a frame that lasts longer than stated",
        arguments: [(50, 0, [0.03, 0.02, 0.02]), (1150, 27, [0.01, 0.02, 0.02]), (4030, 99, [0.01, 0.02, 0.02])])
    func variable(start: Int64, number: Int, lengths: [Double]) throws {
        let track = try CompositionRig.add(
            [CompositionRig.frames(0, 10)], of: CompositionRig.track("counter-video.mp4"), to: composition)
        let range = CompositionRig.frames(start, start + 200, 1000)
        try track.insertTimeRange(range, of: CompositionRig.track("counter-vfr.mkv"), at: .invalid)
        let shown = try CompositionRig.shown(composition)
        #expect(shown.prefix(10).map(\.number) == Array(0..<10))
        let second = shown.dropFirst(10).prefix(4)
        #expect(second.map(\.number) == Array(number..<number + 4))
        var time = 1 / 3.0
        for (frame, length) in zip(second, lengths + [0]) {
            #expect(abs(frame.time - time) < 0.0025, "frame \(frame.number) at \(frame.time)")
            time += length
        }
    }

    @Test("frames before a part are decoded only if others need them")
    func disposable() throws {
        try CompositionRig.add(
            [CompositionRig.frames(301, 310)], of: CompositionRig.track("counter.mp4"), to: composition)
        let reader = try CompositionReader(CompositionPlan(composition.content.state), interrupt: InterruptToken())
        let track = try #require(reader.description.video)
        let decoder = try VideoDecoder(track: track, startOffset: reader.startOffset, location: "", device: nil)
        var numbers: [Int] = []
        reading: while true {
            switch reader.next() {
            case .video(let packet):
                decoder.decode(packet, keepOnlyReferences: track.hasEnded(packet, by: 0)) {
                    numbers.append(Rig.number($0.frame))
                }
            case .failed(let error): throw error
            case .end: break reading
            default: continue
            }
        }
        decoder.decode(nil) { numbers.append(Rig.number($0.frame)) }
        #expect(numbers == Array(301..<310))
        #expect(decoder.skippedPackets > 50)
    }

    @Test("a part that begins inside a frame shows the rest of it")
    func partialFrame() throws {
        try CompositionRig.add(
            [CompositionRig.frames(21, 25, 60)], of: CompositionRig.track("counter-video.mp4"), to: composition)
        expect(try CompositionRig.shown(composition), [10, 11, 12], [0, 1 / 60.0, 3 / 60.0])
    }

    @Test("a gap is black")
    func gap() throws {
        let track = try CompositionRig.add(
            [CompositionRig.frames(0, 60)], of: CompositionRig.track("counter-video.mp4"), to: composition)
        track.insertEmptyTimeRange(CompositionRig.frames(30, 75))
        let shown = try CompositionRig.shown(composition)
        expect(
            shown, Array(0..<30) + [0, 0] + Array(30..<60),
            (0..<30).map { Double($0) / 30 } + [1, 2] + (75..<105).map { Double($0) / 30 })
        for black in shown[30..<32] {
            #expect((0..<4).map { Rig.luma(black.frame, quadrant: $0) } == [16, 16, 16, 16])
            #expect(black.frame.presentationSize == CGSize(width: 320, height: 64))
        }
        // Audio that is longer is shown with black frames.
        try CompositionRig.add(
            [CompositionRig.frames(0, 150)], of: CompositionRig.track("counter.mp4", .audio), to: composition)
        #expect(try CompositionRig.shown(composition).last.map { Rig.luma($0.frame, quadrant: 3) } == 16)
    }

    @Test("a scaled range shows its frames slower or faster", arguments: [(60, 15.0), (15, 60)])
    func scaling(frames: Int, rate: Double) throws {
        let track = try CompositionRig.add(
            [CompositionRig.frames(70, 100)], of: CompositionRig.track("counter-video.mp4"), to: composition)
        track.scaleTimeRange(CompositionRig.frames(0, 30), toDuration: CompositionRig.time(Int64(frames)))
        expect(try CompositionRig.shown(composition), Array(70..<100), (0..<30).map { Double($0) / rate })
    }

    @Test("the first enabled video track hides the others")
    func layers() throws {
        let source = try CompositionRig.track("counter-video.mp4")
        let above = try CompositionRig.add([CompositionRig.frames(0, 20)], of: source, to: composition)
        above.insertEmptyTimeRange(CompositionRig.frames(10, 20))
        try CompositionRig.add([CompositionRig.frames(100, 140)], of: source, to: composition)
        let times = (0..<40).map { Double($0) / 30 }
        expect(
            try CompositionRig.shown(composition),
            Array(0..<10) + Array(110..<120) + Array(10..<20) + Array(130..<140), times)
        above.isEnabled = false
        expect(try CompositionRig.shown(composition), Array(100..<140), times)
    }

    @Test("frames are rotated by the track's transform only")
    func rotation() throws {
        let source = try CompositionRig.track(AssetTestMedia.rotated(), .video)
        let track = try CompositionRig.add(
            [CMTimeRange(start: .zero, duration: .positiveInfinity)], of: source, to: composition)
        #expect(try CompositionRig.shown(composition).first?.frame.presentationSize == CGSize(width: 160, height: 90))
        track.preferredTransform = source.preferredTransform
        #expect(try CompositionRig.shown(composition).first?.frame.presentationSize == CGSize(width: 90, height: 160))
    }

    /// Adds frames 75 to 99, a gap of 35 frames, and frames 200 to 229, with the audio of these frames.
    private func addFilm() throws {
        let film = AVURLAsset(url: try TestMedia.url("counter.mp4"))
        try composition.insertTimeRange(CompositionRig.frames(75, 100), of: film, at: .zero)
        try composition.insertTimeRange(CompositionRig.frames(200, 230), of: film, at: CompositionRig.time(60))
    }

    @Test("a seek in a reader begins before its target")
    func offlineSeek() throws {
        try addFilm()
        for target in [1, 24, 30, 59, 60, 75, 89] {
            let shown = try CompositionRig.shown(composition, from: MediaTime(seconds: Double(target) / 30))
            #expect(shown.last?.number == 229)
            #expect(shown.first.map { $0.time <= Double(target) / 30 + 1e-6 } == true, "\(target)")
            #expect(target < 60 || shown.first?.number ?? 0 >= 200, "\(target)")
        }
    }

    @Test("a player seeks to the exact frame")
    func seeking() async throws {
        try addFilm()
        let rig = Rig()
        let item = AVPlayerItem(asset: composition)
        rig.player.insert(item)
        try await rig.ready()
        #expect(rig.number() == 75 && abs(item.duration.seconds - 3) < 1e-6)
        #expect(item.presentationSize == CGSize(width: 320, height: 64))
        let wanted = [(0.0, 75), (0.5, 90), (0.8, 99), (1.2, 0), (1.9, 0), (2.0, 200), (2.5, 215), (2.97, 229)]
        for (time, number) in wanted.reversed() + wanted {
            #expect(await rig.seek(time + 0.01))
            #expect(rig.number() == number, "at \(time)")
        }
        rig.stopDisplay()
        rig.player.close()
    }

    @Test("a player shows the parts in order and ends")
    func playing() async throws {
        try addFilm()
        let rig = Rig()
        let item = AVPlayerItem(asset: composition)
        rig.player.insert(item)
        try await rig.ready()
        // Later changes do not affect the item.
        composition.removeTimeRange(CompositionRig.frames(0, 90))
        rig.player.play()
        #expect(await rig.wait { rig.player.isAtEnd || item.error != nil })
        #expect(item.error == nil && rig.number() == 229)
        // A busy machine may skip frames, but none is out of order.
        let order = Array(75..<100) + [0] + Array(200..<230)
        let places = rig.shown.compactMap { order.firstIndex(of: $0) }
        #expect(places.count == rig.shown.count && places == places.sorted(), "\(rig.shown)")
        let tracks = try await item.asset.load(.tracks)
        #expect(tracks.map(\.mediaType) == [.video, .audio])
        rig.stopDisplay()
        rig.player.close()
    }

    @Test("a composition loops")
    func looping() async throws {
        try CompositionRig.add(
            [CompositionRig.frames(75, 90), CompositionRig.frames(10, 20)],
            of: CompositionRig.track("counter-video.mp4"), to: composition)
        let rig = Rig()
        let looper = AVPlayerLooper(player: rig.player, templateItem: AVPlayerItem(asset: composition))
        try await rig.ready()
        #expect(rig.number() == 75)
        rig.player.play()
        #expect(await rig.wait { looper.loopCount >= 2 })
        #expect(rig.player.currentItem?.error == nil)
        #expect(
            !rig.shown.isEmpty && rig.shown.allSatisfy { (75..<90).contains($0) || (10..<20).contains($0) },
            "\(rig.shown)")
        rig.stopDisplay()
        rig.player.close()
    }

    @Test("an image generator returns exact images")
    func images() async throws {
        try addFilm()
        let generator = AVAssetImageGenerator(asset: composition)
        for (time, number) in [(0.0, 75), (0.81, 99), (2.0, 200), (2.98, 229), (60, 229), (-1, 75)] {
            let (image, _) = try await generator.image(at: CMTime(seconds: time, preferredTimescale: 90_000))
            #expect(Rig.number(image) == number, "at \(time)")
        }
        let black = try await generator.image(at: CompositionRig.time(40)).image
        #expect(Rig.luma(black, quadrant: 2) == 16)
        generator.requestedTimeToleranceBefore = .positiveInfinity
        _ = try await generator.image(at: CompositionRig.time(80))
        let sound = AVMutableComposition()
        try CompositionRig.add(
            [CompositionRig.frames(0, 30)], of: CompositionRig.track("counter.mp4", .audio), to: sound)
        let error = try await #require(throws: AVError.self) {
            try await AVAssetImageGenerator(asset: sound).image(at: .zero)
        }
        #expect(error.code == .noVideoTrack)
    }

    @Test("the error for a missing file names it")
    func missing() async throws {
        let data = try Data(contentsOf: TestMedia.url("counter-video.mp4"))
        let url = try AssetTestMedia.temporary("lost.mp4", data)
        let track = try CompositionRig.add(
            [CompositionRig.frames(0, 30)], of: CompositionRig.track("counter-video.mp4"), to: composition)
        try track.insertTimeRange(CompositionRig.frames(0, 30), of: CompositionRig.track(url, .video), at: .invalid)
        AssetTestMedia.remove(url)
        let late = try #require(throws: AVError.self) { try CompositionRig.shown(composition) }
        #expect(late.code == .fileNotFound && late.location == url.path)
        composition.removeTimeRange(CompositionRig.frames(0, 30))
        let rig = Rig()
        let item = AVPlayerItem(asset: composition)
        rig.player.insert(item)
        #expect(await rig.wait { item.status == .failed })
        #expect((item.error as? AVError)?.location == url.path)
        rig.stopDisplay()
        rig.player.close()
    }

    @Test("a seek into a missing file fails without reading from the start")
    func seekToMissing() async throws {
        let url = try AssetTestMedia.temporary("lost.mp4", Data(contentsOf: TestMedia.url("counter-video.mp4")))
        let source = try CompositionRig.track("counter-video.mp4")
        let track = try CompositionRig.add([CompositionRig.frames(0, 90)], of: source, to: composition)
        try track.insertTimeRange(CompositionRig.frames(0, 60), of: CompositionRig.track(url, .video), at: .invalid)
        AssetTestMedia.remove(url)
        let reader = try CompositionReader(CompositionPlan(composition.content.state), interrupt: InterruptToken())
        #expect(reader.seek(to: 4_000_000_000)?.code == .fileNotFound)
        // The player decodes from the start if a source can't seek.
        #expect(!reader.canDecodeFromStart)
        #expect(reader.seek(to: 1_000_000_000) == nil && reader.rewind(keepingPackets: false) == nil)
        let rig = Rig()
        let item = AVPlayerItem(asset: composition)
        rig.player.insert(item)
        try await rig.ready()
        rig.player.seek(to: CompositionRig.time(120)) { _ in }
        #expect(await rig.wait { item.error != nil })
        #expect((item.error as? AVError)?.location == url.path)
        rig.stopDisplay()
        rig.player.close()
    }

    @Test("an interrupted seek continues at its target")
    func interruptedSeek() throws {
        let source = try CompositionRig.track("counter-video.mp4")
        let track = try CompositionRig.add([CompositionRig.frames(0, 30)], of: source, to: composition)
        try track.insertTimeRange(CompositionRig.frames(0, 30), of: CompositionRig.track("counter.mp4"), at: .invalid)
        let token = InterruptToken()
        let reader = try CompositionReader(CompositionPlan(composition.content.state), interrupt: token)
        token.interrupt()
        #expect(reader.seek(to: 1_500_000_000) == nil)
        guard case .failed(let error) = reader.next() else {
            Issue.record("an interrupted reader returned a packet")
            return
        }
        #expect(error.code == .cancelled)
    }

    @Test("an empty composition can't be played")
    func empty() throws {
        let error = try #require(throws: AVError.self) { try CompositionRig.reader(composition) }
        #expect(error.code == .noPlayableTracks && !error.suggestion.isEmpty)
    }

    @Test("remote files play in a composition")
    func remote() async throws {
        _ = try TestMedia.url("counter.mp4")
        let server = try StreamServer(root: TestMedia.folder)
        defer { server.close() }
        let film = AVURLAsset(url: server.url(for: "counter.mp4"))
        try await composition.insertTimeRange(CompositionRig.frames(75, 100), of: film, at: .zero)
        try await composition.insertTimeRange(CompositionRig.frames(10, 20), of: film, at: .invalid)
        let rig = Rig()
        let item = AVPlayerItem(asset: composition)
        rig.player.insert(item)
        try await rig.ready()
        // The first part ends at 0.83 s.
        #expect(await rig.wait { (item.loadedTimeRanges.first?.timeRangeValue.end.seconds ?? 0) > 0.8 })
        #expect(item.loadedTimeRanges.first?.timeRangeValue.start.seconds == 0)
        #expect(await rig.seek(0.51))
        #expect(rig.number() == 90)
        rig.player.play()
        #expect(await rig.wait { rig.player.isAtEnd || item.error != nil })
        #expect(item.error == nil && rig.number() == 19)
        rig.stopDisplay()
        rig.player.close()
    }
}
