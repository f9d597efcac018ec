import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@MainActor
@Suite("Scrubbing an HLS stream")
struct HLSScrubTests {
    /// Returns a paused player that has loaded little of the stream.
    private func paused(_ server: StreamServer, _ path: String = "vod-ts/master.m3u8") async throws -> Rig {
        let rig = Rig()
        let item = AVPlayerItem(url: server.url(for: path))
        item.preferredForwardBufferDuration = 2
        rig.player.insert(item)
        try await rig.ready()
        #expect(rig.number() == 0)
        #expect(await rig.wait { (item.loadedTimeRanges.last?.timeRangeValue.end.seconds ?? 0) >= 1.9 })
        return rig
    }

    private func second(_ count: Double) -> CMTime { CMTime(seconds: count, preferredTimescale: 600) }

    @Test(
        "a tolerant seek while paused loads one I-frame, then playback continues",
        arguments: ["vod-ts/master.m3u8", "vod-fmp4/master.m3u8"])
    func scrub(path: String) async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let rig = try await paused(server, path)
        defer { rig.player.close() }
        let isWhole: @Sendable (ServedRequest) -> Bool = { $0.path.contains("seg") && $0.range == nil }
        // No other request follows after the buffer is full. Before that, the player may be between two requests.
        #expect(
            await rig.wait {
                rig.player.currentItem?.isPlaybackBufferFull == true
                    && server.requests.allSatisfy { $0.outcome != .running }
            })
        let whole = server.requests.count(where: isWhole)
        let all = server.requests("*seg*").count
        #expect(await rig.seek(15.3, before: second(1), after: second(1)))
        #expect(rig.number() == 480)
        #expect(rig.player.currentTime().seconds == 16)
        #expect(await rig.seek(19.1, before: second(2), after: second(0)))
        #expect(rig.number() == 540)
        #expect(server.requests("*seg*").count == all + 2)
        #expect(server.requests.count(where: isWhole) == whole)

        rig.player.play()
        #expect(await rig.wait { (rig.shown.last ?? 0) > 560 && (rig.shown.last ?? 0) < 720 })
        let after = rig.shown.drop { $0 != 540 }
        #expect(after.allSatisfy { $0 >= 540 })
        #expect(server.requests.count(where: isWhole) > whole)
        #expect(rig.player.currentItem?.error == nil)
    }

    @Test("an exact seek after scrubbing shows the exact frame")
    func exact() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let rig = try await paused(server)
        defer { rig.player.close() }
        #expect(await rig.seek(15.3, before: second(1), after: second(1)))
        #expect(rig.number() == 480)
        #expect(await rig.seek(15.3))
        #expect(rig.number() == 459)
        #expect(await rig.seek(9.51, before: second(0.6), after: second(0.6)))
        #expect(rig.number() == 300)
        // A seek away and an exact seek back to the shown position decode the exact frame.
        #expect(await rig.seek(10))
        #expect(rig.number() == 300)
    }

    @Test("scrubbing uses loaded media, and decodes where no I-frame is near")
    func elsewhere() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let rig = try await paused(server)
        defer { rig.player.close() }
        #expect(await rig.seek(1.1, before: second(0.5), after: second(0.5)))
        let shown = try #require(rig.number())
        #expect((18...48).contains(shown))
        #expect(server.requests("*iframes*").isEmpty)
        #expect(await rig.seek(15, before: second(0.2), after: second(0.2)))
        #expect((444...456).contains(try #require(rig.number())))
    }

    @Test("many seeks are all answered, and the last frame stays")
    func many() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let rig = try await paused(server)
        defer { rig.player.close() }
        server.inject(.latency(0.02), on: "*seg*")
        var answers: [Bool] = []
        for step in 0..<40 {
            rig.player.seek(to: second(4 + Double(step) * 0.4), toleranceBefore: second(1), toleranceAfter: second(1)) {
                answers.append($0)
            }
        }
        #expect(await rig.wait { answers.count == 40 })
        #expect(answers.last == true)
        #expect(await rig.seek(21.7, before: second(1), after: second(1)))
        #expect(rig.number() == 660)
        rig.player.play()
        #expect(await rig.wait { (rig.shown.last ?? 0) > 670 })
    }

    @Test("without usable I-frames, scrubbing falls back to an ordinary seek", arguments: [true, false])
    func failing(isPlaylist: Bool) async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        if isPlaylist {
            server.inject(.status(404), on: "*iframes.m3u8")
        } else {
            server.inject(.garbage(500), on: "*seg*", where: { $0.headers["Range"] != nil })
        }
        let rig = try await paused(server)
        defer { rig.player.close() }
        #expect(await rig.seek(15.3, before: second(1), after: second(1)))
        #expect((429...489).contains(try #require(rig.number())))
        #expect(await rig.seek(19.3, before: second(1), after: second(1)))
        #expect((549...609).contains(try #require(rig.number())))
    }
}
