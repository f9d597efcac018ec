import Foundation
import GRDB
import MediaCore
import MediaEngine
import Streaming
import Synchronization
import TestSupport
import Testing

@testable import Downloads

/// A finished download must be complete, and `verify` must find each missing or damaged file.
@Suite("Finished downloads") @MainActor struct PromiseTests {
    /// Returns the paths in the library of all resources in a download's plan.
    private func planned(_ test: TestLibrary, _ download: Download) throws -> Set<String> {
        let (_, package, renditions) = try test.library.engine.recorded(download.id)
        var result: Set<String> = []
        for (row, plan) in try PackageInspection.plans(of: renditions) {
            for item in plan?.items ?? [] { result.insert("\(package.folder)/\(row.name)/\(item.fileName)") }
        }
        return result
    }

    @Test(
        "a disk that fills up and is freed loses no segment",
        .enabled(if: SmallDisk.isAllowed, "only root can mount a file system"), arguments: [1, 2, 3] as [UInt64])
    func diskFull(_ seed: UInt64) async throws {
        let server = try TestStreams.server()
        let disk = try await SmallDisk.mount(megabytes: 24)
        defer {
            server.close()
            disk.close()
        }
        var numbers = SeededNumbers(seed: seed)
        // So slow that a write fails before another segment is complete.
        server.setNetwork(.kilobits(6_000))
        let test = try await TestLibrary(at: disk.folder.appendingPathComponent("library"))
        let download = try await test.library.add(server.url(for: "vod-ts/master.m3u8"), options: .plain)
        for _ in 0..<3 where !download.state.isSettled {
            let more = test.files.count + 1 + numbers.below(2)
            _ = try await until {
                let rows = try test.library.engine.record.read { try $0.downloads() }
                return test.files.count >= more || rows.contains { $0.isFinished || $0.failure != nil } ? true : nil
            }
            try await offPool { try disk.fill() }
            if numbers.below(2) == 0 {
                // The download may have no segment left to load.
                server.inject(.reset(after: 20_000), on: "vod-ts/v3/*.ts", nth: 1...2, isOptional: true)
            }
            _ = await download.reaches {
                if case .waiting(let error) = $0 { error.code == .diskFull } else { $0.isSettled }
            }
            if numbers.below(2) == 0, !download.state.isSettled {
                // The record may also have no space for the new state, which then stays unchanged.
                try? await download.pause()
            }
            disk.free()
            if !download.state.isSettled || download.state == .paused { try await download.resume() }
        }
        server.setNetwork(nil)
        try await download.finished()
        let files = Set(test.files.keys)
        #expect(try planned(test, download).subtracting(files).isEmpty)
        #expect(try await test.library.verify(download).isEmpty)
        await test.library.close()
    }

    @Test(
        "a disk without room for more files delays a download",
        .enabled(if: SmallDisk.isAllowed, "only root can mount a file system"))
    func noMoreFiles() async throws {
        let server = try TestStreams.server()
        let disk = try await SmallDisk.mount(megabytes: 24, files: 60)
        defer {
            server.close()
            disk.close()
        }
        let others = (0..<40).map { disk.folder.appendingPathComponent("\($0)") }
        for other in others { try Data().write(to: other) }
        let test = try await TestLibrary(at: disk.folder.appendingPathComponent("library"))
        let download = try await test.library.add(server.url(for: "vod-ts/master.m3u8"), options: .plain)
        let state = await download.reaches {
            if case .waiting(let error) = $0 { error.code == .diskFull } else { $0.isSettled }
        }
        expectEqual(state?.error?.code, .diskFull)
        // The other work of the library goes on.
        #expect(await test.library.totalSize() > 0)
        for other in others { try FileManager.default.removeItem(at: other) }
        try await download.finished()
        #expect(try await test.library.verify(download).isEmpty)
        await test.library.close()
    }

