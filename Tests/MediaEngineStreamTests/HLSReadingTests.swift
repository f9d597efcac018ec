import Foundation
import MediaCore
import Streaming
import TestSupport
import Testing

@testable import MediaEngine

/// The tests use the real reader, server and decoders, but do not play, so the results are exact.
@Suite("Reading HLS streams")
struct HLSReadingTests {
    private func read(_ path: String, upTo end: Int64 = .max) async throws -> StreamReading {
        let server = try TestStreams.server()
        defer { server.close() }
        let url = server.url(for: path)
        return try await offPool { try StreamReading(url, upTo: end) }
    }

    @Test(
        "every stream gives each frame once and continuous audio",
        arguments: [
            "vod-ts/master.m3u8", "vod-fmp4/master.m3u8", "byterange/ts.m3u8", "byterange/fmp4.m3u8",
            "packed-audio/master.m3u8",
            "aes128/explicit.m3u8", "aes128/implicit.m3u8", "aes128/rotation.m3u8", "aes128/fmp4.m3u8",
            "late-start/index.m3u8", "pts-wrap/index.m3u8",
            "define/master.m3u8", "define/query.m3u8?rung=v1", "redundant/master.m3u8", "steering/master.m3u8",
        ])
    func whole(path: String) async throws {
        let reading = try await read(path)
        #expect(reading.error == nil)
        #expect(reading.numbers == Array(0..<720))
        let worst = reading.pictures.enumerated().map { abs($1.time - Int64($0) * 1_000_000_000 / 30) }.max() ?? .max
        #expect(worst < 2_000_000)
        // Two of the streams have no audio.
        if path == "byterange/fmp4.m3u8" || path == "aes128/fmp4.m3u8" { return #expect(reading.sound.isEmpty) }
        #expect(reading.sound.count > 23 * 48_000)
        #expect(reading.worstBreak(frequency: 440) < 0.02)
        #expect(reading.soundDrift < 30_000_000)
    }

    @Test(
        "audio-only streams give continuous audio",
        arguments: ["packed-audio/aac.m3u8", "packed-audio/mp3.m3u8", "audio-only/master.m3u8"])
    func soundAlone(path: String) async throws {
        let reading = try await read(path)
        #expect(reading.error == nil)
        #expect(reading.pictures.isEmpty)
        #expect(reading.sound.count > 23 * 48_000)
        #expect(reading.worstBreak(frequency: 440) < 0.02)
    }

    @Test(
        "reading continues over a discontinuity with new sizes and timestamps",
        arguments: ["discontinuity/ts.m3u8", "discontinuity/fmp4.m3u8"])
    func discontinuity(path: String) async throws {
        let reading = try await read(path)
        #expect(reading.error == nil)
        #expect(reading.numbers == Array(0..<720))
        #expect(Set(reading.pictures.map(\.height)).count == 2)
        let worst = reading.pictures.enumerated().map { abs($1.time - Int64($0) * 1_000_000_000 / 30) }.max() ?? .max
        #expect(worst < 40_000_000)
    }

    @Test(
        "variant switches lose and repeat no frame and leave audio continuous",
        arguments: ["vod-ts/master.m3u8", "vod-fmp4/master.m3u8"])
    func variants(path: String) async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let url = server.url(for: path)
        let reading = try await offPool {
            // The reader is ahead of the network, so each later segment follows the limit that is set at that time.
            try StreamReading(
                url,
                at: { session, time in
                    let second = time / 1_000_000_000
                    session.setForwardDuration(2_000_000_000)
                    session.setPlayhead { time }
                    session.setLimits(AdaptationLimits(peakBitRate: (second / 6) % 2 == 0 ? 300_000 : nil))
                })
        }
        #expect(reading.error == nil)
        #expect(reading.numbers == Array(0..<720))
        let heights = reading.pictures.map(\.height)
        let changes = zip(heights, heights.dropFirst()).filter { $0 != $1 }.count
        #expect(changes >= 2, "\(Set(heights))")
        #expect(reading.worstBreak(frequency: 440) < 0.02)
    }

