import Foundation
import TestSupport
import Testing

@testable import Downloads

/// The duration of a segment found without a demuxer must equal the one that the demuxer finds.
@Suite("Timestamps of transport streams")
struct TransportTimestampsTests {
    private func duration(_ bytes: Data, piece: Int = 1 << 20) -> Double? {
        var stamps = TransportTimestamps()
        var place = 0
        var isTransport = true
        while place < bytes.count {
            let part = bytes[
                place..<min(bytes.count, place + piece / TransportTimestamps.packet * TransportTimestamps.packet)]
            isTransport = isTransport && part.withUnsafeBytes { stamps.take($0) }
            place += part.count
        }
        return isTransport ? stamps.duration : nil
    }

    @Test(
        "timestamps give a segment's duration, also across a wrap",
        arguments: ["vod-ts/v0", "vod-ts/v3", "pts-wrap"])
    func whole(folder: String) throws {
        _ = try TestStreams.url("vod-ts/master.m3u8")
        let all = try FileManager.default.subpathsOfDirectory(
            atPath: TestStreams.folder.appendingPathComponent(folder).path
        ).filter { $0.hasSuffix(".ts") }
        #expect(!all.isEmpty)
        for name in all {
            let bytes = try Data(
                contentsOf: TestStreams.folder.appendingPathComponent(folder).appendingPathComponent(name))
            let told = try #require(duration(bytes), "\(name)")
            #expect(abs(told - TestStreams.segmentSeconds) < 0.15, "\(name): \(told)")
            #expect(duration(bytes, piece: 188 * 7) == told)
        }
    }

    @Test("a partial segment gives a shorter duration; invalid data gives none")
    func others() throws {
        let bytes = try Data(contentsOf: TestStreams.url("vod-ts/v3/seg004.ts"))
        let half = try #require(duration(bytes.prefix(bytes.count / 2 / 188 * 188)))
        #expect(half < 1.5)
        #expect(duration(Data()) == nil)
        #expect(duration(Data(repeating: 0x3C, count: 188 * 50)) == nil)
        #expect(duration(Data(repeating: 0x47, count: 188 * 50)) == nil)
        #expect(duration(bytes.prefix(188 * 10 + 3)) == nil)
        var scrambled = bytes
        scrambled[188 * 20 + 3] |= 0x80
        #expect(duration(scrambled) == nil)
        // A header that ends beyond its packet, or any changed byte, must not make the parser read beyond the packet.
        var chance = SeededNumbers(seed: 11)
        for _ in 0..<300 {
            var broken = bytes.prefix(188 * 60)
            for _ in 0..<40 {
                broken[Int.random(in: 0..<broken.count, using: &chance)] = UInt8.random(in: 0...255, using: &chance)
            }
            if let told = duration(broken) { #expect(told >= 0 && told < 200_000) }
        }
    }
}
