import Foundation
import MediaCore
import TestSupport
import Testing

@testable import PlayerApp

@Suite("Playlists and folders")
struct MediaListTests {
    /// A temporary folder for one test.
    final class Folder {
        let path: String
        init() throws {
            path =
                FileManager.default.temporaryDirectory.appendingPathComponent("zt-list-\(UUID().uuidString.prefix(8))")
                .path
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
        }
        deinit { try? FileManager.default.removeItem(atPath: path) }
        @discardableResult
        func write(_ name: String, _ bytes: [UInt8] = [0]) throws -> URL {
            let url = URL(fileURLWithPath: path + "/" + name)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(bytes).write(to: url)
            return url
        }
        func write(_ name: String, _ text: String) throws -> URL { try write(name, Array(text.utf8)) }
        /// Returns the entries' paths relative to the folder, or their URLs.
        func names(_ list: MediaList) -> [String] {
            list.entries.map { entry in
                FilePath(entry.url).map { $0.description.replacingOccurrences(of: path + "/", with: "") }
                    ?? entry.url.absoluteString
            }
        }
    }

    @Test("a folder expands to its media files in natural order")
    func folder() throws {
        let folder = try Folder()
        for name in [
            "Part 10.mkv", "part 2.MP4", "Part 1.webm", ".hidden.mp4", "cover.jpg", "notes.txt", "sub/inner.mp4",
            "part 002b.mp3",
        ] {
            try folder.write(name)
        }
        let list = MediaList.expanding([URL(fileURLWithPath: folder.path)])
        #expect(folder.names(list) == ["Part 1.webm", "part 2.MP4", "part 002b.mp3", "Part 10.mkv"])
        #expect(list.problems.isEmpty)
        let empty = MediaList.expanding([
            URL(fileURLWithPath: folder.path + "/sub/..//sub"), URL(fileURLWithPath: "/usr"),
        ])
        #expect(folder.names(empty).count == 1 && empty.problems.map(\.code) == [.notAFile])
    }

