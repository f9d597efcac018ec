import Foundation
import MediaCore
import MediaEngine
import TestSupport
import Testing

@testable import Export

@Suite("Export of edited compositions", .serialized)
struct ExportEditTests {
    private func frames(_ from: Int64, _ to: Int64) -> CMTimeRange {
        CMTimeRange(start: CMTime(value: from, timescale: 30), end: CMTime(value: to, timescale: 30))
    }

    /// Returns a composition of two parts of a film with a gap between them, 3 s long.
    private func composition() async throws -> AVMutableComposition {
        let film = AVURLAsset(url: try TestMedia.url("counter.mp4"))
        let composition = AVMutableComposition()
        try await composition.insertTimeRange(frames(75, 105), of: film, at: .zero)
        try await composition.insertTimeRange(frames(200, 230), of: film, at: CMTime(value: 60, timescale: 30))
        return composition
    }

    private func export(_ composition: AVComposition, _ bench: ExportBench, _ name: String, _ range: CMTimeRange? = nil)
        async throws -> URL
    {
        let session = try #require(
            AVAssetExportSession(asset: composition, presetName: AVAssetExportPresetHighestQuality))
        if let range { session.timeRange = range }
        try await session.export(to: bench.url(name))
        #expect(session.status == .completed)
        return bench.url(name)
    }

    @Test("an exported composition contains its parts to the frame", arguments: ["mp4", "mov"])
    func whole(type: String) async throws {
        let bench = try ExportBench()
        let file = try await export(composition(), bench, "out.\(type)")
        expectEqual(try await bench.numbers(file), Array(75..<105) + [0] + Array(200..<230))
        let times = try await bench.times(file)
        let expected = (0..<31).map { Double($0) / 30 } + (60..<90).map { Double($0) / 30 }
        #expect(times.count == expected.count && zip(times, expected).allSatisfy { abs($0 - $1) < 0.001 }, "\(times)")
        // The audio is encoded again, with silence in the gap.
        let sound = try await bench.samples(file)
        #expect(abs(sound.count - 144_000) <= 2048)
        func loudest(_ from: Double, _ to: Double) -> Float {
            sound[Int(from * 48_000)..<Int(to * 48_000)].map { abs($0) }.max() ?? 0
        }
        #expect(loudest(0.1, 0.9) > 0.3 && loudest(2.1, 2.9) > 0.3 && loudest(1.1, 1.9) < 0.01)
    }

    @Test("a range of a composition is exported")
    func range() async throws {
        let bench = try ExportBench()
        let file = try await export(composition(), bench, "out.mp4", frames(20, 70))
        expectEqual(try await bench.numbers(file), Array(95..<105) + [0] + Array(200..<210))
    }

    @Test("the exported language is that of the first mixed audio track")
    func language() async throws {
        let bench = try ExportBench()
        let film = AVURLAsset(url: try TestMedia.url("counter.mp4"))
        let composition = AVMutableComposition()
        func add(_ type: AVMediaType) throws -> AVMutableCompositionTrack {
            try #require(
                composition.addMutableTrack(withMediaType: type, preferredTrackID: kCMPersistentTrackID_Invalid))
        }
        let video = try #require(try await film.loadTracks(withMediaType: .video).first)
        let audio = try #require(try await film.loadTracks(withMediaType: .audio).first)
        try add(.video).insertTimeRange(frames(0, 10), of: video, at: .zero)
        // The first audio track is disabled, and the second one is empty.
        for language in ["deu", "ita", "fra", "spa"] {
            let track = try add(.audio)
            track.languageCode = language
            track.isEnabled = language != "deu"
            if language != "ita" { try track.insertTimeRange(frames(0, 10), of: audio, at: .zero) }
        }
        let file = try await export(composition, bench, "out.mp4")
        let exported = try await AVURLAsset(url: file).loadTracks(withMediaType: .audio)
        #expect(exported.map(\.languageCode) == ["fra"])
    }

    @Test("an empty composition is not exported")
    func empty() async throws {
        let bench = try ExportBench()
        let session = AVAssetExportSession(asset: AVMutableComposition())
        let error = try await #require(throws: AVError.self) { try await session.export(to: bench.url("out.mp4")) }
        #expect(error.code == .noPlayableTracks)
    }
}
