import Foundation
import TestSupport
import Testing

@Suite("The tool", .serialized)
struct ToolTests {
    @Test("play prints a JSON report as its last line")
    func report() async throws {
        let run = try await ToolProcess.play(
            [TestMedia.url("sine-flac.mkv").path, "--headless", "--report", "json"], counting: 60)
        #expect(run.code == 0, "\(run.error)")
        let report = try ToolProcess.report(run.output)
        #expect(
            Set(report.keys) == [
                "framesDecoded", "framesShown", "framesDropped", "loops", "itemsEnded", "underruns", "firstFrameMs",
                "cpuSeconds", "wallSeconds", "peakMemoryMB", "avOffsetMs", "status", "error",
                "stalls", "stallSeconds", "bytes", "observedBitrate", "networkErrors", "rungs",
            ])
        #expect(
            report["stalls"] as? Int == 0 && (report["rungs"] as? [Any])?.isEmpty == true
                && report["observedBitrate"] is NSNull)
        #expect(Set((report["avOffsetMs"] as? [String: Any] ?? [:]).keys) == ["p50", "p95", "max"])
        #expect(report["status"] as? String == "ended")
        #expect(report["error"] is NSNull)
        #expect(report["itemsEnded"] as? Int == 1)
        // A very slow machine decodes only the frames that other frames depend on.
        #expect((1...60).contains(report["framesDecoded"] as? Int ?? 0))
        #expect(try ToolProcess.frameCount(run.output) == 60)
    }

    @Test("mixers show the app's name, id and icon and the file", arguments: SoundServer.allCases)
    func mixer(on kind: SoundServer) async throws {
        let server = try await PrivateSoundServer.launch(kind)
        defer { server.stop() }
        let tool = try ToolProcess(
            ["play", TestMedia.url("counter.mp4").path, "--headless", "--loop"],
            environment: ["PULSE_SERVER": server.address])
        defer { tool.child.send(SIGKILL) }
        for property in [
            #"application.name = "zoetrope""#, #"application.id = "io.github.zoetrope.Zoetrope""#,
            #"application.icon_name = "io.github.zoetrope.Zoetrope""#, #"media.role = "video""#,
            #"media.name = "counter.mp4""#,
        ] {
            let isShown = try await until { try server.pactl(["list", "sink-inputs"]).contains(property) ? true : nil }
            #expect(isShown == true, "\(property)")
        }
    }

    @Test("play obeys --loop, --seconds, --frames, --start and several files")
    func options() async throws {
        let loop = try await ToolProcess.run([
            "play", TestMedia.url("loop-flac.mkv").path, "--headless", "--loop", "--seconds", "5.9", "--report", "json",
        ])
        // Each pass lasts half a second, but the time includes the start, which may take seconds on a busy machine.
        #expect((1...12).contains(try ToolProcess.report(loop.output)["loops"] as? Int ?? 0))
        let frames = try await ToolProcess.run([
            "play", TestMedia.url("counter.mp4").path, "--headless", "--frames", "5", "--report", "json",
        ])
        expectEnd(frames, 0)
        #expect(try ToolProcess.report(frames.output)["status"] as? String == "stopped")
        let several = try await ToolProcess.run([
            "play", TestMedia.url("loop-flac.mkv").path, TestMedia.url("loop-pcm.mov").path,
            TestMedia.url("audio.flac").path,
            "--headless", "--speed", "4", "--report", "json",
        ])
        expectEnd(several, 0)
        #expect(try ToolProcess.report(several.output)["status"] as? String == "ended")
        let late = try await ToolProcess.run([
            "play", TestMedia.url("counter.mp4").path, "--headless", "--start", "0:19.5", "--mute", "--volume", "0.5",
            "--report", "json",
        ])
        #expect((try ToolProcess.report(late.output)["framesShown"] as? Int ?? 99) < 25)
    }

    @Test("--loop counts passes of audio files and of lists")
    func audioLoops() async throws {
        let alone = try await ToolProcess.run([
            "play", TestMedia.url("audio-mono.wav").path, "--headless", "--loop", "--speed", "16", "--seconds", "4",
            "--report", "json",
        ])
        #expect(alone.code == 0, "\(alone.error)")
        #expect(try ToolProcess.report(alone.output)["loops"] as? Int ?? 0 > 0)
        let list = try await ToolProcess.run([
            "play", TestMedia.url("loop-flac.mkv").path, TestMedia.url("loop-pcm.mov").path, "--headless", "--loop",
            "--seconds", "12", "--report", "json",
        ])
        #expect(list.code == 0, "\(list.error)")
        #expect(try ToolProcess.report(list.output)["loops"] as? Int ?? 0 > 0)
    }

    @Test("an undecodable video track is reported while the audio plays")
    func undecodableVideo() async throws {
        for name in BrokenTracks.videoFiles.prefix(3) + BrokenTracks.audioFiles.prefix(1) {
            let url = try BrokenTracks.url(name)
            let run = try await ToolProcess.run(["play", url.path, "--headless", "--speed", "4", "--report", "json"])
            #expect(run.code == 0, "\(name): \(run.error)")
            let report = try ToolProcess.report(run.output)
            let error = report["error"] as? String ?? ""
            #expect(report["status"] as? String == "ended" && error.contains(name), "\(name): \(run.output)")
            #expect(run.error.contains(error), "\(name): \(run.error)")
        }
        let run = try await ToolProcess.run([
            "render", BrokenTracks.url("unknown-video.mp4").path, "-o", "/tmp/never-\(UUID().uuidString).mp4",
        ])
        #expect(run.code == 1 && run.error.contains("no decoder for the video track"), "\(run.error)")
    }

    @Test("without a file the built-in sample loops in a window")
    func sample() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let run = try await ToolProcess.run(
            ["play", "--loop", "--frames", "21", "--seconds", "60", "--report", "json"], display: display)
        #expect(run.code == 0, "\(run.error)")
        #expect((try ToolProcess.report(run.output)["framesShown"] as? Int ?? 0) > 20)
    }

    @Test(
        "unplayable files exit with 1 and a reason, without hanging",
        arguments: ["/nonexistent/film.mp4", "/usr", "/etc/passwd"])
    func failures(path: String) async throws {
        let run = try await ToolProcess.run(["play", path, "--headless", "--report", "json"])
        expectEnd(run, 1)
        #expect(run.error.components(separatedBy: path).count == 2, "the path is reported once: \(run.error)")
        let report = try ToolProcess.report(run.output)
        #expect(report["status"] as? String == "failed")
        #expect((report["error"] as? String)?.contains(path) == true)
        for command in [["probe", path], ["snapshot", path, "-o", "/tmp/none.png"]] {
            let other = try await ToolProcess.run(command)
            #expect(other.code == 1, "\(command)")
            #expect(other.error.contains(path))
        }
    }

    @Test("without a display the tool suggests --headless")
    func noDisplay() async throws {
        let run = try await ToolProcess.run(["play", TestMedia.url("counter.mp4").path])
        expectEnd(run, 1)
        #expect(run.error.contains("--headless"))
    }

    @Test(
        "invalid arguments exit with 64",
        arguments: [
            ["play", "x", "--speed", "0"], ["play", "x", "--speed", "0.04"], ["play", "x", "--speed", "nan"],
            ["play", "x", "--volume", "2"], ["play", "x", "--start", "soon"],
            ["play", "x", "--renderer", "vulkan"], ["play", "x", "--nonsense"],
            ["snapshot", "x", "--at", "noon", "-o", "a.png"], ["snapshot", "x", "-o", "a.bmp"],
            ["bench", "seek", "x", "--positions", "a"],
        ])
    func usage(arguments: [String]) async throws {
        let run = try await ToolProcess.run(arguments)
        let lines = run.error.split(separator: "\n")
        #expect(run.code == 64 && run.output.isEmpty)
        #expect(
            lines.first?.hasPrefix("zoetrope: ") == true
                && lines.first.map { $0.hasSuffix(".") || $0.hasSuffix("?") } == true, "\(run.error)")
        #expect(
            lines.last == "Try “zoetrope \(arguments[0]) --help” for more information."
                || arguments[0] == "bench" && lines.last == "Try “zoetrope bench seek --help” for more information.",
            "\(run.error)")
    }

    @Test("Ctrl-C exits with 130 and prints the report")
    func interrupt() async throws {
        // Before its handler is installed, a signal would end the process. The handler is active when the main loop
        // runs, which the report of the missing file shows.
        let tool = try ToolProcess([
            "play", "/nonexistent/film.mp4", TestMedia.url("counter.mp4").path, "--headless", "--report", "json",
        ])
        #expect(try await until { tool.errors.contains("/nonexistent/film.mp4") ? true : nil } == true)
        tool.child.send(SIGINT)
        let result = await tool.finish()
        expectEnd(result, 130)
        #expect(try ToolProcess.report(result.output)["status"] as? String == "stopped")
    }

    @Test(
        "an unknown command or subcommand is an error with suggestions",
        arguments: [
            (["help", "nonsense"], "Unknown command “nonsense”. The commands are play, app"),
            (["help", "prob"], "Did you mean “probe”?"),
            (["help", "downloads", "WRONG"], "The commands are list, pause"),
            (["downloads", "lst"], "Unknown command “lst”. Did you mean “list”?"), (["bench", "help"], "seek"),
        ])
    func unknownCommand(arguments: [String], words: String) async throws {
        let run = try await ToolProcess.run(arguments)
        #expect(run.code == 64 && run.output.isEmpty && run.error.contains(words), "\(run.error)")
    }

    @Test(
        "error messages quote arguments as typed",
        arguments: [
            (["play", ""], "“” for <file>"), ([""], "The file name is empty"), (["probe"], "Missing “<file>”."),
            (["play", "a.mp4", "--sped", "2"], "Unknown option “--sped”. Did you mean “--speed”?"),
            (["snapshot", "a.mp4"], "Missing “--output <image>”."),
            (["render", "a.mp4", "-o", "b.mp4", "--from", "0:05", "--to", "0:02"], "“0:02” for --to"),
        ])
    func quotedArguments(arguments: [String], words: String) async throws {
        let run = try await ToolProcess.run(arguments)
        #expect(run.code == 64 && run.error.contains(words), "\(run.error)")
    }

    @Test("an invalid filter is an error with --headless, too")
    func headlessFilter() async throws {
        let run = try await ToolProcess.run([
            "play", TestMedia.url("counter.mp4").path, "--headless", "--seconds", "1", "--filter", "Nope",
        ])
        #expect(run.code == 1 && run.error.contains("no filter has this name"), "\(run.error)")
    }

    @Test("help has examples and exit codes", arguments: [["play"], ["probe"], ["snapshot"], ["app"], ["filters"]])
    func help(command: [String]) async throws {
        let run = try await ToolProcess.run(command + ["--help"])
        expectEnd(run, 0)
        #expect(run.output.contains("EXAMPLES") && run.output.contains("EXIT CODES"))
    }

    @Test("probe describes a file as text and as JSON")
    func probe() async throws {
        let path = try TestMedia.url("languages.mkv").path
        let people = try await ToolProcess.run(["probe", path])
        #expect(people.code == 0 && people.output.contains("h264") && people.output.contains("flac"), "\(people)")
        let machine = try await ToolProcess.run(["probe", path, "--json"])
        #expect(try JSONSerialization.jsonObject(with: Data(machine.output.utf8)) is [String: Any])
    }

    @Test("probe shows whole names in any script, without control characters")
    func probedNames() async throws {
        let shell = try ToolShell()
        // Letters with vowel signs, and an emoji that joins several characters.
        let chapter = "हिन्दी में परिचय 👨\u{200D}👩\u{200D}👧", language = "日本語 🎬 コメント"
        let facts = ";FFMETADATA1\ntitle=a\u{1B}[31mb\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=500\ntitle=\(chapter)\n"
        try facts.write(toFile: shell.file("facts.txt"), atomically: true, encoding: .utf8)
        let run = try await shell.run(
            """
            ffmpeg -v error -i '\(try TestMedia.url("quad-h264.mp4").path)' -i facts.txt -map 0:v -map_metadata 1 \
                -map_chapters 1 -metadata:s:v:0 title='\(language)' -c copy a.mkv || exit 9
            exec $Z probe a.mkv
            """)
        expectEnd(run, 0)
        #expect(run.output.contains(chapter) && run.output.contains("“\(language)”"), "\(run.output)")
        #expect(!run.output.contains("\u{1B}") && run.output.contains("a·[31mb"), "\(run.output)")
    }

    @Test("snapshot writes the frame at the given time")
    func snapshot() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-\(UUID().uuidString.prefix(8)).png"
        ).path
        defer { try? FileManager.default.removeItem(atPath: file) }
        let run = try await ToolProcess.run(["snapshot", TestMedia.url("quad-709.mp4").path, "--at", "1.5", "-o", file])
        #expect(run.code == 0, "\(run.error)")
        let raw = file + ".rgb"
        defer { try? FileManager.default.removeItem(atPath: raw) }
        try ChildProcess("ffmpeg", ["-v", "error", "-y", "-i", file, "-f", "rawvideo", "-pix_fmt", "rgb24", raw]).wait()
        let picture = Screenshot(pixels: [UInt8](try Data(contentsOf: URL(fileURLWithPath: raw))), width: 320)
        #expect(picture.isNear(80, 45, [255, 0, 0]) && picture.isNear(240, 45, [0, 255, 0]))
        #expect(picture.isNear(80, 135, [0, 0, 255]) && picture.isNear(240, 135, [255, 255, 255]))
        let alone = try await ToolProcess.run(["snapshot", TestMedia.url("audio.flac").path, "-o", file])
        expectEnd(alone, 1)
    }

    @Test("a paused player uses no CPU time")
    func idle() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let tool = try ToolProcess(["play", TestMedia.url("counter.mp4").path], display: display)
        defer { tool.child.send(SIGKILL) }
        let window = try await until("the window", seen: { tool.errors }) { try display.window("counter.mp4") }
        try display.key("space", window: try #require(window))
        func ticks() -> Int {
            let stat = (try? String(contentsOfFile: "/proc/\(tool.child.pid)/stat", encoding: .utf8)) ?? ""
            let fields = stat[(stat.lastIndex(of: ")") ?? stat.startIndex)...].split(separator: " ")
            return fields.count > 13 ? (Int(fields[12]) ?? 0) + (Int(fields[13]) ?? 0) : -1
        }
        // After the start has settled, there is a second without any CPU time.
        var used = 0
        await eventually("a second without CPU time", seen: { "\(used) hundredths of a second" }) {
            let before = ticks()
            await letTimePass(1, because: "CPU time is measured over a second")
            used = ticks() - before
            return before >= 0 && used <= 0
        }
    }
}
