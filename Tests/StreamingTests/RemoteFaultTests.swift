import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import Streaming

@Suite("Faults of a remote file's server")
struct RemoteFaultTests {
    private let film = RemoteFileTests.film(3_000_000)

    /// Settings that retry after 1 ms, and at most eight times during playback, where the default is as many as fit
    /// into a minute.
    private var settings: RemoteFile.Settings {
        var settings = RemoteFile.Settings()
        settings.opening.firstDelay = 1_000_000
        settings.playing.tries = 8
        settings.playing.firstDelay = 1_000_000
        settings.playing.longestDelay = 4_000_000
        settings.random = { 1 }
        return settings
    }

    private func file(
        _ server: ScriptedServer, _ change: (inout RemoteFile.Settings, inout HTTPOptions) -> Void = { _, _ in }
    ) throws -> RemoteFile {
        var settings = settings
        var options = HTTPOptions()
        change(&settings, &options)
        return RemoteFile(url: try server.url("/film"), options: options, settings: settings)
    }

    private func failure(_ file: RemoteFile, at offset: Int64 = 0, count: Int = 3_000_000) async -> HTTPError? {
        do {
            _ = try await file.bytes(at: offset, count: count)
            return nil
        } catch {
            return error as? HTTPError
        }
    }

    @Test("a broken connection continues at the same byte")
    func truncation() async throws {
        let film = film
        let server = try ScriptedServer.serving { talk, head in
            talk.answer(head, file: film, headers: ["ETag: \"1\""], cut: 700_000)
        }
        let file = try file(server)
        defer { file.close() }
        expectEqual(try await file.bytes(at: 0, count: 3_000_000), film)
        #expect(
            server.heads.compactMap { ScriptedServer.range(in: $0)?.first } == [
                0, 700_000, 1_400_000, 2_100_000, 2_800_000,
            ])
        #expect(server.heads.dropFirst().allSatisfy { ScriptedServer.header("If-Range", in: $0) == "\"1\"" })
        #expect(file.transferLog.retries == 4 && file.transferLog.errors == 4)
        #expect(file.transferLog.lastError?.kind == .truncated)
    }

    @Test("without ranges, a broken connection restarts the file")
    func truncationWithoutRanges() async throws {
        let film = film
        let breaks = Mutex(3)
        let server = try ScriptedServer.serving { talk, _ in
            talk.send("HTTP/1.1 200 OK\r\nContent-Length: \(film.count)\r\n\r\n")
            let cut = breaks.withLock { left in
                left -= 1
                return left >= 0
            }
            talk.send(cut ? film.prefix(1_000_000) : film)
            if cut { talk.hangUp() }
        }
        let file = try file(server)
        defer { file.close() }
        expectEqual(try await file.bytes(at: 0, count: 3_000_000), film)
        #expect(server.heads.count == 4)
    }

    @Test("temporary server errors are retried", arguments: ["503 Busy", "500 Oops", "429 Slow down"])
    func busy(status: String) async throws {
        let film = film
        let errors = Mutex(2)
        let server = try ScriptedServer.serving { talk, head in
            let fails = errors.withLock { left in
                left -= 1
                return left >= 0
            }
            if fails { talk.answer(status, ["Retry-After: 0"]) } else { talk.answer(head, file: film) }
        }
        let file = try file(server)
        defer { file.close() }
        expectEqual(await failure(file), nil)
        #expect(server.heads.count == 3)
    }

    @Test("a permanent error is not retried", arguments: [404, 410])
    func permanent(status: Int) async throws {
        let server = try ScriptedServer.serving { talk, _ in talk.answer("\(status) No") }
        let file = try file(server)
        defer { file.close() }
        let error = await failure(file)
        #expect(error?.status == status && error?.kind == .status)
        #expect(server.heads.count == 1)
        #expect(file.currentFailure == error)
    }

    @Test("retries are limited, and start again after clearing the failure")
    func exhausted() async throws {
        let film = film
        let isBroken = Mutex(true)
        let server = try ScriptedServer.serving { talk, head in
            if isBroken.withLock({ $0 }) { talk.answer("502 Bad Gateway") } else { talk.answer(head, file: film) }
        }
        let file = try file(server)
        defer { file.close() }
        expectEqual(await failure(file)?.status, 502)
        #expect(server.heads.count == 3)
        expectEqual(await failure(file)?.status, 502)
        #expect(server.heads.count == 3)
        isBroken.withLock { $0 = false }
        file.clearFailure()
        expectEqual(await failure(file), nil)
    }

    @Test("buffered bytes can be read after the network fails")
    func bufferOutlasts() async throws {
        let film = film
        let server = try ScriptedServer { talk in
            guard let head = talk.readHead() else { return }
            if ScriptedServer.range(in: head)?.first == 0 { talk.answer(head, file: film, cut: 1_000_000) }
        }
        let file = try file(server)
        defer { file.close() }
        expectEqual(await failure(file)?.kind, .connectionLost)
        // The connection that was lost, and seven retries from there.
        #expect(
            server.heads.compactMap { ScriptedServer.range(in: $0)?.first } == [0]
                + Array(repeating: 1_000_000, count: 7))
        expectEqual(try await file.bytes(at: 0, count: 1_000_000), film.prefix(1_000_000))
    }

    @Test("a Retry-After time beyond the limit fails at once")
    func retryAfterTooLong() async throws {
        let server = try ScriptedServer.serving { talk, _ in talk.answer("503 Busy", ["Retry-After: 3600"]) }
        let file = try file(server)
        defer { file.close() }
        let error = await failure(file)
        #expect(error?.status == 503 && error?.retryAfter == 3600)
        #expect(server.heads.count == 1)
    }

    @Test("a file replaced during reading is an error, not mixed", arguments: [true, false])
    func changed(honoursIfRange: Bool) async throws {
        let film = film
        let other = Data(count: 3_000_000)
        let answers = Mutex(0)
        let server = try ScriptedServer.serving { talk, head in
            let number = answers.withLock { count in
                count += 1
                return count
            }
            if number == 1 { return talk.answer(head, file: film, headers: ["ETag: \"1\""], cut: 1_000_000) }
            if honoursIfRange {
                talk.answer("200 OK", ["ETag: \"2\"", "Accept-Ranges: bytes"], body: other)
            } else {
                talk.answer(head, file: other, headers: ["ETag: \"2\""])
            }
        }
        let file = try file(server)
        defer { file.close() }
        let error = await failure(file)
        #expect(error?.kind == .changed)
        #expect(error?.avError.description.contains("replaced") == true)
        // The connection broke, and the next response was of the other file.
        #expect(file.transferLog.errors == 2)
    }

    @Test("a wrong Content-Length ends in an error")
    func wrongLength() async throws {
        let film = film
        let server = try ScriptedServer.serving { talk, head in
            if let range = ScriptedServer.range(in: head), range.first >= film.count { return talk.answer("416 No") }
            talk.send("HTTP/1.1 200 OK\r\nAccept-Ranges: bytes\r\nContent-Length: \(film.count + 5000)\r\n\r\n")
            talk.send(film)
            talk.hangUp()
        }
        let file = try file(server)
        defer { file.close() }
        expectEqual(await failure(file, count: 3_001_000)?.kind, .truncated)
        expectEqual(try await file.bytes(at: 0, count: 3_000_000), film)
    }

    @Test("a response with a different range is refused")
    func otherRange() async throws {
        let film = film
        let server = try ScriptedServer.serving { talk, head in
            if ScriptedServer.range(in: head)?.first == 0 { return talk.answer(head, file: film, cut: 100_000) }
            talk.answer(
                "206 Partial Content", ["Content-Range: bytes 2000000-2000009/3000000"],
                body: film[2_000_000..<2_000_010])
        }
        let file = try file(server)
        defer { file.close() }
        #expect(await failure(file)?.reason.contains("different range") == true)
        #expect(file.transferLog.errors == 2)
    }

    @Test("a blocked read ends on interruption, timeout and closing")
    func interruption() async throws {
        let server = try ScriptedServer { talk in
            _ = talk.readHead()
            talk.send("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\nhalf")
            talk.waitForClose()
        }
        let file = try file(server)
        let isInterrupted = Atomic<Bool>(false)
        let (changes, signal) = AsyncStream.makeStream(of: Void.self)
        file.setOnChange { signal.yield() }
        @Sendable func blockedRead(until deadline: Int64 = .max) async -> HTTPError? {
            do {
                try await offPool { () throws in
                    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 10, alignment: 1)
                    defer { buffer.deallocate() }
                    _ = try file.read(
                        at: 50, into: buffer, until: deadline,
                        isInterrupted: { isInterrupted.load(ordering: .acquiring) })
                }
                return nil
            } catch {
                return error as? HTTPError
            }
        }
        async let first = blockedRead()
        for await _ in changes where file.isWaiting { break }
        isInterrupted.store(true, ordering: .releasing)
        file.wake()
        expectEqual(await first?.kind, .cancelled)
        isInterrupted.store(false, ordering: .releasing)
        expectEqual(await blockedRead(until: HostClock.now() + 50_000_000)?.kind, .timedOut)
        #expect(!file.isWaiting)
        async let second = blockedRead()
        for await _ in changes where file.isWaiting { break }
        file.close()
        expectEqual(await second?.kind, .cancelled)
        #expect(server.heads.count == 1)
    }

    @Test("silence is retried and then reported as a timeout", .timeLimit(.minutes(5)))
    func silence() async throws {
        let server = try ScriptedServer { talk in talk.waitForClose() }
        let file = try file(server) { $1.timeouts.idle = 50_000_000 }
        defer { file.close() }
        expectEqual(await failure(file)?.kind, .timedOut)
        // The server may not yet have read the head of the last request.
        await eventually("three requests", seen: { "\(server.heads)" }) { server.heads.count >= 3 }
        #expect(server.heads.count == 3)
    }
}

