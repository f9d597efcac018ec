import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Named pipes")
struct NamedPipeTests {
    private final class FIFO {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-fifo-\(UUID().uuidString.prefix(8))")
        var path: FilePath? { FilePath(url) }
        init() throws { try #require(mkfifo(url.path, 0o600) == 0) }
        deinit { unlink(url.path) }

        func write(_ file: URL) {
            let bytes = (try? Data(contentsOf: file)) ?? Data()
            WorkerThread.detached(name: "writer") { [path = url.path] in
                let end = open(path, O_WRONLY)
                var rest = Array(bytes)[...]
                signal(SIGPIPE, SIG_IGN)
                while !rest.isEmpty {
                    let count = rest.withUnsafeBytes { Glibc.write(end, $0.baseAddress, $0.count) }
                    guard count > 0 else { break }
                    rest = rest.dropFirst(count)
                }
                close(end)
            }
        }
    }

    @Test("opening a pipe repeatedly reads it once", arguments: ["loop-aac.mp4", "counter.ts", "audio.mp3"])
    func opens(_ name: String) throws {
        let fifo = try FIFO()
        fifo.write(try TestMedia.url(name))
        let details = try AssetDetails.read(fifo.url)
        let file = try AssetDetails.read(try TestMedia.url(name))
        #expect(details.tracks.map(\.mediaType) == file.tracks.map(\.mediaType))
        guard case .file(let source) = try MediaFound.at(fifo.url) else {
            Issue.record("a pipe was taken for a stream")
            return
        }
        #expect(source.piped?.media === PipedMedia.find(fifo.url) && !fifo.url.isReadAgain)
    }

    @Test("negative composition offsets of fragments do not delay a pipe's video")
    func negativeOffsets() throws {
        let fifo = try FIFO()
        fifo.write(try FrameTimeTests.url("negative-fragments.mp4"))
        let frames = try FrameTimeTests.displayed(fifo.url)
        #expect(frames.count > 7 && frames.first?.time == .zero, "\(frames.map(\.time))")
    }

    @Test("a pipe without a writer times out, and can be retried")
    func nobody() throws {
        let fifo = try FIFO()
        let path = try #require(fifo.path)
        let media = try #require(try PipedMedia.at(path, fifo.url, timeout: 150_000_000))
        var byte: [UInt8] = [0]
        let read = byte.withUnsafeMutableBytes { media.read(at: 0, into: $0) { false } }
        guard case .failed(let error) = read else {
            Issue.record("\(read)")
            return
        }
        #expect(error.code == .timedOut && error.reason.contains("no program opened") && !error.suggestion.isEmpty)
        fifo.write(try TestMedia.url("audio.mp3"))
        let again = try #require(try PipedMedia.at(path, fifo.url))
        #expect(again !== media && byte.withUnsafeMutableBytes { again.read(at: 0, into: $0) { false } } == .bytes(1))
    }

    @Test("threads that open a pipe at once share its data")
    func openedAtOnce() throws {
        for _ in 0..<20 {
            let fifo = try FIFO()
            let path = try #require(fifo.path)
            // The writer is connected, so that no pipe times out.
            let end = open(fifo.url.path, O_RDWR)
            defer { close(end) }
            let count = 8
            let (ready, found) = (Locked(0), Locked<[PipedMedia]>([]))
            let threads = (0..<count).map { _ in
                WorkerThread(name: "opener") { [url = fifo.url] in
                    ready.withLock { $0 += 1 }
                    _ = ready.wait { $0 == count ? true : nil }
                    if let media = try? PipedMedia.at(path, url) { found.withLock { $0.append(media) } }
                }
            }
            for thread in threads { thread.join() }
            let all = found.read { $0 }
            #expect(all.count == count && all.allSatisfy { $0 === all.first })
        }
    }

    @Test("a pipe is read until its writer closes it")
    func silentWriter() throws {
        let fifo = try FIFO()
        let path = try #require(fifo.path)
        let end = open(fifo.url.path, O_RDWR)
        let media = try #require(try PipedMedia.at(path, fifo.url, timeout: 0))
        // The writer is connected, so that the read does not time out.
        var byte: [UInt8] = [0]
        #expect(write(end, "x", 1) == 1)
        #expect(byte.withUnsafeMutableBytes { media.read(at: 0, into: $0) { false } } == .bytes(1))
        close(end)
        #expect(byte.withUnsafeMutableBytes { media.read(at: 1, into: $0) { false } } == .end)
    }

    @Test("regular files, folders and missing paths are not pipes", arguments: ["/etc/passwd", "/tmp", "/nonexistent"])
    func others(_ path: String) throws {
        let url = URL(fileURLWithPath: path)
        #expect(try PipedMedia.at(try #require(FilePath(url)), url) == nil)
    }

    @Test("a pipe without read permission fails with permissionDenied", .enabled(if: geteuid() != 0))
    func unreadable() throws {
        let fifo = try FIFO()
        chmod(fifo.url.path, 0)
        #expect { _ = try PipedMedia.at(try #require(fifo.path), fifo.url) } throws: {
            ($0 as? AVError)?.code == .permissionDenied
        }
    }
}
