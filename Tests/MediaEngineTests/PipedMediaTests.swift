import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Buffered pipes")
struct PipedMediaTests {
    private final class Pipe {
        let read: Int32, write: Int32
        init() {
            var ends: [Int32] = [0, 0]
            _ = pipe(&ends)
            (read, write) = (ends[0], ends[1])
        }
        deinit { close(read) }
    }
    private func bytes(_ media: PipedMedia, _ at: Int64, _ count: Int) -> PipedMedia.Read {
        var bytes = [UInt8](repeating: 0, count: count)
        return bytes.withUnsafeMutableBytes { media.read(at: at, into: $0) { false } }
    }
    private func byte(_ media: PipedMedia, _ at: Int64) -> UInt8? {
        var one: [UInt8] = [0]
        return one.withUnsafeMutableBytes { media.read(at: at, into: $0) { false } } == .bytes(1) ? one[0] : nil
    }

    @Test("a pipe is read in order and keeps a bounded history")
    func ring() throws {
        let pipe = Pipe()
        let media = try PipedMedia(reading: pipe.read, name: "pipe", capacity: 1 << 20)
        let total = 4 << 20
        let writer = WorkerThread(name: "writer") { [end = pipe.write] in
            // Byte n combines the low bits of n with its higher bits.
            var sent = 0
            while sent < total {
                let piece = (sent..<min(sent + 50_000, total)).map { UInt8(truncatingIfNeeded: $0 ^ $0 >> 8) }
                var done = 0
                while done < piece.count {
                    let n = piece[done...].withUnsafeBytes { Glibc.write(end, $0.baseAddress, $0.count) }
                    guard n > 0 else { return }
                    done += n
                }
                sent += piece.count
            }
            close(end)
        }
        var at: Int64 = 0
        var wrong = 0
        var buffer = [UInt8](repeating: 0, count: 30_000)
        reading: while true {
            let got = buffer.withUnsafeMutableBytes { media.read(at: at, into: $0) { false } }
            switch got {
            case .bytes(let count):
                for i in 0..<count where buffer[i] != UInt8(truncatingIfNeeded: Int(at) + i ^ (Int(at) + i) >> 8) {
                    wrong += 1
                }
                at += Int64(count)
                #expect(media.receivedBytes - at <= 1 << 20, "the pipe is read at most 1 MiB ahead")
            case .end: break reading
            default:
                Issue.record("\(got)")
                break reading
            }
        }
        writer.join()
        #expect(at == Int64(total) && wrong == 0 && media.isWhole)
        // A recent part of the pipe can be read again, but its beginning cannot.
        let back = Int64(total) - 500_000
        #expect(byte(media, back) == UInt8(truncatingIfNeeded: Int(back) ^ Int(back) >> 8))
        guard case .failed(let error) = bytes(media, 0, 10) else {
            Issue.record("the beginning can still be read")
            return
        }
        #expect(error.code == .readFailed && error.reason.contains("1 MiB"))
        #expect(bytes(media, Int64(total), 10) == .end)
    }

    @Test("a waiting read can be interrupted; an empty pipe ends at once")
    func waiting() async throws {
        let pipe = Pipe()
        let media = try PipedMedia(reading: pipe.read, name: "pipe", capacity: 1 << 20)
        let token = InterruptToken()
        let waiter = Task.detached {
            var one: [UInt8] = [0]
            return one.withUnsafeMutableBytes { buffer in media.read(at: 0, into: buffer) { token.isInterrupted } }
        }
        while !media.isWaitedFor { await Task.yield() }
        token.interrupt()
        media.wake()
        #expect(await waiter.value == .interrupted)
        close(pipe.write)
        #expect(bytes(media, 0, 1) == .end && media.receivedBytes == 0)
        #expect(PipedMedia.find(media.url) === media && media.url.lastPathComponent == "pipe")
    }

    @Test("the end of one input leaves another input interruptible")
    func twoInputs() async throws {
        let pipe = Pipe()
        let media = try PipedMedia(reading: pipe.read, name: "pipe", capacity: 1 << 20)
        #expect(write(pipe.write, "0123456789abcdef", 16) == 16)
        let token = InterruptToken()
        let first = try PipedInput(media, interrupt: token)
        _ = try PipedInput(media, interrupt: token)
        let result = Locked<PipedMedia.Read?>(nil)
        let reader = WorkerThread(name: "reader") {
            var one: [UInt8] = [0]
            let got = one.withUnsafeMutableBytes { buffer in media.read(at: 16, into: buffer) { token.isInterrupted } }
            result.withLock { $0 = got }
        }
        await eventually("the reader waits") { media.isWaitedFor }
        token.interrupt()
        await eventually("the read ends") { result.read { $0 } != nil }
        #expect(result.read { $0 } == .interrupted)
        withExtendedLifetime(first) {}
        close(pipe.write)
        reader.join()
    }

    @Test("a missing buffer folder fails with writeFailed")
    func nowhere() throws {
        let pipe = Pipe()
        do throws(AVError) {
            _ = try PipedMedia(reading: pipe.read, name: "pipe", capacity: 1 << 20, folder: "/nonexistent")
            Issue.record("created in a missing folder")
        } catch { #expect(error.code == .writeFailed && error.suggestion.contains("TMPDIR")) }
    }
}
