import Foundation
import GRDB
import MediaCore
import Streaming
import TestSupport
import Testing

@testable import Downloads

/// Tests killed processes, and several processes at the same time.
@Suite("Downloads when processes end") struct KillTests {
    private static let probe = Programs.path("DownloadProbe")

    private func folder() -> URL {
        FileManager.default.temporaryDirectory.appendingPathComponent("zt-kill-\(UUID().uuidString)")
    }

    /// A complete resource in the record: its path on the disk, its length, and its path on the server.
    private struct Whole: Hashable { var file: String, length: Int64, source: String }
    private func whole(_ library: URL) throws -> Set<Whole> {
        let database = library.appendingPathComponent("downloads.sqlite")
        guard FileManager.default.fileExists(atPath: database.path), let record = try? DownloadRecord(at: database)
        else { return [] }
        return try record.read { database in
            var result: Set<Whole> = []
            for package in try database.packages() {
                for rendition in try database.renditions(where: "package = ?", [package.id])
                where rendition.playlist != nil {
                    guard let plan = try RenditionPlan.all(of: [rendition])[0] else { continue }
                    let items = Dictionary(
                        plan.items.map { ("\($0.kind.rawValue) \($0.number)", $0) },
                        uniquingKeysWith: { first, _ in first })
                    for row in try database.resources(of: rendition.id, completeOnly: true) {
                        guard let item = items["\(row.kind.rawValue) \(row.number)"], let url = plan.url(of: item)
                        else { continue }
                        result.insert(
                            Whole(
                                file: "\(package.folder)/\(rendition.name)/\(row.file)", length: row.length,
                                source: String(url.path.dropFirst())))
                    }
                }
            }
            return result
        }
    }