    @Test(
        "a recording continues after a full disk",
        .enabled(if: SmallDisk.isAllowed, "only root can mount a file system"),
        .timeLimit(.minutes(5)))
    func recording() async throws {
        let server = try TestStreams.server()
        let disk = try await SmallDisk.mount(megabytes: 24)
        defer {
            server.close()
            disk.close()
        }
        let source = try MediaPlaylist.parse(
            served("vod-ts/v1/index.m3u8"), url: server.url(for: "vod-ts/v1/index.m3u8"))
        let reloads = Mutex(0)
        // A window of four segments that advances with each reload. The disk fills before the third.
        server.serve("vod-ts/v1/live.m3u8") { _ in
            let begin = reloads.withLock { number in
                defer { number += 1 }
                return number
            }
            if begin == 3 { try? disk.fill() }
            let first = min(begin, 8)
            var text = "#EXTM3U\n#EXT-X-TARGETDURATION:1\n#EXT-X-MEDIA-SEQUENCE:\(first)\n"
            for segment in source.segments[first..<first + 4] { text += "#EXTINF:2.0,\n\(segment.uri)\n" }
            return .playlist(text)
        }
        let test = try await TestLibrary(at: disk.folder.appendingPathComponent("library"))
        var options = DownloadOptions.plain
        options.recordedDuration = 12
        let download = try await test.library.add(server.url(for: "vod-ts/v1/live.m3u8"), options: options)
        let waiting = await download.reaches {
            if case .waiting(let error) = $0 { error.code == .diskFull } else { $0.isSettled }
        }
        #expect(waiting?.error?.code == .diskFull)
        disk.free()
        try await download.finished()
        #expect(try planned(test, download).count == 6 && test.files.keys.count { $0.hasSuffix(".ts") } == 6)
        #expect(try await test.library.verify(download).isEmpty)
        await test.library.close()
    }

    nonisolated static let kinds: [(stream: String, missing: String)] = [
        ("vod-fmp4/master.m3u8", "segment-000004.m4s"), ("vod-fmp4/master.m3u8", "init-0.mp4"),
        ("aes128/rotation.m3u8", "key-1.ts"), ("vod-ts/master.m3u8", "segment-000000.ts"),
    ]

