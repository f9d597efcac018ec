import Foundation
import MediaCore
import MediaEngine
import Streaming
import TestSupport
import Testing

@testable import Downloads

/// Links inside a library are never followed: nothing outside the library is read, changed or removed.
@Suite("Links in a library") @MainActor struct LinkTests {
    /// A folder outside the library, whose files must stay unchanged.
    private final class Victim {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-victim-\(UUID().uuidString)")
        private var before: [String: Data] = [:]

        init() throws {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try Data("precious".utf8).write(to: folder.appendingPathComponent("precious.txt"))
        }
        deinit { try? FileManager.default.removeItem(at: folder) }

        var content: [String: Data] {
            var result: [String: Data] = [:]
            for path in FileManager.default.subpaths(atPath: folder.path) ?? [] {
                result[path] = try? Data(contentsOf: folder.appendingPathComponent(path))
            }
            return result
        }
        /// Makes the current files the ones that must stay unchanged.
        func remember() { before = content }
        var isUntouched: Bool { content == before }

        /// Moves a file or folder of a library here and replaces it by a link.
        func take(_ place: URL) throws {
            let target = folder.appendingPathComponent(place.lastPathComponent)
            if FileManager.default.fileExists(atPath: place.path) {
                try FileManager.default.moveItem(at: place, to: target)
                if place.pathExtension.isEmpty || place.pathExtension == "movpkg" {
                    try Data("precious".utf8).write(to: target.appendingPathComponent("precious.txt"))
                }
            } else {
                try Data("precious".utf8).write(to: target)
            }
            try FileManager.default.createSymbolicLink(at: place, withDestinationURL: target)
            remember()
        }
    }

    nonisolated static let places = ["", "main", "main/segment-000002.ts", "main/index.m3u8", "index.m3u8"]

    /// Returns a finished download in which `place` was replaced by a link.
    private func linked(_ place: String, _ victim: Victim, _ server: StreamServer) async throws -> (
        TestLibrary, Download, URL
    ) {
        let test = try await TestLibrary()
        let download = try await test.library.add(server.url(for: "byterange/ts.m3u8"), options: .plain)
        try await download.finished()
        let link = place.isEmpty ? download.location : download.location.appendingPathComponent(place)
        try victim.take(URL(fileURLWithPath: link.path))
        return (test, download, link)
    }

    @Test("verify reports a link without reading its target", arguments: places)
    func verify(_ place: String) async throws {
        let server = try TestStreams.server()
        let victim = try Victim()
        defer { server.close() }
        let (test, download, _) = try await linked(place, victim, server)
        let damage = try await test.library.verify(download)
        #expect(!damage.isEmpty && damage.allSatisfy { place.isEmpty || $0.file.contains(place) }, "\(damage)")
        #expect(damage.contains { $0.reason.contains("link") || $0.reason.contains("regular file") }, "\(damage)")
        #expect(victim.isUntouched)
    }

