import Foundation
import MediaCore
import Streaming
import Testing

@Suite("HTTP errors")
struct HTTPErrorTests {
    @Test("an app's error contains the URL and the status")
    func status() throws {
        let url = try #require(URL(string: "http://example.test/film.mp4"))
        let error = HTTPError(.status, url: url, status: 404, reason: "404 Not Found").avError
        #expect(error.code == .badServerResponse)
        #expect(error.httpStatus == 404)
        #expect(error.description.contains("http://example.test/film.mp4") && error.description.contains("404"))
    }

    @Test("only errors that a retry can fix are transient")
    func transient() throws {
        let url = try #require(URL(string: "http://example.test/"))
        #expect(HTTPError(.status, url: url, status: 503, reason: "").isTransient)
        #expect(HTTPError(.connectionLost, url: url, reason: "").isTransient)
        #expect(!HTTPError(.status, url: url, status: 404, reason: "").isTransient)
        #expect(!HTTPError(.secureConnectionFailed, url: url, reason: "").isTransient)
    }
}
