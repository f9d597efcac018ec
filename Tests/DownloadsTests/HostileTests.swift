import Foundation
import MediaCore
import MediaEngine
import Streaming
import TestSupport
import Testing

@testable import Downloads

/// Attacks by servers that a download must withstand.
@Suite("Downloads from hostile servers") @MainActor struct HostileTests {
    nonisolated static let names = [
        "../../../../etc/passwd.ts", "/etc/passwd.ts", "..%2f..%2fescape.ts",
        String(repeating: "x", count: 300) + ".ts", "CON.ts", "nul", ".hidden.ts", "a/../../b.ts",
        "index.m3u8", "segment-000001.ts.part", "%00.ts", "füm%F0%9F%8E%AC.ts", "~", "-rf", "\u{202E}st.ts",
    ]

    @Test("Names from servers never leave the folder", arguments: names)
    func names(_ name: String) async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        let film = try served(
            "vod-ts/v0/"
                + (try MediaPlaylist.parse(served("vod-ts/v0/index.m3u8"), url: server.url(for: "vod-ts/v0/index.m3u8"))
                    .segments[0].uri))
        server.serve("*") { request in request.path == "evil/list.m3u8" ? nil : ServerResponse(type: "video/mp2t", film)
        }
        server.serve("evil/list.m3u8") { _ in
            .playlist("#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n\(name)\n#EXT-X-ENDLIST\n")
        }
        var options = DownloadOptions()
        options.title = name
        options.id = name
        let download = try await test.library.add(server.url(for: "evil/list.m3u8"), options: options)
        let state = await download.settles()
        #expect(state == .finished, "\(String(describing: state))")
        let files = test.files.keys.sorted()
        #expect(
            files.count == 3
                && files.allSatisfy {
                    $0.split(separator: "/").count <= 3 && $0.utf8.allSatisfy { $0 > 0x20 && $0 < 0x7F }
                        && $0.utf8.count < 200
                }, "\(files)")
        // A plain file keeps the safe characters of its name.
        server.serve("*.mp4") { _ in (try? served("plain/faststart.mp4")).map { ServerResponse(type: "video/mp4", $0) }
        }
        let encoded = name.addingPercentEncoding(withAllowedCharacters: .alphanumerics) ?? "x"
        let file = try await test.library.add(server.url(for: encoded + ".mp4"))
        try await file.finished()
        let place = try #require(file.playableURL)
        #expect(
            place.standardizedFileURL.path.hasPrefix(test.folder.standardizedFileURL.path + "/")
                && place.lastPathComponent.utf8.count < 120)
        #expect(FileManager.default.fileExists(atPath: place.path))
    }

    @Test("A symbolic link in the folder is not written through")
    func links() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        let victim = test.folder.appendingPathComponent("victim")
        try Data("precious".utf8).write(to: victim)
        let download = try await test.library.add(server.url(for: "byterange/ts.m3u8"), paused: true)
        let folder = download.location.appendingPathComponent("main")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(
            at: folder.appendingPathComponent("segment-000000.ts.part"), withDestinationURL: victim)
        try await download.resume()
        try await download.finished()
        #expect(try Data(contentsOf: victim) == Data("precious".utf8))
        #expect(try await test.library.verify(download).isEmpty)
    }

    @Test("A playlist of 100,000 segments is planned with each segment once")
    func many() throws {
        var text = "#EXTM3U\n#EXT-X-TARGETDURATION:4\n"
        for number in 0..<100_000 {
            text +=
                "#EXTINF:4.0,\nhttps://example.org/a/rather/long/path/of/a/server/segment-\(number).ts?token=abcdefghijklmnop\n"
        }
        text += "#EXT-X-ENDLIST\n"
        let playlist = try MediaPlaylist.parse(
            Data(text.utf8), url: try #require(URL(string: "https://example.org/list.m3u8")))
        let plan = try RenditionPlan(playlist, kind: .video)
        #expect(
            plan.items.count == 100_000 && Set(plan.items.map(\.fileName)).count == 100_000 && plan.duration == 400_000)
    }

    @Test("A gzip bomb is cut off", arguments: ["vod-ts/master.m3u8", "vod-ts/v3/index.m3u8"])
    func bomb(_ path: String) async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        // A comment of a quarter of a gigabyte, which compresses to about a megabyte.
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("zt-bomb-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        let make = "(printf '#EXTM3U\\n#'; head -c 256M /dev/zero | tr '\\0' 0) | gzip -1 > '\(file.path)'"
        expectEqual(try await offPool { try ChildProcess("bash", ["-c", make]).wait() }, 0)
        let bomb = try Data(contentsOf: file)
        server.serve(path) { _ in
            ServerResponse(
                headers: ["Content-Type": "application/vnd.apple.mpegurl", "Content-Encoding": "gzip"],
                body: .data(bomb))
        }
        let download = try await test.library.add(server.url(for: "vod-ts/master.m3u8"))
        let error = try #require(await download.settles()?.error)
        #expect(error.code == .notMedia && error.location.hasSuffix(path))
        #expect(server.bytesSent < 8 << 20)
    }

    @Test("An endless segment is cut off", arguments: [Fault.endless(Data(repeating: 0x47, count: 1880))])
    func endless(_ fault: Fault) async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        server.inject(fault, on: "vod-ts/v0/*.ts", nth: 3...100)
        var options = DownloadOptions.plain
        options.quality = .worst
        let download = try await test.library.add(server.url(for: "vod-ts/master.m3u8"), options: options)
        expectEqual(await download.settles()?.error?.code, .notMedia)
        #expect(test.files.values.allSatisfy { $0 < 40 << 20 })
    }

    @Test(
        "Invalid playlists fail with an error",
        arguments: [
            "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-ENDLIST\n",
            "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:2,\n#EXT-X-BYTERANGE:9223372036854775807@9223372036854775807\na.ts\n#EXT-X-ENDLIST\n",
            "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-MEDIA-SEQUENCE:9223372036854775807\n#EXTINF:2,\na.ts\n#EXTINF:2,\nb.ts\n#EXT-X-ENDLIST\n",
            "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXTINF:1e300,\na.ts\n#EXT-X-ENDLIST\n",
            "#EXTM3U\n#EXT-X-STREAM-INF:BANDWIDTH=1\nlist.m3u8\n",
            "#EXTM3U\n#EXT-X-TARGETDURATION:2\n#EXT-X-KEY:METHOD=AES-128,URI=\"ftp://x/y\"\n#EXTINF:2,\na.ts\n#EXT-X-ENDLIST\n",
        ])
    func lies(_ text: String) async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        server.serve("list.m3u8") { _ in .playlist(text) }
        let download = try await test.library.add(server.url(for: "list.m3u8"))
        let state = try #require(await download.settles())
        #expect(state.error != nil && download.playableURL == nil, "\(state)")
    }

    @Test("Mutated playlists and segments never crash or hang a download", arguments: 0..<16)
    func mutated(_ seed: UInt64) async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        let path = ["vod-fmp4/master.m3u8", "aes128/rotation.m3u8", "byterange/fmp4.m3u8", "packed-audio/master.m3u8"][
            Int(seed % 4)]
        let folder = path.split(separator: "/")[0]
        server.serve("\(folder)/*") { request in
            guard var bytes = try? served(request.path), !bytes.isEmpty else { return nil }
            var numbers = SeededNumbers(seed: seed &* 31 &+ UInt64(request.path.utf8.reduce(0) { $0 &+ Int($1) }))
            if request.path.hasSuffix("m3u8") ? numbers.below(3) > 0 : numbers.below(3) == 0 { return nil }
            for _ in 0..<(1 + numbers.below(4)) {
                bytes[numbers.below(bytes.count)] = UInt8(truncatingIfNeeded: numbers.next())
            }
            if numbers.below(4) == 0 { bytes = bytes.prefix(numbers.below(bytes.count)) }
            return ServerResponse(
                type: request.path.hasSuffix("m3u8") ? "application/vnd.apple.mpegurl" : "video/mp4", Data(bytes))
        }
        let download = try await test.library.add(server.url(for: path), options: .plain)
        let state = await download.reaches { state in
            // For an invalid host name the download waits, which is neither an end nor a crash.
            if case .waiting = state { return true }
            return state.isSettled
        }
        #expect(state != nil)
    }
}