    // No partial file has a final name.
    @Test("A download killed at any moment loses and refetches nothing")
    func killed() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let url = server.url(for: "vod-fmp4/master.m3u8").absoluteString
        try await offPool {
            var numbers = SeededNumbers(seed: 1)
            var kills = 0
            var round = 0
            while kills < 200 {
                let library = folder()
                defer { try? FileManager.default.removeItem(at: library) }
                round += 1
                var isFirst = true
                while true {
                    let before = try whole(library)
                    let from = server.requests.count
                    let run = try started(
                        isFirst
                            ? [library.path, url, "--height", "64", "--audio", "en,de", "--no-pictures"]
                            : [library.path])
                    let child = run.process
                    isFirst =
                        !FileManager.default.fileExists(atPath: library.appendingPathComponent("downloads.sqlite").path)
                        && isFirst
                    // A quarter of the processes are killed at any moment from their start on. The others are killed
                    // after their first request, because a busy machine may take longer to start a program.
                    if numbers.below(4) > 0 {
                        let isAsked: () -> Bool? = { server.requests.count > from ? true : nil }
                        _ = Deadline().poll(while: { child.exitCode == nil }, isAsked)
                    }
                    blockWhileTimePasses(
                        Double(numbers.below(260_000)) / 1e6, because: "the process is killed at any moment")
                    let ended = child.exitCode
                    child.send(SIGKILL)
                    child.wait()
                    let words = words(run)
                    kills += ended == nil ? 1 : 0
                    // The server logs a running request only when it ends.
                    let asked = Set(server.requests.dropFirst(from).map(\.path))
                    #expect(asked.isDisjoint(with: before.map(\.source)), "fetched again in round \(round)")
                    let now = try whole(library)
                    #expect(now.isSuperset(of: before))
                    try check(library, now)
                    if let database = try? DownloadRecord(at: library.appendingPathComponent("downloads.sqlite")),
                        try database.read({ try $0.downloads().isEmpty })
                    {
                        isFirst = true
                    } else if FileManager.default.fileExists(atPath: library.path) {
                        isFirst = false
                    }
                    if ended != nil {
                        #expect(ended == 0, "\(words)")
                        break
                    }
                }
                // All resources are there, and no other files.
                let end = try whole(library)
                #expect(end.count == 3 * 12 + 3)
                let names = Set(
                    FileManager.default.subpaths(atPath: library.path)?.filter {
                        $0.contains(".movpkg/") && $0.hasSuffix(".m4s") || $0.hasSuffix(".mp4")
                    } ?? [])
                #expect(names == Set(end.map(\.file)))
                #expect(FileManager.default.subpaths(atPath: library.path)?.contains { $0.hasSuffix(".part") } == false)
            }
        }
    }

    /// Checks that each recorded file is complete, under its final name or, before it was renamed, its temporary name.
    /// Checks that each file with a final name is recorded.
    private func check(_ library: URL, _ whole: Set<Whole>) throws {
        let files = Dictionary(whole.map { ($0.file, $0) }, uniquingKeysWith: { first, _ in first })
        for item in whole {
            let place = library.appendingPathComponent(item.file)
            let bytes = try (try? Data(contentsOf: place)) ?? Data(contentsOf: place.appendingPathExtension("part"))
            #expect(try bytes == served(item.source))
        }
        for path in FileManager.default.subpaths(atPath: library.path) ?? []
        where path.contains(".movpkg/") && (path.hasSuffix(".m4s") || path.hasSuffix(".mp4")) {
            #expect(files[path] != nil, "\(path) has a name and is not recorded")
        }
    }

    private typealias Started = (process: ChildProcess, log: URL)
    /// Starts the probe, with a file for its output.
    private func started(_ arguments: [String]) throws -> Started {
        let log = FileManager.default.temporaryDirectory.appendingPathComponent("zt-kill-\(UUID().uuidString)")
        return (try ChildProcess(Self.probe, arguments, output: log.path, error: log.path + ".err"), log)
    }
    /// Waits until the process ends, and expects exit code 0.
    private func ends(_ started: Started, sourceLocation: SourceLocation = #_sourceLocation) {
        let code = started.process.wait()
        #expect(code == 0, "\(words(started))", sourceLocation: sourceLocation)
    }
    /// Returns the lines that the process wrote, and deletes the files.
    private func words(_ started: Started) -> [String] {
        let files = [started.log.path, started.log.path + ".err"]
        defer { for file in files { try? FileManager.default.removeItem(atPath: file) } }
        return files.map { (try? String(contentsOfFile: $0, encoding: .utf8)) ?? "" }
    }

    @Test("A killed removal is complete or has not begun after reopening", arguments: 0..<12)
    func killedRemoving(_ seed: Int) async throws {
        let server = try TestStreams.server()
        let library = folder()
        defer {
            server.close()
            try? FileManager.default.removeItem(at: library)
        }
        let url = server.url(for: "vod-fmp4/master.m3u8").absoluteString
        try await offPool {
            ends(try started([library.path, url, "--height", "64"]))
            let child = try ChildProcess(Self.probe, [library.path, "--remove"])
            blockWhileTimePasses(Double(seed) * 0.004, because: "the process is killed at any moment")
            child.send(SIGKILL)
            child.wait()
            ends(try started([library.path, "--settle"]))
            let left = (FileManager.default.subpaths(atPath: library.path) ?? []).filter { $0.contains("movpkg") }
            let record = try DownloadRecord(at: library.appendingPathComponent("downloads.sqlite"))
            let rows = try record.read { (try $0.downloads(), try $0.packages().count) }
            if rows.0.isEmpty {
                #expect(left.isEmpty && rows.1 == 0)
            } else {
                // The removal had not begun, so all files are there.
                #expect(rows.0.allSatisfy { $0.requestedState == .run && $0.isFinished } && !left.isEmpty)
            }
        }
    }

    @Test("Two processes download the same stream without fetching anything twice")
    func twoProcesses() async throws {
        let server = try TestStreams.server()
        let library = folder()
        defer {
            server.close()
            try? FileManager.default.removeItem(at: library)
        }
        server.inject(.latency(0.01))
        let url = server.url(for: "vod-fmp4/master.m3u8").absoluteString
        try await offPool {
            let one = try started([library.path, url, "--height", "64", "--audio", "en", "--no-pictures"])
            let two = try started([library.path, url, "--height", "64", "--audio", "en,de", "--no-pictures"])
            ends(one)
            ends(two)
            let media = server.requests.filter { $0.path.hasSuffix(".m4s") || $0.path.hasSuffix(".mp4") }.map(\.path)
            #expect(media.count == Set(media).count)
            #expect(media.count == 3 * 12 + 3)
            try check(library, try whole(library))
            let record = try DownloadRecord(at: library.appendingPathComponent("downloads.sqlite"))
            #expect(try record.read { try $0.downloads() }.map(\.isFinished) == [true, true])
        }
    }

    @Test(
        "A full disk makes a download wait without damage or refetching",
        .enabled(if: SmallDisk.isAllowed, "only root can mount a file system"))
    func diskFull() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        try await offPool {
            let disk = try SmallDisk(megabytes: 6)
            defer { disk.close() }
            let library = disk.folder.appendingPathComponent("library")
            let output = self.folder()
            let url = server.url(for: "vod-ts/master.m3u8").absoluteString
            defer { try? FileManager.default.removeItem(at: output) }
            // Another program uses space that the download has reserved.
            let child = try ChildProcess(
                Self.probe, [library.path, url, "--no-pictures", "--reserve", "0", "--height", "128"],
                output: output.path)
            try Data(count: 3 << 20).write(to: disk.folder.appendingPathComponent("other"))
            let waits = { ChildProcess.wholeLines(of: output).contains { $0.contains("waiting(diskFull") } }
            #expect(
                blockUntil(
                    "waiting(diskFull", seen: { "\(ChildProcess.wholeLines(of: output)), it \(child.state)" },
                    while: { child.exitCode == nil }, waits))
            let before = try whole(library)
            let from = server.requests.count
            try check(library, before)
            try FileManager.default.removeItem(at: disk.folder.appendingPathComponent("other"))
            #expect(child.wait() == 0, "\(ChildProcess.wholeLines(of: output))")
            #expect(Set(server.requests.dropFirst(from).map(\.path)).isDisjoint(with: before.map(\.source)))
            try check(library, try whole(library))
        }
    }
}
