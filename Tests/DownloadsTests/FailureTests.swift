import Foundation
import MediaCore
import MediaEngine
import Streaming
import Synchronization
import TestSupport
import Testing

@testable import Downloads

/// Tests the errors of a download and its behavior after an error.
@Suite("Download failures") @MainActor struct FailureTests {
    @Test(
        "Each invalid response has its own error code",
        arguments: [
            (Fault.status(401), DownloadError.Code.refused), (.status(403), .refused), (.status(404), .gone),
            (.status(410), .gone),
            (.body(Data("<html>Please sign in</html>".utf8)), .notMedia), (.empty, .notMedia),
            (.garbage(5000), .notMedia),
        ])
    func answers(_ fault: Fault, _ code: DownloadError.Code) async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        server.inject(fault)
        for path in ["vod-ts/master.m3u8", "plain/film.mp4"] {
            let download = try await test.library.add(server.url(for: path), options: .plain)
            let state = try #require(await download.settles())
            #expect(state.error?.code == code, "\(path): \(state)")
            #expect(state.error?.location.contains(path) == true)
        }
    }

    @Test(
        "Segments of text, noise or nothing are not media",
        arguments: [Fault.body(Data("<html>".utf8)), .empty, .garbage(40_000)])
    func segments(_ fault: Fault) async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        server.inject(fault, on: "vod-ts/v3/seg003.ts")
        let download = try await test.library.add(server.url(for: "vod-ts/master.m3u8"), options: .plain)
        expectEqual(await download.settles()?.error?.code, .notMedia)
        // No segment has a final name.
        let damage = try await test.library.verify(download)
        #expect(damage.isEmpty && download.playableURL == nil)
    }

    // The server answers 200 with a matching Content-Length.
    @Test(
        "A silently truncated segment is detected, and only that one is refetched",
        arguments: [
            ("vod-ts/master.m3u8", "vod-ts/v3/*", 188 * 500), ("vod-fmp4/master.m3u8", "vod-fmp4/v3/*.m4s", 9000),
            ("aes128/explicit.m3u8", "aes128/explicit*.ts", 16 * 1000),
            ("packed-audio/aac.m3u8", "packed-audio/*.aac", 5000),
        ])
    func cutOff(_ path: String, _ pattern: String, _ bytes: Int) async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        let cut = Mutex<String?>(nil)
        server.serve(pattern) { request in
            guard !request.path.hasSuffix("m3u8"), !request.path.hasSuffix("key"), !request.path.contains("init") else {
                return nil
            }
            // Always cut the segment that was requested first.
            let isIt = cut.withLock { name in
                if name == nil { name = request.path }
                return name == request.path
            }
            guard isIt, let whole = try? served(request.path) else { return nil }
            return ServerResponse(type: "video/mp2t", Data(whole.prefix(bytes)))
        }
        let download = try await test.library.add(server.url(for: path), options: .plain)
        let error = await download.settles()?.error
        #expect(error?.code == .notMedia, "\(String(describing: error))")
        let name = try #require(cut.withLock { $0 })
        #expect(error?.location.hasSuffix(name) == true)
        cut.withLock { $0 = "mended" }
        // The segments in the record. Other requests were running when the download failed.
        let known = try await complete(test, download)
        let from = server.requests.count
        #expect(!known.isEmpty && !known.contains(name))
        try await download.retry()
        try await download.finished()
        #expect(Set(server.requests.dropFirst(from).map(\.path)).isDisjoint(with: known))
        #expect(try await test.library.verify(download).isEmpty)
    }

    @Test("A truncated file is detected by its container")
    func cutFile() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        server.serve("plain/faststart.mp4") { _ in
            (try? served("plain/faststart.mp4")).map { ServerResponse(type: "video/mp4", Data($0.prefix(1_000_000))) }
        }
        let download = try await test.library.add(server.url(for: "plain/faststart.mp4"))
        expectEqual(await download.settles()?.error?.code, .notMedia)
        #expect(download.playableURL == nil)
    }

    @Test("A disconnected download waits, then continues without refetching")
    func cable() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        server.setNetwork(.kilobits(8000))
        let download = try await test.library.add(server.url(for: "vod-ts/master.m3u8"), options: .plain)
        #expect(await server.wait { $0.count { $0.path.contains("/v3/") && $0.outcome == .complete } >= 3 })
        server.pullCable()
        let waiting = try #require(await download.reaches { if case .waiting = $0 { true } else { false } })
        #expect(waiting.error?.code == .network)
        let known = try await complete(test, download)
        server.setNetwork(nil)
        try server.plugCable()
        let from = server.requests.count
        try await download.finished()
        let later = Set(server.requests.dropFirst(from).map(\.path))
        #expect(later.isDisjoint(with: known))
        #expect(try await test.library.verify(download).isEmpty)
    }

    /// Returns the paths on the server of all complete resources in the record.
    private func complete(_ test: TestLibrary, _ download: Download) async throws -> Set<String> {
        let id = download.id
        return try test.library.engine.record.read { database in
            var result: Set<String> = []
            for rendition in try database.renditions(of: id) where rendition.kind == .video {
                let plan = try RenditionPlan(try rendition.mediaPlaylist(), kind: rendition.kind)
                let rows = Set(
                    try database.resources(of: rendition.id, completeOnly: true).map {
                        "\($0.kind.rawValue) \($0.number)"
                    })
                for item in plan.items where rows.contains("\(item.kind.rawValue) \(item.number)") {
                    if let url = plan.url(of: item) { result.insert(String(url.path.dropFirst())) }
                }
            }
            return result
        }
    }

    @Test("A broken segment is resumed, or restarted if it has changed", arguments: [false, true])
    func resumes(_ changes: Bool) async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary(policy: { $0.simultaneousSegments = 1 })
        defer { server.close() }
        // The fifth segment stalls in its middle until it is requested again.
        let rule = server.inject(.stall(after: 200_000), on: "vod-ts/v3/*4.ts", nth: 1...1)
        let download = try await test.library.add(server.url(for: "vod-ts/master.m3u8"), options: .plain)
        #expect(
            await server.wait {
                $0.contains { $0.path.hasSuffix("4.ts") && $0.path.contains("/v3/") && $0.bytesSent >= 200_000 }
            })
        _ = await test.library.totalSize()
        // The received part is on the disk.
        #expect(
            try await until { test.files.first { $0.key.hasSuffix("04.ts.part") && $0.value > 100_000 }?.value } != nil)
        try await download.pause()
        #expect(download.state == .paused)
        if changes {
            server.inject(.header("ETag", "\"another\""), on: "vod-ts/v3/*4.ts")
            server.inject(.noRanges, on: "vod-ts/v3/*4.ts")
        }
        server.remove(rule)
        let from = server.requests.count
        try await download.resume()
        try await download.finished()
        let again = server.requests.dropFirst(from).filter { $0.path.contains("/v3/") && $0.path.hasSuffix("4.ts") }
        #expect(again.first?.headers["If-Range"] != nil && again.first?.range?.hasPrefix("bytes=") == true)
        #expect(again.first?.status == (changes ? 200 : 206))
        // Segments that were complete before are not requested again.
        #expect(
            !server.requests.dropFirst(from).contains {
                $0.path.contains("/v3/") && ["0.ts", "1.ts", "2.ts", "3.ts"].contains(where: $0.path.hasSuffix)
                    && !$0.path.hasSuffix("10.ts") && !$0.path.hasSuffix("11.ts")
            })
        #expect(try await test.library.verify(download).isEmpty)
    }

    @Test("Expired links reload the playlist once, and keep downloaded segments")
    func expiringLinks() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary(policy: { $0.simultaneousSegments = 1 })
        defer { server.close() }
        let token = Mutex(1)
        server.serve("vod-ts/v3/*.m3u8") { _ in
            guard let text = try? String(decoding: served("vod-ts/v3/index.m3u8"), as: UTF8.self) else { return nil }
            return .playlist(
                text.split(separator: "\n").map {
                    $0.hasPrefix("#") ? String($0) : "\($0)?token=\(token.withLock { $0 })"
                }.joined(separator: "\n") + "\n")
        }
        server.serve("vod-ts/v3/*.ts") { request in
            request.query["token"] == String(token.withLock { $0 }) ? nil : .status(403)
        }
        let hold = server.inject(.stall(after: 1000), on: "vod-ts/v3/*6.ts", nth: 1...1)
        let download = try await test.library.add(server.url(for: "vod-ts/master.m3u8"), options: .plain)
        #expect(
            await server.wait {
                $0.contains { $0.path.contains("/v3/") && $0.path.hasSuffix("6.ts") && $0.bytesSent >= 1000 }
            })
        token.withLock { $0 = 2 }
        let reload = server.inject(.stall(after: 0), on: "vod-ts/v3/index.m3u8")
        server.remove(hold)
        #expect(await server.wait { $0.count { $0.path.hasSuffix("vod-ts/v3/index.m3u8") } == 2 })
        // Other events start transfers too. They must not request old links during the reload.
        let (engine, id) = (test.library.engine, download.id)
        try DownloadActor.sync { () throws(DownloadError) in try engine.jobs[id]?.startTransfers() }
        server.remove(reload)
        try await download.finished()
        let media = server.requests.filter { $0.path.contains("/v3/") && $0.path.hasSuffix(".ts") && $0.status == 200 }
        #expect(Set(media.map(\.path)).count == media.count, "something was fetched twice")
        #expect(server.requests.count { $0.path.contains("/v3/") && $0.status == 403 } == 1)
        #expect(server.requests("vod-ts/v3/index.m3u8").count == 2)
    }

    @Test("An expired link is reported, and a new link continues the download")
    func expired() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary(policy: { $0.simultaneousSegments = 1 })
        defer { server.close() }
        let hold = server.inject(.stall(after: 1000), on: "vod-ts/v3/*6.ts", nth: 1...1)
        let download = try await test.library.add(
            try #require(URL(string: server.url(for: "vod-ts/master.m3u8").absoluteString + "?token=1")),
            options: .plain)
        #expect(
            await server.wait {
                $0.contains { $0.path.contains("/v3/") && $0.path.hasSuffix("6.ts") && $0.bytesSent >= 1000 }
            })
        server.inject(.status(403), on: "*") { $0.query["token"] != "2" && !$0.path.contains("redirected") }
        server.remove(hold)
        let error = try #require(await download.reaches(\.isSettled)?.error)
        #expect(error.code == .linkExpired && error.httpStatus == 403)
        server.removeAllFaults()
        let known = try await complete(test, download)
        let from = server.requests.count
        try await download.retry(with: URL(string: server.url(for: "vod-ts/master.m3u8").absoluteString + "?token=2"))
        try await download.finished()
        #expect(Set(server.requests.dropFirst(from).map(\.path)).isDisjoint(with: known))
    }

    @Test("A file that changes during the download restarts")
    func changedFile() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary(policy: { $0.simultaneousSegments = 1 })
        defer { server.close() }
        // Larger than one part.
        let old = Data((0..<9_000_000).map { UInt8(truncatingIfNeeded: $0 &* 7) })
        let film = try served("plain/film.ts")
        let new = Data(Array(repeating: film, count: 4).joined())
        let isNew = Mutex(false)
        server.serve("big.ts") { _ in
            let isNew = isNew.withLock { $0 }
            return ServerResponse(
                headers: ["Content-Type": "video/mp2t", "ETag": isNew ? "\"2\"" : "\"1\""],
                body: .data(isNew ? new : old))
        }
        let hold = server.inject(.stall(after: 100_000), on: "big.ts", nth: 3...3)
        let download = try await test.library.add(server.url(for: "big.ts"))
        #expect(
            await server.wait {
                $0.contains {
                    $0.number >= 3 && $0.bytesSent >= 100_000 && $0.range?.hasPrefix("bytes=4194304") == true
                }
            })
        isNew.withLock { $0 = true }
        try await download.pause()
        server.remove(hold)
        try await download.resume()
        try await download.finished()
        #expect(try Data(contentsOf: try #require(download.playableURL)) == new)
    }

    @Test(
        "An invalid or missing key is reported",
        arguments: [(Fault.body(Data("short".utf8)), DownloadError.Code.keyMissing), (.status(404), .gone)])
    func keys(_ fault: Fault, _ code: DownloadError.Code) async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        server.inject(fault, on: "*.key")
        let download = try await test.library.add(server.url(for: "aes128/explicit.m3u8"))
        let error = await download.settles()?.error
        #expect(error?.code == code)
        #expect(error?.location.hasSuffix(".key") == true)
    }

    @Test("Temporary server errors are retried")
    func badMoments() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        server.inject(.status(503), on: "vod-ts/v3/*", nth: 1...2)
        server.inject(.reset(after: 30_000), on: "vod-ts/v3/*.ts", nth: 3...5)
        server.inject(.truncate(after: 50_000), on: "vod-ts/v3/*.ts", nth: 6...7)
        let download = try await test.library.add(server.url(for: "vod-ts/master.m3u8"), options: .plain)
        try await download.finished()
        #expect(try await test.library.verify(download).isEmpty)
    }
}
