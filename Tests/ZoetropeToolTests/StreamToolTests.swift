import Foundation
import TestSupport
import Testing

@Suite("URLs as input of the tool", .serialized)
struct StreamToolTests {
    private func json(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any])
    }

    @Test("play reports the variants that it played, and its stalls")
    func report() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        // The response for the third segment is delayed until the two before have been played.
        server.inject(.latency(12), on: "*/seg002.*")
        let run = try await ToolProcess.play(
            [server.url(for: "vod-ts/master.m3u8").absoluteString, "--headless", "--report", "json"],
            counting: TestStreams.frameCount)
        #expect(run.code == 0, "\(run.error)")
        let report = try ToolProcess.report(run.output)
        #expect(report["status"] as? String == "ended")
        #expect(report["stalls"] as? Int ?? 0 >= 1)
        #expect(report["stallSeconds"] as? Double ?? 0 > 0)
        #expect(report["bytes"] as? Int ?? 0 > 100_000)
        #expect(report["observedBitrate"] as? Double ?? 0 > 0)
        // No frame is lost by the stall.
        #expect(try ToolProcess.frameCount(run.output) == TestStreams.frameCount)
        let rungs = try #require(report["rungs"] as? [[String: Any]])
        #expect(rungs.first?["width"] as? Int == TestStreams.variants[0].width)
        #expect(rungs.first?["reason"] as? String == "startup")
        // At least once. A busy machine may have switched down again by the end.
        #expect(rungs.contains { $0["width"] as? Int ?? 0 > TestStreams.variants[0].width })
        #expect(rungs.allSatisfy { $0["at"] is Double && $0["bitrate"] is Double })
    }

    @Test("play reports why a URL cannot be played and exits with 1")
    func unplayable() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let missing = try await ToolProcess.run(["play", server.url(for: "nowhere.m3u8").absoluteString, "--headless"])
        expectEnd(missing, 1)
        #expect(missing.error.contains("404") && missing.error.contains("nowhere.m3u8"))
        let protected = try await ToolProcess.run([
            "play", server.url(for: "drm/widevine.m3u8").absoluteString, "--headless",
        ])
        #expect(protected.code == 1 && protected.error.contains("Widevine"), "\(protected)")
    }

    @Test("probe describes a stream's variants, renditions and tracks")
    func probe() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let url = server.url(for: "vod-fmp4/master.m3u8").absoluteString
        let run = try await ToolProcess.run(["probe", "--json", url])
        #expect(run.code == 0, "\(run.error)")
        let report = try json(run.output)
        #expect(report["format"] as? String == "hls")
        #expect(report["duration"] as? Double == 24)
        #expect((report["tracks"] as? [[String: Any]])?.compactMap { $0["type"] as? String } == ["video", "audio"])
        let stream = try #require(report["stream"] as? [String: Any])
        #expect(stream["isLive"] as? Bool == false)
        #expect(stream["iFrameStreams"] as? Int == 4)
        let variants = try #require(stream["variants"] as? [[String: Any]])
        #expect(variants.compactMap { $0["width"] as? Int } == TestStreams.variants.map(\.width))
        #expect(
            variants.allSatisfy {
                ($0["peakBitRate"] as? Double ?? 0) > 100_000 && ($0["codecs"] as? [String])?.count == 2
            })
        let renditions = try #require(stream["renditions"] as? [[String: Any]])
        #expect(renditions.compactMap { $0["language"] as? String } == ["en", "de", "fr", "en", "de"])
        #expect(
            renditions.compactMap { $0["type"] as? String } == ["audio", "audio", "audio", "subtitles", "subtitles"])

        let people = try await ToolProcess.run(["probe", url])
        expectEnd(people, 0)
        for word in [
            "HTTP Live Streaming", "0:24.000", "on demand", "960×192", "avc1.4D401E,mp4a.40.2", "30 fps", "Français",
            "subtitles", "default",
        ] {
            #expect(people.output.contains(word), "\(word) in\n\(people.output)")
        }
    }

    @Test("probe describes captions, encryption, session data and live streams")
    func kinds() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        func stream(_ path: String) async throws -> [String: Any] {
            let run = try await ToolProcess.run(["probe", "--json", server.url(for: path).absoluteString])
            return try #require(try json(run.output)["stream"] as? [String: Any], "\(path): \(run.error)")
        }
        let captions = try #require(try await stream("captions/master.m3u8")["renditions"] as? [[String: Any]])
        #expect(captions.first?["type"] as? String == "captions")
        #expect(captions.first?["instreamID"] as? String == "CC1")
        expectEqual(try await stream("aes128/explicit.m3u8")["encryption"] as? String, "AES-128")
        let live = try await stream("event/index.m3u8")
        #expect(live["isLive"] as? Bool == true)
        #expect(live["seekableEnd"] as? Double ?? 0 > 0)
        let data = try #require(try await stream("steering/master.m3u8")["sessionData"] as? [[String: Any]])
        #expect(data.first?["value"] as? String == "Counter")
        #expect(data.first?["language"] as? String == "en")
    }

    @Test("probe describes a protected stream, reports the reason and exits with 1")
    func protected() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let run = try await ToolProcess.run(["probe", "--json", server.url(for: "drm/master.m3u8").absoluteString])
        expectEnd(run, 1)
        #expect(run.error.contains("FairPlay"))
        let report = try json(run.output)
        #expect(report["isPlayable"] as? Bool == false)
        #expect((report["stream"] as? [String: Any])?["encryption"] as? String == "SAMPLE-AES")
    }

    @Test("probe and snapshot read remote files")
    func remoteFile() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let url = server.url(for: "plain/film.mp4").absoluteString
        let probe = try await ToolProcess.run(["probe", "--json", url])
        #expect(probe.code == 0, "\(probe.error)")
        #expect(try json(probe.output)["stream"] == nil)
        try await snapshot(of: url, at: "13.25", width: 640)
    }

    @Test(
        "snapshot of a stream loads only the smallest sufficient variant",
        arguments: [[], ["--max-width", "300"], ["--max-width", "300", "--tolerance", "3"]])
    func streamPicture(options: [String]) async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        try await snapshot(
            of: server.url(for: "vod-ts/master.m3u8").absoluteString, at: "13.25", options,
            width: options.isEmpty ? 960 : 300)
        #expect(server.requests(options.isEmpty ? "*v3/seg006.ts" : "*v0/seg00*.ts").count == 1)
        #expect(server.requests("*.ts").count == 1)
    }

    private func snapshot(of url: String, at time: String, _ options: [String] = [], width: Int) async throws {
        let picture = FileManager.default.temporaryDirectory.appendingPathComponent("zt-still-\(UUID().uuidString).png")
        defer { try? FileManager.default.removeItem(at: picture) }
        let run = try await ToolProcess.run(["snapshot", url, "--at", time, "-o", picture.path] + options)
        #expect(run.code == 0, "\(run.error)")
        let bytes = [UInt8](try Data(contentsOf: picture))
        // The width in IHDR (PNG §11.2.2).
        #expect(bytes.count > 24 && bytes[16..<20].reduce(0) { $0 << 8 | Int($1) } == width)
    }

    @Test(
        "every command rejects a remote playlist that names a local file",
        arguments: [
            "#EXT-X-TARGETDURATION:2\n#EXTINF:2,\nFILE\n#EXT-X-ENDLIST\n", "#EXT-X-STREAM-INF:BANDWIDTH=500000\nFILE\n",
            "#EXT-X-MEDIA:TYPE=AUDIO,GROUP-ID=\"a\",NAME=\"a\",DEFAULT=YES,URI=\"FILE\"\n#EXT-X-STREAM-INF:BANDWIDTH=500000,AUDIO=\"a\"\nvod-ts/v1/index.m3u8\n",
        ])
    func localFiles(body: String) async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let shell = try ToolShell()
        let isSegment = body.contains("EXTINF")
        let file = try TestStreams.url(isSegment ? "vod-ts/v1/seg000.ts" : "vod-ts/v1/index.m3u8").absoluteString
        server.serve("local.m3u8") { _ in
            .playlist("#EXTM3U\n" + body.replacingOccurrences(of: "FILE", with: file))
        }
        let url = server.url(for: "local.m3u8").absoluteString
        for command in [
            ["play", url, "--headless"], ["probe", url], ["snapshot", url, "-o", shell.file("a.png")],
            ["render", url, "-o", shell.file("a.mp4")], ["download", url, "--library", shell.file("library")],
        ] {
            let run = try await ToolProcess.run(command)
            #expect(run.code != 0 && run.error.contains(file), "\(command): \(run.error)")
        }
        #expect(!FileManager.default.fileExists(atPath: shell.file("a.mp4")))
    }

    @Test("render and play skip a missing segment; a download fails")
    func missingSegment() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let shell = try ToolShell()
        server.inject(.status(404), on: "*/seg004.ts")
        let url = server.url(for: "vod-ts/v1/index.m3u8").absoluteString
        let play = try await ToolProcess.play([url, "--headless", "--speed", "4", "--report", "json"], counting: 660)
        #expect(play.code == 0 && play.error.contains("seg004.ts"), "\(play.error)")
        let report = try ToolProcess.report(play.output)
        // A very slow machine decodes only the frames that other frames depend on, and drops the others.
        #expect(try report["status"] as? String == "ended" && ToolProcess.frameCount(play.output) == 660, "\(report)")
        let render = try await ToolProcess.run(["render", url, "-o", shell.file("a.mp4")], seconds: 300)
        #expect(render.code == 0, "\(render.error)")
        let duration = try await shell.run("ffprobe -v error -show_entries format=duration -of csv=p=0 a.mp4")
        #expect(abs((Double(duration.output.trimmingCharacters(in: .newlines)) ?? 0) - 24) < 0.2, "\(duration)")
        let download = try await ToolProcess.run(["download", url, "--library", shell.file("library")])
        #expect(download.code != 0 && download.error.contains("seg004.ts"), "\(download.error)")
    }

    @Test("unreadable URLs exit with 1, report URL and reason, never hang")
    func failures() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        server.serve("page.m3u8") { _ in .text("<html></html>", type: "text/html") }
        server.inject(.stall(after: 0), on: "*stuck*")
        server.serve("stuck.m3u8") { _ in .playlist("#EXTM3U\n") }
        for (path, word) in [
            ("nowhere.m3u8", "404"), ("nowhere.mp4", "404"), ("page.m3u8", "line 1"), ("stuck.m3u8", "time"),
        ] {
            let url = server.url(for: path).absoluteString
            // The timeout counts from the program's start. Where it is not the expected cause of the end, it is long.
            let timeout = path == "stuck.m3u8" ? "2" : "30"
            for command in [
                ["probe", url, "--timeout", timeout], ["snapshot", url, "--timeout", timeout, "-o", "/tmp/none.png"],
            ] {
                let run = try await ToolProcess.run(command)
                #expect(run.code == 1, "\(command)")
                #expect(run.error.contains(url) && run.error.contains(word), "\(run.error)")
            }
        }
    }
}