@Suite("Retry policy")
struct RetryPolicyTests {
    @Test("delays double up to a limit, with a random part")
    func backoff() {
        let policy = RetryPolicy.playing
        let longest = (1...7).map { policy.delay(failures: $0, elapsed: 0, retryAfter: nil, random: 1) }
        #expect(longest == [250, 500, 1000, 2000, 4000, 8000, 8000].map { $0 * 1_000_000 })
        let shortest = (1...7).map { policy.delay(failures: $0, elapsed: 0, retryAfter: nil, random: 0) }
        #expect(shortest == [125, 250, 500, 1000, 2000, 4000, 4000].map { $0 * 1_000_000 })
    }

    @Test("the number and the total time of retries are limited")
    func limits() {
        let policy = RetryPolicy.opening
        #expect(policy.delay(failures: 3, elapsed: 0, retryAfter: nil, random: 0) == nil)
        #expect(policy.delay(failures: 1, elapsed: 19_900_000_000, retryAfter: nil, random: 1) == nil)
        #expect(policy.delay(failures: 1, elapsed: .max, retryAfter: nil, random: 1) == nil)
    }

    @Test("retries during playback last one minute", arguments: [0, 0.5, 1])
    func minute(random: Double) throws {
        let policy = RetryPolicy.playing
        var elapsed: Int64 = 0
        var failures = 1
        while let delay = policy.delay(failures: failures, elapsed: elapsed, retryAfter: nil, random: random) {
            elapsed += delay
            failures += 1
            try #require(failures < 1000)
        }
        #expect(elapsed > 59_700_000_000 && elapsed <= 60_000_000_000)
    }

