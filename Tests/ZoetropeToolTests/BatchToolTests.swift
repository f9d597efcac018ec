import Foundation
import TestSupport
import Testing

@Suite("zoetrope batch", .serialized)
struct BatchToolTests {
    private let shell: ToolShell
    private let film: String

    init() throws {
        shell = try ToolShell()
        film = try TestMedia.url("counter-23976.mp4").path
    }

    private func write(_ lines: [String]) throws {
        try (lines.joined(separator: "\n") + "\n").write(
            toFile: shell.file("jobs.jsonl"), atomically: true, encoding: .utf8)
    }

    private func snapshot(_ name: String, at time: Int = 1) -> String {
        "{\"job\":\"snapshot\",\"input\":\"\(film)\",\"output\":\"\(name)\",\"at\":\(time),\"max-width\":160}"
    }

    private func lines(_ output: String) throws -> [[String: Any]] {
        try output.split(separator: "\n").map {
            try JSONSerialization.jsonObject(with: Data($0.utf8)) as? [String: Any] ?? [:]
        }
    }

    private func events(_ output: String) throws -> [String] { try lines(output).map { $0["event"] as? String ?? "" } }

    @Test("every kind of job runs, and failures don't stop the others")
    func kinds() async throws {
        try write([
            snapshot("a.jpg"),
            "{\"job\":\"render\",\"input\":\"\(film)\",\"output\":\"r.mp4\",\"to\":1,\"filter\":[\"SepiaTone\"]}",
            "no job", "",
            "{\"job\":\"probe\",\"input\":\"\(film)\"}",
            "{\"job\":\"loudness\",\"input\":\"\(film)\",\"output\":\"l.json\"}",
            "{\"job\":\"contact-sheet\",\"input\":\"\(film)\",\"output\":\"sheet.png\",\"columns\":3,\"rows\":2}",
            "{\"job\":\"render\",\"input\":\"\(film)\",\"output\":\"bad.mp4\",\"fps\":0}",
            "{\"job\":\"dance\",\"input\":\"\(film)\"}",
        ])
        let run = try await shell.run("exec $Z batch jobs.jsonl --jobs 2")
        #expect(run.code == 1)
        for line in ["Line 3:", "Line 8:", "Line 9:"] { #expect(run.error.contains(line), "\(run.error)") }
        #expect(run.error.contains("--fps") && run.error.contains("“dance” is not a job"))
        let ends = try lines(run.output)
        #expect(ends.count == 8 && ends.count { $0["event"] as? String == "finished" } == 5)
        let probe = try #require(ends.first { $0["job"] as? String == "probe" }?["result"] as? [String: Any])
        #expect(probe["isPlayable"] as? Bool == true)
        let loudness = try #require(ends.first { $0["job"] as? String == "loudness" }?["result"] as? [String: Any])
        #expect((loudness["integrated"] as? Double ?? 0) < 0)
        #expect(
            shell.contents == ["a.jpg", "jobs.jsonl", "jobs.jsonl.state", "l.json", "r.mp4", "sheet.png"])
    }

    @Test(
        "an invalid line names its key",
        arguments: [
            ("{\"job\":\"probe\"}", "“input” is missing"), ("{\"input\":\"a\"}", "“job” is missing"),
            ("{\"job\":\"probe\",\"input\":5}", "“input” must be a text"), ("[1]", "not a JSON object"),
            ("{\"job\":\"probe\",\"input\":\"a\"", "not a JSON object"),
            (
                "{\"job\":\"render\",\"input\":\"a\",\"output\":\"b.mp4\",\"parts\":\"16\"}",
                "“parts” must be a whole number"
            ),
            (
                "{\"job\":\"render\",\"input\":\"a\",\"output\":\"b.mp4\",\"parts\":2.5}",
                "“parts” must be a whole number"
            ),
            (
                "{\"job\":\"snapshot\",\"input\":\"a\",\"output\":\"b.png\",\"at\":null}",
                "“at” must be a text, a number"
            ),
            ("{\"job\":\"snapshot\",\"input\":\"a\",\"output\":\"b.png\",\"max-widht\":3}", "'--max-widht'"),
            (
                "{\"job\":\"snapshot\",\"input\":\"a\",\"output\":\"b.png\",\"overwrite\":true}",
                "“overwrite” can't be set"
            ),
        ])
    func invalidLine(line: String, reason: String) async throws {
        try write([line, snapshot("a.png")])
        let run = try await shell.run("exec $Z batch jobs.jsonl")
        #expect(run.code == 1 && run.error.contains("Line 1: ") && run.error.contains(reason), "\(run.error)")
        #expect(!run.error.contains("DecodingError") && shell.contents.contains("a.png"))
    }

