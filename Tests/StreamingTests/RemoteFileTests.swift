import Foundation
import MediaCore
import Streaming
import TestSupport
import Testing

@Suite("Reading a remote file")
struct RemoteFileTests {
    /// Returns `count` bytes, each computed from its position.
    static func film(_ count: Int) -> Data {
        Data(
            [UInt8](unsafeUninitializedCapacity: count) { raw, done in
                for i in 0..<count { raw[i] = UInt8(truncatingIfNeeded: i ^ (i >> 8) &* 31 ^ (i >> 16) &* 17) }
                done = count
            })
    }

    static func serving(_ film: Data) throws -> ScriptedServer {
        try ScriptedServer.serving { talk, head in talk.answer(head, file: film, headers: ["ETag: \"1\""]) }
    }

    @Test("any byte can be read in any order")
    func anyOrder() async throws {
        let film = RemoteFileTests.film(5_000_000)
        let server = try RemoteFileTests.serving(film)
        let file = RemoteFile(url: try server.url("/film"))
        defer { file.close() }
        try await file.opened()
        #expect(file.length == 5_000_000 && file.acceptsRanges && file.isSeekable)
        for offset in [0, 4_999_000, 2_500_000, 100, 262_143, 262_144, 3_999_999, 1_000_000] as [Int64] {
            #expect(try await file.bytes(at: offset, count: 1000) == film[offset..<offset + 1000], "at \(offset)")
        }
        expectEqual(try await file.bytes(at: 4_999_990, count: 1000), film.suffix(10))
        #expect(try await file.bytes(at: 5_000_000, count: 10).isEmpty)
        #expect(try await file.bytes(at: 9_000_000, count: 10).isEmpty)
        expectEqual(try await file.bytes(at: 0, count: 5_000_000), film)
    }

    @Test("seeks inside the buffer make no request")
    func insideBuffer() async throws {
        let film = RemoteFileTests.film(4_000_000)
        let server = try RemoteFileTests.serving(film)
        let file = RemoteFile(url: try server.url("/film"))
        defer { file.close() }
        expectEqual(try await file.bytes(at: 0, count: 4_000_000), film)
        for offset in [3_000_000, 0, 2_000_000, 3_999_999, 500_000] as [Int64] {
            expectEqual(try await file.bytes(at: offset, count: 1), film[offset..<offset + 1])
        }
        #expect(server.heads.count == 1)
        #expect(file.bufferedRanges() == [0..<4_000_000])
        #expect(file.contiguousBytes(from: 1_000_000) == 3_000_000)
    }

    @Test("short jumps read on; far jumps request only the missing bytes")
    func jumps() async throws {
        let film = RemoteFileTests.film(24 << 20)
        let server = try RemoteFileTests.serving(film)
        var settings = RemoteFile.Settings()
        settings.forwardBytes = 1 << 20
        let file = RemoteFile(url: try server.url("/film"), settings: settings)
        defer { file.close() }
        for offset in stride(from: Int64(0), to: 8 << 20, by: 1 << 20) {
            expectEqual(try await file.bytes(at: offset, count: 10), film[offset..<offset + 10])
        }
        #expect(server.heads.count == 1)
        let far = Int64(20 << 20)
        expectEqual(try await file.bytes(at: far, count: 2 << 20), film[far..<far + (2 << 20)])
        #expect(server.heads.count == 2)
        #expect(ScriptedServer.range(in: server.heads[1])?.first == 20 << 20)
        #expect(ScriptedServer.header("If-Range", in: server.heads[1]) == "\"1\"")
        let near = Int64(15 << 20)
        expectEqual(try await file.bytes(at: near, count: 6 << 20), film[near..<near + (6 << 20)])
        #expect(ScriptedServer.range(in: server.heads[2]).map { $0 == (15 << 20, (20 << 20) - 1) } == true)
    }

    @Test("the buffer stays within its memory budget")
    func budget() async throws {
        let film = RemoteFileTests.film(12 << 20)
        let server = try RemoteFileTests.serving(film)
        var settings = RemoteFile.Settings()
        settings.memoryBudget = 2 << 20
        settings.forwardBytes = .max
        let file = RemoteFile(url: try server.url("/film"), settings: settings)
        defer { file.close() }
        #expect(file.forwardBytes == 1 << 20)
        for start in [0, 10 << 20, 3 << 20] as [Int64] {
            for offset in stride(from: start, to: start + (2 << 20) - 300_000, by: 300_000) {
                expectEqual(try await file.bytes(at: offset, count: 300_000), film[offset..<offset + 300_000])
                #expect(file.bytesInMemory <= 2 << 20)
            }
        }
        // The first bytes are kept, because demuxers return to them. The test checks this before it reads them, because
        // the read also requests the bytes after them.
        #expect(file.contiguousBytes(from: 0) >= 1000)
        expectEqual(try await file.bytes(at: 0, count: 1000), film[0..<1000])
    }