    @Test("DNS lookups are retried for ten seconds before any data arrives")
    func unknownHost() throws {
        let url = try #require(URL(string: "http://nowhere.invalid/"))
        func delay(
            _ policy: RetryPolicy, spent: Int64, elapsed: Int64, _ kind: HTTPError.Kind = .cannotFindHost,
            failures: Int = 1
        ) -> Int64? {
            var error = HTTPError(kind, url: url, reason: "")
            error.spent = spent
            var tries = TransferRetry()
            for _ in 0..<failures { tries.failed(at: .zero) }
            return tries.delay(after: error, policy, at: HostTime(nanoseconds: elapsed), random: 0)
        }
        #expect(delay(.opening, spent: 10_100_000_000, elapsed: 0) == nil)
        #expect(delay(.opening, spent: 5_000_000_000, elapsed: 0) != nil)
        #expect(delay(.opening, spent: 5_000_000_000, elapsed: 5_250_000_000, failures: 2) == nil)
        #expect(delay(.opening, spent: 5_000_000, elapsed: 0) != nil)
        #expect(delay(.opening, spent: 10_100_000_000, elapsed: 0, .timedOut) != nil)
        // Retries continue during playback, or if the app has set a duration.
        #expect(delay(.playing, spent: 10_100_000_000, elapsed: 0) != nil)
        #expect(delay(.opening.lasting(30_000_000_000), spent: 10_100_000_000, elapsed: 0) != nil)
    }

    @Test("a Retry-After time within the limit is used")
    func retryAfter() {
        let policy = RetryPolicy.opening
        #expect(policy.delay(failures: 1, elapsed: 0, retryAfter: 5, random: 1) == 5_000_000_000)
        #expect(policy.delay(failures: 1, elapsed: 0, retryAfter: 21, random: 1) == nil)
        #expect(policy.delay(failures: 1, elapsed: 0, retryAfter: 1e300, random: 1) == nil)
    }
}