    @Test("names of files may have spaces, line breaks and any bytes")
    func names() async throws {
        let run = try await shell.run(
            """
            d=$'a b\\xe9'; mkdir "$d"; cp '\(film)' "$d"/$'caf\\xe9 \\n.mp4'
            printf '{"job":"snapshot","input":"%s","output":"%s"}\\n' "$d"/$'caf\\xe9 \\\\n.mp4' "$d"/$'p\\xe9.png' > "$d/jobs"
            for n in 1 2; do $Z batch "$d/jobs" | grep -o '"event":"[a-z]*"' || exit; done
            test -s "$d"/$'p\\xe9.png' -a -d "$d/jobs.state" || exit
            cd "$d"; cp '\(film)' film.mp4
            echo '{"job":"snapshot","input":"film.mp4","output":"here.png"}' > here; $Z batch here > /dev/null && test -s here.png
            """)
        #expect(run.code == 0 && run.error.isEmpty, "\(run.error)")
        #expect(run.output == "\"event\":\"finished\"\n\"event\":\"skipped\"\n", "\(run.output)")
    }

    @Test("a second run skips what is finished and unchanged")
    func resumes() async throws {
        try write([snapshot("1.png"), snapshot("2.png"), snapshot("3.png")])
        #expect(try await shell.run("exec $Z batch jobs.jsonl").code == 0)
        try FileManager.default.removeItem(atPath: shell.file("1.png"))
        try write([snapshot("1.png"), snapshot("2.png", at: 2), snapshot("3.png")])
        let run = try await shell.run("exec $Z batch jobs.jsonl --jobs 1")
        #expect(run.code == 0, "\(run.error)")
        #expect(try events(run.output).sorted() == ["finished", "finished", "skipped"])
        // A truncated file does not count as finished.
        try Data("x".utf8).write(to: URL(fileURLWithPath: shell.file("3.png")))
        #expect(try events(try await shell.run("exec $Z batch jobs.jsonl").output).count { $0 == "finished" } == 1)
    }

    @Test("a second run repeats the recorded results, also with Slurm")
    func recordedResults() async throws {
        try write([
            "{\"job\":\"probe\",\"input\":\"\(film)\"}", "{\"job\":\"loudness\",\"input\":\"\(film)\"}",
            snapshot("a.png"),
        ])
        let run = try await shell.run(
            """
            mkdir bin; for name in sbatch squeue scancel; do ln -s /bin/false bin/$name; done
            export PATH="$PWD/bin:$PATH"
            $Z batch jobs.jsonl --jobs 1 > first || exit
            $Z batch jobs.jsonl > second || exit
            $Z batch jobs.jsonl --slurm > third || exit
            grep -c '"result":{' first
            sed 's/"event":"finished"/"event":"skipped"/' first | cmp - second && cmp second third
            """)
        #expect(run.code == 0 && run.output == "2\n", "\(run.output) \(run.error)")
    }

    @Test("a file on this computer has no time limit")
    func noTimeLimit() async throws {
        try write([snapshot("a.png").replacingOccurrences(of: "\"at\"", with: "\"timeout\":0.000001,\"at\"")])
        let run = try await shell.run(
            """
            $Z batch jobs.jsonl > /dev/null || exit
            $Z probe '\(film)' --timeout 0.000001 > /dev/null || exit
            $Z snapshot '\(film)' -o b.png --timeout 0.000001 || exit
            exec $Z contact-sheet '\(film)' -o c.png --columns 2 --rows 1 --tile-width 64 --timeout 0.000001
            """)
        #expect(run.code == 0 && shell.contents.count { $0.hasSuffix(".png") } == 3, "\(run.error)")
    }

    @Test("a job whose last run failed runs again")
    func failedLast() async throws {
        try write([snapshot("a.png")])
        let run = try await shell.run(
            """
            $Z batch jobs.jsonl > /dev/null
            sed -n 's/"finished"/"failed","error":"a reason"/p' jobs.jsonl.state/run-* > jobs.jsonl.state/run-9.jsonl
            exec $Z batch jobs.jsonl
            """)
        #expect(try run.code == 0 && events(run.output) == ["finished"], "\(run.output) \(run.error)")
    }

