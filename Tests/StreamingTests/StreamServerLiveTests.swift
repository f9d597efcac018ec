import Foundation
import TestSupport
import Testing

@Suite("Live streams of the test server")
struct StreamServerLiveTests {
    private let server: StreamServer

    init() throws { server = try TestStreams.server() }

    private func live(_ options: LiveStream.Options, over vod: String = "vod-ts/master.m3u8") throws -> LiveStream {
        try LiveStream(server, at: "live", over: TestStreams.url(vod), options: options)
    }

    private func get(_ path: String, headers: [String] = []) throws -> RawClient.Answer {
        try RawClient(server).get("live/" + path, headers: headers)
    }

    private func lines(_ path: String, _ prefix: String) throws -> [String] {
        try get(path).text.split(separator: "\n").map(String.init).filter { $0.hasPrefix(prefix) }
    }

    private func uris(_ path: String) throws -> [String] {
        try get(path).text.split(separator: "\n").map(String.init).filter { !$0.hasPrefix("#") }
    }

    @Test("the window and all its renditions move by segments")
    func window() throws {
        let live = try live(.init(window: 3, firstMediaSequence: 100))
        #expect(try get("master.m3u8").text.contains("v3/index.m3u8"))
        #expect(try !get("master.m3u8").text.contains("I-FRAME"))
        #expect(try uris("v0/index.m3u8") == ["100.ts", "101.ts", "102.ts"])
        live.advance(segments: 2)
        for variant in 0..<4 { #expect(try uris("v\(variant)/index.m3u8") == ["102.ts", "103.ts", "104.ts"]) }
        #expect(try lines("v0/index.m3u8", "#EXT-X-MEDIA-SEQUENCE") == ["#EXT-X-MEDIA-SEQUENCE:102"])
        #expect(try get("v1/104.ts").body == Data(contentsOf: TestStreams.url("vod-ts/v1/seg004.ts")))
        #expect(try get("v1/105.ts").status == 404)
        #expect(live.liveEdge == (105, 0))
    }

    @Test("the program restarts after a discontinuity, which is counted")
    func wrapping() throws {
        let live = try live(.init(window: 3, initialSegments: 14))
        #expect(try get("v0/index.m3u8").text.contains("#EXT-X-DISCONTINUITY\n#EXTINF:2.00000,\n12.ts"))
        #expect(try get("v0/12.ts").body == Data(contentsOf: TestStreams.url("vod-ts/v0/seg000.ts")))
        live.advance()
        #expect(try lines("v0/index.m3u8", "#EXT-X-DISC") == ["#EXT-X-DISCONTINUITY"])
        live.advance()
        #expect(try lines("v0/index.m3u8", "#EXT-X-DISC") == ["#EXT-X-DISCONTINUITY-SEQUENCE:1"])
    }

    @Test("an event keeps all segments, and dates follow them")
    func event() throws {
        let live = try live(
            .init(window: 2, initialSegments: 2, isEvent: true, startDate: Date(timeIntervalSince1970: 0)))
        live.advance(segments: 3)
        #expect(try uris("v0/index.m3u8").count == 5)
        #expect(
            try lines("v0/index.m3u8", "#EXT-X-PROGRAM").last == "#EXT-X-PROGRAM-DATE-TIME:1970-01-01T00:00:08.000Z")
        #expect(try lines("v0/index.m3u8", "#EXT-X-ENDLIST").isEmpty)
        live.finish()
        live.advance(segments: 3)
        #expect(try uris("v0/index.m3u8").count == 5 && lines("v0/index.m3u8", "#EXT-X-ENDLIST").count == 1)
    }

    @Test("a stuck stream does not change")
    func stuck() throws {
        let live = try live(.init())
        live.isStuck = true
        let before = try get("v0/index.m3u8").text
        live.advance()
        #expect(try get("v0/index.m3u8").text == before)
        live.isStuck = false
        #expect(try get("v0/index.m3u8").text != before)
    }

