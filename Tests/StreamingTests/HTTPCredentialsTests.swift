import Foundation
import MediaCore
import TestSupport
import Testing

@testable import Streaming

@Suite("Credentials and origins")
struct HTTPCredentialsTests {
    private let client = HTTPClient.shared

    private func url(_ text: String) throws -> URL { try #require(URL(string: text)) }

    private func options(for origin: URL, shares: Bool = false) -> HTTPOptions {
        var options = HTTPOptions()
        options.origin = HTTPOrigin(origin)
        options.sharesCredentials = shares
        options.headers = ["Authorization": "Bearer secret", "X-Api-Key": "key", "Referer": "https://a.test/"]
        options.cookies = [HTTPCookieValue(name: "sid", value: "7", domain: "")]
        return options
    }

    @Test(
        "Credentials are sent only to the origin that they belong to",
        arguments: [
            ("https://a.test/seg.ts", true), ("https://a.test:443/x/y.ts", true), ("https://A.TEST./seg.ts", true),
            ("http://a.test/seg.ts", false), ("https://a.test:8443/seg.ts", false), ("https://cdn.a.test/s.ts", false),
            ("https://b.test/seg.ts", false), ("https://a.test.b.test/seg.ts", false),
            ("https://a.test@b.test/seg.ts", false),
        ])
    func origins(_ address: String, _ isSame: Bool) throws {
        let first = try url("https://joe:pw@a.test/master.m3u8")
        let segment = try url(address)
        let sent = HTTPCredentials(for: segment, first: segment, options(for: first))
        #expect((sent.headers["Authorization"] != nil) == isSame && (sent.headers["X-Api-Key"] != nil) == isSame)
        #expect(sent.headers["Referer"] != nil)
        #expect(sent.cookies.map(\.name) == (isSame ? ["sid"] : []))
        #expect((sent.login?.password == "pw") == isSame && sent.isWithheld != isSame)
        let shared = HTTPCredentials(for: segment, first: segment, options(for: first, shares: true))
        #expect(shared.headers.count == 3 && shared.cookies.count == 1 && !shared.isWithheld)
    }

    @Test("A cookie with its own domain is sent only to that domain")
    func domains() throws {
        var options = options(for: try url("https://a.test/"))
        options.cookies = [
            HTTPCookieValue(name: "own", value: "1", domain: "a.test", path: "/film"),
            HTTPCookieValue(name: "wide", value: "2", domain: ".a.test"),
        ]
        func sent(_ text: String) throws -> HTTPCredentials {
            HTTPCredentials(for: try url(text), first: try url(text), options)
        }
        #expect(try sent("https://a.test/film/1.ts").cookies.map(\.name) == ["own"])
        #expect(try sent("https://a.test/films").cookies.isEmpty)
        #expect(try sent("https://cdn.a.test/film/1.ts").cookies.isEmpty)
        #expect(try sent("https://cdn.a.test/film/1.ts").jarCookies.map(\.name) == ["wide"])
        #expect(try sent("https://a.test/").jarCookies.first?.jarLine(isSecure: true).contains("\tTRUE\t0\t") == true)
    }

    /// Returns the credentials in each request that reached `server`.
    private func secrets(_ server: ScriptedServer) -> [[String?]] {
        server.heads.map { head in
            ["Authorization", "X-Api-Key", "Cookie", "Referer"].map { ScriptedServer.header($0, in: head) }
        }
    }

    @Test("A redirect to another port sends no secrets unless they are shared", arguments: [false, true])
    func redirect(shares: Bool) async throws {
        let other = try ScriptedServer.serving { talk, _ in talk.answer(body: Data("film".utf8)) }
        let target = try other.url("/film.mp4")
        let server = try ScriptedServer.serving { talk, head in
            if head.hasPrefix("GET /own") {
                talk.answer("302 Found", ["Location: /film"])
            } else {
                talk.answer("302 Found", ["Location: \(target.absoluteString)"])
            }
        }
        let start = try server.url("/own")
        var request = HTTPRequest(url: start, options: options(for: start, shares: shares))
        let loaded = try await client.load(request)
        #expect(loaded.data == Data("film".utf8) && loaded.response.url == target)
        let all: [String?] = ["Bearer secret", "key", "sid=7", "https://a.test/"]
        #expect(secrets(server) == [all, all])
        #expect(secrets(other) == [shares ? all : [nil, nil, nil, "https://a.test/"]])
        // Without an origin in the options, the origin of the request's URL is used.
        request.options.origin = nil
        _ = try await client.load(request)
        #expect(secrets(other).last == (shares ? all : [nil, nil, nil, "https://a.test/"]))
    }

    @Test("A URL's password is sent only to its own server")
    func password() async throws {
        let other = try ScriptedServer.serving { talk, _ in talk.answer("403 Forbidden") }
        let away = try other.url("/away").absoluteString
        let server = try ScriptedServer.serving { talk, head in
            if head.hasPrefix("GET /moved ") {
                talk.answer("301 Moved", ["Location: http://\(ScriptedServer.header("Host", in: head) ?? "")/here"])
            } else if head.hasPrefix("GET /away ") {
                talk.answer("307 Temporary Redirect", ["Location: \(away)"])
            } else {
                talk.answer()
            }
        }
        let start = try url("http://us%20er:p%40ss@127.0.0.1:\(server.port)/moved")
        var options = HTTPOptions()
        options.origin = HTTPOrigin(start)
        let moved = try await client.load(HTTPRequest(url: start, options: options))
        #expect(moved.response.url.path == "/here")
        // A playlist's absolute URL of the same server contains no password.
        _ = try await client.load(HTTPRequest(url: server.url("/segment"), options: options))
        let basic = "Basic " + Data("us er:p@ss".utf8).base64EncodedString()
        #expect(secrets(server).map { $0[0] } == [basic, basic, basic])
        let request = HTTPRequest(url: try url("http://a:b@127.0.0.1:\(server.port)/away"), options: options)
        do throws(HTTPError) {
            _ = try await client.load(request)
            Issue.record("status 403 caused no error")
        } catch {
            #expect(error.status == 403 && error.reason.contains("not sent to this one"), "\(error)")
        }
        #expect(secrets(other).map { $0[0] } == [nil])
    }

    @Test("A cookie replaced by the server keeps the server's value")
    func replaced() async throws {
        let server = try ScriptedServer.serving { talk, head in
            talk.answer(
                "200 OK", head.hasPrefix("GET /replaced/login ") ? ["Set-Cookie: taste=rye; Path=/replaced"] : [])
        }
        var options = HTTPOptions()
        options.cookies = [HTTPCookieValue(name: "taste", value: "oat", domain: "", path: "/replaced")]
        for path in ["/replaced/a", "/replaced/login", "/replaced/b"] {
            _ = try await client.load(HTTPRequest(url: server.url(path), options: options))
        }
        #expect(secrets(server).map { $0[2] } == ["taste=oat", "taste=oat", "taste=rye"])
    }

    @Test("A redirect's body is not taken for the resource")
    func redirectBody() async throws {
        let server = try ScriptedServer.serving { talk, head in
            if head.hasPrefix("GET /long ") {
                talk.answer("302 Found", ["Location: /d\u{e9}j\u{e0} vu"], body: Data(count: 200_000))
            } else {
                talk.answer(body: Data("here".utf8))
            }
        }
        let loaded = try await client.load(HTTPRequest(url: server.url("/long")))
        #expect(loaded.data == Data("here".utf8))
        #expect(server.heads.last?.hasPrefix("GET /d%C3%A9j%C3%A0%20vu ") == true, "\(server.heads)")
    }
}
