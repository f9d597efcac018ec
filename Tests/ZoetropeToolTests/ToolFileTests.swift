import Foundation
import TestSupport
import Testing

@Suite("Files that the tool reads and writes", .serialized)
struct ToolFileTests {
    private let film: String
    init() throws { film = try TestMedia.url("quad-h264.mp4").path }

    @Test("every command accepts names that are not UTF-8 and prints them escaped")
    func bytes() async throws {
        let shell = try ToolShell()
        // é in Latin-1, and a character that the tool uses internally to represent bytes.
        let names =
            "f=$(printf 'caf\\351.mp4'); cp '\(film)' \"$f\"; s=$(printf 'w\\366rter.srt'); printf '1\\n00:00:00,000 --> 00:01:00,000\\nx\\n' > \"$s\"; g=$(printf '\\364\\217\\272\\251.mp4'); cp '\(film)' \"$g\"\n"
        for command in [
            "probe \"$f\"", "probe --json \"$f\"", "probe \"./$f\"", "probe \"$PWD/$f\"", "probe \"$g\"",
            "play \"$f\" --headless --frames 1", "\"$f\" --headless --frames 1",
            "play \"$f\" \"$g\" --headless --speed 8",
            "play \"$f\" --loop --headless --frames 3",
            "snapshot \"$f\" -o \"$(printf '\\351.png')\" --subtitles \"$s\"",
            "render \"$f\" --output=\"$(printf '\\351.mp4')\" --to 0.1 -y", "bench seek \"$f\" --positions 0",
            "filters SepiaTone --picture \"$f\" --sheet \"$(printf '\\352.jpg')\"",
        ] {
            let run = try await shell.run(names + "exec $Z " + command)
            #expect(run.code == 0, "\(command): \(run.error)")
        }
        let check = try await shell.run(
            names + "ls \"$(printf '\\351.png')\" \"$(printf '\\351.mp4')\" \"$(printf '\\352.jpg')\" > /dev/null")
        #expect(check.code == 0, "\(check.error)")
        let probe = try await shell.run(names + "exec $Z probe --json \"$f\"")
        #expect(
            try (JSONSerialization.jsonObject(with: Data(probe.output.utf8)) as? [String: Any])?["file"] as? String
                == "caf\\xE9.mp4")
        for command in [
            "probe", "play --headless", "snapshot -o a.png", "snapshot '\(film)' -o a.png --subtitles",
            "snapshot '\(film)' -o a.png --shader", "plya\u{1}",
        ] {
            let run = try await shell.run("n=$(printf 'n\\351.none'); exec $Z \(command) \"$n\"")
            #expect(
                run.code != 0 && (run.error.contains("n\\xE9.none") || command.hasPrefix("plya")),
                "\(command): \(run.error)")
        }
        let unknown = try await shell.run("exec $Z \"$(printf 'pl\\351')\"")
        #expect(unknown.code == 64 && unknown.error.contains("pl\\xE9"), "\(unknown.error)")
    }

    @Test(
        "-o writes through a symbolic link and keeps the link",
        arguments: [
            "snapshot FILM -o LINK.png", "render FILM --to 0.1 -y -o LINK.mp4", "filters SepiaTone --sheet LINK.png",
        ])
    func links(command: String) async throws {
        let shell = try ToolShell()
        let ending = command.contains("mp4") ? "mp4" : "png"
        let text = command.replacingOccurrences(of: "FILM", with: "'\(film)'")
        // A chain of links, each relative to its own folder; an old target with special permissions; and a link to a
        // missing file.
        let prepare =
            "mkdir -p far; printf old > far/real.\(ending); chmod 640 far/real.\(ending); ln -sf far/mid.\(ending) link.\(ending); ln -sf real.\(ending) far/mid.\(ending); ln -sf far/new.\(ending) dangling.\(ending); ln -sf loop.\(ending) loop.\(ending)\n"
        let run = try await shell.run(prepare + "exec $Z " + text.replacingOccurrences(of: "LINK", with: "link"))
        #expect(run.code == 0, "\(run.error)")
        let manager = FileManager.default
        #expect(try manager.destinationOfSymbolicLink(atPath: shell.file("link.\(ending)")) == "far/mid.\(ending)")
        let attributes = try manager.attributesOfItem(atPath: shell.file("far/real.\(ending)"))
        #expect((attributes[.size] as? Int ?? 0) > 100 && attributes[.posixPermissions] as? Int == 0o640)
        let dangling = try await shell.run("exec $Z " + text.replacingOccurrences(of: "LINK", with: "dangling"))
        #expect(dangling.code == 0, "\(dangling.error)")
        #expect(try manager.destinationOfSymbolicLink(atPath: shell.file("dangling.\(ending)")) == "far/new.\(ending)")
        #expect(((try manager.attributesOfItem(atPath: shell.file("far/new.\(ending)")))[.size] as? Int ?? 0) > 100)
        let circle = try await shell.run("exec $Z " + text.replacingOccurrences(of: "LINK", with: "loop"))
        #expect(circle.code == 1 && circle.error.contains("loop.\(ending)"), "\(circle.error)")
        #expect(
            try manager.contentsOfDirectory(atPath: shell.file("far")).sorted() == [
                "mid.\(ending)", "new.\(ending)", "real.\(ending)",
            ])
    }

    @Test("snapshot writes to a pipe with a reader, else it fails")
    func pipes() async throws {
        let shell = try ToolShell()
        let run = try await shell.run(
            "mkfifo p.png; $Z snapshot '\(film)' -o p.png & cat p.png > got; wait $! || exit 3; test -p p.png && head -c 4 got"
        )
        #expect(run.code == 0, "\(run.error)")
        #expect(
            try Data(contentsOf: URL(fileURLWithPath: shell.file("got"))).prefix(4) == Data([0x89, 0x50, 0x4E, 0x47]))
        let alone = try await shell.run("exec $Z snapshot '\(film)' -o p.png --timeout 3")
        #expect(alone.code == 1 && alone.error.contains("no program is reading"), "\(alone.error)")
        let movie = try await shell.run("mkfifo m.mp4; exec $Z render '\(film)' -o m.mp4 -y")
        #expect(movie.code == 1 && movie.error.contains("m.mp4”: the path is not a regular file"), "\(movie.error)")
    }

    @Test("probe prints a metadata text of several lines on one line")
    func metadataLines() async throws {
        let shell = try ToolShell()
        let run = try await shell.run(
            "ffmpeg -nostdin -v error -i '\(film)' -c copy -metadata comment=\"$(printf 'first\\r\\nsecond')\" lines.mkv && exec $Z probe lines.mkv"
        )
        #expect(run.code == 0 && run.output.contains("first second"), "\(run)")
    }

    @Test("a WebVTT file without cues is valid")
    func noCues() async throws {
        let shell = try ToolShell()
        for (name, text) in [
            ("a.vtt", "WEBVTT"), ("b.vtt", "WEBVTT - nothing is said\n\nNOTE here\n\nSTYLE\n::cue { color: red }\n"),
        ] {
            try text.write(toFile: shell.file(name), atomically: true, encoding: .utf8)
            let run = try await shell.run(
                "$Z snapshot '\(film)' -o a.png --subtitles \(name) && exec $Z render '\(film)' -o a.mp4 -y --to 0.1 --subtitles \(name)"
            )
            #expect(run.code == 0, "\(run.error)")
        }
    }

    @Test("a cue of ten megabytes needs little memory")
    func longCue() async throws {
        let shell = try ToolShell()
        let words = String(repeating: "lorem ipsum dolor sit amet ", count: 390_000)
        var peaks: [Int] = []
        for (name, text) in [("short", "lorem ipsum"), ("long", words)] {
            try "WEBVTT\n\n00:00.000 --> 10:00.000\n\(text)\n".write(
                toFile: shell.file("\(name).vtt"), atomically: true, encoding: .utf8)
            try "1\n00:00:00,000 --> 00:10:00,000\n\(text)\n".write(
                toFile: shell.file("\(name).srt"), atomically: true, encoding: .utf8)
            for ending in ["vtt", "srt"] {
                // Measured by the kernel, which includes everything. A small process starts the tool, because a child's
                // peak begins with its parent's memory.
                let peak =
                    "import resource, subprocess, sys; code = subprocess.call(sys.argv[1:]); print(resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss); sys.exit(code)"
                let run = try await shell.run(
                    "exec python3 -c '\(peak)' $Z snapshot '\(film)' -o a.png --subtitles \(name).\(ending)")
                #expect(run.code == 0 && (name == "short" || run.error.contains("1 cue too long")), "\(run.error)")
                peaks.append(try #require(run.output.split(separator: "\n").last.flatMap { Int($0) }))
            }
        }
        // The text is copied a few times while it is read. Before a fix, this took 4.4 GB.
        #expect(peaks[2] < peaks[0] + 200_000 && peaks[3] < peaks[1] + 200_000, "\(peaks) KB")
    }

    @Test(
        "every command rejects an encrypted MP4 and names the file",
        arguments: [
            "play locked.mp4 --headless --seconds 5", "play locked.mp4 --headless --loop --seconds 5 --report json",
            "play locked.mp4 locked.mp4 --headless --seconds 5", "locked.mp4 --headless --seconds 5",
            "probe locked.mp4",
            "probe --json locked.mp4", "snapshot locked.mp4 -o a.png", "render locked.mp4 -o a.mp4",
            "render locked.mp4 -o a.gif --report json", "bench seek locked.mp4 --positions 0",
            "filters SepiaTone --picture locked.mp4 --sheet a.png",
        ])
    func locked(command: String) async throws {
        let shell = try ToolShell()
        let key = "00112233445566778899aabbccddeeff"
        let run = try await shell.run(
            "ffmpeg -nostdin -v error -i '\(film)' -c copy -encryption_scheme cenc-aes-ctr -encryption_key \(key) -encryption_kid \(key) locked.mp4 || exit 99; exec $Z \(command)"
        )
        #expect(
            run.code == 1 && run.error.contains("locked.mp4”: the file is encrypted (cenc"), "\(run.code): \(run.error)"
        )
        // Each file is reported once, and a final line states their number.
        #expect(
            run.error.components(separatedBy: "is encrypted").count
                == (command.contains("locked.mp4 locked.mp4") ? 4 : 2), "\(run.error)")
        if command.contains("json") { #expect(run.output.contains("is encrypted (cenc"), "\(run.output)") }
        #expect(shell.contents == ["locked.mp4"])
    }

    @Test("a wall reports its broken file once", arguments: ["", " --loop"])
    func brokenWall(option: String) async throws {
        let shell = try ToolShell()
        try Data("no media".utf8).write(to: URL(fileURLWithPath: shell.file("broken.mp4")))
        let run = try await shell.run("exec $Z play broken.mp4 --wall 4 --headless" + option)
        #expect(
            run.code == 1 && run.error.components(separatedBy: "broken.mp4").count == 2
                && !run.error.contains("of 4 files"), "\(run.code): \(run.error)")
    }

    @Test("a truncated file plays with a warning; render needs --allow-truncated")
    func cutOff() async throws {
        let shell = try ToolShell()
        let cut =
            "ffmpeg -nostdin -v error -i '\(try TestMedia.url("counter.mp4").path)' -t 4 -c copy -movflags +faststart whole.mp4 && head -c $(($(stat -c %s whole.mp4) / 2)) whole.mp4 > cut.mp4 && rm whole.mp4 || exit 99\n"
        let run = try await shell.run(cut + "exec $Z play cut.mp4 --headless --report json")
        #expect(
            run.code == 0 && run.error.contains("cut.mp4” is incomplete: the file is cut off"),
            "\(run.code): \(run.error)")
        let report = try ToolProcess.report(run.output)
        #expect(
            report["status"] as? String == "ended"
                && (report["error"] as? String)?.contains("cut.mp4” is incomplete: the file is cut off") == true)
        // A busy machine drops many frames.
        let frames = try ToolProcess.frameCount(run.output)
        #expect(frames > 20 && report["networkErrors"] as? Int == 0, "\(report)")
        let loop = try await shell.run("exec $Z play cut.mp4 --loop --speed 4 --headless --seconds 8 --report json")
        let looped = try ToolProcess.report(loop.output)
        #expect(
            loop.code == 0
                && loop.error.components(separatedBy: "cut.mp4” is incomplete: the file is cut off").count == 2,
            "\(loop.code): \(loop.error)")
        #expect(
            (looped["loops"] as? Int ?? 0) > 1 && (looped["error"] as? String)?.contains("is cut off") == true,
            "\(looped)")
        // The transfer of a file on a server has failed.
        let server = try StreamServer(root: URL(fileURLWithPath: shell.folder))
        defer { server.close() }
        let url = server.url(for: "cut.mp4").absoluteString
        let remote = try await shell.run("exec $Z play '\(url)' --headless --report json")
        let failed = try ToolProcess.report(remote.output)
        #expect(
            remote.code == 1 && remote.error.components(separatedBy: "the file is cut off").count == 2,
            "\(remote.code): \(remote.error)")
        #expect(
            failed["status"] as? String == "failed"
                && (failed["error"] as? String)?.contains("is cut off") == true, "\(failed)")
        #expect(try ToolProcess.frameCount(remote.output) > 20)
        let render = try await shell.run("exec $Z render cut.mp4 -o a.mp4")
        #expect(
            render.code == 1 && render.error.contains("cut.mp4” is incomplete: the file is cut off")
                && shell.contents == ["cut.mp4"],
            "\(render.code): \(render.error) \(shell.contents)")
        let probe = try await shell.run("exec $Z probe cut.mp4")
        let told = try await shell.run("exec $Z probe --json cut.mp4")
        #expect(
            probe.code == 0 && probe.output.contains("cut.mp4” is incomplete: the file is cut off"),
            "\(probe.code): \(probe.output)")
        #expect(
            told.code == 0 && told.output.contains("\"warning\" : \"")
                && told.output.contains("cut.mp4” is incomplete: the file is cut off"),
            "\(told.output)")
        let allowed = try await shell.run("exec $Z render cut.mp4 -o a.mp4 --allow-truncated")
        #expect(allowed.code == 0 && shell.contents == ["a.mp4", "cut.mp4"], "\(allowed.code): \(allowed.error)")
    }
}
