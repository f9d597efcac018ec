import Foundation
import Testing

@testable import MediaCore

@Suite("Credentials in URLs")
struct CredentialsTests {
    @Test(
        "credentials are removed wherever a URL appears in a text",
        arguments: [
            ("http://user:secret@host/film.mp4", "http://host/film.mp4"),
            ("https://user@host:8080/a@b?c=d@e#f", "https://host:8080/a@b?c=d@e#f"),
            ("http://user:p@ss@host/", "http://host/"),
            ("http://user:p%40ss%20word@host/x", "http://host/x"),
            (
                "no connection to HTTP://user:secret@host, nor to rtsp://u:secret@h/x",
                "no connection to HTTP://host, nor to rtsp://h/x"
            ),
            ("/home/me/http:/user:secret@host/film.mp4", "/home/me/http:/host/film.mp4"),
            ("http://user:secret@[::1]:80/x", "http://[::1]:80/x"),
            ("file:///home/a@b/c", "file:///home/a@b/c"),
            ("/tmp/a@b.mp4: no such file", "/tmp/a@b.mp4: no such file"),
            ("http://host/a?mail=a@b", "http://host/a?mail=a@b"),
            ("http://host and a@b.c", "http://host and a@b.c"),
            ("://", "://"), ("http://@", "http://"), ("", ""),
        ])
    func removed(text: String, shown: String) {
        #expect(Credentials.removed(from: text) == shown)
        let error = AVError(.unknown, at: text, reason: text, suggestion: text)
        #expect(error.location == shown && error.reason == shown && error.suggestion == shown)
        #expect(!error.description.contains("secret"))
    }

    @Test("a URL without credentials stays otherwise the same")
    func url() throws {
        let url = try #require(URL(string: "http://user:secret@host:81/a%20b?c#d"))
        #expect(url.withoutCredentials.absoluteString == "http://host:81/a%20b?c#d")
        let plain = try #require(URL(string: "http://host/a%20b"))
        #expect(plain.withoutCredentials == plain)
    }
}

@Suite("Lenient URLs")
struct LenientURLTests {
    @Test(
        "invalid characters are encoded once (RFC 3986 §2.1)",
        arguments: [
            ("http://h/a b%20c.ts", "http://h/a%20b%20c.ts"),
            ("http://h/ü%C3%BC/ö.m3u8?x=ä%26&y=[1]", "http://h/%C3%BC%C3%BC/%C3%B6.m3u8?x=%C3%A4%26&y=%5B1%5D"),
            ("http://h/100%/50%zz/%e4%F6", "http://h/100%25/50%25zz/%e4%F6"),
            ("http://h/a%20b.ts", "http://h/a%20b.ts"),
            ("http://user:p%40s@h:80/x|y", "http://user:p%40s@h:80/x%7Cy"),
            ("http://[::1]:80/a b", "http://[::1]:80/a%20b"),
            ("http://h/a#b#c d", "http://h/a#b%23c%20d"),
            ("http://h/%", "http://h/%25"),
        ])
    func absolute(text: String, encoded: String) {
        #expect(URL(lenient: text)?.absoluteString == encoded)
        // An encoded URL is not encoded again.
        #expect(URL(lenient: encoded)?.absoluteString == encoded)
    }

    @Test(
        "relative URLs are encoded and resolved",
        arguments: [
            ("seg ä%20.ts", "http://h/x/seg%20%C3%A4%20.ts"), ("/a b%2Fc", "http://h/a%20b%2Fc"),
            ("?q=%41 b", "http://h/x/y.m3u8?q=%41%20b"),
            ("//other/ü", "http://other/%C3%BC"), ("a:b.ts/ü", nil),
        ])
    func relative(text: String, url: String?) throws {
        let base = try #require(URL(string: "http://h/x/y.m3u8"))
        guard let url else {
            _ = URL(lenient: text, relativeTo: base)
            return
        }
        #expect(URL(lenient: text, relativeTo: base)?.absoluteURL.absoluteString == url)
    }
}
