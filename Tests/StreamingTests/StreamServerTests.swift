import Foundation
import TestSupport
import Testing

@Suite("Test server")
struct StreamServerTests {
    @Test("files are served with their type and by range")
    func ranges() throws {
        let served = try ServedFolder()
        let client = try served.client()
        let whole = client.get("film.mp4")
        #expect(whole.status == 200 && whole.body == served.bytes)
        #expect(whole.header("Content-Type") == "video/mp4" && whole.header("Accept-Ranges") == "bytes")
        #expect(client.get("list.m3u8").header("Content-Type") == "application/vnd.apple.mpegurl")

        let part = client.get("film.mp4", headers: ["Range: bytes=100-199"])
        #expect(part.status == 206 && part.body == served.bytes[100..<200])
        #expect(part.header("Content-Range") == "bytes 100-199/100000")
        #expect(client.get("film.mp4", headers: ["Range: bytes=99990-"]).body == served.bytes.suffix(10))
        #expect(client.get("film.mp4", headers: ["Range: bytes=-7"]).body == served.bytes.suffix(7))
        #expect(client.get("film.mp4", headers: ["Range: bytes=99999-200000"]).body == served.bytes.suffix(1))
        let beyond = client.get("film.mp4", headers: ["Range: bytes=100000-"])
        #expect(beyond.status == 416 && beyond.header("Content-Range") == "bytes */100000")
        #expect(client.get("nothing").status == 404)
        #expect(client.get("../etc/passwd").status == 403)
        // All requests used one connection.
        #expect(served.server.connectionCount == 1)
        #expect(served.server.requests.map(\.connection).allSatisfy { $0 == 1 })
    }

    @Test("conditional requests are answered")
    func validators() throws {
        let served = try ServedFolder()
        let client = try served.client()
        let tag = try #require(client.get("film.mp4").header("ETag"))
        #expect(client.get("film.mp4", headers: ["If-None-Match: \(tag)"]).status == 304)
        #expect(client.get("film.mp4", headers: ["Range: bytes=0-9", "If-Range: \(tag)"]).status == 206)
        let changed = client.get("film.mp4", headers: ["Range: bytes=0-9", "If-Range: \"other\""])
        #expect(changed.status == 200 && changed.body == served.bytes)
        let head = client.get("film.mp4", method: "HEAD")
        #expect(head.header("Content-Length") == "100000" && head.body.isEmpty)
        #expect(client.get("film.mp4", method: "DELETE").status == 405)
    }