    @Test("a job runs again if a file of its options changes", arguments: ["subtitles", "shader"])
    func changedFile(option: String) async throws {
        let source = "vec4 shade(vec2 uv) { return vec4(uv, 0.0, 1.0); }\n"
        let text = option == "shader" ? source : "1\n00:00:00,000 --> 00:00:09,000\nHello\n"
        try text.write(toFile: shell.file("file"), atomically: true, encoding: .utf8)
        try write([
            snapshot("a.png"),
            "{\"job\":\"snapshot\",\"input\":\"\(film)\",\"output\":\"b.png\",\"\(option)\":\"file\"}",
        ])
        for expected in [["finished", "finished"], ["skipped", "skipped"], ["finished", "skipped"]] {
            if expected == ["finished", "skipped"] {
                try (text + "\n").write(toFile: shell.file("file"), atomically: true, encoding: .utf8)
            }
            let run = try await shell.run("exec $Z batch jobs.jsonl")
            #expect(run.code == 0, "\(run.error)")
            #expect(try events(run.output).sorted() == expected)
        }
    }

    @Test("two jobs with one output are refused before anything starts")
    func double() async throws {
        try FileManager.default.createSymbolicLink(atPath: shell.file("link"), withDestinationPath: shell.folder)
        // The link points to a file that does not exist yet.
        try FileManager.default.createSymbolicLink(atPath: shell.file("link.png"), withDestinationPath: "a.png")
        for other in [
            "a.png", "./a.png", "link/a.png", "link.png", "link/link.png", "none/../a.png", "link/none/.././a.png",
            shell.file("a.png"),
        ] {
            try write([snapshot("a.png"), snapshot("b.png"), snapshot(other)])
            let run = try await shell.run("exec $Z batch jobs.jsonl")
            #expect(run.code == 1 && run.error.contains("Lines 1 and 3"), "\(other): \(run.error)")
            #expect(!shell.contents.contains("a.png") && !shell.contents.contains("b.png"))
        }
    }

    @Test("outputs that look alike are two files")
    func alike() async throws {
        try write([snapshot("\u{E9}.png"), snapshot("e\u{301}.png")])
        let run = try await shell.run("$Z batch jobs.jsonl; ls *.png | wc -l")
        #expect(run.output.hasSuffix("2\n") && run.error.isEmpty, "\(run.output) \(run.error)")
    }

    @Test(
        "a job never writes over its source",
        arguments: [
            ("film.mp4", "./film.mp4"), ("file://$PWD/film.mp4", "film.mp4"), ("link.mp4", "film.mp4"),
            ("film.mp4", "link.mp4"),
        ])
    func source(input: String, output: String) async throws {
        try FileManager.default.copyItem(atPath: film, toPath: shell.file("film.mp4"))
        try FileManager.default.createSymbolicLink(atPath: shell.file("link.mp4"), withDestinationPath: "film.mp4")
        for parts in [1, 2] {
            let run = try await shell.run(
                """
                echo "{\\"job\\":\\"render\\",\\"input\\":\\"\(input)\\",\\"output\\":\\"\(output)\\",\\"to\\":1,\\"parts\\":\(parts)}" > jobs.jsonl
                exec $Z batch jobs.jsonl
                """)
            #expect(run.code == 1 && run.error.contains("write over its source"), "\(run.error)")
            #expect(FileManager.default.contentsEqual(atPath: film, andPath: shell.file("film.mp4")))
        }
    }