    @Test("a reload waits until its part exists")
    func blocking() async throws {
        let live = try live(.init(initialSegments: 2, partsPerSegment: 4), over: "vod-fmp4/master.m3u8")
        let server = server
        async let reload = offPool { try RawClient(server).get("live/v0/index.m3u8?_HLS_msn=2&_HLS_part=1").text }
        #expect(await server.waitForRequests(1, "live/v0/*"))
        live.advance(parts: 1)
        #expect(server.requests[0].outcome == .running)
        live.advance(parts: 1)
        let text = try await reload
        #expect(
            text.contains(
                "#EXT-X-SERVER-CONTROL:CAN-BLOCK-RELOAD=YES,PART-HOLD-BACK=1.50000\n#EXT-X-PART-INF:PART-TARGET=0.50000"
            ))
        #expect(text.contains("#EXT-X-RENDITION-REPORT:URI=\"../v1/index.m3u8\",LAST-MSN=2,LAST-PART=1"))
        let parts = text.split(separator: "\n").filter { $0.contains("URI=\"2.m4s\"") }
        #expect(
            parts.count == 3 && parts[0].hasSuffix("INDEPENDENT=YES")
                && parts[2].hasPrefix("#EXT-X-PRELOAD-HINT:TYPE=PART"))
        #expect(try get("v0/index.m3u8?_HLS_msn=9").status == 400)
    }

    @Test("parts add up to their segment, and a hinted part is awaited")
    func parts() async throws {
        let live = try live(.init(initialSegments: 1, partsPerSegment: 4), over: "vod-fmp4/master.m3u8")
        live.advance(parts: 3)
        let whole = try Data(contentsOf: TestStreams.url("vod-fmp4/v0/seg001.m4s"))
        let server = server
        var joined = Data()
        for line in try lines("v0/index.m3u8", "#EXT-X-PART:").filter({ $0.contains("\"1.m4s\"") }) {
            let numbers = try #require(line.components(separatedBy: "BYTERANGE=\"").last?.split(separator: "\"").first)
                .split(separator: "@").compactMap { Int($0) }
            #expect(numbers[1] == joined.count)
            joined += try get("v0/1.m4s", headers: ["Range: bytes=\(numbers[1])-\(numbers[1] + numbers[0] - 1)"]).body
        }
        #expect(joined == whole.prefix(joined.count) && joined.count < whole.count)
        let start = joined.count
        async let rest = offPool {
            try RawClient(server).get("live/v0/1.m4s", headers: ["Range: bytes=\(start)-"]).body
        }
        #expect(await server.wait { $0.last?.path == "live/v0/1.m4s" && $0.last?.range == "bytes=\(start)-" })
        live.advance(parts: 1)
        expectEqual(try await joined + rest, whole)
    }

    @Test("parts can be separate files")
    func partFiles() throws {
        let live = try live(
            .init(initialSegments: 1, partsPerSegment: 4, hasPartFiles: true), over: "vod-fmp4/master.m3u8")
        live.advance(segments: 1)
        let joined = try (0..<4).reduce(Data()) { try $0 + get("v2/1.\($1).m4s").body }
        #expect(try joined == get("v2/1.m4s").body)
        #expect(try lines("v2/index.m3u8", "#EXT-X-PRELOAD-HINT") == ["#EXT-X-PRELOAD-HINT:TYPE=PART,URI=\"2.0.m4s\""])
    }

    @Test("a delta update skips old segments")
    func delta() throws {
        _ = try live(.init(window: 10, skips: true), over: "vod-fmp4/master.m3u8")
        #expect(try get("v0/index.m3u8").text.contains("CAN-SKIP-UNTIL=12.00000"))
        let delta = try get("v0/index.m3u8?_HLS_skip=YES").text
        #expect(delta.contains("#EXT-X-SKIP:SKIPPED-SEGMENTS=4\n#EXTINF:2.00000,\n4.m4s"))
        #expect(!delta.contains("EXT-X-MAP"))
    }

    @Test("the stream advances in real time")
    func realTime() throws {
        _ = try live(.init(pace: .realTime(speed: 50), initialSegments: 2, endsAfter: 8, blocksReloads: true))
        var newest = 1
        while newest < 7 {
            let answer = try get("v0/index.m3u8?_HLS_msn=\(newest + 1)")
            #expect(answer.status == 200)
            newest = try #require(
                answer.text.split(separator: "\n").last { $0.hasSuffix(".ts") }.flatMap { Int($0.dropLast(3)) })
        }
        #expect(try get("v0/index.m3u8").text.hasSuffix("7.ts\n#EXT-X-ENDLIST\n"))
    }
}
