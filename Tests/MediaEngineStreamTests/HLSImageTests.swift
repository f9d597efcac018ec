import CFFmpeg
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine
@testable import Streaming

@Suite("Images of an HLS stream")
struct HLSImageTests {
    /// Returns the number, read from the blocks of the upper half, and the variant, read from the gray of the lower
    /// half.
    static func read(_ frame: VideoFrame) -> (number: Int, variant: Int) {
        frame.withAVFrame { f in
            guard let luma = f.pointee.data.0 else { return (-1, -1) }
            let stride = Int(f.pointee.linesize.0)
            let width = Int(f.pointee.width)
            let height = Int(f.pointee.height)
            // A scaled frame is RGB. For gray, all three components are equal.
            let pixel = f.pointee.data.1 == nil ? stride / width : 1
            func at(_ x: Int, _ y: Int) -> Int { Int(luma[y * stride + x * pixel]) }
            let number = (0..<16).reduce(0) { $0 << 1 | (at((2 * $1 + 1) * width / 32, height / 4) > 125 ? 1 : 0) }
            return (number, TestStreams.variant(luma: at(width / 2, height * 3 / 4)))
        }
    }

    private func time(_ frame: Int, plus: Double = 0) -> CMTime {
        CMTime(seconds: Double(frame) / 30 + plus, preferredTimescale: 90_000)
    }

