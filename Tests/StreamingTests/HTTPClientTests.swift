import Foundation
import MediaCore
import Streaming
import Synchronization
import TestSupport
import Testing

@Suite("HTTP requests")
struct HTTPClientTests {
    private let client = HTTPClient.shared

    private func failure(_ request: HTTPRequest) async -> HTTPError? {
        do throws(HTTPError) {
            _ = try await client.load(request)
            return nil
        } catch {
            return error
        }
    }
    /// Returns a request with a short idle timeout, so that timeouts occur soon.
    private func impatient(_ url: URL) -> HTTPRequest {
        var request = HTTPRequest(url: url)
        request.options.timeouts.idle = 200_000_000
        return request
    }

    @Test("a request returns body, response and metrics, and reuses the connection")
    func body() async throws {
        let text = Data("Once upon a time.".utf8)
        let server = try ScriptedServer.serving { talk, _ in
            talk.answer("200 OK", ["Content-Type: text/plain"], body: text)
        }
        let first = try await client.load(HTTPRequest(url: server.url("/story")))
        #expect(first.data == text)
        #expect(first.response.status == 200 && first.response.contentLength == 17)
        #expect(first.response.headers["content-type"] == "text/plain")
        #expect(first.metrics.bytes == 17 && !first.metrics.reusedConnection)
        #expect(first.metrics.started <= first.metrics.firstByte && first.metrics.firstByte <= first.metrics.ended)
        let second = try await client.load(HTTPRequest(url: server.url("/story")))
        #expect(second.metrics.reusedConnection)
        #expect(server.connections == 1)
    }

    @Test("a request sends the app's headers and disables compression for media")
    func headers() async throws {
        let server = try ScriptedServer.serving { talk, _ in talk.answer() }
        var request = HTTPRequest(url: try server.url("/"), range: (10, 19))
        _ = try await client.load(request)
        request.options.headers = ["X-Token": "secret", "X-Empty": ""]
        request.options.userAgent = "Kiosk/2"
        _ = try await client.load(request)
        request.options.headers = ["User-Agent": "Mine"]
        request.acceptsCompression = true
        _ = try await client.load(request)
        let heads = server.heads
        try #require(heads.count == 3)
        #expect(ScriptedServer.header("User-Agent", in: heads[0]) == "Zoetrope/\(ProductVersion.text) (Linux)")
        #expect(ScriptedServer.header("Range", in: heads[0]) == "bytes=10-19")
        #expect(ScriptedServer.header("Accept-Encoding", in: heads[0]) == "identity")
        #expect(ScriptedServer.header("User-Agent", in: heads[1]) == "Kiosk/2")
        #expect(ScriptedServer.header("X-Token", in: heads[1]) == "secret")
        #expect(ScriptedServer.header("X-Empty", in: heads[1]) == "")
        #expect(ScriptedServer.header("User-Agent", in: heads[2]) == "Mine")
        #expect(ScriptedServer.header("Accept-Encoding", in: heads[2])?.contains("gzip") == true)
    }

    @Test("a header cannot inject another header")
    func injection() async throws {
        let server = try ScriptedServer.serving { talk, _ in talk.answer() }
        for (name, value) in [("X-A", "b\r\nX-Evil: 1"), ("X A", "b"), ("", "b"), ("X:A", "b")] {
            var request = HTTPRequest(url: try server.url("/"))
            request.options.headers = [name: value]
            expectEqual(await failure(request)?.kind, .invalidRequest)
        }
        #expect(server.heads.isEmpty)
    }

    @Test("cookies from servers and sources are sent; a header replaces them")
    func cookies() async throws {
        let server = try ScriptedServer.serving { talk, head in
            talk.answer("200 OK", head.hasPrefix("GET /jar/login") ? ["Set-Cookie: session=42; Path=/jar"] : [])
        }
        var request = HTTPRequest(url: try server.url("/jar/login"))
        request.options.cookies = [HTTPCookieValue(name: "taste", value: "oat", domain: "", path: "/jar")]
        _ = try await client.load(request)
        _ = try await client.load(HTTPRequest(url: server.url("/jar/film")))
        _ = try await client.load(HTTPRequest(url: server.url("/elsewhere")))
        request = HTTPRequest(url: try server.url("/jar/film"))
        request.options.headers = ["Cookie": "mine=1"]
        _ = try await client.load(request)
        let sent = server.heads.map { ScriptedServer.header("Cookie", in: $0) }
        try #require(sent.count == 4)
        #expect(sent[0] == "taste=oat")
        // Cookies of one source are not sent by another.
        #expect(sent[1] == "session=42")
        #expect(sent[2] == nil)
        #expect(sent[3] == "mine=1")
    }

