import Foundation
import TestSupport
import Testing

@Suite("Downloads with the tool", .serialized)
struct DownloadToolTests {
    private let shell: ToolShell
    private let server: StreamServer
    init() throws {
        shell = try ToolShell()
        server = try TestStreams.server()
    }

    private func url(_ path: String) -> String { server.url(for: path).absoluteString }
    private var library: String { shell.file("library") }

    private func tool(_ arguments: [String], seconds: Double = Deadline.seconds) async throws -> (
        code: Int32, output: String, error: String
    ) {
        try await ToolProcess.run(arguments + ["--library", library], seconds: seconds)
    }
    private func list() async throws -> [[String: Any]] {
        try #require(
            try await shell.object(tool(["downloads", "list", "--json"]).output)["downloads"] as? [[String: Any]])
    }

    @Test("a stream is downloaded, its path printed, and other players play it")
    func stream() async throws {
        let run = try await tool(["download", url("vod-ts/master.m3u8"), "--quality", "worst"])
        #expect(run.code == 0, "\(run.error)")
        let path = run.output.trimmingCharacters(in: .newlines)
        #expect(path.hasPrefix(library) && path.hasSuffix(".movpkg"), "\(run.output)")
        for word in ["vod-ts: added", "vod-ts: downloading", "vod-ts: finished"] {
            #expect(run.error.contains(word), "\(run.error)")
        }
        #expect(!run.error.contains("\r") && !run.error.contains("\u{1B}"))
        server.close()
        for command in [
            "ffmpeg -v error -i '\(path)/index.m3u8' -f null -",
            "SDL_VIDEODRIVER=dummy SDL_AUDIODRIVER=dummy ffplay -v error -nodisp -autoexit -t 1 '\(path)/index.m3u8'",
            "mpv --no-config --really-quiet --vo=null --ao=null --untimed '\(path)/index.m3u8'",
        ] {
            let other = try await shell.run(command)
            #expect(other.code == 0 && other.error.isEmpty, "\(command): \(other.error)")
        }
    }

    @Test("probe, play, snapshot and render accept the downloaded folder", arguments: ["NAME.movpkg", "film"])
    func folder(name: String) async throws {
        let run = try await tool([
            "download", url("vod-fmp4/master.m3u8"), "--quality", "100p", "--audio", "en,de", "--subtitles", "en", "-o",
            shell.file(name),
        ])
        #expect(run.code == 0 && run.output == shell.file(name) + "\n", "\(run.error)")
        // The download has been moved out of the library.
        #expect(try await list().isEmpty)
        server.close()
        let probe = try await shell.run("exec $Z probe --json '\(name)'")
        #expect(probe.code == 0, "\(probe.error)")
        let renditions = try #require(
            (try shell.object(probe.output)["stream"] as? [String: Any])?["renditions"] as? [[String: Any]])
        #expect(renditions.compactMap { $0["language"] as? String } == ["en", "de", "en"])
        for command in [
            "play '\(name)' --headless --speed 16 --report json", "snapshot '\(name)' --at 13.25 -o a.png",
            "render '\(name)' --from 1 --to 2 -o a.mp4",
        ] {
            let run = try await shell.run("exec $Z \(command)")
            #expect(run.code == 0, "\(command): \(run.error)")
        }
    }

    @Test("a file is moved to the target folder, unless its name exists")
    func file() async throws {
        try FileManager.default.createDirectory(atPath: shell.file("films"), withIntermediateDirectories: true)
        let run = try await tool(["download", url("plain/film.mp4"), "-o", shell.file("films")])
        #expect(run.code == 0 && run.output == shell.file("films/film.mp4") + "\n", "\(run.error)")
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: shell.file("films/film.mp4")))
                == Data(contentsOf: TestStreams.url("plain/film.mp4")))
        #expect(try await list().isEmpty)
        // The name is taken. The downloaded file is kept in the library.
        let again = try await tool(["download", url("plain/film.mp4"), "-o", shell.file("films")])
        #expect(
            again.code == 1 && again.error.contains("already exists") && again.error.contains("export"),
            "\(again.error)")
        let export = try await tool(["downloads", "export", "1", "-o", shell.file("other.mp4")])
        #expect(export.code == 0 && export.output == shell.file("other.mp4") + "\n", "\(export.error)")
        expectEqual(try await list().count, 1)
        let hidden = try FileManager.default.contentsOfDirectory(atPath: shell.folder).filter { $0.hasPrefix(".") }
        #expect(hidden == [])
    }

    @Test("--json prints one complete object per line; list prints one document")
    func json() async throws {
        let run = try await tool(["download", url("vod-ts/master.m3u8"), "--quality", "150k", "--json"])
        #expect(run.code == 0 && run.error.isEmpty, "\(run.error)")
        let lines = try run.output.split(separator: "\n").map { try shell.object(String($0)) }
        let keys: Set = [
            "event", "id", "title", "url", "state", "error", "code", "bytes", "expectedBytes", "seconds",
            "expectedSeconds", "fraction", "rate", "remaining", "path",
        ]
        #expect(lines.allSatisfy { Set($0.keys) == keys })
        #expect(lines.first?["event"] as? String == "added" && lines.last?["event"] as? String == "finished")
        #expect(lines.last?["state"] as? String == "finished" && lines.last?["seconds"] as? Double == 24)
        let listed = try #require(try await list().first)
        #expect(Set(listed.keys) == keys.subtracting(["event"]).union(["index"]))
        #expect(listed["path"] as? String == lines.last?["path"] as? String && listed["index"] as? Int == 1)
    }

    @Test(
        "a failed download reports reason and URL and exits with 1",
        arguments: ["nowhere.m3u8", "drm/widevine.m3u8", "event/index.m3u8"])
    func failures(path: String) async throws {
        let word = path.hasPrefix("drm") ? "Widevine" : path.hasPrefix("event") ? "--record" : "404"
        let run = try await tool(["download", url(path)])
        #expect(run.code == 1 && run.error.contains(word) && run.error.contains(url(path)), "\(run.error)")
        let json = try await tool(["download", url(path), "--json"])
        let last = try ToolProcess.report(json.output)
        #expect(
            json.code == 1 && last["event"] as? String == "failed"
                && (last["error"] as? String)?.contains(word) == true, "\(json.output)")
        // The same download was retried, and no second one was added.
        expectEqual(try await list().count, 1)
    }

    @Test(
        "invalid arguments exit with 64 and name a valid value",
        arguments: [
            (["--quality", "foo"], "720p"), (["--quality", "720"], "720p"), (["--limit", "2Mb/s"], "8Mbit/s"),
            (["--limit", "0"], "2MB/s"), (["--limit", "5"], "“5” for --limit. Use a speed such as 2MB/s"),
            (["--limit", "5/s"], "2MB/s"), (["--audio", "en,,de"], "BCP 47"),
            (["--header", "nonsense"], "Name: value"), (["--record", "0"], "--record"), (["-o", "-"], "./-"),
            (["--quality", "0p"], "best"),
        ])
    func usage(arguments: [String], word: String) async throws {
        let run = try await tool(["download", url("vod-ts/master.m3u8")] + arguments)
        #expect(run.code == 64 && run.error.contains(word), "\(run.error)")
        for wrong in [["download", "ftp://127.0.0.1/x"], ["downloads", "remove"], ["downloads", "pause"]] {
            expectEnd(try await tool(wrong), 64)
        }
        #expect(server.requests.isEmpty && shell.contents == [])
    }

    @Test("unusable targets and names fail before any request")
    func earlyFailures() async throws {
        try Data().write(to: URL(fileURLWithPath: shell.file("taken")))
        for (target, word) in [("taken", "already exists"), ("none/film", "does not exist")] {
            let run = try await tool(["download", url("vod-ts/master.m3u8"), "-o", shell.file(target)])
            #expect(run.code == 1 && run.error.contains(word), "\(run.error)")
        }
        for command in [
            ["pause", "1"], ["resume", "abcd1234"], ["verify", "x"], ["export", "9", "-o", shell.file("a")],
            ["repair", "7"], ["remove", "3"],
        ] {
            let run = try await tool(["downloads"] + command)
            #expect(
                run.code == 1 && run.error.contains("no download")
                    && run.error.contains("`zoetrope downloads list --library \(library)`"),
                "\(command): \(run.error)")
        }
        #expect(server.requests.isEmpty)
    }

    @Test("headers apply to every request, and a title's control characters are escaped")
    func headers() async throws {
        let run = try await tool([
            "download", url("vod-fmp4/master.m3u8"), "--quality", "worst", "--header", "X-Token: a b", "--header",
            "X-Other: c", "--subtitles", "all", "--title", "a\u{1B}[31mb",
        ])
        #expect(run.code == 0, "\(run.error)")
        #expect(server.requests.allSatisfy { $0.headers["X-Token"] == "a b" && $0.headers["X-Other"] == "c" })
        let listed = try await tool(["downloads", "list"])
        #expect(!listed.output.contains("\u{1B}") && !run.error.contains("\u{1B}") && listed.output.contains("a·[31mb"))
    }

    @Test("a live stream is recorded for the given duration")
    func live() async throws {
        let run = try await tool(["download", url("event/index.m3u8"), "--record", "2", "--json"])
        #expect(run.code == 0, "\(run.error)")
        #expect((try ToolProcess.report(run.output)["seconds"] as? Double ?? 0) >= 2)
    }

    // MARK: the library

    @Test(
        "an empty library is named on standard error",
        arguments: [
            (["verify"], "no downloads in"), (["repair"], "no finished downloads in"),
            (["resume"], "no unfinished downloads in"), (["remove", "--all"], "no downloads in"),
        ])
    func empty(command: [String], words: String) async throws {
        let run = try await tool(["downloads"] + command)
        #expect(run.code == 0 && run.output.isEmpty, "\(run.output)\(run.error)")
        #expect(run.error.contains(words) && run.error.contains(library), "\(run.error)")
    }

    @Test("a suggested command quotes the library path where necessary")
    func suggestedLibrary() async throws {
        let folder = shell.file("my library")
        let pause = try await ToolProcess.run(["downloads", "pause", "1", "--library", folder])
        #expect(
            pause.code == 1 && pause.error.contains("`zoetrope downloads list --library '\(folder)'`"),
            "\(pause.error)")
        let remove = try await ToolProcess.run(["downloads", "remove", "--library", folder])
        #expect(remove.code == 64 && remove.error.contains("--library '\(folder)'`"), "\(remove.error)")
        let plain = try await ToolProcess.run(["downloads", "remove"])
        #expect(plain.code == 64 && plain.error.contains("`zoetrope downloads list`"), "\(plain.error)")
    }

    @Test("verify finds a flipped bit, and repair fetches only that segment")
    func care() async throws {
        let run = try await tool(["download", url("vod-ts/master.m3u8"), "--quality", "worst"])
        let package = URL(fileURLWithPath: run.output.trimmingCharacters(in: .newlines))
        let name = try #require(
            FileManager.default.subpaths(atPath: package.path)?.filter { $0.hasSuffix(".ts") }.sorted().dropFirst(3)
                .first)
        let file = package.appendingPathComponent(name)
        var bytes = try Data(contentsOf: file)
        let whole = bytes
        bytes[bytes.count / 2] ^= 1
        try bytes.write(to: file)
        let verify = try await tool(["downloads", "verify"])
        #expect(
            verify.code == 1 && verify.output.contains(file.lastPathComponent) && verify.error.contains("repair"),
            "\(verify.output)\(verify.error)")
        let found = try await shell.object(tool(["downloads", "verify", "1", "--json"]).output)
        #expect(((found["downloads"] as? [[String: Any]])?.first?["damage"] as? [[String: Any]])?.count == 1)
        let before = server.requests.count
        let repair = try await tool(["downloads", "repair", "1"])
        #expect(repair.code == 0 && repair.output.contains(package.path), "\(repair.error)")
        #expect(try Data(contentsOf: file) == whole)
        #expect(server.requests.count - before == 1)
        let clean = try await tool(["downloads", "verify"])
        #expect(clean.code == 0 && clean.output.contains("complete and intact"), "\(clean)")
    }

    @Test("downloads are identified by number, id or prefix; removing leaves others intact")
    func names() async throws {
        for quality in ["worst", "best"] {
            expectEnd(try await tool(["download", url("vod-ts/master.m3u8"), "--quality", quality]), 0)
        }
        expectEnd(try await tool(["download", url("plain/film.mp4")]), 0)
        let all = try await list()
        #expect(all.compactMap { $0["title"] as? String } == ["vod-ts", "vod-ts", "film"])
        let id = try #require(all[2]["id"] as? String)
        for name in ["3", id, id.lowercased().prefix(8).description] {
            #expect(try await tool(["downloads", "verify", name]).output.contains("film"), "\(name)")
        }
        let people = try await tool(["downloads", "list"])
        #expect(
            people.output.contains("3 downloads") && people.output.contains(id.prefix(8).lowercased()),
            "\(people.output)")
        expectEnd(try await tool(["downloads", "remove", "2", id.prefix(6).description]), 0)
        expectEqual(try await list().count, 1)
        expectEnd(try await tool(["downloads", "verify"]), 0)
        expectEnd(try await tool(["downloads", "remove", "--all"]), 0)
        let left = try FileManager.default.contentsOfDirectory(atPath: library).filter {
            !$0.hasPrefix("downloads.sqlite")
        }
        #expect(left == [])
    }

    @Test("a missing library is empty and not created; an invalid one fails")
    func noLibrary() async throws {
        let run = try await tool(["downloads", "list"])
        #expect(
            run.code == 0 && run.output.contains("No downloads") && !FileManager.default.fileExists(atPath: library))
        try Data("nonsense".utf8).write(to: URL(fileURLWithPath: library))
        let wrong = try await tool(["downloads", "list", "--json"])
        #expect(wrong.code == 1 && wrong.error.contains(library), "\(wrong)")
        #expect((try shell.object(wrong.output)["error"] as? String)?.contains(library) == true)
    }
}

extension ToolShell {
    func object(_ text: String) throws -> [String: Any] {
        try #require(try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any], "\(text)")
    }
}