    @Test("an M3U list has relative paths, titles, durations and HTTP headers")
    func m3u() throws {
        let folder = try Folder()
        let text =
            "\u{FEFF}#EXTM3U\r\n#EXTINF:12,Ünder way\r\nfilms/one.mp4\r\n\r\n#EXTINF:-1 tvg-name=\"a,b\",Two, too\r\n"
            + "#EXTVLCOPT:http-user-agent=Other 1.0\r\n#EXTVLCOPT:http-referrer=https://example.org/\r\n"
            + "https://example.org/a b.mp4\r\n/abs/three.mkv\r\n# a remark\rplain name.ogg"
        let list = MediaList.expanding([try folder.write("list.m3u", text)])
        #expect(list.problems.isEmpty)
        #expect(
            folder.names(list) == [
                "films/one.mp4", "https://example.org/a%20b.mp4", "/abs/three.mkv", "plain name.ogg",
            ])
        #expect(list.entries.map(\.title) == ["Ünder way", "Two, too", nil, nil])
        #expect(list.entries.map(\.duration) == [12, nil, nil, nil])
        #expect(list.entries[1].headers == ["User-Agent": "Other 1.0", "Referer": "https://example.org/"])
        #expect(list.entries[2].headers.isEmpty && list.entries[3].displayTitle == "plain name.ogg")
        // File names in another encoding keep their bytes.
        let old = MediaList.expanding([
            try folder.write(
                "old.m3u", Array("#EXTINF:1,Caf".utf8) + [0xE9, 0x0A] + Array("caf".utf8) + [0xE9] + Array(".mp3".utf8))
        ])
        #expect(
            old.entries.first.flatMap { FilePath($0.url) }?.name.bytes == Array("caf".utf8) + [0xE9]
                + Array(".mp3".utf8))
        #expect(old.entries.first?.title == "Café")
    }

    @Test("a list and a stream are distinguished by content, not by name")
    func streams() throws {
        let folder = try Folder()
        let stream = try folder.write("a.m3u", "#EXTM3U\n#EXT-X-TARGETDURATION:4\n#EXTINF:4,\nsegment.ts\n")
        let list = try folder.write("b.m3u8", "#EXTM3U\n#EXTINF:4,One\none.mp4\n")
        let unnamed = try folder.write("list", "#EXTM3U\none.mp4\n")
        #expect(folder.names(MediaList.expanding([stream])) == ["a.m3u"])
        #expect(folder.names(MediaList.expanding([list])) == ["one.mp4"])
        #expect(folder.names(MediaList.expanding([unnamed])) == ["one.mp4"])
        // A folder with an HLS playlist, such as a download, is one stream.
        try folder.write("hls/index.m3u8", Array("#EXTM3U\n#EXT-X-VERSION:7\n".utf8))
        let package = MediaList.expanding([URL(fileURLWithPath: folder.path + "/hls")])
        #expect(folder.names(package) == ["hls/index.m3u8"] && package.entries.first?.displayTitle == "hls")
    }

    @Test("PLS and XSPF lists keep order, titles and durations")
    func others() throws {
        let folder = try Folder()
        let pls = MediaList.expanding([
            try folder.write(
                "a.pls",
                "[playlist]\nFile2=two.mp3\nTitle2=Second\nLength2=90\nFile1=http://radio.example.org:8000/live\nNumberOfEntries=2\nVersion=2\n"
            )
        ])
        #expect(folder.names(pls) == ["http://radio.example.org:8000/live", "two.mp3"] && pls.problems.isEmpty)
        #expect(pls.entries.map(\.title) == [nil, "Second"] && pls.entries.map(\.duration) == [nil, 90])
        let xml = """
            <?xml version="1.0" encoding="UTF-8"?>
            <playlist version="1" xmlns="http://xspf.org/ns/0/"><title>All</title><trackList>
            <track><location>sub/a%20b.ogg</location><creator>Somebody</creator><title>A &amp; B</title><duration>1500</duration></track>
            <track><location>https://example.org/c.mp4?x=1</location></track>
            <track><title>nowhere</title></track>
            </trackList></playlist>
            """
        let xspf = MediaList.expanding([try folder.write("a.xspf", xml)])
        #expect(folder.names(xspf) == ["sub/a b.ogg", "https://example.org/c.mp4?x=1"])
        #expect(xspf.entries.first?.title == "Somebody – A & B" && xspf.entries.first?.duration == 1.5)
        #expect(
            xspf.problems.map(\.code) == [.playlistInvalid] && xspf.problems.first?.reason.hasPrefix("line 5:") == true)
        let broken = MediaList.expanding([try folder.write("b.xspf", "<playlist>\n<trackList>\n<track></trackList>")])
        #expect(broken.entries.isEmpty && broken.problems.first?.reason.contains("line 3") == true)
    }

    @Test(
        "a playlist may begin with a byte order mark",
        arguments: [
            ("a.m3u", "#EXTM3U\none.mp4\n"), ("a.pls", "[playlist]\nFile1=one.mp4\n"),
            ("a.xspf", "<playlist><trackList><track><location>one.mp4</location></track></trackList></playlist>"),
        ])
    func marks(_ name: String, _ text: String) throws {
        let folder = try Folder()
        let list = MediaList.expanding([try folder.write(name, "\u{FEFF}" + text)])
        #expect(folder.names(list) == ["one.mp4"] && list.problems.isEmpty, "\(list.problems)")
    }

    @Test("an XSPF track has its first valid location and whole title")
    func alternatives() throws {
        let folder = try Folder()
        let xml = """
            <playlist version="1" xmlns="http://xspf.org/ns/0/"><trackList>
            <track><location>http://</location><location>
              one.mp4
            </location><location>https://example.org/one.mp4</location><title> One <![CDATA[& ]]>Two </title></track>
            <track><location>https://example.org/two.mp4</location><location>two.mp4</location><title/></track>
            <track><location>http://</location><location>https://</location><title>Nowhere</title></track>
            </trackList></playlist>
            """
        let list = MediaList.expanding([try folder.write("a.xspf", xml)])
        #expect(folder.names(list) == ["one.mp4", "https://example.org/two.mp4"])
        #expect(list.entries.map(\.title) == ["One & Two", nil])
        #expect(list.problems.map { $0.reason.prefix(7) } == ["line 6:", "line 6:"])
    }

    @Test("nested lists are read; cycles and excessive lists are reported")
    func bounds() throws {
        let folder = try Folder()
        let outer = try folder.write("outer.m3u", "inner/inner.m3u\nlast.mp4\n")
        try folder.write("inner/inner.m3u", Array("deep.mp4\n../outer.m3u\n".utf8))
        let list = MediaList.expanding([outer])
        #expect(folder.names(list) == ["inner/deep.mp4", "last.mp4"])
        #expect(
            list.problems.map(\.code) == [.playlistInvalid] && list.problems.first?.reason.contains("itself") == true)
        // A symbolic link to a list counts as the same list.
        try FileManager.default.createSymbolicLink(
            atPath: folder.path + "/link.m3u", withDestinationPath: folder.path + "/self.m3u")
        let own = MediaList.expanding([try folder.write("self.m3u", "link.m3u\na.mp4\n")])
        #expect(folder.names(own) == ["a.mp4"] && own.problems.count == 1)
        for depth in 0..<12 { try folder.write("d\(depth).m3u", Array("d\(depth + 1).m3u\n".utf8)) }
        let deep = MediaList.expanding([URL(fileURLWithPath: folder.path + "/d0.m3u")])
        #expect(deep.entries.isEmpty && deep.problems.first?.reason.contains("8 levels deep") == true)
        var limits = MediaList.Limits()
        (limits.entries, limits.bytes) = (3, 100)
        let long = MediaList.expanding([try folder.write("long.m3u", "a\nb\nc\nd\ne\n")], limits: limits)
        #expect(long.entries.count == 3 && long.problems.count == 1)
        let large = MediaList.expanding(
            [try folder.write("large.m3u", String(repeating: "a.mp4\n", count: 50))], limits: limits)
        #expect(large.entries.isEmpty && large.problems.count == 1)
    }

    @Test("invalid lines are reported with line numbers; the others are kept")
    func lines() throws {
        let folder = try Folder()
        let list = MediaList.expanding([
            try folder.write(
                "a.m3u",
                Array("one.mp4\nhttp://\nx".utf8) + [0] + Array("y.mp4\n".utf8) + Array(repeating: 0x61, count: 20_000)
                    + Array("\ntwo.mp4\n".utf8))
        ])
        #expect(folder.names(list) == ["one.mp4", "two.mp4"])
        #expect(list.problems.map { $0.reason.prefix(7) } == ["line 2:", "line 3:", "line 4:"])
        #expect(list.problems.allSatisfy { $0.code == .playlistInvalid && $0.location.hasSuffix("a.m3u") })
        let none = MediaList.expanding([try folder.write("b.pls", "File1=a\n"), try folder.write("c.m3u", "\n\n")])
        #expect(none.entries.isEmpty && none.problems.map(\.code) == [.playlistInvalid, .playlistInvalid])
        // Reading this file would block for ever.
        let system = MediaList.expanding([URL(fileURLWithPath: "/proc/kmsg"), try folder.write("empty.m3u", "")])
        #expect(system.entries.count == 2 && system.problems.isEmpty)
        let missing = MediaList.expanding([URL(fileURLWithPath: folder.path + "/missing.m3u")])
        #expect(missing.entries.count == 1 && missing.problems.isEmpty, "a missing file is reported when it is played")
    }

    @Test("random bytes produce entries or a problem, within the limits")
    func hostile() throws {
        let folder = try Folder()
        let words: [[UInt8]] = [
            "#EXTM3U", "#EXTINF:", "#EXTINF:1e999,", "#EXTINF:-99999999999999999999,x", "[playlist]", "File1=",
            "File99999999999999999999=a",
            "Length1=nan", "Title1=", "http://", "https://a:b@c/%", "file://", "file:///%00", "://", "../../../..", "/",
            ".", "a.mp4", "<playlist>",
            "<trackList>", "<track>", "<location>", "</location>", "&amp;", "&#0;", "<![CDATA[", "]]>",
            "<!DOCTYPE a [<!ENTITY b \"c\">]>", "&b;",
            "</track>", "<duration>9e999</duration>", "\n", "\r", "\r\n", "\u{FEFF}", "list.m3u", "\"", ",", "=", "|",
            "#EXTVLCOPT:http-user-agent=",
        ].map { Array($0.utf8) }
        for seed in SeededRuns.of(1500) {
            var numbers = SeededNumbers(seed: UInt64(seed))
            var bytes: [UInt8] = []
            for _ in 0..<numbers.below(60) {
                if numbers.below(4) == 0 {
                    bytes.append(UInt8(numbers.below(256)))
                } else {
                    bytes += words[numbers.below(words.count)]
                }
                if numbers.below(2) == 0 { bytes.append(0x0A) }
            }
            let name = ["list.m3u", "list.m3u8", "list.pls", "list.xspf", "list"][numbers.below(5)]
            let url = try folder.write(name, bytes)
            var limits = MediaList.Limits()
            limits.entries = 50
            let list = MediaList.expanding([url], limits: limits)
            #expect(list.entries.count <= 50, "seed \(seed)")
            #expect(!list.entries.isEmpty || !list.problems.isEmpty, "seed \(seed): no entries and no problem")
            for entry in list.entries {
                #expect(
                    !entry.displayTitle.isEmpty && entry.duration.map { $0 > 0 && $0.isFinite } != false, "seed \(seed)"
                )
            }
        }
    }
}