    @Test("slices do each job once; a run without slices joins parts")
    func slices() async throws {
        var jobs = (1...7).map { snapshot("\($0).png", at: $0) }
        jobs.append("{\"job\":\"render\",\"input\":\"\(film)\",\"output\":\"r.mp4\",\"to\":1,\"parts\":2}")
        try write(jobs)
        var done = 0
        for slice in 1...3 {
            let run = try await shell.run("exec $Z batch jobs.jsonl --slice \(slice)/3")
            #expect(run.code == 0, "\(run.error)")
            done += try events(run.output).count { $0 == "finished" }
        }
        #expect(done == 9 && !shell.contents.contains("r.mp4"))
        let run = try await shell.run("exec $Z batch jobs.jsonl")
        #expect(run.code == 0 && shell.contents.contains("r.mp4"))
        #expect(try events(run.output).count { $0 == "finished" } == 1)
        // The parts are removed, also by a later run if the process that joined them was killed.
        let parts = shell.file("jobs.jsonl.state/parts")
        #expect(try FileManager.default.contentsOfDirectory(atPath: parts).isEmpty)
        let unit = try #require(lines(run.output).first { $0["job"] as? String == "join" }?["unit"] as? String)
        let left = parts + "/" + unit.prefix { $0 != "/" }
        try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: true)
        try Data().write(to: URL(fileURLWithPath: left + "/1-of-2.mp4"))
        #expect(try events(try await shell.run("exec $Z batch jobs.jsonl").output).allSatisfy { $0 == "skipped" })
        #expect(try FileManager.default.contentsOfDirectory(atPath: parts).isEmpty)
    }

    @Test("a second run of the same list fails at once", arguments: ["", "--slice 1/2"])
    func secondRun(first: String) async throws {
        // The first run waits for the pipe until it is killed.
        try write(["{\"job\":\"probe\",\"input\":\"pipe\"}", snapshot("a.png")])
        let child = try shell.start("mkfifo pipe; exec $Z batch jobs.jsonl \(first)")
        defer { child.send(SIGKILL) }
        let records = shell.file("jobs.jsonl.state")
        await eventually("records of the first run") {
            ((try? FileManager.default.contentsOfDirectory(atPath: records)) ?? []).contains { $0.hasPrefix("run-") }
        }
        let second = try ToolShell()
        func run(_ options: String) async throws -> (code: Int32, output: String, error: String) {
            try await second.run("cd '\(shell.folder)'; exec $Z batch jobs.jsonl \(options)")
        }
        let whole = try await run("")
        #expect(whole.code == 1 && whole.output.isEmpty, "\(whole.output)")
        #expect(whole.error.contains("jobs.jsonl.state/lock”"), "\(whole.error)")
        #expect(whole.error.contains("(process ") == first.isEmpty, "\(whole.error)")
        // Another slice runs only beside a slice.
        let slice = try await run("--slice 2/2")
        #expect(slice.code == (first.isEmpty ? 1 : 0), "\(slice.error)")
        // The lock of a killed process is free.
        child.send(SIGKILL)
        _ = await shell.finish(child)
        try FileManager.default.removeItem(atPath: shell.file("pipe"))
        let third = try await run("")
        #expect(third.error.contains("Line 1:") && !third.error.contains("lock"), "\(third.error)")
    }

    @Test("a slice without jobs succeeds")
    func emptySlice() async throws {
        try write([snapshot("a.png")])
        let run = try await shell.run("exec $Z batch jobs.jsonl --slice 17/400")
        #expect(run.code == 0 && run.output.isEmpty && run.error.isEmpty, "\(run.error)")
        #expect(!shell.contents.contains("a.png"))
    }

    @Test("parts are not rendered if the folder of the output is missing")
    func missingFolder() async throws {
        try write(["{\"job\":\"render\",\"input\":\"\(film)\",\"output\":\"none/r.mp4\",\"to\":1,\"parts\":2}"])
        let run = try await shell.run("exec $Z batch jobs.jsonl")
        #expect(run.code == 1 && run.error.contains("none/r.mp4”: the folder does not exist"), "\(run.error)")
        #expect(try events(run.output) == ["failed", "failed", "failed"])
        // The next run renders the parts.
        try FileManager.default.createDirectory(atPath: shell.file("none"), withIntermediateDirectories: true)
        let again = try await shell.run("exec $Z batch jobs.jsonl")
        #expect(again.code == 0, "\(again.error)")
        #expect(FileManager.default.fileExists(atPath: shell.file("none/r.mp4")))
    }

    @Test("the recipe's one-liners do every job once")
    func oneLiners() async throws {
        let recipe = try String(
            contentsOf: Repository.root.appendingPathComponent("docs/Learn.docc/Recipes/Cluster.md"), encoding: .utf8)
        let blocks = recipe.components(separatedBy: "```").filter { $0.hasPrefix("sh\n") && $0.contains("--slice") }
        // GNU parallel, xargs and a loop.
        #expect(blocks.count == 3)
        for block in blocks {
            let shell = try ToolShell()
            var jobs = (1...6).map { snapshot("\($0).png", at: $0) }
            jobs.append("{\"job\":\"render\",\"input\":\"\(film)\",\"output\":\"r.mp4\",\"to\":1,\"parts\":2}")
            try (jobs.joined(separator: "\n") + "\n").write(
                toFile: shell.file("jobs.jsonl"), atomically: true, encoding: .utf8)
            let run = try await shell.run(
                "set -e\n" + block.dropFirst(3).replacingOccurrences(of: "zoetrope", with: "$Z"))
            #expect(run.code == 0, "\(block) \(run.error)")
            #expect(shell.contents.count { $0.hasSuffix(".png") } == 6 && shell.contents.contains("r.mp4"))
            // Six images, two parts and their join.
            #expect(try events(run.output).count { $0 == "finished" } == 9, "\(block) \(run.output)")
        }
    }

    @Test("a terminal shows the finished jobs and the time left")
    func progressBar() async throws {
        try BatchToolTests.terminal.write(toFile: shell.file("terminal.py"), atomically: true, encoding: .utf8)
        let run = try await shell.run(
            """
            mkfifo pipe
            echo '\(snapshot("a.png"))' > jobs.jsonl; echo '{"job":"probe","input":"pipe"}' >> jobs.jsonl
            exec python3 terminal.py '\(film)' $Z batch jobs.jsonl --jobs 1
            """)
        #expect(run.code == 0 && run.output.contains(" 50%  [##"), "\(run.output) \(run.error)")
    }

    /// Runs a command in a terminal. When the progress bar shows that one job has finished, writes a file to the pipe
    /// for which the other job waits.
    private static let terminal = """
        import os, pty, sys
        pid, terminal = pty.fork()
        if pid == 0:
            os.execvp(sys.argv[2], sys.argv[2:])
        def read():
            try:
                return os.read(terminal, 4096)
            except OSError:
                return b""
        seen = b""
        while b"1 of 2" not in seen or b" left" not in seen:
            data = read()
            if not data:
                sys.exit("no progress: " + repr(seen))
            seen += data
        try:
            with open("pipe", "wb") as pipe:
                pipe.write(open(sys.argv[1], "rb").read())
        except BrokenPipeError:
            pass
        while data := read():
            seen += data
        _, status = os.waitpid(pid, 0)
        print(seen.decode(errors="replace"))
        sys.exit(os.waitstatus_to_exitcode(status))
        """

    @Test("Ctrl-C leaves no partial output, and the next run resumes")
    func interrupted() async throws {
        let long = shell.file("long.mp4")
        let part = try TestMedia.url("sine-large.mp4").path
        let made = try await offPool {
            try ChildProcess("ffmpeg", ["-v", "error", "-stream_loop", "100", "-i", part, "-c", "copy", long]).wait()
        }
        try #require(made == 0)
        try write([snapshot("a.png"), "{\"job\":\"render\",\"input\":\"long.mp4\",\"output\":\"out.mp4\"}"])
        let child = try shell.start("exec $Z batch jobs.jsonl --jobs 1")
        try await shell.waits { $0.contains { $0.hasSuffix(".part") } }
        child.send(SIGINT)
        let run = await shell.finish(child)
        #expect(run.code == 130 && run.error.contains("1 of 2 jobs are finished"), "\(run.error)")
        #expect(shell.contents == ["a.png", "jobs.jsonl", "jobs.jsonl.state", "long.mp4"])
    }

    @Test("a job that kills its process three times is given up")
    func killed() async throws {
        try write([snapshot("a.png")])
        #expect(try await shell.run("exec $Z batch jobs.jsonl").code == 0)
        // Simulate three processes that began the job and never ended it.
        let state = shell.file("jobs.jsonl.state")
        let record = try #require(FileManager.default.contentsOfDirectory(atPath: state).first { $0.hasPrefix("run-") })
        let begun = try #require(
            String(contentsOfFile: state + "/" + record, encoding: .utf8).split(separator: "\n").first {
                $0.contains("\"started\"")
            })
        try FileManager.default.removeItem(atPath: state + "/" + record)
        for number in 1...3 {
            try (begun + "\n").write(toFile: state + "/run-000-\(number).jsonl", atomically: true, encoding: .utf8)
        }
        let run = try await shell.run("exec $Z batch jobs.jsonl")
        #expect(run.code == 1 && run.error.contains("killed 3 times"), "\(run.error)")
        #expect(try await shell.run("exec $Z batch jobs.jsonl").code == 0)
    }

    @Test("files of a killed process are removed, but not files being written", arguments: [false, true])
    func abandoned(isWritten: Bool) async throws {
        try write(["{\"job\":\"render\",\"input\":\"\(film)\",\"output\":\"out.mp4\",\"to\":1}"])
        #expect(try await shell.run("exec $Z batch jobs.jsonl").code == 0)
        let state = shell.file("jobs.jsonl.state")
        let record = try #require(FileManager.default.contentsOfDirectory(atPath: state).first { $0.hasPrefix("run-") })
        let file = state + "/" + record
        let begun = try String(contentsOfFile: file, encoding: .utf8).split(separator: "\n").filter {
            $0.contains("\"started\"")
        }
        try (begun.joined(separator: "\n") + "\n").write(toFile: file, atomically: true, encoding: .utf8)
        try Data().write(to: URL(fileURLWithPath: shell.file(".out.mp4.abc.part")))
        // The lock shows that another process writes the file.
        let lock = isWritten ? "flock .out.mp4.abc.part" : ""
        #expect(try await shell.run("exec \(lock) $Z batch jobs.jsonl").code == 0)
        #expect(
            shell.contents == (isWritten ? [".out.mp4.abc.part"] : []) + ["jobs.jsonl", "jobs.jsonl.state", "out.mp4"])
    }

    // MARK: parts rendered by hand

    @Test("parts that the tool renders are joined by the tool")
    func join() async throws {
        for part in ["2/2", "1/2"] {
            let run = try await shell.run(
                "exec $Z render '\(film)' -o \(part.prefix(1)).mp4 --to 2 --filter SepiaTone --part \(part)")
            #expect(run.code == 0, "\(run.error)")
        }
        let run = try await shell.run("exec $Z join 2.mp4 1.mp4 -o film.mp4 --report json")
        // FFmpeg's own messages are not shown.
        #expect(run.code == 0 && run.error.isEmpty, "\(run.error)")
        #expect(try ToolProcess.report(run.output)["pictures"] as? Int == 48)
        // A part with another filter belongs to another export.
        let other = try await shell.run(
            "exec $Z render '\(film)' -o other.mp4 --to 2 --filter SepiaTone:intensity=0.5 --part 2/2")
        #expect(other.code == 0)
        let refused = try await shell.run("exec $Z join 1.mp4 other.mp4 -o no.mp4")
        #expect(refused.code == 1 && refused.error.contains("the settings differ"), "\(refused.error)")
    }

    @Test("an error about standard input calls it standard input")
    func standardInput() async throws {
        for (source, reason) in [
            (film, "only a file on this machine"), (try TestMedia.url("audio.mp3").path, "the file has no video track"),
        ] {
            let run = try await shell.run("cat '\(source)' | $Z render - -o a.mp4 --part 1/2")
            #expect(run.code == 1 && run.error.contains("“standard input”: \(reason)"), "\(run.error)")
            #expect(shell.contents.isEmpty)
        }
    }

    @Test(
        "a contact sheet that is too large is refused by its size",
        arguments: [
            ("quad-rot90.mp4", "--columns 5 --rows 20 --tile-width 1000"),
            ("quad-rot90.mp4", "--columns 1 --rows 40 --tile-width 800"),
            ("counter.mp4", "--columns 18 --rows 1 --tile-width 900"),
        ])
    func largeSheet(name: String, options: String) async throws {
        let run = try await shell.run(
            "exec $Z contact-sheet '\(TestMedia.url(name).path)' -o sheet.png \(options)")
        #expect(
            run.code == 1 && run.error.contains("contact sheet would be")
                && run.error.contains("fewer or smaller frames")
                && shell.contents.isEmpty, "\(run.code): \(run.error)")
    }

    @Test(
        "invalid arguments exit with 64",
        arguments: [
            "render x -o a.mp4 --part 3/2", "render x -o a.mp4 --part 0/2", "render x -o a.mp4 --as-parts 0",
            "render x -o a.mp4 --part 1/2 --as-parts 2", "join -o a.mp4", "batch x --slice 2/1",
            "batch x --slurm --slice 1/2", "batch x --jobs 0", "contact-sheet x -o a.png --columns 0",
        ])
    func usage(arguments: String) async throws {
        #expect(try await ToolProcess.run(arguments.split(separator: " ").map(String.init)).code == 64)
    }

    @Test(
        "help has examples and exit codes", arguments: ["batch", "join", "contact-sheet", "loudness"])
    func help(command: String) async throws {
        let run = try await ToolProcess.run([command, "--help"])
        #expect(run.code == 0 && run.output.contains("EXAMPLES") && run.output.contains("EXIT CODES"))
    }
}
