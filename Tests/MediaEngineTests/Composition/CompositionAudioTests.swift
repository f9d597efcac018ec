import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Audio of compositions")
struct CompositionAudioTests {
    private let composition = AVMutableComposition()
    private let folder: SineFile.Folder

    init() throws { folder = try SineFile.Folder() }

    private func track(_ sine: SineFile, _ name: String) throws -> AVAssetTrack {
        try CompositionRig.track(sine.write(name, to: folder.url), .audio)
    }
    private func samples(_ from: Int64, _ to: Int64) -> CMTimeRange { CompositionRig.frames(from, to, 48_000) }

    @Test("parts of files are cut to the sample")
    func exact() throws {
        let sine = SineFile(frequency: 440, seconds: 1)
        let ranges: [(Int64, Int64)] = [(30_001, 32_002), (10, 20), (47_000, 48_000)]
        try CompositionRig.add(
            ranges.map { samples($0.0, $0.1) }, of: track(sine, "a.wav"), to: composition)
        let expected = ranges.flatMap { ($0.0..<$0.1).map { sine.sample(Int($0)) } }
        #expect(try CompositionRig.samples(composition) == expected)
    }

    @Test("a part between two samples has no zero at its end")
    func rounding() throws {
        let sine = SineFile(frequency: 440, seconds: 2, rate: 44_100, channels: 1)
        // The first part begins at sample 73.5 and lasts 44173.5 samples. Both numbers are rounded up.
        try CompositionRig.add(
            [CompositionRig.frames(1, 602, 600), CompositionRig.frames(0, 300, 600)], of: track(sine, "a.wav"),
            to: composition)
        let all = try CompositionRig.samples(composition, rate: 44_100, channels: 1)
        #expect(all == (Array(74..<44_248) + Array(0..<22_050)).map { sine.sample($0) })
    }

    @Test("a seek begins with the sample at its target")
    func seek() throws {
        let sine = SineFile(frequency: 440, seconds: 1)
        try CompositionRig.add(
            [samples(10_000, 20_000), samples(30_000, 48_000)], of: track(sine, "a.wav"), to: composition)
        let reader = try CompositionRig.reader(composition)
        try reader.decodeSound(as: AudioFormat(sampleRate: 48_000, channelMask: AudioFormat.stereo))
        for (target, expected) in [(12_000, 32_000), (3_000, 13_000), (0, 10_000)] {
            try reader.seek(to: MediaTime(samples: Int64(target), rate: 48_000) + 1)
            guard case .sound(let chunk, let time) = try reader.read() else {
                Issue.record("no audio at \(target)")
                continue
            }
            #expect(time?.samples(at: 48_000) == Int64(target))
            #expect(chunk.first == sine.sample(expected), "at \(target)")
        }
    }