    @Test("export refuses a link and names it", arguments: places)
    func export(_ place: String) async throws {
        let server = try TestStreams.server()
        let victim = try Victim()
        defer { server.close() }
        let (test, download, link) = try await linked(place, victim, server)
        let target = test.folder.appendingPathComponent("copy.movpkg")
        let error = await #expect(throws: DownloadError.self) {
            try await test.library.export(download, to: target)
        }
        #expect(error?.code == .damaged && error?.location.hasPrefix(link.path) == true, "\(String(describing: error))")
        #expect(!FileManager.default.fileExists(atPath: target.path) && victim.isUntouched)
    }

    @Test("repair replaces a linked file, and refuses a linked folder", arguments: places)
    func repair(_ place: String) async throws {
        let server = try TestStreams.server()
        let victim = try Victim()
        defer { server.close() }
        let (test, download, link) = try await linked(place, victim, server)
        let isFolder = ["", "main"].contains(place)
        do throws(DownloadError) {
            try await test.library.repair(download)
            try await download.finished()
            #expect(!isFolder)
            #expect(try await test.library.verify(download).isEmpty)
        } catch {
            #expect(isFolder && error.code == .damaged && error.location == link.path, "\(error)")
        }
        #expect(victim.isUntouched)
        guard isFolder else { return }
        // Without the link the download continues.
        try FileManager.default.removeItem(at: URL(fileURLWithPath: link.path))
        if download.state == .finished { try await test.library.repair(download) } else { try await download.retry() }
        try await download.finished()
        #expect(try await test.library.verify(download).isEmpty && victim.isUntouched)
    }

    @Test("removing a download removes its links, not their targets", arguments: places)
    func remove(_ place: String) async throws {
        let server = try TestStreams.server()
        let victim = try Victim()
        defer { server.close() }
        let (test, download, link) = try await linked(place, victim, server)
        try await download.remove()
        var info = stat()
        #expect(lstat(link.path, &info) != 0 && test.library.downloads.isEmpty)
        #expect(test.files.isEmpty && victim.isUntouched)
    }

    @Test("a link created during a download is refused", arguments: ["", "main"])
    func meanwhile(_ place: String) async throws {
        let server = try TestStreams.server()
        let victim = try Victim()
        let test = try await TestLibrary(policy: { $0.simultaneousSegments = 1 })
        defer { server.close() }
        let hold = server.inject(.stall(after: 1000), on: "aes128/*006.ts", nth: 1...1)
        let download = try await test.library.add(server.url(for: "aes128/explicit.m3u8"), options: .plain)
        #expect(await server.wait { $0.contains { $0.path.hasSuffix("006.ts") && $0.bytesSent >= 1000 } })
        _ = try await until { test.files.keys.first { $0.hasSuffix("segment-000005.ts") } }
        let link = place.isEmpty ? download.location : download.location.appendingPathComponent(place)
        try victim.take(URL(fileURLWithPath: link.path))
        server.remove(hold)
        let error = try #require(await download.settles()?.error)
        #expect(error.code == .damaged && error.location == link.path && error.reason.contains("link"), "\(error)")
        // A file that was open during the move is still written to its end, at its new path. Therefore partial files
        // are not compared.
        let names = Set(victim.content.keys.filter { !$0.hasSuffix(".part") })
        victim.remember()
        try await download.resume()
        _ = await download.settles()
        #expect(victim.isUntouched && names.contains { $0.hasSuffix("precious.txt") })
    }

    @Test("a library's own files are not opened through links", arguments: ["downloads.sqlite", "policy.json"])
    func own(_ name: String) async throws {
        let victim = try Victim()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-links-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try victim.take(folder.appendingPathComponent(name))
        let error = #expect(throws: DownloadError.self) { try DownloadLibrary(at: folder) }
        #expect(error?.code == .damaged && error?.location.hasSuffix(name) == true, "\(String(describing: error))")
        #expect(victim.isUntouched)
    }

    @Test("unknown packages are removed, but not links to them")
    func strays() async throws {
        let victim = try Victim()
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-strays-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        for name in ["a.movpkg", "b.movpkg"] {
            let place = folder.appendingPathComponent(name)
            try FileManager.default.createDirectory(at: place, withIntermediateDirectories: true)
            try Data().write(to: place.appendingPathComponent(".lock"))
        }
        try victim.take(folder.appendingPathComponent("b.movpkg"))
        let library = try DownloadLibrary(at: folder)
        expectEqual(await library.totalSize(), 0)
        #expect(!FileManager.default.fileExists(atPath: folder.appendingPathComponent("a.movpkg").path))
        #expect(victim.isUntouched)
        await library.close()
    }

    @Test("a library reached through a link works")
    func throughLink() async throws {
        let server = try TestStreams.server()
        let real = FileManager.default.temporaryDirectory.appendingPathComponent("zt-real-\(UUID().uuidString)")
        let link = FileManager.default.temporaryDirectory.appendingPathComponent("zt-link-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: real, withIntermediateDirectories: true)
        try FileManager.default.createSymbolicLink(at: link, withDestinationURL: real)
        defer {
            server.close()
            try? FileManager.default.removeItem(at: real)
            try? FileManager.default.removeItem(at: link)
        }
        let test = try await TestLibrary(at: link.appendingPathComponent("data/library"))
        let download = try await test.library.add(server.url(for: "byterange/ts.m3u8"), options: .plain)
        try await download.finished()
        #expect(try await test.library.verify(download).isEmpty)
        #expect(
            FileManager.default.fileExists(atPath: real.appendingPathComponent("data/library/downloads.sqlite").path))
        try await download.remove()
        #expect(test.files.isEmpty)
    }

    @Test("a file with a second hard link is not written to")
    func hardLinks() async throws {
        let server = try TestStreams.server()
        let test = try await TestLibrary(policy: { $0.simultaneousSegments = 1 })
        let victim = try Victim()
        defer { server.close() }
        let hold = server.inject(.stall(after: 200_000), on: "vod-ts/v3/*4.ts", nth: 1...1)
        let download = try await test.library.add(server.url(for: "vod-ts/master.m3u8"), options: .plain)
        #expect(await server.wait { $0.contains { $0.path.hasSuffix("4.ts") && $0.bytesSent >= 200_000 } })
        let part = try #require(
            try await until { test.files.first { $0.key.hasSuffix("04.ts.part") && $0.value > 100_000 }?.key })
        try await download.pause()
        // Some backup programs create hard links.
        let copy = victim.folder.appendingPathComponent("backup.part")
        try FileManager.default.linkItem(at: test.folder.appendingPathComponent(part), to: copy)
        victim.remember()
        server.remove(hold)
        let from = server.requests.count
        try await download.resume()
        try await download.finished()
        #expect(victim.isUntouched)
        // The download continues nevertheless.
        #expect(server.requests.dropFirst(from).contains { $0.path.hasSuffix("4.ts") && $0.status == 206 })
        #expect(try await test.library.verify(download).isEmpty)
    }
}
