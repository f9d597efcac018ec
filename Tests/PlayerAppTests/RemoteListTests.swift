import Foundation
import MediaCore
import Testing

@testable import PlayerApp

/// Tests of playlists on servers.
@Suite("Lists on servers")
struct RemoteListTests {
    /// Returns a fetch function that serves `texts` by URL, with redirects from `moved`.
    private func fetch(_ texts: [String: String], moved: [String: String] = [:]) -> MediaList.Fetch {
        { url, _, _ throws(AVError) in
            guard let text = texts[url.absoluteString] else {
                throw AVError(.fileNotFound, at: url.location, reason: "is not there")
            }
            let last = moved[url.absoluteString].flatMap { URL(string: $0) } ?? url
            return MediaList.Fetched(Array(text.utf8), from: last)
        }
    }
    private func addresses(_ list: MediaList) -> [String] { list.entries.map(\.url.absoluteString) }
    private func list(_ addresses: String...) -> MediaList {
        MediaList(addresses.compactMap { URL(string: $0).map { MediaList.Entry($0) } })
    }

    @Test("relative URLs resolve against the redirected list, and nested lists are read")
    func names() async {
        let server = fetch(
            [
                "http://a.test/x/radio.m3u":
                    "#EXTM3U\n#EXTINF:7,One\n#EXTVLCOPT:http-user-agent=Us\none two.mp4\n/top.mp4?q=1\nhttps://c.test/d.mp4\nmore.pls\n",
                "http://b.test/y/more.pls": "[playlist]\nFile1=e.mp4\nTitle1=E\n",
            ], moved: ["http://a.test/x/radio.m3u": "http://b.test/y/radio.m3u"])
        let named = list("http://a.test/x/radio.m3u", "http://a.test/film.mp4")
        #expect(named.namesRemoteLists)
        let whole = await named.withRemoteLists(server)
        #expect(
            addresses(whole) == [
                "http://b.test/y/one%20two.mp4", "http://b.test/top.mp4?q=1", "https://c.test/d.mp4",
                "http://b.test/y/e.mp4", "http://a.test/film.mp4",
            ])
        #expect(whole.entries.first?.title == "One" && whole.entries.first?.headers == ["User-Agent": "Us"])
        #expect(whole.entries[3].title == "E" && whole.problems.isEmpty)
    }

    @Test("a list from a server cannot open local files")
    func files() async {
        let server = fetch([
            "http://a.test/l.m3u": "file:///etc/passwd\nhttp:///none\na.mp4\n",
            "http://a.test/l.xspf":
                "<playlist><trackList><track><location>file:///etc/passwd</location></track></trackList></playlist>",
        ])
        let whole = await list("http://a.test/l.m3u", "http://a.test/l.xspf").withRemoteLists(server)
        #expect(addresses(whole) == ["http://a.test/a.mp4"])
        #expect(whole.problems.count == 3 && whole.problems.allSatisfy { $0.reason.contains("line ") })
        #expect(whole.problems.first?.location.contains("a.test/l.m3u") == true)
    }

    @Test("names with colons are relative, and header fields follow a bar")
    func barsAndColons() async {
        let server = fetch([
            "http://a.test/x/l.m3u":
                "12:30:00.ts\nhttp://b.test/c|Referer=http%3A%2F%2Fd.test%2F&User-Agent=Me&Host=evil&Range=0\nhttp://b.test/a|b\n",
            "http://a.test/channels.m3u8": "#EXTM3U\n#EXTINF:-1,One\nhttp://b.test/one\n",
        ])
        let whole = await list("http://a.test/x/l.m3u").withRemoteLists(server)
        #expect(addresses(whole) == ["http://a.test/x/12:30:00.ts", "http://b.test/c", "http://b.test/a%7Cb"])
        #expect(whole.entries[1].headers == ["Referer": "http://d.test/", "User-Agent": "Me"])
        let address = URL(string: "http://a.test/channels.m3u8")
        let found = await list("http://a.test/channels.m3u8").withRemoteLists(server, found: address)
        #expect(addresses(found) == ["http://b.test/one"] && found.entries.first?.title == "One")
    }

    @Test("streams and unavailable lists stay single entries")
    func streams() async {
        let server = fetch(["http://a.test/hls.m3u": "#EXTM3U\n#EXT-X-VERSION:3\nvideo.m3u8\n"])
        let named = list("http://a.test/hls.m3u", "http://a.test/gone.m3u", "http://a.test/master.m3u8")
        let whole = await named.withRemoteLists(server)
        #expect(whole == named)
        #expect(!list("http://a.test/master.m3u8", "file:///a/b.m3u").namesRemoteLists)
    }

    @Test("cyclic, oversized and empty lists are reported")
    func ends() async {
        let many = (0..<50).map { "\($0).mp4\n" }.joined()
        let server = fetch([
            "http://a.test/a.m3u": "b.m3u\n1.mp4\n", "http://a.test/b.m3u": "a.m3u\n2.mp4\n",
            "http://a.test/many.m3u": many, "http://a.test/none.m3u": "#EXTM3U\n",
        ])
        let round = await list("http://a.test/a.m3u").withRemoteLists(server)
        #expect(addresses(round) == ["http://a.test/2.mp4", "http://a.test/1.mp4"])
        #expect(round.problems.count == 1 && round.problems.first?.reason.contains("contains itself") == true)
        var few = MediaList.Limits()
        few.entries = 20
        let cut = await list("http://a.test/many.m3u").withRemoteLists(server, limits: few)
        #expect(cut.entries.count == 20 && cut.problems.count == 1)
        let nested = await list("http://a.test/many.m3u", "http://a.test/last.mp4", "http://a.test/gone.m3u")
            .withRemoteLists(server, limits: few)
        #expect(nested.entries.count == 20 && nested.problems.count == 1, "\(nested.problems)")
        few.entries = 1
        let lists = await list("http://a.test/gone.m3u", "http://a.test/gone.pls").withRemoteLists(server, limits: few)
        #expect(addresses(lists) == ["http://a.test/gone.m3u"] && lists.problems.count == 1)
        let none = await list("http://a.test/none.m3u").withRemoteLists(server)
        #expect(none.entries.isEmpty && none.problems.first?.reason.contains("is empty") == true)
    }
}
