import Foundation
import Streaming
import TestSupport
import Testing

@Suite("Proxies", .serialized)
struct HTTPProxyTests {
    @Test("requests use the environment's proxy, except for excluded hosts")
    func environment() async throws {
        let proxy = try StreamServer()
        proxy.serve("*") { _ in .text("by proxy") }
        let direct = try StreamServer()
        direct.serve("*") { _ in .text("direct") }
        // libcurl reads these variables for every request. The hosts that other tests use are excluded.
        setenv("no_proxy", "127.0.0.1,no-such-host.invalid", 1)
        setenv("http_proxy", "http://127.0.0.1:\(proxy.port)", 1)
        defer {
            unsetenv("http_proxy")
            unsetenv("no_proxy")
        }
        let url = try #require(URL(string: "http://behind-the-proxy.invalid/film.mp4"))
        let loaded = try await HTTPClient.shared.load(HTTPRequest(url: url))
        #expect(String(decoding: loaded.data, as: UTF8.self) == "by proxy")
        #expect(proxy.requests.first?.request.target == "http://behind-the-proxy.invalid/film.mp4")
        let near = try await HTTPClient.shared.load(HTTPRequest(url: direct.url(for: "film.mp4")))
        #expect(String(decoding: near.data, as: UTF8.self) == "direct")
    }
}