    @Test("redirects, cookies and echoed headers work")
    func builtIn() throws {
        let served = try ServedFolder()
        let client = try served.client()
        #expect(
            client.get("_redirect?to=/film.mp4&count=2&status=307").header("Location")
                == "/_redirect?to=%2Ffilm%2Emp4&count=1&status=307")
        #expect(client.get("_redirect?to=%2Ffilm%2Emp4&count=1&status=307").header("Location") == "/film.mp4")
        #expect(client.get("_cookie?name=a&value=b").header("Set-Cookie") == "a=b; Path=/")
        #expect(client.get("_echo", headers: ["Cookie: a=b"]).text.contains("Cookie: a=b\n"))
    }

    @Test("handlers come first and can delay their response")
    func handlers() async throws {
        let served = try ServedFolder()
        let gate = Gate()
        served.server.serve("live/*") { request, context in
            let hasOpened = try context.wait(seconds: Deadline.seconds) { gate.isOpen }
            #expect(hasOpened)
            return .playlist("#\(request.query["n"] ?? "")")
        }
        async let answer = offPool { try served.client().get("live/list.m3u8?n=3").text }
        #expect(await served.server.waitForRequests(1, "live/*"))
        #expect(served.server.requests[0].outcome == .running)
        gate.open()
        served.server.wake()
        expectEqual(try await answer, "#3")
    }

    @Test("responses can be compressed and chunked")
    func encodings() throws {
        let served = try ServedFolder()
        let client = try served.client()
        let gzip = served.server.inject(.gzip, on: "*.m3u8")
        let packed = client.get("list.m3u8", headers: ["Accept-Encoding: gzip"])
        #expect(packed.header("Content-Encoding") == "gzip" && packed.body.prefix(2) == Data([0x1F, 0x8B]))
        #expect(client.get("list.m3u8").text == "#EXTM3U\n")
        served.server.remove(gzip)
        served.server.inject(.chunked)
        client.send("list.m3u8", headers: ["Connection: close"])
        #expect(client.receive().text == "8\r\n#EXTM3U\n\r\n0\r\n\r\n")
    }

    @Test("the server returns on the same port after a disconnection")
    func cable() async throws {
        let served = try ServedFolder()
        let server = served.server
        server.inject(.stall(after: 10))
        let client = try served.client()
        client.send("film.mp4")
        #expect(server.waitBlocking { $0.first?.bytesSent == 10 }, "\(server.requests)")
        server.pullCable()
        #expect(client.receive().wasReset)
        #expect(server.requests[0].outcome == .serverGone && server.openConnectionCount == 0)
        #expect(throws: RawClient.Refused.self) { try served.client() }
        server.removeAllFaults()
        try server.plugCable()
        #expect(try served.client().get("film.mp4").body == served.bytes)
    }

    @Test("closing ends every wait and every thread")
    func closing() async throws {
        let served = try ServedFolder()
        let name = "test-\(served.server.port)\n"
        let threads = { @Sendable in
            try FileManager.default.contentsOfDirectory(atPath: "/proc/self/task").filter { id in
                (try? String(contentsOfFile: "/proc/self/task/\(id)/comm", encoding: .utf8)) == name
            }.count
        }
        served.server.inject(.latency(3600), on: "late")
        served.server.inject(.stall(after: 1), on: "film.mp4")
        served.server.inject(.slowHead(3600), on: "slow")
        served.server.setNetwork(.constant(10_000))
        let clients = try ["late", "film.mp4", "slow", ""].map { path in
            let client = try served.client()
            if !path.isEmpty { client.send(path) }
            return client
        }
        #expect(await served.server.waitForRequests(3))
        #expect(try threads() >= 4)
        served.server.close()
        // A joined thread may still be listed for a moment.
        #expect(try await until { try threads() == 0 ? true : nil } == true)
        #expect(served.server.requests.allSatisfy { $0.outcome == .serverGone })
        withExtendedLifetime(clients) {}
    }

    @Test("TLS uses an untrusted certificate and serves the same files")
    func tls() async throws {
        let served = try ServedFolder()
        let front = try await offPool { try TLSFront(before: served.server) }
        defer { front.close() }
        let cert = front.certificate.path
        let address = "127.0.0.1:\(front.port)"
        func verify(_ more: [String]) async throws -> Int32 {
            try await offPool {
                try ChildProcess("openssl", ["s_client", "-connect", address, "-verify_return_error"] + more).wait()
            }
        }
        #expect(try await verify([]) != 0)
        expectEqual(try await verify(["-CAfile", cert, "-verify_ip", "127.0.0.1"]), 0)
        #expect(try await verify(["-CAfile", cert, "-verify_hostname", "elsewhere.test"]) != 0)
        let copy = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-tls-copy-\(UUID().uuidString.prefix(8)).mp4")
        defer { try? FileManager.default.removeItem(at: copy) }
        let script =
            "import ssl,sys,urllib.request as u; open(sys.argv[3],'wb').write(u.urlopen(sys.argv[1], context=ssl.create_default_context(cafile=sys.argv[2])).read())"
        let url = front.url(for: "film.mp4").absoluteString
        #expect(
            try await offPool { try ChildProcess("python3", ["-c", script, url, cert, copy.path]).wait() }
                == 0)
        #expect(try Data(contentsOf: copy) == served.bytes)
    }
}

/// A gate that is opened once.
final class Gate: @unchecked Sendable {
    // The lock guards `opened`.
    private let lock = NSLock()
    private var opened = false
    var isOpen: Bool { lock.withLock { opened } }
    func open() { lock.withLock { opened = true } }
}
