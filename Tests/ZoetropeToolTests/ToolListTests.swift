import Foundation
import Synchronization
import TestSupport
import Testing

/// Tests the inputs of `zoetrope play`: playlists, folders and standard input.
@Suite("Playlists and standard input of the tool", .serialized)
struct ToolListTests {
    private func link(_ film: String, _ name: String, in shell: ToolShell) throws {
        try FileManager.default.createSymbolicLink(
            atPath: shell.file(name), withDestinationPath: TestMedia.url(film).path)
    }
    /// Returns the status from the report, which is the last line of the output.
    private func status(_ run: (code: Int32, output: String, error: String)) throws -> String? {
        try ToolProcess.report(run.output)["status"] as? String
    }

    @Test("folders, lists and files play in order, and bad lines are reported")
    func lists() async throws {
        let shell = try ToolShell()
        try FileManager.default.createDirectory(atPath: shell.file("films"), withIntermediateDirectories: true)
        for number in [1, 2, 10] { try link("loop-flac.mkv", "films/part \(number).mkv", in: shell) }
        try "nothing".write(toFile: shell.file("films/readme.txt"), atomically: true, encoding: .utf8)
        try "#EXTM3U\n#EXTINF:1,One\nfilms/part 2.mkv\nfilms\n".write(
            toFile: shell.file("list.m3u8"), atomically: true, encoding: .utf8)
        let run = try await shell.run("\"$Z\" films list.m3u8 --headless --speed 4 --report json")
        #expect(run.code == 0, "\(run.error)")
        #expect(try status(run) == "ended")
        // Three items of the folder, one of the list, and the folder again.
        #expect(try ToolProcess.report(run.output)["itemsEnded"] as? Int == 7)

        try "films/part 1.mkv\nhttp://\nlist2.m3u\n".write(
            toFile: shell.file("list2.m3u"), atomically: true, encoding: .utf8)
        let bad = try await shell.run("\"$Z\" play list2.m3u --headless --speed 4 --report json")
        #expect(bad.code == 1 && bad.error.contains("line 2") && bad.error.contains("contains itself"), "\(bad.error)")
        #expect((try ToolProcess.report(bad.output)["framesShown"] as? Int ?? 0) > 0, "playable files are played")
        let none = try await shell.run("mkdir none; \"$Z\" play none --headless --report json")
        #expect(none.code == 1 && none.error.contains("contains no media files"), "\(none)")
        #expect(try status(none) == "failed")
    }

    @Test("a list on a server is played; an unavailable one is reported")
    func onServer() async throws {
        let server = try StreamServer(root: try TestMedia.url("loop-flac.mkv").deletingLastPathComponent())
        server.serve("lists/radio.m3u") { _ in
            .text("#EXTM3U\n#EXTINF:1,One\n/loop-flac.mkv\nmore.pls\nfile:///etc/passwd\n", type: "audio/x-mpegurl")
        }
        server.serve("lists/more.pls") { _ in
            .text("[playlist]\nFile1=../loop-flac.mkv\n", type: "audio/x-scpls")
        }
        server.serve("moved.m3u") { _ in .redirect(to: "/lists/radio.m3u") }
        let run = try await ToolProcess.run([
            "play", server.url(for: "moved.m3u").absoluteString, "--headless", "--speed", "4", "--report", "json",
        ])
        #expect(run.error.contains("line 5") && run.error.contains("from a server"), "\(run.error)")
        #expect(try ToolProcess.report(run.output)["itemsEnded"] as? Int == 2, "\(run.error)")
        let gone = try await ToolProcess.run([
            "play", server.url(for: "gone.m3u").absoluteString, "--headless", "--report", "json",
        ])
        #expect(gone.code == 1 && gone.error.contains("404"), "\(gone.error)")
    }