    @Test("a variant that decodes too slowly is replaced by a smaller one")
    func slowMachine() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let url = server.url(for: "vod-ts/master.m3u8")
        let top = TestStreams.variants[3].height
        let (reading, told) = try await offPool {
            var told: Int64?
            let reading = try StreamReading(
                url,
                at: { session, time in
                    // Keep two seconds buffered. Without a buffer, the delay of the last segment also affects the
                    // choice.
                    session.setForwardDuration(4_000_000_000)
                    session.setPlayhead { max(0, time - 2_000_000_000) }
                    guard told == nil, time > 8_000_000_000,
                        session.currentLog.accesses.last?.resolution.map({ Int($0.height) }) == top
                    else { return }
                    told = time
                    session.decodingIsTooSlow()
                })
            return (reading, told)
        }
        #expect(reading.numbers == Array(0..<720))
        // Media requested before the report is still returned: two seconds of buffer and one segment.
        let then = try #require(told)
        let later = reading.pictures.filter { $0.time > then + 6_000_000_000 }
        #expect(!later.isEmpty && later.allSatisfy { $0.height < top }, "\(then) \(later.map(\.height))")
        // The next lower variant is sufficient.
        #expect(later.contains { $0.height == TestStreams.variants[2].height }, "\(later.map(\.height))")
    }

    @Test("frames after a gap keep their times")
    func gap() async throws {
        let reading = try await read("gap/index.m3u8")
        #expect(reading.error == nil)
        #expect(reading.numbers == Array(0..<240) + Array(300..<720))
        #expect(reading.pictures.allSatisfy { abs($0.time - Int64($0.number) * 1_000_000_000 / 30) < 2_000_000 })
    }

    @Test("a seek starts in the segment that contains its target", arguments: [0.0, 1.99, 2.0, 7.3, 23.9])
    func seek(seconds: Double) async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let url = server.url(for: "vod-ts/master.m3u8")
        let reading = try await offPool {
            try StreamReading(url, from: Int64(seconds * 1e9), upTo: Int64(seconds * 1e9) + 500_000_000)
        }
        let segment = Int(seconds / 2)
        #expect(reading.numbers.first == segment * 60)
        // The last frames are out of order, because reading stops within a group.
        #expect(reading.numbers.prefix(10).elementsEqual(segment * 60..<(segment * 60 + 10)))
    }

    @Test("a language selects the matching audio rendition", arguments: [("en", 440.0), ("de", 550.0), ("fr", 660.0)])
    func languages(tag: String, frequency: Double) async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let url = server.url(for: "vod-fmp4/master.m3u8")
        let reading = try await offPool { try StreamReading(url, audio: .languages([tag]), upTo: 6_000_000_000) }
        #expect(reading.worstBreak(frequency: frequency) < 0.02)
    }

    @Test("SAMPLE-AES audio in fragmented MP4 is decrypted")
    func sampleAES() async throws {
        let reading = try await read("sample-aes/fmp4.m3u8")
        #expect(reading.error == nil)
        #expect(reading.sound.count > 20 * 48_000)
        #expect(reading.worstBreak(frequency: 440) < 0.02)
    }

    @Test(
        "a key system is refused with its name",
        arguments: [("fairplay", "FairPlay"), ("widevine", "Widevine"), ("playready", "PlayReady")])
    func keySystems(file: String, name: String) async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let url = server.url(for: "drm/\(file).m3u8")
        let error = await #expect(throws: AVError.self) { try await offPool { try StreamReading(url) } }
        #expect(error?.code == .unsupportedKeySystem)
        #expect(error?.reason.contains(name) == true)
    }

    @Test("each key is requested once")
    func keysAreCached() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let url = server.url(for: "aes128/rotation.m3u8")
        _ = try await offPool { try StreamReading(url) }
        let keys = server.requests.filter { $0.path.contains("key") }
        #expect(keys.count == Set(keys.map(\.path)).count)
        #expect(keys.count == 2)
    }
}