    @Test("reading ahead stops at its limit and resumes when the limit grows")
    func window() async throws {
        let film = RemoteFileTests.film(32 << 20)
        let server = try RemoteFileTests.serving(film)
        var settings = RemoteFile.Settings()
        settings.forwardBytes = 1 << 20
        let file = RemoteFile(url: try server.url("/film"), settings: settings)
        defer { file.close() }
        let (changes, signal) = AsyncStream.makeStream(of: Void.self)
        file.setOnChange { signal.yield() }
        try await file.opened()
        for await _ in changes where file.contiguousBytes(from: 0) >= 1 << 20 { break }
        await turns()
        // libcurl delivers the data that it had received before it was paused.
        #expect(file.transferLog.bytes <= (1 << 20) + (256 << 10))
        file.forwardBytes = 4 << 20
        for await _ in changes where file.contiguousBytes(from: 0) >= 4 << 20 { break }
        await turns()
        #expect(file.transferLog.bytes <= (4 << 20) + (256 << 10))
        let log = file.transferLog
        #expect(log.requests == 1 && log.retries == 0 && log.errors == 0 && log.observedBitRate > 0)
        #expect(server.heads.count == 1)
    }

    private func turns() async {
        for _ in 0..<10 { await withCheckedContinuation { done in HTTPClient.shared.perform { done.resume() } } }
    }

    @Test("without ranges, reading skips forward, and restarts to go back")
    func withoutRanges() async throws {
        let film = RemoteFileTests.film(10 << 20)
        let server = try ScriptedServer.serving { talk, _ in talk.answer(body: film) }
        var settings = RemoteFile.Settings()
        settings.memoryBudget = 2 << 20
        let file = RemoteFile(url: try server.url("/film"), settings: settings)
        defer { file.close() }
        try await file.opened()
        #expect(!file.acceptsRanges && !file.isSeekable)
        for offset in [0, 7 << 20, (7 << 20) - 100_000] as [Int64] {
            expectEqual(try await file.bytes(at: offset, count: 10), film[offset..<offset + 10])
        }
        #expect(server.heads.count == 1)
        expectEqual(try await file.bytes(at: 3_000_000, count: 10), film[3_000_000..<3_000_010])
        #expect(server.heads.count == 2)
        #expect(file.bytesInMemory <= 2 << 20)
    }

    @Test("a response without a length has one after it ends")
    func chunked() async throws {
        let film = RemoteFileTests.film(1_000_000)
        let server = try ScriptedServer.serving { talk, _ in
            talk.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n")
            for start in stride(from: 0, to: film.count, by: 100_000) {
                talk.send("186a0\r\n")
                talk.send(film[start..<start + 100_000])
                talk.send("\r\n")
            }
            talk.send("0\r\n\r\n")
        }
        let file = RemoteFile(url: try server.url("/film"))
        defer { file.close() }
        try await file.opened()
        #expect(!file.acceptsRanges)
        expectEqual(try await file.bytes(at: 0, count: 2_000_000), film)
        #expect(file.length == 1_000_000)
        expectEqual(try await file.bytes(at: 500_000, count: 10), film[500_000..<500_010])
        #expect(server.heads.count == 1)
    }

    @Test("an empty file reads as empty")
    func empty() async throws {
        let server = try ScriptedServer.serving { talk, head in talk.answer(head, file: Data()) }
        let file = RemoteFile(url: try server.url("/film"))
        defer { file.close() }
        #expect(try await file.bytes(at: 0, count: 10).isEmpty)
        #expect(file.length == 0)
    }
}

extension RemoteFile {
    func opened() async throws { try await offPool { try self.open() } }

    /// Reads `count` bytes, or fewer at the end of the file.
    func bytes(at offset: Int64, count: Int) async throws -> Data {
        try await offPool { try self.blockingBytes(at: offset, count: count) }
    }

    private func blockingBytes(at offset: Int64, count: Int) throws -> Data {
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: count, alignment: 1)
        defer { buffer.deallocate() }
        var done = 0
        while done < count {
            let n = try read(at: offset + Int64(done), into: UnsafeMutableRawBufferPointer(rebasing: buffer[done...]))
            if n == 0 { break }
            done += n
        }
        return Data(buffer[..<done])
    }
}

extension Data {
    subscript(range: Range<Int64>) -> Data { self[Int(range.lowerBound)..<Int(range.upperBound)] }
}
