import Foundation
import MediaCore
import Streaming
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Thumbnails", .serialized)
struct SeekThumbnailTests {
    private func picture(_ pictures: SeekThumbnails, _ seconds: Double, of duration: Double?) async -> VideoFrame? {
        await withCheckedContinuation { continuation in
            pictures.make(at: seconds, of: duration) { continuation.resume(returning: $0) }
        }
    }
    /// Returns the URL of a copy of `counter.mp4` with a keyframe per second. Each frame shows its number.
    private func film() async throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-seekpix-\(UUID().uuidString.prefix(8)).mp4")
        let from = try TestMedia.url("counter.mp4").path
        let code = try await offPool {
            try ChildProcess(
                "ffmpeg",
                [
                    "-v", "error", "-nostdin", "-y", "-i", from, "-an", "-c:v", "libx264", "-preset", "ultrafast",
                    "-qp", "10", "-g", "30", "-keyint_min", "30",
                    "-sc_threshold", "0", "-pix_fmt", "yuv420p", url.path,
                ]
            ).wait()
        }
        guard code == 0 else { throw AppProcess.NoAnswer(what: "ffmpeg ended with \(code)") }
        return url
    }

    @Test("a thumbnail shows the keyframe before its position, and is cached")
    func file() async throws {
        let url = try await film()
        defer { try? FileManager.default.removeItem(at: url) }
        let pictures = SeekThumbnails.shared(for: AVURLAsset(url: url), track: nil)
        #expect(pictures.kept(at: 7.3, of: 20) == nil)
        let frame = try #require(await picture(pictures, 7.3, of: 20))
        // Thumbnail positions are half a second apart, so the thumbnail for 7.3 s is taken at 7.25 s.
        #expect(abs(frame.presentationTime.seconds - 7) < 0.001, "\(frame.presentationTime)")
        #expect(
            CGFloat(frame.width) <= SeekThumbnails.size.width && CGFloat(frame.height) <= SeekThumbnails.size.height)
        #expect(pictures.kept(at: 7.01, of: 20) === frame && pictures.kept(at: 7.6, of: 20) == nil)
        let same = SeekThumbnails.shared(for: AVURLAsset(url: url), track: nil)
        #expect(same === pictures && pictures.statistics.made == 1)
        // Positions at the ends and beyond them.
        expectEqual(await picture(pictures, -5, of: 20)?.presentationTime.seconds, 0)
        #expect(abs((await picture(pictures, 1e12, of: 20)?.presentationTime.seconds ?? 0) - 19) < 0.001)
        #expect(await picture(pictures, .nan, of: 20) == nil)
        #expect(await picture(pictures, 3, of: nil) != nil)
    }

    @Test("assets with different tokens share no thumbnails")
    func tokens() throws {
        let url = try #require(URL(string: "https://example.com/film.mp4"))
        func pictures(_ token: String) -> SeekThumbnails {
            let headers = ["Authorization": "Bearer \(token)"]
            return SeekThumbnails.shared(
                for: AVURLAsset(url: url, options: [AVURLAssetHTTPHeaderFieldsKey: headers]), track: nil)
        }
        let (old, same, fresh) = (pictures("old"), pictures("old"), pictures("fresh"))
        #expect(old === same && old !== fresh)
    }

    @Test("each of many concurrent requests is answered once")
    func wishes() async throws {
        let url = try await film()
        defer { try? FileManager.default.removeItem(at: url) }
        let pictures = SeekThumbnails.shared(for: AVURLAsset(url: url), track: nil)
        let answers = await withTaskGroup(of: Bool.self) { group in
            for n in 0..<40 { group.addTask { await picture(pictures, Double(n) / 2, of: 20) != nil } }
            return await group.reduce(into: [Bool]()) { $0.append($1) }
        }
        #expect(answers.count == 40 && answers.contains(true))
        #expect(pictures.statistics.made <= 40)
    }

    @Test("the cache keeps at most 8 MiB of the latest thumbnails")
    func bound() async throws {
        let url = try await film()
        defer { try? FileManager.default.removeItem(at: url) }
        // The rotated video gives thumbnails of the maximum height.
        let pictures = SeekThumbnails.shared(for: AVURLAsset(url: try TestMedia.url("quad-rot90.mp4")), track: nil)
        for n in 0..<300 { _ = await picture(pictures, Double(n), of: 300) }
        #expect(pictures.statistics.bytes <= 8 << 20 && pictures.statistics.made >= 150)
        #expect(pictures.kept(at: 299, of: 300) != nil)
    }

    @Test(
        "a stream's thumbnails come from I-frame playlists, or else from segments",
        arguments: ["vod-ts/master.m3u8", "captions/master.m3u8"])
    func stream(_ path: String) async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let pictures = SeekThumbnails.shared(for: AVURLAsset(url: server.url(for: path)), track: nil)
        #expect(await picture(pictures, 9, of: 24) != nil)
        #expect(await picture(pictures, 3, of: 24) != nil)
        if path.hasPrefix("vod-ts") {
            #expect(server.requests.allSatisfy { !$0.path.hasSuffix(".ts") || $0.range != nil })
        }
    }

    @Test("a thumbnail track's tile is used; gaps fall back to the video")
    func track() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-sheet-\(UUID().uuidString.prefix(8))")
        let url = try await film()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer {
            try? FileManager.default.removeItem(at: folder)
            try? FileManager.default.removeItem(at: url)
        }
        let sheet = folder.appendingPathComponent("sheet.png").path
        // The sheet is red at the left and blue at the right.
        let code = try await offPool {
            try ChildProcess(
                "ffmpeg",
                [
                    "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "color=red:s=100x60", "-f", "lavfi", "-i",
                    "color=blue:s=100x60",
                    "-filter_complex", "hstack", "-frames:v", "1", sheet,
                ]
            ).wait()
        }
        #expect(code == 0)
        let vtt = folder.appendingPathComponent("thumbs.vtt")
        try
            "WEBVTT\n\n00:00.000 --> 00:05.000\nsheet.png#xywh=0,0,100,60\n\n00:05.000 --> 00:10.000\nsheet.png#xywh=pixel:100,0,100,60\n\n00:10.000 --> 00:11.000\nsheet.png#xywh=percent:50,0,50,50\n\n00:12.000 --> 00:14.000\nsheet.png\n\n00:14.000 --> 00:16.000\nsheet.png#xywh=900,0,10,10\n"
            .write(to: vtt, atomically: true, encoding: .utf8)
        let pictures = SeekThumbnails.shared(for: AVURLAsset(url: url), track: vtt)
        func color(_ frame: VideoFrame?) -> [UInt8] {
            guard let frame else { return [] }
            return frame.withAVFrame { raw in
                guard let pixels = raw.pointee.data.0 else { return [] }
                let at = pixels + Int(raw.pointee.linesize.0) * (frame.height / 2) + 3 * (frame.width / 2)
                return [at[0], at[1], at[2]]
            }
        }
        let left = await picture(pictures, 2, of: 20)
        let right = await picture(pictures, 7, of: 20)
        #expect(left?.width == 100 && left?.height == 60, "\(String(describing: left?.width))")
        #expect((color(left).first ?? 0) > 200 && (color(left).last ?? 255) < 60, "\(color(left))")
        #expect((color(right).first ?? 255) < 60 && (color(right).last ?? 0) > 200, "\(color(right))")
        let percent = await picture(pictures, 10.4, of: 20)
        #expect(percent?.width == 100 && percent?.height == 30 && (color(percent).last ?? 0) > 200)
        expectEqual(await picture(pictures, 13, of: 20)?.width, 200)
        // Where the track has no cue or its image is missing, the thumbnail is taken from the video.
        #expect(abs((await picture(pictures, 11.1, of: 20)?.presentationTime.seconds ?? 0) - 11) < 0.001)
        #expect(abs((await picture(pictures, 15.1, of: 20)?.presentationTime.seconds ?? 0) - 15) < 0.001)
        // A file that is not a thumbnail track is ignored.
        try "nothing".write(to: folder.appendingPathComponent("bad.vtt"), atomically: true, encoding: .utf8)
        #expect(
            await picture(
                SeekThumbnails.shared(for: AVURLAsset(url: url), track: folder.appendingPathComponent("bad.vtt")), 3,
                of: 20) != nil)
    }

    @Test("an image playlist's tiles are used before the stream's own frames")
    func images() async throws {
        // The server's folder contains two sheets of 3 × 2 tiles of 100 × 60 pixels. Each sheet has one color, which
        // identifies it.
        let server = try TestStreams.server()
        defer { server.close() }
        let media = try TestStreams.url("vod-ts/master.m3u8").deletingLastPathComponent()
        var master = try String(contentsOf: media.appendingPathComponent("master.m3u8"), encoding: .utf8)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-images-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        // Replace all relative URLs by absolute ones of the server.
        let base = server.url(for: "vod-ts/").absoluteString
        master = master.split(separator: "\n").map { line -> String in
            if !line.hasPrefix("#") { return base + line }
            return line.replacingOccurrences(of: "URI=\"", with: "URI=\"" + base)
        }.joined(separator: "\n")
        master +=
            "\n#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=1000,RESOLUTION=20x12,CODECS=\"jpeg\",URI=\"nothing.m3u8\"\n#EXT-X-IMAGE-STREAM-INF:BANDWIDTH=15811,RESOLUTION=100x60,CODECS=\"jpeg\",URI=\"images.m3u8\"\n"
        try master.write(to: folder.appendingPathComponent("master.m3u8"), atomically: true, encoding: .utf8)
        try """
        #EXTM3U
        #EXT-X-VERSION:7
        #EXT-X-TARGETDURATION:6
        #EXT-X-MEDIA-SEQUENCE:1
        #EXT-X-PLAYLIST-TYPE:VOD
        #EXT-X-IMAGES-ONLY
        #EXTINF:6,
        #EXT-X-TILES:RESOLUTION=100x60,LAYOUT=3x2,DURATION=1
        one.png
        #EXTINF:2,
        #EXT-X-TILES:RESOLUTION=100x60,LAYOUT=3x2,DURATION=1
        two.png
        #EXT-X-ENDLIST
        """.write(to: folder.appendingPathComponent("images.m3u8"), atomically: true, encoding: .utf8)
        for (name, colors) in [
            ("one", ["red", "lime", "blue", "white", "black", "yellow"]),
            ("two", ["cyan", "magenta", "black", "black", "black", "black"]),
        ] {
            let code = try await offPool {
                try ChildProcess(
                    "ffmpeg",
                    ["-v", "error", "-nostdin", "-y"]
                        + colors.flatMap { ["-f", "lavfi", "-i", "color=\($0):s=100x60"] }
                        + [
                            "-filter_complex", "[0][1][2]hstack=3[a];[3][4][5]hstack=3[b];[a][b]vstack", "-frames:v",
                            "1", folder.appendingPathComponent(name + ".png").path,
                        ]
                ).wait()
            }
            #expect(code == 0)
        }
        let pictures = SeekThumbnails.shared(
            for: AVURLAsset(url: folder.appendingPathComponent("master.m3u8")), track: nil)
        func color(at seconds: Double) async -> [Bool] {
            guard let frame = await picture(pictures, seconds, of: 24), frame.width == 100 else { return [] }
            return frame.withAVFrame { raw in
                guard let pixels = raw.pointee.data.0 else { return [] }
                let at = pixels + Int(raw.pointee.linesize.0) * (frame.height / 2) + 3 * (frame.width / 2)
                return [at[0] > 128, at[1] > 128, at[2] > 128]
            }
        }
        for (seconds, wanted) in [
            (0.3, [true, false, false]), (1.3, [false, true, false]), (2.3, [false, false, true]),
            (3.3, [true, true, true]), (4.3, [false, false, false]),
            (5.3, [true, true, false]), (6.3, [false, true, true]), (7.3, [true, false, true]),
        ] {
            #expect(await color(at: seconds) == wanted, "\(seconds)")
        }
        #expect(!server.requests.contains { $0.path.contains("vod-ts") && !$0.path.contains("m3u8") })
        // After the last tile, the stream's own frames are used.
        let own = await picture(pictures, 12.3, of: 24)
        #expect(own != nil && own?.width != 100)
    }

    @Test(
        "an interruption ends waits for a thumbnail track and its sheets", .timeLimit(.minutes(5)),
        arguments: ["thumbs.vtt", "sheet.png"])
    func slowServer(_ slow: String) async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        server.serve("thumbs.vtt") { _ in .text("WEBVTT\n\n00:00.000 --> 00:05.000\nsheet.png\n") }
        server.serve("sheet.png") { _ in .text("never sent") }
        server.inject(.stall(after: 0), on: slow)
        // Without the interruption, the requests would wait for an hour.
        var options = HTTPOptions()
        options.timeouts.idle = 3_600_000_000_000
        let url = server.url(for: "thumbs.vtt")
        let token = InterruptToken()
        async let hasImage = offPool { [options] in
            (try? ThumbnailTrack(url: url, options: options, interrupt: token))?.image(at: 1) != nil
        }
        #expect(await server.waitForRequests(1, slow))
        token.interrupt()
        expectEqual(try await hasImage, false)
    }

    @Test(
        "only regions of media fragments are accepted",
        arguments: [
            ("xywh=1,2,3,4", [1, 2, 3, 4]), ("xywh=pixel:1,2,3,4", [1, 2, 3, 4]),
            ("xywh=percent:10,20,30,40", [20, 12, 60, 24]), ("xywh=percent:33,0,33,100", [66, 0, 66, 60]),
            ("xywh=percent:1,2,101,4", []), ("xywh=percent:0,0,0,4", []), ("xywh=1,2,3", []), ("xywh=-1,2,3,4", []),
            ("xywh=1,2,0,4", []), ("xywh=99999999999999999999,2,3,4", []), ("t=1", []), ("", []),
        ])
    func part(_ text: String, _ numbers: [Int]) {
        let part = ThumbnailTrack.part(text)?.pixels(width: 200, height: 60)
        #expect(part.map { [$0.x, $0.y, $0.width, $0.height] } ?? [] == numbers)
    }

    @Test("audio and unreadable files have no thumbnails", arguments: ["audio-stereo.wav", "nothing.mp4"])
    func none(_ name: String) async throws {
        let url = name == "nothing.mp4" ? URL(fileURLWithPath: "/nonexistent.mp4") : try TestMedia.url(name)
        #expect(await picture(SeekThumbnails.shared(for: AVURLAsset(url: url), track: nil), 1, of: 20) == nil)
    }
}