    @Test("the loop checks its timers even when nothing wakes it", .timeLimit(.minutes(3)))
    func looksAgain() async throws {
        // A simulated clock, so that the loop checks its timers only because of its own polling interval.
        let now = Atomic<Int64>(HostClock.now())
        let client = HTTPClient(clock: { now.load(ordering: .relaxed) })
        let server = try ScriptedServer { talk in
            _ = talk.readHead()
            talk.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\n12345")
            talk.waitForClose()
        }
        let (came, cameNow) = AsyncStream.makeStream(of: String.self)
        var request = HTTPRequest(url: try server.url("/"))
        request.options.timeouts.idle = 7_200_000_000_000
        let task = client.start(
            request, HTTPCallbacks(onBytes: { _ in cameNow.yield("bytes") }, onEnd: { _ in cameNow.yield("end") }))
        var events = came.makeAsyncIterator()
        expectEqual(await events.next(), "bytes")
        client.schedule(at: client.time + 3_600_000_000_000) { cameNow.yield("timer") }
        // The loop sleeps, or is about to. An hour passes on the clock, and nothing wakes the loop.
        now.add(3_600_000_000_001, ordering: .relaxed)
        expectEqual(await events.next(), "timer")
        task.cancel()
    }

    @Test("redirects are followed; loops and file URLs are refused")
    func redirects() async throws {
        let server = try ScriptedServer.serving { talk, head in
            if head.hasPrefix("GET /a ") {
                talk.answer("302 Found", ["Location: /b"])
            } else if head.hasPrefix("GET /b ") {
                talk.answer("308 Permanent Redirect", ["Location: /c"])
            } else if head.hasPrefix("GET /round ") {
                talk.answer("302 Found", ["Location: /round"])
            } else if head.hasPrefix("GET /file ") {
                talk.answer("302 Found", ["Location: file:///etc/passwd"])
            } else {
                talk.answer(body: Data("here".utf8))
            }
        }
        let loaded = try await client.load(HTTPRequest(url: server.url("/a")))
        #expect(loaded.response.url == (try server.url("/c")))
        #expect(loaded.data == Data("here".utf8))
        expectEqual(await failure(HTTPRequest(url: try server.url("/round")))?.kind, .tooManyRedirects)
        #expect(server.heads.filter { $0.hasPrefix("GET /round") }.count == 11)
        expectEqual(await failure(HTTPRequest(url: try server.url("/file")))?.kind, .unsupportedURL)
    }

    @Test("an HTTP error reports its URL, status and retry time", arguments: [404, 403, 410, 500, 503, 304])
    func status(code: Int) async throws {
        let server = try ScriptedServer.serving { talk, head in
            talk.answer(
                "\(code) Words",
                head.contains("date") ? ["Retry-After: Fri, 01 Jan 2100 00:00:00 GMT"] : ["Retry-After: 7"],
                body: code == 304 ? Data() : Data("a page about it".utf8))
        }
        let url = try server.url("/film.mp4")
        let error = await failure(HTTPRequest(url: url))
        #expect(error?.kind == .status && error?.status == code && error?.url == url)
        #expect(error?.retryAfter == 7)
        #expect(error?.reason.contains("\(code) Words") == true)
        let later = await failure(HTTPRequest(url: try server.url("/date")))?.retryAfter
        // Newer versions of libcurl limit the time to six hours.
        #expect(later.map { $0 >= 6 * 3600 } == true)
        #expect(server.connections == 1)
    }

    @Test("unknown hosts, closed ports and unsupported schemes have their own errors")
    func nowhere() async throws {
        let server = try ScriptedServer.serving { talk, _ in talk.answer() }
        let closed = try server.url("/")
        server.stop()
        expectEqual(await failure(HTTPRequest(url: closed))?.kind, .cannotConnect)
        let unknown = try #require(URL(string: "http://no-such-host.invalid/film.mp4"))
        let error = await failure(HTTPRequest(url: unknown))
        #expect(error?.kind == .cannotFindHost && error?.reason.contains("no-such-host.invalid") == true)
        for text in ["ftp://127.0.0.1/film.mp4", "gopher://x/", "film.mp4", "data:nonsense"] {
            let url = try #require(URL(string: text))
            expectEqual(await failure(HTTPRequest(url: url))?.kind, .unsupportedURL)
        }
    }