    @Test("enabled tracks are mixed by their volumes")
    func mix() throws {
        let (low, high) = (SineFile(frequency: 440, seconds: 1), SineFile(frequency: 700, amplitude: 0.3, seconds: 1))
        let first = try CompositionRig.add([samples(0, 30_000)], of: track(low, "a.wav"), to: composition)
        let second = try CompositionRig.add([samples(5_000, 45_000)], of: track(high, "b.wav"), to: composition)
        (first.preferredVolume, second.preferredVolume) = (0.5, 0.25)
        let mixed = try CompositionRig.samples(composition)
        #expect(mixed.count == 40_000)
        let expected = (0..<40_000).map { (n: Int) -> Float in
            (n < 30_000 ? low.sample(n) * 0.5 : 0) + high.sample(n + 5_000) * 0.25
        }
        #expect(zip(mixed, expected).allSatisfy { abs($0 - $1) < 1e-6 })
        first.isEnabled = false
        let single = try CompositionRig.samples(composition)
        #expect(
            single.count == 40_000
                && zip(single, expected.indices).allSatisfy { abs($0 - high.sample($1 + 5_000) * 0.25) < 1e-6 })
    }

    @Test("a gap is silent")
    func gap() throws {
        let sine = SineFile(frequency: 440, seconds: 1)
        let track = try CompositionRig.add([samples(0, 4_000)], of: track(sine, "a.wav"), to: composition)
        track.insertEmptyTimeRange(samples(1_000, 31_000))
        let all = try CompositionRig.samples(composition)
        #expect(all.count == 34_000 && all[1_000..<31_000].allSatisfy { $0 == 0 })
        #expect(Array(all[..<1_000] + all[31_000...]) == (0..<4_000).map { sine.sample($0) })
    }

    @Test("a part beginning in a gap is not read from the start")
    func gapInFile() throws {
        let url = try AssetTestMedia.make(
            "gap-vorbis.mp4",
            "-f lavfi -i sine=440:r=44100:d=12 -af aselect=not(between(t\\,8\\,9)) -c:a libvorbis")
        try CompositionRig.add(
            [CompositionRig.frames(86, 96, 10)], of: CompositionRig.track(url, .audio), to: composition)
        let plan = CompositionPlan(composition.content.state)
        let piece = try #require(plan.audio.first?.pieces.first)
        let source = try #require(piece.source)
        let samples = try PieceSamples(piece, source, plan.format, at: 0, reusing: nil, interrupt: InterruptToken())
        var all = [Float](repeating: 0, count: 44_100)
        try samples.read(all.count) { values, frames, done in
            for n in 0..<frames { all[done + n] = values[n] }
        }
        #expect(!samples.isFromStart)
        // The gap ends 0.4 s after the beginning of the part.
        #expect(all[..<13_230].allSatisfy { $0 == 0 } && all[22_050...].contains { abs($0) > 0.05 })
    }

    @Test("a scaled range keeps its pitch", arguments: [(48_000, 96_000), (96_000, 48_000), (48_000, 480_000)])
    func scaling(frames: Int, duration: Int) throws {
        let sine = SineFile(frequency: 440, seconds: Double(frames) / 48_000)
        let whole = samples(0, Int64(frames))
        let track = try CompositionRig.add([whole], of: track(sine, "a.wav"), to: composition)
        track.scaleTimeRange(whole, toDuration: CompositionRig.time(Int64(duration), 48_000))
        let all = try CompositionRig.samples(composition)
        #expect(all.count == duration)
        guard duration <= 96_000 else {
            // At a tenth of the speed, there is no audio.
            return #expect(all.allSatisfy { $0 == 0 })
        }
        // The stretcher needs some time at both ends. Between them, 4800 samples contain 44 periods.
        for start in stride(from: 9_600, to: all.count - 14_400, by: 4_800) {
            let part = all[start..<start + 4_800]
            let level = (part.reduce(0) { $0 + $1 * $1 } / 4_800).squareRoot()
            #expect(abs(level - 0.354) < 0.05, "at \(start)")
            let crossings = zip(part, part.dropFirst()).count { ($0 < 0) != ($1 < 0) }
            #expect((84...92).contains(crossings), "at \(start)")
        }
    }

    @Test("a range at an unsupported speed reads no file", arguments: [(4_800, 480_000), (480_000, 4_800)])
    func silentSpeeds(frames: Int, duration: Int) throws {
        let lost = SineFile(frequency: 440, seconds: Double(frames) / 48_000)
        let url = try lost.write("lost.wav", to: folder.url)
        let whole = samples(0, Int64(frames))
        let track = try CompositionRig.add([whole], of: CompositionRig.track(url, .audio), to: composition)
        track.scaleTimeRange(whole, toDuration: CompositionRig.time(Int64(duration), 48_000))
        let sine = SineFile(frequency: 700, seconds: 1)
        try track.insertTimeRange(samples(100, 2_100), of: self.track(sine, "a.wav"), at: .invalid)
        try FileManager.default.removeItem(at: url)
        let all = try CompositionRig.samples(composition)
        try #require(all.count == duration + 2_000)
        #expect(all[..<duration].allSatisfy { $0 == 0 })
        #expect(Array(all[duration...]) == (100..<2_100).map { sine.sample($0) })
    }

    @Test(
        "files of other codecs and rates are mixed", arguments: ["sine-aac44.mp4", "sine-opus.webm", "sine-flac.mkv"])
    func codecs(name: String) throws {
        let sine = SineFile(frequency: 660, seconds: 2, channels: 1)
        try CompositionRig.add([samples(0, 72_000)], of: track(sine, "a.wav"), to: composition)
        try CompositionRig.add([samples(24_000, 84_000)], of: CompositionRig.track(name, .audio), to: composition)
        #expect(CompositionPlan(composition.content.state).format.sampleRate == 48_000)
        let all = try CompositionRig.samples(composition, channels: 1)
        #expect(all.count == 72_000)
        let inside = SineFile.levels(of: 440, in: all[..<57_600], every: 4_800)
        #expect(inside.allSatisfy { abs($0 - 0.4) < 0.05 }, "\(inside)")
        #expect(SineFile.levels(of: 440, in: all[62_400...], every: 4_800).allSatisfy { $0 < 0.01 })
        #expect(SineFile.levels(of: 660, in: all, every: 4_800).allSatisfy { abs($0 - 0.5) < 0.02 })
    }

    @Test("the sample rate is that of all files")
    func rate() throws {
        let sine = SineFile(frequency: 440, seconds: 1, rate: 44_100, channels: 1)
        try CompositionRig.add(
            [CompositionRig.frames(20_001, 30_000, 44_100)], of: track(sine, "a.wav"), to: composition)
        let plan = CompositionPlan(composition.content.state)
        #expect(plan.format.sampleRate == 44_100 && plan.format.channelCount == 1)
        let all = try CompositionRig.samples(composition, rate: 44_100, channels: 1)
        #expect(all == (20_001..<30_000).map { sine.sample($0) })
    }
}
