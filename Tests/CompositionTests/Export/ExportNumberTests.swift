import Foundation
import MediaCore
import MediaEngine
import TestSupport
import Testing

@testable import Export

@Suite("Export of unusual frame rates and timestamps", .serialized)
struct ExportNumberTests {
    /// AVI files made by DirectShow give frame rates in units of 100 ns.
    @Test(
        "unusual frame rates keep every frame at its timestamp",
        arguments: [
            (333_667, 10_000_000), (417_083, 10_000_000), (1001, 30_000), (100, 2997), (100, 1499), (1001, 24_000),
        ] as [(UInt32, UInt32)])
    func rates(scale: UInt32, rate: UInt32) async throws {
        let bench = try ExportBench()
        let source = bench.folder.appendingPathComponent("rate.avi")
        var bytes = try Data(
            contentsOf: Repository.root.appendingPathComponent("Tests/Media/hostile/avi_10000000_333667.avi"))
        // The fields `dwScale` and `dwRate` of the first AVISTREAMHEADER.
        let header = try #require(bytes.range(of: Data("strh".utf8))).upperBound + 4 + 20
        for (place, number) in [(header, scale), (header + 4, rate)] {
            withUnsafeBytes(of: number.littleEndian) { bytes.replaceSubrange(place..<place + 4, with: $0) }
        }
        try bytes.write(to: source)
        let file = try await bench.export(source, to: "out.mp4", preset: AVAssetExportPresetLowQuality)
        let times = try await bench.times(file)
        let original = try await bench.times(source)
        try #require(times.count == original.count && times.count > 20)
        #expect(abs(original[1] - original[0] - Double(scale) / Double(rate)) < 0.000_002)
        for (written, wanted) in zip(times, original) { #expect(abs(written - (wanted - original[0])) < 0.000_002) }
    }

    @Test("audio with absurd timestamps adds no silence")
    func wrongStamps() throws {
        let format = AudioFormat(sampleRate: 1000, channelMask: AudioFormat.stereo)
        for place in [MediaTime.max, .min, 80_000_000_000_000_000] {
            var cut = AudioTrimmer(range: ExportRange(), format: format, isExact: true, runIn: nil)
            var count = 0
            for time in [0, place, nil] as [MediaTime?] {
                try cut.take([Float](repeating: 1, count: 20), at: time) { (chunk) throws(AVError) in
                    count += chunk.count
                }
            }
            try cut.finish(paddingTo: nil) { (chunk) throws(AVError) in count += chunk.count }
            #expect(count <= 60)
        }
    }
}