    @Test("verify finds a file never downloaded, and repair fetches it", arguments: kinds)
    func neverCame(_ stream: String, _ missing: String) async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        var options = DownloadOptions.plain
        options.quality = .worst
        let download = try await test.library.add(server.url(for: stream), options: options)
        try await download.finished()
        let all = test.files
        // Simulates the result of an earlier version, with neither the file nor its row in the record.
        let file = try #require(all.keys.sorted().first { $0.hasSuffix("/" + missing) })
        try FileManager.default.removeItem(at: test.folder.appendingPathComponent(file))
        try test.library.engine.record.write {
            try $0.execute(sql: "DELETE FROM resource WHERE file = ?", arguments: [missing])
        }
        #expect(download.state == .finished)
        let damage = try await test.library.verify(download)
        #expect(damage.contains { $0.file == file && $0.reason == "the file was never downloaded" }, "\(damage)")
        let target = test.folder.appendingPathComponent("copy.movpkg")
        await #expect(throws: DownloadError.self) { try await test.library.export(download, to: target) }
        #expect(!FileManager.default.fileExists(atPath: target.path))
        let from = server.requests.count
        expectEqual(try await test.library.repair(download), damage)
        try await download.finished()
        #expect(server.requests.count - from == damage.count { $0.reason == "the file was never downloaded" })
        #expect(try await test.library.verify(download).isEmpty)
        #expect(test.files.keys.sorted() == all.keys.sorted())
    }

    @Test("verify finds every file that is missing or changed")
    func afterwards() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        var options = DownloadOptions.plain
        options.quality = .worst
        options.audioLanguages = ["en", "de"]
        options.subtitleLanguages = ["en"]
        let download = try await test.library.add(server.url(for: "vod-fmp4/master.m3u8"), options: options)
        try await download.finished()
        for file in test.files.keys.sorted() {
            let place = test.folder.appendingPathComponent(file)
            let bytes = try Data(contentsOf: place)
            for (damaged, reason) in [
                (nil, "the file is missing"), (Data(bytes.dropLast()), nil),
                (Data(bytes.prefix(bytes.count - 1) + [bytes[bytes.count - 1] ^ 1]), nil),
            ] as [(Data?, String?)] {
                try damaged?.write(to: place) ?? FileManager.default.removeItem(at: place)
                let damage = try await test.library.verify(download)
                #expect(damage.map(\.file) == [file] && reason ?? damage[0].reason == damage[0].reason, "\(damage)")
                try bytes.write(to: place)
            }
        }
        #expect(try await test.library.verify(download).isEmpty)
        // Remove the whole folder of a rendition, and then the whole package.
        let folder = try #require(test.files.keys.first { $0.contains("audio-de") }).split(separator: "/").prefix(2)
        try FileManager.default.removeItem(at: test.folder.appendingPathComponent(folder.joined(separator: "/")))
        #expect(try await test.library.verify(download).allSatisfy { $0.file.contains("audio-de") })
        try FileManager.default.removeItem(at: download.location)
        #expect(try await Set(test.library.verify(download).map(\.file)).isSuperset(of: planned(test, download)))
        await #expect(throws: DownloadError.self) { try await download.asset() }
        try await test.library.repair(download)
        try await download.finished()
        #expect(try await test.library.verify(download).isEmpty)
    }

    @Test("a segment that disappears during the download is fetched again")
    func disappears() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary(policy: { $0.simultaneousSegments = 1 })
        defer { server.close() }
        let hold = server.inject(.stall(after: 1000), on: "vod-ts/v3/*6.ts", nth: 1...1)
        let download = try await test.library.add(server.url(for: "vod-ts/master.m3u8"), options: .plain)
        let file = try #require(try await until { test.files.keys.first { $0.hasSuffix("segment-000002.ts") } })
        #expect(await server.wait { $0.contains { $0.path.hasSuffix("6.ts") && $0.bytesSent >= 1000 } })
        try FileManager.default.removeItem(at: test.folder.appendingPathComponent(file))
        server.remove(hold)
        try await download.finished()
        #expect(Set(test.files.keys).isSuperset(of: try planned(test, download)))
        #expect(try await test.library.verify(download).isEmpty)
    }

    // MARK: AES-128 encryption

    /// Returns an encrypted segment of random bytes with valid padding at its end.
    private nonisolated static func noise(_ cipher: Data) -> Data {
        var numbers = SeededNumbers(seed: 7)
        return Data((0..<cipher.count - 32).map { _ in UInt8(truncatingIfNeeded: numbers.next()) }) + cipher.suffix(32)
    }

    @Test(
        "segments that decrypt to noise fail with wrongKey",
        arguments: ["explicit.m3u8", "implicit.m3u8", "fmp4.m3u8", "rotation.m3u8"], ["key", "iv", "segment"])
    func decryption(_ list: String, _ fault: String) async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        switch fault {
        case "key":
            server.serve("aes128/*.key") { _ in ServerResponse(type: "application/octet-stream", Data(100..<116)) }
        case "iv":
            let text = String(decoding: try served("aes128/" + list), as: UTF8.self)
            let wrong =
                text.contains("IV=0x")
                ? text.replacingOccurrences(of: "IV=0x", with: "IV=0x5")
                    .replacing(/IV=0x5([0-9A-Fa-f]{31})[0-9A-Fa-f]/) { "IV=0x5\($0.1)" }
                : text.replacing(/#EXT-X-MEDIA-SEQUENCE:\d+/) { _ in "#EXT-X-MEDIA-SEQUENCE:77" }
            try #require(wrong != text)
            server.serve("aes128/" + list) { _ in .playlist(wrong) }
        default:
            for name in ["*003.ts", "*003.m4s"] {
                server.serve("aes128/" + name) { request in
                    (try? served(request.path)).map { ServerResponse(type: "video/mp2t", Self.noise($0)) }
                }
            }
        }
        let download = try await test.library.add(server.url(for: "aes128/" + list), options: .plain)
        let error = try #require(await download.settles()?.error)
        #expect(error.code == .wrongKey, "\(error)")
        #expect(error.location.contains("/aes128/") && !error.location.hasSuffix(".key"))
        #expect(error.reason.contains(".key"), "\(error)")
        #expect(download.playableURL == nil)
    }

    @Test(
        "encrypted segments that are disguised as images are downloaded",
        arguments: ["GIF89a".utf8.map { $0 }, "BM".utf8.map { $0 }, [0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF]])
    func disguised(_ signature: [UInt8]) async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        let list = try served("aes128/explicit.m3u8")
        let playlist = try MediaPlaylist.parse(list, url: server.url(for: "aes128/explicit.m3u8"))
        let vector = try #require(playlist.segments.first?.keys.first?.iv)
        // Two blocks are added before each segment. With the new initialization vector, the first one decrypts to the
        // signature. The second one is the vector with which the segment was encrypted.
        let block = [UInt8](repeating: 1, count: 16)
        var plain: [UInt8] = []
        let decryptor = try #require(
            SegmentDecryptor(key: Array(try served("aes128/0.key")), iv: [UInt8](repeating: 0, count: 16)))
        (block + block).withUnsafeBytes { decryptor.feed($0) { plain.append(contentsOf: $0) } }
        let image = signature + [UInt8](repeating: 0, count: 16 - signature.count)
        let digits = zip(plain, image).map { String(format: "%02x", $0 ^ $1) }.joined()
        let text = String(decoding: list, as: UTF8.self).replacing(/IV=0x[0-9A-Fa-f]+/) { _ in "IV=0x" + digits }
        server.serve("aes128/explicit.m3u8") { _ in .playlist(text) }
        server.serve("aes128/explicit*.ts") { request in
            (try? served(request.path)).map { ServerResponse(type: "video/mp2t", Data(block + vector) + $0) }
        }
        let download = try await test.library.add(server.url(for: "aes128/explicit.m3u8"), options: .plain)
        try await download.finished()
        #expect(try await test.library.verify(download).isEmpty)
    }

    @Test("a key that was wrong once is requested again")
    func keyOnce() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        let count = Mutex(0)
        server.serve("aes128/0.key") { _ in
            count.withLock { $0 += 1 }
            return count.withLock { $0 } == 1 ? ServerResponse(type: "application/octet-stream", Data(100..<116)) : nil
        }
        let download = try await test.library.add(server.url(for: "aes128/explicit.m3u8"), options: .plain)
        try await download.finished()
        #expect(try await test.library.verify(download).isEmpty)
        let package = try #require(download.playableURL)
        #expect(try Data(contentsOf: package.appendingPathComponent("main/key-0.ts")) == served("aes128/0.key"))
    }

    @Test("an unencrypted segment of noise is refused", arguments: 0..<3 as Range<UInt64>)
    func clearNoise(_ seed: UInt64) async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary()
        defer { server.close() }
        server.serve("vod-ts/v3/*3.ts") { request in
            var numbers = SeededNumbers(seed: seed)
            let length = (try? served(request.path).count) ?? 0
            return ServerResponse(
                type: "video/mp2t", Data((0..<length).map { _ in UInt8(truncatingIfNeeded: numbers.next()) }))
        }
        let download = try await test.library.add(server.url(for: "vod-ts/master.m3u8"), options: .plain)
        let error = try #require(await download.settles()?.error)
        #expect(error.code == .notMedia && error.location.hasSuffix("3.ts"), "\(error)")
    }
}
