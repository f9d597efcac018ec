import Foundation
import MediaCore
import MediaEngine
import TestSupport
import Testing

@testable import Export

@Suite("Export with audio mixes", .serialized)
struct ExportMixTests {
    private let bench: ExportBench

    init() throws { bench = try ExportBench() }

    /// Returns a file of 3 s with a sine of amplitude 0.5.
    private func film() async throws -> URL {
        try await bench.make(
            "film.mp4",
            [
                "-f", "lavfi", "-i", "color=c=gray:s=64x64:r=25:d=3", "-f", "lavfi", "-i", "sine=440:r=48000:d=3",
                "-af",
                "volume=4", "-c:v", "libx264", "-pix_fmt", "yuv420p", "-c:a", "aac", "-b:a", "192k",
            ])
    }
    private func track(_ url: URL, _ type: AVMediaType = .audio) async throws -> AVAssetTrack {
        try #require(try await AVURLAsset(url: url).loadTracks(withMediaType: type).first)
    }
    /// Returns a mix whose volume decreases from 1 to 0 between 1 s and 2 s.
    private func fade(_ id: CMPersistentTrackID) -> AVAudioMix {
        let parameters = AVMutableAudioMixInputParameters()
        parameters.trackID = id
        parameters.setVolumeRamp(fromStartVolume: 1, toEndVolume: 0, timeRange: seconds(1, 2))
        let mix = AVMutableAudioMix()
        mix.inputParameters = [parameters]
        return mix
    }
    private func gain(at seconds: Double) -> Double { 1 - min(1, max(0, seconds - 1)) }

    /// Checks the levels of the sine in tenths of a second, except the first and the last one.
    private func expectFade(
        _ samples: [Float], from start: Double = 0, volume: Double = 1,
        sourceLocation: SourceLocation = #_sourceLocation
    ) {
        let count = samples.count / 4_800
        #expect(count > 10, sourceLocation: sourceLocation)
        guard count > 10 else { return }
        for index in 1..<count - 1 {
            let part = samples[index * 4_800..<(index + 1) * 4_800]
            let level = Double(part.reduce(0) { $0 + $1 * $1 } / 4_800 * 2).squareRoot()
            let expected = 0.5 * volume * gain(at: start + (Double(index) + 0.5) / 10)
            #expect(abs(level - expected) < 0.03, "tenth \(index): \(level)", sourceLocation: sourceLocation)
        }
    }

    @Test("a file's audio follows the copy of the mix")
    func file() async throws {
        let film = try await film()
        let id = try await track(film).trackID
        let file = try await bench.export(film, to: "out.mp4") { session in
            let mix = AVMutableAudioMix()
            mix.inputParameters = fade(id).inputParameters
            session.audioMix = mix
            mix.inputParameters = []
        }
        try await expectFade(bench.samples(file))
    }

    @Test("in an exported range, the mix has the times of the file")
    func range() async throws {
        let film = try await film()
        let id = try await track(film).trackID
        let file = try await bench.export(film, to: "out.mp4") { session in
            session.timeRange = seconds(0.5, 2.5)
            session.audioMix = fade(id)
        }
        try await expectFade(bench.samples(file), from: 0.5)
    }

    @Test("audio that the mix does not change is copied")
    func copy() async throws {
        let film = try await film()
        for mix in [fade(99), AVAudioMix()] {
            let file = try await bench.export(film, to: "out.mp4") { session in
                session.replacesExistingFile = true
                session.audioMix = mix
            }
            try await expectEqual(bench.soundPackets(file), bench.soundPackets(film))
        }
    }

    @Test("the tracks of a composition follow the mix")
    func composition() async throws {
        let film = try await film()
        let composition = AVMutableComposition()
        func add(_ type: AVMediaType) async throws -> AVMutableCompositionTrack {
            let source = try await track(film, type)
            let track = try #require(
                composition.addMutableTrack(withMediaType: type, preferredTrackID: kCMPersistentTrackID_Invalid))
            try track.insertTimeRange(seconds(0, 3), of: source, at: .zero)
            return track
        }
        _ = try await add(.video)
        let first = try await add(.audio)
        first.preferredVolume = 0.5
        // The second track is never audible.
        let second = AVMutableAudioMixInputParameters(track: try await add(.audio))
        second.setVolume(0, at: .zero)
        let session = AVAssetExportSession(asset: composition)
        let mix = AVMutableAudioMix()
        mix.inputParameters = fade(first.trackID).inputParameters + [second]
        session.audioMix = mix
        try await session.export(to: bench.url("out.mp4"))
        try await expectFade(bench.samples(bench.url("out.mp4")), volume: 0.5)
    }

    @Test("samples are multiplied exactly, whatever the chunks", arguments: [1, 100, 4_799, 96_000])
    func chunks(length: Int) {
        let format = AudioFormat(sampleRate: 48_000, channelMask: AudioFormat.stereo)
        var volume = ExportVolume(fade(1).volumes.ramps(of: 1), from: 500_000_000, format)
        var all: [Float] = []
        for start in stride(from: 0, to: 96_000, by: length) {
            var chunk = [Float](repeating: 0.5, count: min(length, 96_000 - start) * 2)
            volume.apply(to: &chunk)
            all += chunk
        }
        // The range begins 24,000 frames before the ramp.
        let expected = (0..<192_000).map { index -> Float in
            0.5 * (1 - Float(min(48_000, max(0, index / 2 - 24_000))) / 48_000)
        }
        #expect(all.count == expected.count && zip(all, expected).allSatisfy { abs($0 - $1) < 1e-6 })
    }
}
