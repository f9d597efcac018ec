import Foundation
import TestSupport
import Testing

@Suite("The tool on the network", .serialized)
struct NetworkToolTests {
    private let secret = "pass-word-7f3"

    private func url(_ server: StreamServer, _ path: String) -> String {
        "http://name:\(secret)@127.0.0.1:\(server.port)/\(path)"
    }

    @Test("a URL's password is used but never printed")
    func passwords() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        server.serve("page.mp4") { _ in .text("<html></html>", type: "text/html") }
        server.serve("broken.m3u8") { _ in .playlist("#EXTM3U\n#EXTINF:x\n") }
        server.serve("noise.m3u8") { _ in
            .playlist("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\npage.mp4\n#EXT-X-ENDLIST\n")
        }
        server.serve("away.mp4") { _ in .redirect(to: "/nowhere.mp4") }
        let picture = FileManager.default.temporaryDirectory.appendingPathComponent("zt-\(UUID().uuidString).png").path
        let film = picture + ".mp4"
        defer { for file in [picture, film] { try? FileManager.default.removeItem(atPath: file) } }
        for path in [
            "vod-ts/master.m3u8", "plain/film.mp4", "nowhere.mp4", "nowhere.m3u8", "page.mp4", "broken.m3u8",
            "noise.m3u8", "away.mp4", "drm/widevine.m3u8",
        ] {
            for command in [
                ["play", url(server, path), "--headless", "--seconds", "1", "--report", "json"],
                ["probe", url(server, path), "--json"],
                ["probe", url(server, path)], ["snapshot", url(server, path), "--at", "1", "-o", picture],
                ["render", url(server, path), "--to", "0.2", "-y", "-o", film],
            ] {
                let run = try await ToolProcess.run(command)
                #expect(
                    !run.output.contains(secret) && !run.error.contains(secret),
                    "\(command)\n\(run.output)\n\(run.error)")
                if run.code != 0 { #expect(run.error.contains("127.0.0.1:\(server.port)"), "\(command): \(run.error)") }
            }
        }
        // A server that never answers: the tool itself writes the message.
        server.serve("held.mp4") { _ in .text("<html></html>", type: "text/html") }
        server.serve("held.m3u8") { _ in .playlist("#EXTM3U\n") }
        server.inject(.stall(after: 0), on: "held.*")
        for path in ["held.mp4", "held.m3u8"] {
            for command in [
                ["play", url(server, path), "--headless", "--seconds", "1", "--report", "json"],
                ["play", url(server, path), url(server, "nowhere.mp4"), "--headless", "--seconds", "1"],
                ["probe", url(server, path), "--timeout", "1", "--json"],
                ["snapshot", url(server, path), "--timeout", "1", "-o", picture],
                ["probe", "a", url(server, path)], ["frobnicate", url(server, path)],
            ] {
                let run = try await ToolProcess.run(command)
                #expect(
                    run.code != 0 && !run.error.isEmpty && !run.output.contains(secret) && !run.error.contains(secret),
                    "\(command)\n\(run.output)\n\(run.error)")
            }
        }
        let dead = try await ToolProcess.run(["play", "http://name:\(secret)@127.0.0.1:1/x y%20.mp4", "--headless"])
        #expect(
            dead.code == 1 && !dead.error.contains(secret) && dead.error.contains("127.0.0.1:1/x%20y%20.mp4"),
            "\(dead.error)")
        let asked = Data("name:\(secret)".utf8).base64EncodedString()
        #expect(server.requests("vod-ts/*").allSatisfy { $0.headers["Authorization"] == "Basic \(asked)" })
        #expect(server.requests("vod-ts/*").count > 3)
    }

    @Test("an invalid segment is reported by its URL")
    func noMedia() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        server.serve("noise.m3u8") { _ in
            .playlist("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\na b%20page.ts\n#EXT-X-ENDLIST\n")
        }
        server.serve("a b page.ts") { _ in .text(String(repeating: "<html></html>", count: 100), type: "text/html") }
        let run = try await ToolProcess.run(["play", server.url(for: "noise.m3u8").absoluteString, "--headless"])
        expectEnd(run, 1)
        #expect(run.error.contains(server.url(for: "a%20b%20page.ts").absoluteString), "\(run.error)")
    }

    @Test(
        "the report counts received bytes of partial segments and loops too",
        arguments: [
            ("vod-ts/v0/index.m3u8", []), ("vod-ts/v3/index.m3u8", ["--loop"]), ("plain/film.mp4", []),
            ("plain/film.mp4", ["--loop"]),
        ])
    func bytes(path: String, options: [String]) async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        // No segment is received completely.
        if path.hasSuffix("m3u8") { server.inject(.stall(after: 60_000), on: "*seg00[1-9].ts") }
        let run = try await ToolProcess.run(
            ["play", server.url(for: path).absoluteString, "--headless", "--seconds", "6", "--report", "json"] + options
        )
        let report = try ToolProcess.report(run.output)
        let media = server.requests.filter { !$0.path.hasSuffix("m3u8") }.reduce(0) { $0 + $1.bytesSent }
        let told = report["bytes"] as? Int ?? 0
        #expect(told > 50_000 && Double(told) > 0.5 * Double(min(media, 8 << 20)), "\(told) of \(media)")
    }

    @Test("certificates are verified unless --insecure is given", arguments: ["vod-ts/master.m3u8", "plain/film.mp4"])
    func certificates(path: String) async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let front = try await offPool { try TLSFront(before: server) }
        defer { front.close() }
        let url = front.url(for: path).absoluteString
        let picture = FileManager.default.temporaryDirectory.appendingPathComponent("zt-\(UUID().uuidString).png").path
        defer { try? FileManager.default.removeItem(atPath: picture) }
        // Two frames end the playback, independent of the time that the start takes.
        for command in [
            ["play", url, "--headless", "--frames", "2", "--seconds", "60"], ["probe", url],
            ["snapshot", url, "--at", "1", "-o", picture],
        ] {
            let refused = try await ToolProcess.run(command)
            #expect(
                refused.code == 1 && refused.error.contains("TLS") && refused.error.contains("--insecure"),
                "\(refused.error)")
            let trusting = try await ToolProcess.run(command + ["--insecure"])
            #expect(trusting.code == 0, "\(command): \(trusting.error)")
        }
    }

    @Test("the tool exits cleanly at any moment of the network thread")
    func exits() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let front = try await offPool { try TLSFront(before: server) }
        defer { front.close() }
        for run in 0..<80 {
            let url =
                run % 4 == 3
                ? front.url(for: "vod-ts/master.m3u8")
                : server.url(for: run % 4 == 2 ? "nowhere.m3u8" : "vod-ts/master.m3u8")
            // From before libcurl is loaded until segments arrive. With a missing stream, the tool ends by itself
            // meanwhile.
            let result = try await ToolProcess.run([
                "play", url.absoluteString, "--headless", "--insecure", "--seconds", "\(0.002 * Double(1 + run % 40))",
            ])
            #expect(result.code == 0 || result.code == 1, "run \(run) ended with \(result.code): \(result.error)")
        }
    }
}
