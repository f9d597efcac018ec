import Foundation
import GRDB
import MediaCore
import MediaEngine
import Streaming
import Synchronization
import TestSupport
import Testing

@testable import Downloads

/// Tests a library's rules: simultaneous downloads, speed limits, quotas, and which downloads are removed.
@Suite("Download library") @MainActor struct LibraryTests {
    @Test("The number of simultaneous downloads and segments is limited")
    func atOnce() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary(policy: { ($0.simultaneousDownloads, $0.simultaneousSegments) = (2, 3) })
        defer { server.close() }
        server.inject(.latency(0.02))
        let running = Mutex((now: 0, most: 0))
        server.serve("*.ts") { (_: ServerRequest, context: ServerContext) throws -> ServerResponse? in
            running.withLock {
                $0.now += 1
                $0.most = max($0.most, $0.now)
            }
            _ = try context.wait(seconds: 0.02) { false }
            running.withLock { $0.now -= 1 }
            return nil
        }
        var all: [Download] = []
        for (index, path) in [
            "vod-ts/master.m3u8", "byterange/ts.m3u8", "redundant/master.m3u8", "captions/master.m3u8",
        ].enumerated() {
            var options = DownloadOptions()
            options.id = "\(index)"
            all.append(try await test.library.add(server.url(for: path), options: options))
        }
        #expect(all.count { $0.state == .queued } >= 2)
        for download in all { try await download.finished() }
        #expect(running.withLock { $0.most } <= 6 && running.withLock { $0.most } >= 2)
    }

    @Test("A rate limit is never exceeded")
    func limit() {
        let clock = Mutex<Int64>(1_000_000_000)
        let loop = HTTPClient(clock: { clock.withLock { $0 } })
        let limit = RateLimit(loop: loop, bytesPerSecond: 1_000_000)
        var sent = 0
        var numbers = SeededNumbers(seed: 7)
        let start = clock.withLock { $0 }
        // Like a transfer, sends nothing more before the returned time.
        while sent < 20_000_000 {
            let bytes = 1000 + numbers.below(60_000)
            let until = limit.take(bytes)
            sent += bytes
            let idle: Int64 = numbers.below(20) == 0 ? 500_000_000 : 0
            clock.withLock { $0 = max($0, until?.nanoseconds ?? $0) + idle }
            let passed = Double(clock.withLock { $0 } - start) / 1e9
            #expect(Double(sent) <= 1_000_000 * (passed + 0.2) + 60_000)
        }
    }

    @Test("On a metered network, downloads wait; on another they continue")
    func metered() async throws {
        let isMetered = Atomic(true)
        let server = try TestStreams.server()
        let test = try await TestLibrary(isMetered: { isMetered.load(ordering: .relaxed) })
        defer { server.close() }
        let download = try await test.library.add(server.url(for: "vod-ts/master.m3u8"))
        #expect(
            await download.reaches { if case .waiting = $0 { true } else { false } }?.error?.code == .meteredNetwork)
        #expect(server.requests.isEmpty)
        var options = DownloadOptions()
        options.network.allowsMeteredNetwork = true
        try await test.library.add(server.url(for: "byterange/ts.m3u8"), options: options).finished()
        isMetered.store(false, ordering: .relaxed)
        try await download.finished()
    }

    @Test(
        "Downloads that wait for another network leave their slots to others", .timeLimit(.minutes(5)),
        arguments: [true, false])
    func meteredSlots(isMeteredFromStart: Bool) async throws {
        let isMetered = Atomic(isMeteredFromStart), changes = Atomic(!isMeteredFromStart)
        let server = try TestStreams.server()
        let test = try await TestLibrary(
            isMetered: { isMetered.load(ordering: .relaxed) }, policy: { $0.simultaneousDownloads = 1 })
        defer { server.close() }
        // The network may become metered while the download runs.
        server.serve("*.ts") { (_: ServerRequest, _: ServerContext) throws -> ServerResponse? in
            if changes.exchange(false, ordering: .relaxed) { isMetered.store(true, ordering: .relaxed) }
            return nil
        }
        let waiting = try await test.library.add(server.url(for: "vod-ts/master.m3u8"))
        #expect(await waiting.reaches { if case .waiting = $0 { true } else { false } }?.error?.code == .meteredNetwork)
        var options = DownloadOptions()
        options.network.allowsMeteredNetwork = true
        try await test.library.add(server.url(for: "byterange/ts.m3u8"), options: options).finished()
        #expect(waiting.state.error?.code == .meteredNetwork)
        isMetered.store(false, ordering: .relaxed)
        try await waiting.finished()
    }

    @Test("A download that fails at once gives its slot to one other")
    func failedSlot() async throws {
        let test = try await TestLibrary(starts: false, policy: { $0.simultaneousDownloads = 1 })
        var ids: [UUID] = []
        for name in ["a", "b", "c"] {
            var options = DownloadOptions.plain
            // A secret header, which the reopened library lacks.
            if name == "a" { options.network.headers = ["X-Api-Key": "t0ken"] }
            let url = try #require(URL(string: "http://virtual.example/\(name).ts"))
            ids.append(try await test.library.add(url, options: options).id)
        }
        await test.library.close()
        let library = try DownloadLibrary(
            at: test.folder, loop: VirtualNetwork { _, _ in VirtualAnswer(503) }, isMetered: { false })
        let (engine, added) = (library.engine, ids)
        let (running, codes) = DownloadActor.sync {
            (added.map { engine.jobs[$0]?.isRunning }, added.map { engine.jobs[$0]?.row.failure?.code })
        }
        #expect(codes == [.credentialsNeeded, nil, nil])
        #expect(running == [false, true, false])
        await library.close()
    }

    @Test("A quota removes old downloads, but none in use or protected")
    func quota() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        func add(_ name: String, _ change: (inout DownloadOptions) -> Void = { _ in }) async throws -> Download {
            var options = DownloadOptions()
            options.id = name
            change(&options)
            return try await test.library.add(server.url(for: "byterange/ts.m3u8"), options: options)
        }
        let protected = try await add("protected") { $0.isProtected = true }
        let played = try await add("played")
        let playing = try await add("playing")
        let never = try await add("never")
        for download in [protected, played, playing, never] { try await download.finished() }
        let size = await test.library.totalSize() / 4
        let use = PackagesInUse.shared.use(try #require(playing.playableURL))
        // This download was played after the others were finished.
        PackagesInUse.shared.didPlay(try #require(played.playableURL))
        var policy = await test.library.policy()
        policy.quota = size * 4 + size / 2
        try await test.library.setPolicy(policy)
        let fifth = try await add("fifth")
        try await fifth.finished()
        #expect(
            never.state == .cancelled && played.state == .finished && playing.state == .finished
                && protected.state == .finished)
        let sixth = try await add("sixth")
        try await sixth.finished()
        #expect(played.state == .cancelled || fifth.state == .cancelled)
        #expect(playing.state == .finished && protected.state == .finished)
        policy.quota = size
        try await test.library.setPolicy(policy)
        let last = try await add("last")
        expectEqual(await last.reaches { if case .waiting = $0 { true } else { false } }?.error?.code, .quotaExceeded)
        #expect(playing.state == .finished && protected.state == .finished)
        withExtendedLifetime(use) {}
        // With the higher quota the download continues by itself.
        policy.quota = 0
        try await test.library.setPolicy(policy)
        try await last.finished()
    }

    @Test("A package that another process plays is not removed", arguments: ["quota", "expiration"])
    func playedElsewhere(_ rule: String) async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        let url = server.url(for: "byterange/ts.m3u8")
        let first = try await test.library.add(url)
        try await first.finished()
        let output = FileManager.default.temporaryDirectory.appendingPathComponent("zt-play-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: output) }
        let player = try ChildProcess(
            Programs.path("DownloadProbe"), [test.folder.path, "--play", try #require(first.playableURL).path],
            output: output.path)
        let status = try await until(while: { player.exitCode == nil }) { ChildProcess.wholeLines(of: output).first }
        #expect(status == "ready")
        func endPlayback() async throws {
            try await offPool {
                player.send(SIGKILL)
                player.wait()
            }
        }
        if rule == "quota" {
            var policy = await test.library.policy()
            policy.quota = await test.library.totalSize() * 3 / 2
            try await test.library.setPolicy(policy)
            var options = DownloadOptions()
            options.id = "second"
            let second = try await test.library.add(url, options: options)
            expectEqual(
                await second.reaches { if case .waiting = $0 { true } else { $0.isSettled } }?.error?.code,
                .quotaExceeded)
            #expect(first.state == .finished)
            try await endPlayback()
            try await second.finished()
            #expect(first.state == .cancelled)
        } else {
            try await test.library.engine.setStorage(
                isProtected: false, expires: Date().addingTimeInterval(-1), at: first.location)
            // An opened library removes expired packages before it returns.
            let library = try await test.reopened()
            #expect(library.downloads.map(\.id) == [first.id] && !test.files.isEmpty)
            let downloads = library.downloads
            try await endPlayback()
            for download in downloads { for await state in download.states where state == .cancelled { break } }
            #expect(library.downloads.isEmpty && test.files.isEmpty)
            await library.close()
        }
    }

    @Test("Expired downloads are removed unless they are protected")
    func expiry() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        var all: [Download] = []
        for name in ["old", "protected", "young"] {
            var options = DownloadOptions()
            options.id = name
            options.expirationDate = Date().addingTimeInterval(name == "young" ? 86_400 : -1)
            options.isProtected = name == "protected"
            all.append(try await test.library.add(server.url(for: "byterange/ts.m3u8"), options: options))
        }
        for await state in all[0].states where state == .cancelled { break }
        try await all[1].finished()
        try await all[2].finished()
        #expect(test.library.downloads.count == 2)
        #expect(!test.files.keys.contains { $0.hasPrefix("old") })
    }

    @Test("A package does not expire while one of its downloads is unfinished")
    func expiryOfUnfinished() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        let url = server.url(for: "byterange/ts.m3u8")
        let finished = try await test.library.add(url)
        try await finished.finished()
        let unfinished = try await test.library.add(url, paused: true)
        let engine = test.library.engine
        try await engine.setStorage(
            isProtected: false, expires: Date().addingTimeInterval(-1), at: finished.location)
        // An opened library removes expired packages before it returns.
        let library = try await test.reopened()
        #expect(library.downloads.map(\.id) == [finished.id, unfinished.id])
        let all = library.downloads
        try await library[unfinished.id]?.resume()
        for download in all { for await state in download.states where state == .cancelled { break } }
        #expect(library.downloads.isEmpty)
        await library.close()
    }

    @Test("Progress never decreases across pauses, failures and restarts")
    func monotone() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let test = try await TestLibrary(policy: { $0.simultaneousSegments = 2 })
        server.setNetwork(.kilobits(12_000))
        server.inject(.reset(after: 60_000), on: "vod-ts/v3/*.ts", nth: 3...4)
        server.inject(.garbage(50_000), on: "vod-ts/v3/*.ts", nth: 6...6)
        var library = test.library
        var download = try await library.add(server.url(for: "vod-ts/master.m3u8"))
        var last = DownloadProgress()
        var ups = 0
        func look(_ progress: DownloadProgress) {
            #expect(progress.bytes >= last.bytes && progress.seconds >= last.seconds)
            if progress.bytes > last.bytes { ups += 1 }
            last = progress
        }
        for round in 0..<3 {
            #expect(
                await server.wait { $0.count { $0.path.contains("/v3/") && $0.outcome == .complete } >= 2 + 3 * round })
            look(download.progress)
            try await download.pause()
            look(download.progress)
            library = try await test.reopened()
            download = try #require(library.downloads.first)
            look(download.progress)
            #expect(download.state == .paused)
            try await download.resume()
        }
        server.setNetwork(nil)
        try await download.finished()
        look(download.progress)
        #expect(download.progress.seconds == 24 && download.progress.fraction == 1 && ups >= 2)
        await library.close()
    }

    @Test("Removing downloads deletes all their files and records")
    func removed() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        let done = try await test.library.add(server.url(for: "vod-fmp4/master.m3u8"))
        try await done.finished()
        server.setNetwork(.kilobits(4000))
        let running = try await test.library.add(server.url(for: "vod-ts/master.m3u8"))
        #expect(await server.wait { $0.contains { $0.path.contains("vod-ts/v3/") && $0.bytesSent > 0 } })
        try await done.remove()
        try await running.cancel()
        #expect(done.state == .cancelled && running.state == .cancelled && test.library.downloads.isEmpty)
        #expect(test.files.isEmpty)
        #expect(
            try FileManager.default.contentsOfDirectory(atPath: test.folder.path).allSatisfy {
                !$0.hasSuffix(".movpkg")
            })
        for table in ["download", "package", "rendition", "resource", "choice"] {
            #expect(
                try test.library.engine.record.read { try Int.fetchOne($0, sql: "SELECT COUNT(*) FROM \(table)") } == 0)
        }
        expectEqual(await test.library.totalSize(), 0)
        // Pending work of the removed download must not affect a new one of the same name.
        server.setNetwork(nil)
        let next = try await test.library.add(server.url(for: "vod-ts/master.m3u8"))
        try await next.finished()
        #expect(try await test.library.verify(next).isEmpty)
    }

    @Test("Any flipped bit is found, and repair fetches only that segment")
    func flipped() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        let stream = try await test.library.add(server.url(for: "vod-fmp4/master.m3u8"))
        try await stream.finished()
        var numbers = SeededNumbers(seed: 42)
        let files = test.files.keys.sorted()
        for _ in 0..<60 {
            let path = files[numbers.below(files.count)]
            let file = test.folder.appendingPathComponent(path)
            let good = try Data(contentsOf: file)
            var bad = good
            bad[numbers.below(bad.count)] ^= 1 << numbers.below(8)
            try bad.write(to: file)
            let damage = try await test.library.verify(stream)
            #expect(damage.map(\.file) == [path])
            try good.write(to: file)
        }
        #expect(try await test.library.verify(stream).isEmpty)
        let victim = try #require(files.first { $0.contains("segment-000005.m4s") && $0.contains("video") })
        let file = test.folder.appendingPathComponent(victim)
        let good = try Data(contentsOf: file)
        var bad = good
        bad[bad.count / 2] ^= 4
        try bad.write(to: file)
        let index = try #require(files.first { $0.contains("audio") && $0.hasSuffix("index.m3u8") })
        try Data("#EXTM3U\n".utf8).write(to: test.folder.appendingPathComponent(index))
        let from = server.requests.count
        try await test.library.repair(stream)
        try await stream.finished()
        #expect(server.requests.count - from == 1)
        #expect(try Data(contentsOf: file) == good)
        #expect(try await test.library.verify(stream).isEmpty)
    }

    @Test("Downloaded media plays without a network, and missing files are reported")
    func offline() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        let download = try await test.library.add(server.url(for: "vod-fmp4/master.m3u8"))
        try await download.finished()
        let requests = server.requests.count
        let player = AVPlayer(playerItem: AVPlayerItem(asset: try await download.asset()))
        player.isMuted = true
        player.play()
        for await status in player.values(of: \.timeControlStatus) where status == .playing { break }
        await player.seek(to: CMTime(seconds: 20, preferredTimescale: 600))
        #expect(player.currentItem?.status == .readyToPlay)
        player.replaceCurrentItem(with: nil)
        #expect(server.requests.count == requests)
        // Missing files are reported.
        for path in test.files.keys where path.contains("video") && path.hasSuffix(".m4s") {
            try FileManager.default.removeItem(at: test.folder.appendingPathComponent(path))
        }
        let item = AVPlayerItem(asset: AVURLAsset(url: try #require(download.playableURL)))
        let other = AVPlayer(playerItem: item)
        other.play()
        for await status in item.values(of: \.status) where status == .failed { break }
        let error = item.error as? AVError
        #expect(
            error?.code == .fileNotFound && error?.location.contains("segment-") == true,
            "\(String(describing: item.error))")
        expectEqual(try await test.library.verify(download).count, 12)
    }

    @Test("An unfinished download plays from disk, and missing parts load immediately")
    func unfinished() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary(policy: { $0.simultaneousSegments = 1 })
        defer { server.close() }
        let hold = server.inject(.stall(after: 1000), on: "vod-ts/v3/*6.ts", nth: 1...1)
        let download = try await test.library.add(server.url(for: "vod-ts/master.m3u8"))
        #expect(
            await server.wait {
                $0.contains { $0.path.contains("/v3/") && $0.path.hasSuffix("6.ts") && $0.bytesSent >= 1000 }
            })
        _ = await test.library.totalSize()
        let asset = try await download.asset()
        let from = server.requests.count
        let item = AVPlayerItem(asset: asset)
        let player = AVPlayer(playerItem: item)
        player.isMuted = true
        player.play()
        for await status in item.values(of: \.status) where status == .readyToPlay { break }
        // The whole video is available. The player loads the missing rest.
        #expect(abs(item.duration.seconds - 24) < 0.1)
        #expect(
            await server.wait {
                $0.dropFirst(from).contains {
                    $0.path.contains("/v3/") && $0.path.hasSuffix("11.ts") && $0.outcome == .complete
                }
            })
        let asked = server.requests.dropFirst(from).map(\.path)
        // Neither playlists nor downloaded segments are requested.
        #expect(
            !asked.contains { $0.hasSuffix("m3u8") }
                && !asked.contains { path in
                    ["00.ts", "01.ts", "02.ts", "03.ts", "04.ts", "05.ts"].contains(where: path.hasSuffix)
                })
        player.replaceCurrentItem(with: nil)
        server.remove(hold)
        try await download.finished()
    }

    @Test("Invalid URLs, options and downloads are refused")
    func nonsense() async throws {
        let test = try await TestLibrary()
        await #expect(throws: DownloadError.self) {
            try await test.library.add(try #require(URL(string: "ftp://example.org/film.mp4")))
        }
        var options = DownloadOptions()
        options.recordedDuration = .nan
        await #expect(throws: DownloadError.self) {
            try await test.library.add(try #require(URL(string: "http://127.0.0.1/film.m3u8")), options: options)
        }
        let other = try await TestLibrary()
        let download = try await test.library.add(
            try #require(URL(string: "http://127.0.0.1:9/film.mp4")), paused: true)
        await #expect(throws: DownloadError.self) { try await other.library.verify(download) }
    }

    @Test("Adding to a closed library fails and records nothing")
    func closed() async throws {
        let test = try await TestLibrary(starts: false)
        await test.library.close()
        let error = await #expect(throws: DownloadError.self) {
            try await test.library.add(try #require(URL(string: "http://127.0.0.1:9/film.mp4")))
        }
        #expect(error?.code == .cancelled)
        let other = try DownloadLibrary(
            at: test.folder, startsDownloads: false, loop: HTTPClient.shared, isMetered: { false })
        #expect(other.downloads.isEmpty)
        await other.close()
    }

    @Test("A library released during a download keeps the loaded parts")
    func letGo() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-downloads-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        let engine = WeakEngine()
        for round in 0..<20 {
            let asked = server.requests.count
            do {
                let library = try DownloadLibrary(at: folder, loop: HTTPClient.shared, isMetered: { false })
                engine.value = library.engine
                if round == 0 { try await library.add(server.url(for: "vod-ts/master.m3u8"), options: .plain) }
                if library.downloads.contains(where: { $0.state == .finished }) { break }
                #expect(await server.wait { $0.count > asked })
            }
            #expect(try await until { engine.value == nil ? true : nil } == true)
        }
        let library = try DownloadLibrary(at: folder, loop: HTTPClient.shared, isMetered: { false })
        let download = try #require(library.downloads.first)
        try await download.finished()
        #expect(try await library.verify(download).isEmpty)
        await library.close()
    }

    @Test(
        "Packages are found in a library whose path is not ASCII", arguments: ["j\u{FC}rgen", "ju\u{308}rgen", "日本"])
    func foreignPath(_ name: String) async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-\(name)-\(UUID().uuidString)")
        let test = try await TestLibrary(at: folder, starts: false)
        let download = try await test.library.add(try #require(URL(string: "http://127.0.0.1/film.ts")))
        let engine = test.library.engine
        #expect(await engine.source(of: download.location)?.url == download.url)
        #expect(await engine.source(of: download.location.appendingPathComponent("media/film.ts"))?.url == download.url)
        #expect(await engine.source(of: folder) == nil)
        try await engine.setStorage(isProtected: true, expires: nil, at: download.location)
        #expect(try engine.storage(at: download.location)?.isProtected == true)
        await engine.isPlayed(download.location.path)
        #expect(try engine.record.read { try $0.packages().map { $0.played != nil } } == [true])
    }

    @Test("An invalid record is reported and left unchanged")
    func brokenRecord() throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-downloads-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let file = folder.appendingPathComponent("downloads.sqlite")
        let words = Data(String(repeating: "no database ", count: 500).utf8)
        try words.write(to: file)
        #expect { try DownloadLibrary(at: folder) } throws: { ($0 as? DownloadError)?.code == .record }
        #expect(try Data(contentsOf: file) == words)
    }

    @Test(
        "SQLite's result code decides whether the disk is full",
        arguments: [
            (ResultCode.SQLITE_FULL, DownloadError.Code.diskFull), (.SQLITE_IOERR_SHMSIZE, .diskFull),
            (.SQLITE_IOERR_READ, .record), (.SQLITE_IOERR, .record), (.SQLITE_BUSY_SNAPSHOT, .inUse),
            (.SQLITE_READONLY_DIRECTORY, .disk),
        ], [0, ENOSPC])
    func recordErrors(_ result: (ResultCode, DownloadError.Code), _ system: Int32) {
        // The value that another call has left.
        errno = system
        #expect(DownloadError.record(DatabaseError(resultCode: result.0), at: "/library").code == result.1)
    }

    @Test(
        "an I/O error of SQLite because of an exceeded quota is .diskFull",
        arguments: [
            (ResultCode.SQLITE_IOERR_WRITE, EDQUOT, DownloadError.Code.diskFull),
            (.SQLITE_IOERR_FSYNC, EDQUOT, .diskFull), (.SQLITE_IOERR_WRITE, EIO, .record),
            (.SQLITE_CORRUPT, EDQUOT, .record),
        ])
    func recordErrorsOfQuotas(_ result: ResultCode, _ system: Int32, _ code: DownloadError.Code) {
        let error = DownloadError.record(DatabaseError(resultCode: result), system: system, at: "/library")
        #expect(error.code == code)
    }

    @Test(
        "Opening a library on a full disk fails with .diskFull",
        .enabled(if: SmallDisk.isAllowed, "only root can mount a file system"))
    func fullDisk() async throws {
        let disk = try await SmallDisk.mount(megabytes: 4)
        defer { disk.close() }
        let folder = disk.folder.appendingPathComponent("library")
        do { _ = try DownloadRecord(in: DiskRoot(folder.path)) }
        try await offPool { try disk.fill() }
        #expect { try DownloadRecord(in: DiskRoot(folder.path)) } throws: {
            ($0 as? DownloadError)?.code == .diskFull
        }
    }
}

private final class WeakEngine: @unchecked Sendable {
    // A weak reference, synchronized by the runtime. Each round sets it once before other threads read it.
    weak var value: DownloadEngine?
}