    @Test(
        "any time within a frame gives that frame, across segments",
        arguments: [
            "vod-ts/master.m3u8", "vod-fmp4/master.m3u8", "byterange/ts.m3u8", "aes128/explicit.m3u8",
            "aes128/implicit.m3u8", "late-start/index.m3u8",
        ])
    func exact(path: String) async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: server.url(for: path)))
        for wanted in [0, 59, 60, 61, 397, 719] {
            for offset in [0.0, 0.03] {
                let (frame, actual) = try await generator.image(at: time(wanted, plus: offset))
                #expect(Self.read(frame).number == wanted, "\(path) at \(wanted) + \(offset)")
                #expect(abs(actual.seconds - Double(wanted) / 30) < 0.0011)
            }
        }
    }

    @Test("times outside the stream give the first or last frame")
    func edges() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: server.url(for: "vod-ts/master.m3u8")))
        for time in [CMTime(value: -5, timescale: 1), .negativeInfinity] {
            #expect(Self.read(try await generator.image(at: time).image).number == 0)
        }
        for time in [CMTime(value: 24, timescale: 1), CMTime(value: 9000, timescale: 1), .positiveInfinity] {
            #expect(Self.read(try await generator.image(at: time).image).number == 719)
        }
        await #expect(throws: AVError.self) { try await generator.image(at: .invalid) }
    }

    @Test("an exact image loads one segment of a sufficient variant")
    func economy() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let asset = AVURLAsset(url: server.url(for: "vod-fmp4/master.m3u8"))
        let generator = AVAssetImageGenerator(asset: asset)
        #expect(Self.read(try await generator.image(at: time(397)).image) == (397, 3))
        #expect(server.requests("*.m4s").map(\.path) == ["vod-fmp4/v3/seg006.m4s"])
        generator.maximumSize = CGSize(width: 400, height: 0)
        let small = try await generator.image(at: time(397)).image
        #expect(Self.read(small) == (397, 1))
        #expect(small.width == 400)
        #expect(server.requests("*.m4s").map(\.path).last == "vod-fmp4/v1/seg006.m4s")
        #expect(server.requests("*audio*").isEmpty)
    }

    @Test("a preview loads only one I-frame's byte range", arguments: ["vod-ts", "vod-fmp4"])
    func preview(folder: String) async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: server.url(for: "\(folder)/master.m3u8")))
        generator.requestedTimeToleranceBefore = .positiveInfinity
        generator.requestedTimeToleranceAfter = .positiveInfinity
        generator.maximumSize = CGSize(width: 300, height: 300)
        let (frame, actual) = try await generator.image(at: CMTime(seconds: 13.4, preferredTimescale: 600))
        #expect(Self.read(frame) == (420, 0))
        #expect(actual.seconds == 14)
        let media = server.requests("*seg*")
        #expect(media.count == 1)
        let playlist = try String(contentsOf: TestStreams.url("\(folder)/v0/iframes.m3u8"), encoding: .utf8).split(
            separator: "\n")
        let name = try #require(media.first?.path.split(separator: "/").last)
        let line = try #require(playlist.firstIndex { $0 == name })
        let range = try #require(playlist[..<line].last { $0.hasPrefix("#EXT-X-BYTERANGE:") }).dropFirst(
            "#EXT-X-BYTERANGE:".count
        ).split(separator: "@").compactMap { Int($0) }
        #expect(media.first?.range == "bytes=\(range[1])-\(range[1] + range[0] - 1)")
        // The client receives the last byte a moment before the server logs the request.
        #expect(await server.wait { $0.first { fnmatch("*seg*", $0.path, 0) == 0 }?.outcome == .complete })
        #expect(server.requests("*seg*").first?.bytesSent == Int64(range[0]))

        // The next preview loads only its own frame's byte range. The same preview again loads nothing.
        let before = server.requests.count
        let (next, _) = try await generator.image(at: CMTime(seconds: 4.2, preferredTimescale: 600))
        #expect(Self.read(next).number == 120)
        #expect(server.requests.count == before + 1)
        _ = try await generator.image(at: CMTime(seconds: 4.1, preferredTimescale: 600))
        #expect(server.requests.count == before + 1)
    }

    @Test("an image uses the nearest I-frame within the tolerance")
    func tolerance() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: server.url(for: "vod-ts/master.m3u8")))
        generator.requestedTimeToleranceBefore = CMTime(value: 1, timescale: 2)
        generator.requestedTimeToleranceAfter = CMTime(value: 1, timescale: 2)
        #expect(
            Self.read(try await generator.image(at: CMTime(seconds: 6.4, preferredTimescale: 600)).image).number == 180)
        #expect(
            Self.read(try await generator.image(at: CMTime(seconds: 7.7, preferredTimescale: 600)).image).number == 240)
        // No keyframe is within half a second of this time, so a nearer frame is decoded.
        let (frame, actual) = try await generator.image(at: CMTime(seconds: 7, preferredTimescale: 600))
        #expect(abs(actual.seconds - 7) <= 0.5001)
        #expect(Self.read(frame).number == Int((actual.seconds * 30).rounded()))
        #expect(server.requests("*seg003.ts").contains { $0.range == nil })
    }

    @Test("a failing I-frame playlist is skipped")
    func broken() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        server.inject(.status(404), on: "*iframes.m3u8")
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: server.url(for: "vod-ts/master.m3u8")))
        generator.requestedTimeToleranceBefore = CMTime(value: 2, timescale: 1)
        let (frame, actual) = try await generator.image(at: CMTime(seconds: 7, preferredTimescale: 600))
        #expect((5...7.01).contains(actual.seconds))
        #expect(Self.read(frame).number == Int((actual.seconds * 30).rounded()))
    }

    @Test("an I-frame range of an AES-128 stream is decrypted", arguments: [true, false])
    func encrypted(atStart: Bool) async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        // The same frame, unencrypted and encrypted, and a range that begins in the middle of a cipher block.
        let key = "#EXT-X-KEY:METHOD=AES-128,URI=\"0.key\",IV=0xA0A1A2A3A4A5A6A7A8A9AAABACADAEAF\n"
        let clear = try String(contentsOf: TestStreams.url("vod-ts/v1/iframes.m3u8"), encoding: .utf8)
        let length = try #require(
            clear.components(separatedBy: "\n").first { $0.hasSuffix("@0") && !$0.contains(":1504@") }?.dropFirst(
                "#EXT-X-BYTERANGE:".count
            ).split(separator: "@").first.flatMap { Int($0) })
        // Offset 376 is after the tables, whose bytes are then the initialization section.
        let range = atStart ? "\(length)@0" : "\(length - 376)@376"
        let map = atStart ? "" : "#EXT-X-MAP:URI=\"explicit000.ts\",BYTERANGE=\"376@0\"\n"
        server.serve("aes128/iframes.m3u8") { _ in
            .playlist(
                "#EXTM3U\n#EXT-X-VERSION:6\n#EXT-X-TARGETDURATION:2\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-I-FRAMES-ONLY\n\(key)\(map)"
                    + "#EXTINF:2,\n#EXT-X-BYTERANGE:\(range)\nexplicit002.ts\n#EXT-X-ENDLIST\n")
        }
        server.serve("aes128/master.m3u8") { _ in
            .playlist(
                "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=500000\nexplicit.m3u8\n#EXT-X-I-FRAME-STREAM-INF:BANDWIDTH=9000,URI=\"iframes.m3u8\"\n"
            )
        }
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: server.url(for: "aes128/master.m3u8")))
        generator.requestedTimeToleranceBefore = .positiveInfinity
        generator.requestedTimeToleranceAfter = .positiveInfinity
        let (frame, actual) = try await generator.image(at: CMTime(seconds: 1, preferredTimescale: 600))
        #expect(actual.seconds == 0)
        #expect(Self.read(frame) == (120, 1))
        #expect(await server.wait { $0.first { $0.path.hasSuffix("explicit002.ts") }?.outcome == .complete })
        let media = server.requests("*explicit002.ts")
        #expect(media.count == 1)
        let sent = try #require(media.first?.bytesSent)
        #expect(sent >= Int64(length - (atStart ? 0 : 376)) && sent <= Int64(length + 48))
        #expect(server.requests("*.key").count == 1)
    }

    @Test("an initialization section is loaded with the first frame, or once")
    func heads() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let segment = try Data(contentsOf: TestStreams.url("vod-ts/v1/seg000.ts"))
        let second = try Data(contentsOf: TestStreams.url("vod-ts/v1/seg001.ts"))
        // One resource: tables, frame, tables, frame. As the specification requires, the ranges exclude the first
        // tables.
        let whole = segment.prefix(1504) + second.prefix(2444)
        server.serve("both.ts") { _ in ServerResponse(type: "video/mp2t", Data(whole)) }
        server.serve("iframes.m3u8") { _ in
            .playlist(
                "#EXTM3U\n#EXT-X-VERSION:4\n#EXT-X-TARGETDURATION:2\n#EXT-X-PLAYLIST-TYPE:VOD\n#EXT-X-I-FRAMES-ONLY\n"
                    + "#EXTINF:2,\n#EXT-X-BYTERANGE:1128@376\nboth.ts\n#EXTINF:2,\n#EXT-X-BYTERANGE:2068@1880\nboth.ts\n#EXT-X-ENDLIST\n"
            )
        }
        let source = HLSPresentation.VariantSource(
            attributes: AdaptationVariant(peakBitRate: 1), copies: [.init(url: server.url(for: "iframes.m3u8"))]
        )
        func ranges() -> [String?] { server.requests("*both.ts").map(\.range) }
        try await offPool {
            let loader = IFrameLoader(source, variables: [:], options: HTTPOptions())
            let first = try #require(try loader.picture(nearest: 0, in: .min ... .max) { false })
            #expect(Self.read(try IFrameDecoder.decode(first)).number == 0)
            let next = try #require(try loader.picture(nearest: 2_000_000_000, in: .min ... .max) { false })
            #expect(Self.read(try IFrameDecoder.decode(next)).number == 60)
        }
        #expect(ranges() == ["bytes=0-1503", "bytes=0-375", "bytes=1880-3947"])
    }

    @Test("concurrent previews are correct, and cancelling one harms no other")
    func together() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: server.url(for: "vod-fmp4/master.m3u8")))
        generator.requestedTimeToleranceBefore = .positiveInfinity
        generator.requestedTimeToleranceAfter = .positiveInfinity
        let numbers = try await withThrowingTaskGroup(of: Int.self) { group in
            for second in 0..<12 {
                group.addTask {
                    Self.read(try await generator.image(at: CMTime(value: Int64(second) * 2, timescale: 1)).image)
                        .number
                }
            }
            return try await group.reduce(into: Set()) { $0.insert($1) }
        }
        #expect(numbers == Set((0..<12).map { $0 * 60 }))
        server.inject(.stall(after: 10), on: "*seg003*")
        let before = server.requests("*seg003*").count
        // A generator of exact images uses the same asset.
        let exact = AVAssetImageGenerator(asset: generator.asset)
        let task = Task { try await exact.image(at: CMTime(value: 7, timescale: 1)) }
        #expect(await server.waitForRequests(before + 1, "*seg003*"))
        task.cancel()
        let error = await #expect(throws: AVError.self) { try await task.value }
        #expect(error?.code == .cancelled)
        #expect(Self.read(try await generator.image(at: CMTime(value: 8, timescale: 1)).image).number == 240)
    }

    @Test("an audio-only stream fails with noVideoTrack")
    func soundOnly() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let error = await #expect(throws: AVError.self) {
            try await AVAssetImageGenerator(asset: AVURLAsset(url: server.url(for: "audio-only/master.m3u8"))).image(
                at: .zero)
        }
        #expect(error?.code == .noVideoTrack)
    }
}
