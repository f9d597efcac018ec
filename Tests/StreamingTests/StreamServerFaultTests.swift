import Foundation
import TestSupport
import Testing

@Suite("Faults of the test server")
struct StreamServerFaultTests {
    private let served: ServedFolder
    private var server: StreamServer { served.server }

    init() throws { served = try ServedFolder() }

    @Test("bodies are reset and cut at the given byte")
    func cuts() throws {
        var rule = server.inject(.reset(after: 5000))
        var answer = try served.client().get("film.mp4")
        #expect(answer.wasReset && answer.body == served.bytes.prefix(5000))
        #expect(server.requests[0].outcome == .reset && server.requests[0].bytesSent == 5000)
        server.remove(rule)

        rule = server.inject(.truncate(after: 70_000))
        answer = try served.client().get("film.mp4")
        #expect(
            !answer.wasReset && answer.body == served.bytes.prefix(70_000)
                && answer.header("Content-Length") == "100000")
        server.remove(rule)

        rule = server.inject(.resetBeforeHead)
        answer = try served.client().get("film.mp4")
        #expect(answer.wasReset && answer.head.isEmpty && answer.body.isEmpty)
        server.remove(rule)

        server.inject(.closeBeforeHead)
        answer = try served.client().get("film.mp4")
        #expect(!answer.wasReset && answer.head.isEmpty && answer.body.isEmpty)
    }

    @Test("lengths, types and ranges can be wrong")
    func lies() throws {
        var rule = server.inject(.announcedLengthOff(by: 50), .type("text/html"))
        var answer = try served.client().get("film.mp4")
        #expect(
            answer.header("Content-Length") == "100050" && answer.body.count == 100_000
                && answer.header("Content-Type") == "text/html")
        server.remove(rule)

        rule = server.inject(.announcedLength(10))
        let client = try served.client()
        client.send("film.mp4")
        answer = client.receive(ignoringLength: true)
        #expect(answer.header("Content-Length") == "10" && answer.body.count == 100_000)
        server.remove(rule)

        rule = server.inject(.noRanges)
        answer = try served.client().get("film.mp4", headers: ["Range: bytes=5-9"])
        #expect(answer.status == 200 && answer.body == served.bytes && answer.header("Accept-Ranges") == nil)
        server.remove(rule)

        server.inject(.noLength)
        answer = try served.client().get("film.mp4")
        #expect(
            answer.header("Content-Length") == nil && answer.header("Connection") == "close"
                && answer.body == served.bytes)
    }

    @Test("a response can be replaced by any other")
    func replacements() throws {
        var rule = server.inject(.status(503, headers: ["Retry-After": "2"]))
        var answer = try served.client().get("film.mp4")
        #expect(answer.status == 503 && answer.header("Retry-After") == "2")
        server.remove(rule)

        rule = server.inject(.garbage(3000))
        answer = try served.client().get("list.m3u8")
        #expect(answer.status == 200 && answer.body.count == 3000 && answer.body.allSatisfy { $0 >= 0x80 })
        server.remove(rule)

        rule = server.inject(.empty)
        #expect(try served.client().get("list.m3u8").body.isEmpty)
        server.remove(rule)

        rule = server.inject(.endless(Data("#EXTINF:2,\na.ts\n".utf8)))
        do {
            let client = try served.client()
            client.send("list.m3u8")
            #expect(client.receive(atMost: 5_000_000).body.count == 5_000_000)
        }
        #expect(server.waitBlocking { $0.last?.outcome == .clientGone }, "\(server.requests)")
        server.remove(rule)

        rule = server.inject(.redirectCircle)
        var path = "list.m3u8"
        var seen: [String] = []
        let client = try served.client()
        for _ in 0..<4 {
            path = String(try #require(client.get(path).header("Location")).dropFirst())
            seen.append(path)
        }
        #expect(seen == ["list.m3u8?hop=1", "list.m3u8?hop=2", "list.m3u8?hop=0", "list.m3u8?hop=1"])
        server.remove(rule)

        server.inject(.raw(Data("SSH-2.0\r\n".utf8)))
        #expect(try served.client().get("film.mp4").text == "SSH-2.0\r\n")
    }

    @Test("a stalled response continues after its rule is removed")
    func stalls() async throws {
        let rule = server.inject(.stall(after: 1234))
        let served = served
        async let answer = offPool { try served.client().get("film.mp4").body }
        #expect(await server.wait { $0.first?.bytesSent == 1234 })
        #expect(server.requests[0].outcome == .running)
        server.remove(rule)
        expectEqual(try await answer, served.bytes)
    }

    @Test("a network without throughput delivers nothing until it recovers")
    func network() async throws {
        server.setNetwork(.constant(0))
        let served = served
        async let answer = offPool { try served.client().get("film.mp4").body }
        #expect(await server.waitForRequests(1))
        #expect(server.requests[0].bytesSent == 0 && server.requests[0].outcome == .running)
        server.setNetwork(.constant(2_000_000))
        expectEqual(try await answer, served.bytes)
    }

    @Test("connections share the network fairly")
    func sharing() async throws {
        server.setNetwork(.constant(0))
        let served = served
        let shares = Shares()
        async let first = offPool { try served.client().get("film.mp4").body.count }
        async let second = offPool { try served.client().get("film.mp4").body.count }
        #expect(await server.waitForRequests(2))
        // A slow network, so that the check runs between the end of the first transfer and that of the second, and so
        // that a thread that stops for some seconds falls behind by only a part of its transfer.
        server.setNetwork(.constant(20_000))
        #expect(
            await server.wait {
                shares.note($0.map(\.bytesSent))
                return $0.contains { $0.ended != nil }
            })
        expectEqual(try await first + second, 200_000)
        // Each connection gets about half of the throughput. When one is complete, the other is almost complete. One
        // after the other, it would have received nothing.
        #expect(shares.last.min() ?? 0 > 20_000, "\(shares.last)")
    }

    @Test("throughput follows its steps")
    func throughput() {
        let steps = Throughput(steps: [(2, 100), (1, 0), (3, 50)])
        #expect(steps.rate(at: 0).bytesPerSecond == 100 && steps.rate(at: 0.5).holds == 1.5)
        #expect(steps.rate(at: 2.5).bytesPerSecond == 0)
        #expect(steps.rate(at: 100).bytesPerSecond == 50 && steps.rate(at: 100).holds == .infinity)
        #expect(Throughput(steps: steps.steps, repeats: true).rate(at: 8.5).bytesPerSecond == 0)
        #expect(Throughput.kilobits(8).rate(at: 0).bytesPerSecond == 1000)
    }

    @Test("a response can be sent byte by byte")
    func slow() throws {
        server.inject(.slowHead(0.0001), .slowBody(0.001), on: "list.m3u8")
        let answer = try served.client().get("list.m3u8")
        #expect(answer.status == 200 && answer.text == "#EXTM3U\n")
    }

    @Test("a rule affects only its requests")
    func rules() throws {
        let rule = server.inject(.status(500), on: "film.*", nth: 2...3)
        server.inject(.status(403), where: { $0.headers["Cookie"] == nil && $0.path == "list.m3u8" })
        let client = try served.client()
        #expect((0..<4).map { _ in client.get("film.mp4").status } == [200, 500, 500, 200])
        #expect(server.matches(rule) == 4)
        #expect(client.get("list.m3u8").status == 403)
        #expect(client.get("list.m3u8", headers: ["Cookie: a=b"]).status == 200)
    }

    @Test("faults that no request gets are an issue, unless they are optional")
    func unused() throws {
        let server = try StreamServer()
        let removed = server.inject(.empty, on: "never")
        withKnownIssue { server.remove(removed) }
        server.remove(server.inject(.empty, on: "never", isOptional: true))
        server.inject(.empty, on: "film.mp4")
        server.inject(.empty, on: "film.mp4", nth: 2...3)
        server.inject(.empty, on: "never", isOptional: true)
        _ = try RawClient(server).get("film.mp4")
        withKnownIssue {
            server.close()
        } matching: { issue in
            issue.comments.contains { $0.rawValue.contains("matching requests: 1, but the faults begin at number 2") }
        }
        // Each rule is reported once.
        server.close()
    }

    @Test("a frozen playlist stays the same until its rule is removed")
    func frozen() throws {
        let counter = Counter()
        server.serve("live.m3u8") { _ in .playlist("#\(counter.next())") }
        let client = try served.client()
        #expect(client.get("live.m3u8").text == "#1")
        let rule = server.inject(.frozen)
        #expect(client.get("live.m3u8").text == "#2")
        #expect(client.get("live.m3u8").text == "#2")
        server.remove(rule)
        #expect(client.get("live.m3u8").text == "#3")
    }
}

private final class Shares: @unchecked Sendable {
    // The lock guards `noted`.
    private let lock = NSLock()
    private var noted: [Int64] = []
    var last: [Int64] { lock.withLock { noted } }
    func note(_ shares: [Int64]) { lock.withLock { noted = shares } }
}

private final class Counter: @unchecked Sendable {
    // The lock guards `last`.
    private let lock = NSLock()
    private var last = 0
    func next() -> Int {
        lock.withLock {
            last += 1
            return last
        }
    }
}
