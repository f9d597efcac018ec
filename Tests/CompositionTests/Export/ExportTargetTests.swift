import Foundation
import MediaCore
import MediaEngine
import TestSupport
import Testing

@testable import Export

@Suite("Export destinations", .serialized)
struct ExportTargetTests {
    @Test("a file that is being written is not removed as abandoned")
    func writtenFile() throws {
        let bench = try ExportBench()
        let path = try #require(FilePath(bench.url("a.mp4")))
        let file = try PartialFile(beside: bench.url("a.mp4"), replaces: false)
        try Data().write(to: bench.url(".a.mp4.abandoned.part"))
        PartialFile.removeAbandoned(path)
        #expect(bench.contents.count == 1 && bench.contents != [".a.mp4.abandoned.part"])
        try file.commit()
        #expect(bench.contents == ["a.mp4"])
    }

    /// A link may point to a file that does not exist yet.
    @Test("an export follows links and keeps the permissions of existing files")
    func links() async throws {
        let bench = try ExportBench()
        let manager = FileManager.default
        try Data("old".utf8).write(to: bench.url("real.mp4"))
        try manager.setAttributes([.posixPermissions: 0o600], ofItemAtPath: bench.url("real.mp4").path)
        try manager.createSymbolicLink(atPath: bench.url("link.mp4").path, withDestinationPath: "real.mp4")
        try manager.createSymbolicLink(
            atPath: bench.url("new.mp4").path, withDestinationPath: bench.url("made.mp4").path)
        let source = try TestMedia.url("counter-video.mp4")
        // Without permission to replace files, an existing target of the link is refused.
        let refused = await #expect(throws: AVError.self) {
            try await AVAssetExportSession(asset: AVURLAsset(url: source)).export(to: bench.url("link.mp4"))
        }
        #expect(refused?.code == .fileAlreadyExists)
        for name in ["link.mp4", "new.mp4"] {
            try await bench.export(source, to: name) {
                $0.timeRange = CMTimeRange(start: .zero, duration: CMTime(value: 1, timescale: 5))
                $0.replacesExistingFile = name == "link.mp4"
            }
        }
        #expect(bench.contents == ["link.mp4", "made.mp4", "new.mp4", "real.mp4"])
        #expect(try manager.destinationOfSymbolicLink(atPath: bench.url("link.mp4").path) == "real.mp4")
        let attributes = try manager.attributesOfItem(atPath: bench.url("real.mp4").path)
        #expect(attributes[.posixPermissions] as? Int == 0o600 && (attributes[.size] as? Int ?? 0) > 1000)
    }

    @Test("file names that are not UTF-8 are read and written")
    func bytes() async throws {
        let bench = try ExportBench()
        let folder = try #require(FilePath(bench.folder))
        let source = folder.appending([0xE9] + Array(".mp4".utf8))
        let target = folder.appending([0xEA] + Array(".mp4".utf8))
        let original = try Data(contentsOf: TestMedia.url("counter-video.mp4"))
        try AtomicFile.write(Array(original), to: source.url)
        let session = AVAssetExportSession(asset: AVURLAsset(url: source.url))
        session.timeRange = CMTimeRange(start: .zero, duration: CMTime(value: 1, timescale: 5))
        try await session.export(to: target.url)
        var info = stat()
        #expect(target.withCString { stat($0, &info) } == 0 && info.st_size > 1000)
        for path in [source, target] { path.withCString { _ = unlink($0) } }
        #expect(bench.contents == [])
    }

    /// Without this, the signals would end the process.
    @Test("signals caused by writing are blocked and discarded afterwards")
    func signals() async throws {
        try await offPool {
            for number in [SIGXFSZ, SIGPIPE] {
                // Sent to this thread, like the kernel sends them to the writing thread.
                let isThere = BlockedSignals.during { () -> Bool in
                    pthread_kill(pthread_self(), number)
                    var waiting = sigset_t()
                    sigpending(&waiting)
                    return sigismember(&waiting, number) == 1
                }
                var waiting = sigset_t()
                var blocked = sigset_t()
                sigpending(&waiting)
                pthread_sigmask(SIG_BLOCK, nil, &blocked)
                #expect(isThere && sigismember(&waiting, number) == 0)
            }
        }
    }

    @Test(
        "removing abandoned files keeps those of similarly named targets",
        arguments: [
            ("a.mp4", "a.mp4.gif"), ("a.mp4", "b.mp4"),
            (String(repeating: "a", count: 220) + "1", String(repeating: "a", count: 220) + "2"),
        ])
    func abandoned(name: String, other: String) throws {
        let bench = try ExportBench()
        // A file that a killed process has left, which nobody has locked.
        let file = try PartialFile(beside: bench.url(name), replaces: false)
        file.discard()
        try Data().write(to: file.path.url)
        let kept = try PartialFile(beside: bench.url(other), replaces: false)
        defer { kept.discard() }
        PartialFile.removeAbandoned(try #require(FilePath(bench.url(name))))
        #expect(bench.contents == [kept.path.name.description])
    }

    @Test("bytes are written as a whole file or not at all")
    func whole() throws {
        let bench = try ExportBench()
        let bytes = (0..<200_000).map { UInt8(truncatingIfNeeded: $0) }
        try AtomicFile.write(bytes, to: bench.url("a"))
        #expect(try Data(contentsOf: bench.url("a")) == Data(bytes))
        try AtomicFile.write([1], to: bench.url("a"))
        #expect(try Data(contentsOf: bench.url("a")) == Data([1]))
        try FileManager.default.createSymbolicLink(atPath: bench.url("full").path, withDestinationPath: "/dev/full")
        let full = #expect(throws: AVError.self) { try AtomicFile.write(bytes, to: bench.url("full")) }
        #expect(full?.code == .diskFull && full?.location == bench.url("full").path)
        #expect(throws: AVError.self) { try AtomicFile.write(bytes, to: bench.folder) }
        #expect(throws: AVError.self) { try AtomicFile.write(bytes, to: bench.url("none/a")) }
        #expect(bench.contents == ["a", "full"])
    }
}