    @Test("a list named like a stream is read as a list")
    func calledAsStream() async throws {
        let server = try StreamServer(root: try TestMedia.url("loop-flac.mkv").deletingLastPathComponent())
        server.serve("*.m3u8") { request in
            .playlist(
                "#EXTM3U\n#EXTINF:-1 tvg-id=\"x\" group-title=\"G\",One\n/loop-flac.mkv|Referer=http%3A%2F%2Fa.test%2F\nfile:///etc/passwd\n"
                    + (request.path == "more.m3u8" ? "" : "more.m3u8\n"))
        }
        let run = try await ToolProcess.run([
            "play", server.url(for: "channels.m3u8").absoluteString, "--headless", "--speed", "4", "--report", "json",
        ])
        #expect(run.error.contains("line 4") && run.error.contains("from a server"), "\(run.error)")
        let report = try ToolProcess.report(run.output)
        #expect(report["status"] as? String == "failed" && run.code == 1)
        let one = try ToolProcess.report(
            try await ToolProcess.run([
                "play", server.url(for: "loop-flac.mkv").absoluteString, "--headless", "--speed", "4", "--report",
                "json",
            ]).output)
        // Frames that were decoded ahead before the inner list was read are decoded again. A very slow machine decodes
        // fewer frames, but plays both items to their ends.
        #expect(
            report["itemsEnded"] as? Int == 2
                || report["framesDecoded"] as? Int ?? 0 >= 2 * (one["framesDecoded"] as? Int ?? .max / 2),
            "\(run.error)")
    }

    @Test("two lists named like streams are read at the same time")
    func twoCalledAsStreams() async throws {
        let server = try StreamServer(root: try TestMedia.url("loop-flac.mkv").deletingLastPathComponent())
        let counts = Mutex([String: Int]())
        server.serve("*") { [weak server] request, context in
            let number = counts.withLock { counts in
                counts[request.path, default: 0] += 1
                return counts[request.path, default: 0]
            }
            server?.wake()
            let isFirst = request.path == "a.m3u8"
            guard isFirst || request.path == "b.m3u8" else { return nil }
            // The first request opens the item, and the second one reads the list: that of `a` when `b` is read too,
            // that of `b` when the entries of `a` play.
            if number > 1 {
                try context.wait(seconds: Deadline.seconds) {
                    counts.withLock { isFirst ? $0["b.m3u8", default: 0] > 1 : $0["loop-flac.mkv"] != nil }
                }
            }
            let media = "/loop-flac.mkv?\(isFirst ? "a" : "b")"
            return .playlist("#EXTM3U\n#EXTINF:-1,One\n\(media)1\n#EXTINF:-1,Two\n\(media)2\n")
        }
        let run = try await ToolProcess.run(
            ["play"] + ["a.m3u8", "b.m3u8"].map { server.url(for: $0).absoluteString }
                + ["--headless", "--speed", "4", "--report", "json"])
        #expect(run.code == 0 && !run.error.contains("m3u8"), "\(run.error)")
        #expect(try status(run) == "ended")
        #expect(try ToolProcess.report(run.output)["itemsEnded"] as? Int == 4, "\(run.output)")
    }

    @Test("a looped list repeats without reporting a missing file each time")
    func loops() async throws {
        let shell = try ToolShell()
        try link("loop-flac.mkv", "a.mkv", in: shell)
        try "a.mkv\nmissing.mkv\n".write(toFile: shell.file("l.m3u"), atomically: true, encoding: .utf8)
        let run = try await shell.run(
            "\"$Z\" play l.m3u a.mkv --loop --headless --speed 4 --seconds 8 --report json")
        // Reported when it is first opened, and at the end.
        #expect(run.error.split(separator: "\n").count { $0.contains("the file does not exist") } == 2, "\(run.error)")
        // More items than the list has, so the list has repeated.
        #expect((try ToolProcess.report(run.output)["itemsEnded"] as? Int ?? 0) > 3, "\(run.output)")
        #expect(try status(run) == "failed" && run.code == 1)
    }

    @Test(
        "input from a pipe plays to its end in any container",
        arguments: [
            ("-f mpegts", "mpegts"), ("-f matroska", "mkv"), ("-f mp4 -movflags frag_keyframe+empty_moov", "fragments"),
            ("-f nut", "nut"),
        ])
    func pipe(container: String, name: String) async throws {
        let shell = try ToolShell()
        let film = try TestMedia.url("counter.mp4").path
        let run = try await shell.run(
            "ffmpeg -v error -i '\(film)' -t 3 -c copy \(container) - | \"$Z\" - --headless --speed 4 --report json")
        #expect(run.code == 0, "\(name): \(run.error)")
        let report = try ToolProcess.report(run.output)
        #expect(report["status"] as? String == "ended", "\(name)")
        #expect(report["itemsEnded"] as? Int == 1, "\(name): \(report)")
    }

    @Test("standard input accepts MP4 with its index last, WebM and files")
    func tables() async throws {
        let shell = try ToolShell()
        let film = try TestMedia.url("counter.mp4").path
        let last = try await shell.run(
            "ffmpeg -v error -i '\(film)' -t 2 -c copy last.mp4 && cat last.mp4 | \"$Z\" play - --headless --speed 4 --report json"
        )
        #expect(last.code == 0, "\(last.error)")
        #expect(try ToolProcess.report(last.output)["itemsEnded"] as? Int == 1)
        let file = try await shell.run("\"$Z\" - --headless --start 0:01 --speed 4 --report json < last.mp4")
        #expect(file.code == 0, "\(file.error)")
        let webm = try await shell.run(
            "ffmpeg -v error -f lavfi -i testsrc=size=160x90:rate=15:duration=1 -c:v libvpx -f webm - | \"$Z\" - --headless --report json"
        )
        #expect(webm.code == 0, "\(webm.error)")
        #expect(try ToolProcess.report(webm.output)["itemsEnded"] as? Int == 1)
    }

    @Test("--stdin-buffer plays a pipe without leaving temporary files")
    func bounded() async throws {
        let shell = try ToolShell()
        let film = try TestMedia.url("counter.mp4").path
        // About 12 MB of video, which arrive faster than they are played.
        let run = try await shell.run(
            """
            mkdir tmp; export TMPDIR=$PWD/tmp
            ffmpeg -v error -i '\(film)' -t 4 -an -s 320x180 -c:v mjpeg -q:v 1 -f matroska film.mkv
            stat -c %s film.mkv >&2
            cat film.mkv | "$Z" - --headless --speed 4 --stdin-buffer 1 --report json
            ls -A tmp | wc -l >&2
            """)
        #expect(run.code == 0, "\(run.error)")
        let report = try ToolProcess.report(run.output)
        #expect(report["status"] as? String == "ended" && report["itemsEnded"] as? Int == 1)
        #expect(run.error.split(separator: "\n").last == "0", "\(run.error)")
    }

    @Test(
        "invalid media on standard input is reported",
        arguments: [
            ("printf '' |", "is empty", 1), ("head -c 300000 /dev/zero |", "standard input", 1),
            ("printf '#EXTM3U\\n#EXT-X-VERSION:3\\n' |", "HLS playlist", 1), ("exec 0<&-;", "is closed", 1),
        ] as [(String, String, Int32)])
    func broken(before: String, word: String, code: Int32) async throws {
        let shell = try ToolShell()
        let run = try await shell.run("\(before) \"$Z\" play - --headless --report json")
        #expect(run.code == code && run.error.contains(word), "\(run.error)")
        #expect(try status(run) == "failed")
    }

    @Test("- is accepted once, and not for a terminal")
    func usage() async throws {
        let shell = try ToolShell()
        let twice = try await shell.run("\"$Z\" play - - --headless < /dev/null")
        #expect(twice.code == 64 && twice.error.contains("once"), "\(twice)")
        let terminal = try await shell.run("script -qec \"\\\"$Z\\\" - --headless\" /dev/null < /dev/null; echo $?")
        #expect(terminal.output.contains("terminal"), "\(terminal.output) \(terminal.error)")
        let buffer = try await shell.run("\"$Z\" play - --stdin-buffer 0")
        expectEnd(buffer, 64)
    }
}