    @Test("silent and slow servers time out")
    func silence() async throws {
        let server = try ScriptedServer { talk in
            guard let head = talk.readHead() else { return }
            if head.hasPrefix("GET /silent") {
                talk.waitForClose()
            } else if head.hasPrefix("GET /half") {
                talk.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
                talk.waitForClose()
            } else if head.hasPrefix("GET /head") {
                talk.send("HTTP/1.1 200 OK\r\n")
                while talk.send("X: y\r\n") { blockWhileTimePasses(0.01, because: "the server is slow") }
            } else {
                talk.send("HTTP/1.1 200 OK\r\nContent-Length: 1000000\r\n\r\n")
                while talk.send(".") { blockWhileTimePasses(0.04, because: "the server is slow") }
            }
        }
        for path in ["/silent", "/half", "/head", "/body"] {
            let request = impatient(try server.url(path))
            let began = client.now
            #expect(await failure(request)?.kind == .timedOut, "\(path)")
            // The idle timeout has ended the request, not the much longer connection timeout.
            #expect(client.now - began < request.options.timeouts.connect)
        }
    }

    @Test("the total timeout ends an endless transfer")
    func total() async throws {
        let server = try ScriptedServer.serving { talk, _ in
            talk.send("HTTP/1.1 200 OK\r\n\r\n")
            while talk.send(Data(count: 10_000)) { blockWhileTimePasses(0.005, because: "the server is slow") }
        }
        var request = HTTPRequest(url: try server.url("/endless"))
        request.options.timeouts.total = 300_000_000
        expectEqual(await failure(request)?.kind, .timedOut)
    }

    @Test("broken responses have distinct errors")
    func broken() async throws {
        let server = try ScriptedServer { talk in
            guard let head = talk.readHead() else { return }
            if head.hasPrefix("GET /short") {
                talk.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
            } else if head.hasPrefix("GET /chunk") {
                talk.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhal")
            } else if head.hasPrefix("GET /garbage") {
                talk.send(Data((0..<500).map { UInt8(truncatingIfNeeded: $0 &* 37 | 0x80) }))
            } else if head.hasPrefix("GET /reset") {
                talk.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf")
                talk.reset()
            }
        }
        expectEqual(await failure(HTTPRequest(url: try server.url("/short")))?.kind, .truncated)
        #expect(
            await failure(HTTPRequest(url: try server.url("/chunk"))).map {
                [.truncated, .connectionLost].contains($0.kind)
            } == true)
        expectEqual(await failure(HTTPRequest(url: try server.url("/garbage")))?.kind, .other)
        #expect(
            await failure(HTTPRequest(url: try server.url("/reset"))).map {
                [.truncated, .connectionLost].contains($0.kind)
            } == true)
        expectEqual(await failure(HTTPRequest(url: try server.url("/nothing")))?.kind, .connectionLost)
    }

    @Test("a body longer than its limit is refused, also when compressed")
    func limit() async throws {
        // 100,000 zeros, compressed with gzip.
        let zeros = try #require(
            Data(
                base64Encoded:
                    "H4sIAAAAAAAAA+3BMQEAAADCoPVPbQ0PoAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAIBXA32VEdSghgEA"
            ))
        let server = try ScriptedServer.serving { talk, head in
            if head.hasPrefix("GET /long") {
                talk.answer(body: Data(count: 2000))
            } else if head.hasPrefix("GET /zip") {
                talk.answer("200 OK", ["Content-Encoding: gzip"], body: zeros)
            } else {
                talk.send("HTTP/1.1 200 OK\r\n\r\n")
                while talk.send(Data(count: 1000)) {}
            }
        }
        for path in ["/long", "/endless"] {
            expectEqual(await failure(HTTPRequest(url: try server.url(path), limit: 1000))?.kind, .tooLarge)
        }
        #expect(
            await failure(HTTPRequest(url: try server.url("/zip"), limit: 1000, acceptsCompression: true))?.kind
                == .tooLarge)
        expectEqual(try await client.load(HTTPRequest(url: server.url("/long"), limit: 2000)).data.count, 2000)
    }
}
