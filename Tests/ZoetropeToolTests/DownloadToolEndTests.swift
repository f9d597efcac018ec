import Foundation
import TestSupport
import Testing

@Suite("Interrupting and resuming downloads", .serialized)
struct DownloadToolEndTests {
    private let shell: ToolShell
    private let server: StreamServer
    private let library: String
    private let source: String

    init() throws {
        shell = try ToolShell()
        server = try TestStreams.server()
        library = shell.file("library")
        source = server.url(for: "vod-ts/master.m3u8").absoluteString
    }

    private func list() async throws -> [[String: Any]] {
        try #require(
            try await shell.object(ToolProcess.run(["downloads", "list", "--json", "--library", library]).output)[
                "downloads"] as? [[String: Any]])
    }

    /// Holds the sixth segment until the rule is removed, so that a download stays unfinished.
    private func hold() -> FaultRule.ID { server.inject(.stall(after: 1000), on: "*/seg005.ts") }
    private func isHeld() async -> Bool {
        let isAsked = await server.waitForRequests(1, "*/seg005.ts")
        // The server has sent the other eleven segments.
        let hasCome = await server.wait { all in
            Set(all.filter { $0.path.hasSuffix(".ts") && $0.range == nil && $0.outcome == .complete }.map(\.path)).count
                >= 11
        }
        return isAsked && hasCome
    }

    @Test("a signal pauses a download; the same command resumes it", arguments: [SIGINT, SIGTERM, SIGHUP])
    func interrupted(signal: Int32) async throws {
        let rule = hold()
        let tool = try ToolProcess(["download", source, "--quality", "worst", "--library", library, "--json"])
        #expect(await isHeld())
        tool.child.send(signal)
        let run = await tool.finish()
        #expect(
            run.code == 128 + signal && run.error.contains("Interrupted") && run.error.contains("same command"),
            "\(run.error)")
        let last = try ToolProcess.report(run.output)
        #expect(
            last["event"] as? String == "interrupted" && (last["error"] as? String)?.contains("Interrupted") == true)
        let paused = try #require(try await list().first)
        #expect(paused["state"] as? String == "paused" && (paused["bytes"] as? Int ?? 0) > 0)
        server.remove(rule)
        // I-frames are byte ranges of the same files.
        let whole = Set(
            server.requests.filter { $0.outcome == .complete && $0.path.hasSuffix(".ts") && $0.range == nil }.map(
                \.path))
        let before = server.requests.count
        // Another token in the URL does not change the download.
        let again = try await ToolProcess.run([
            "download", source + "?token=2", "--quality", "worst", "--library", library,
        ])
        #expect(again.code == 0 && again.error.contains("resuming"), "\(again.error)")
        // The last three segments may not have been stored when the download was interrupted.
        let twice = server.requests.dropFirst(before).filter { whole.contains($0.path) && $0.range == nil }
        #expect(twice.count <= 3 && whole.count >= 11, "\(twice.map(\.path))")
        expectEqual(try await list().count, 1)
        let third = try await ToolProcess.run(["download", source, "--quality", "worst", "--library", library])
        #expect(third.code == 0 && third.error.contains("already downloaded"), "\(third)")
    }

    @Test("the same command resumes a killed download")
    func killed() async throws {
        let rule = hold()
        let tool = try ToolProcess(["download", source, "--quality", "worst", "--library", library])
        #expect(await isHeld())
        tool.child.send(SIGKILL)
        expectEnd(await tool.finish(), 128 + SIGKILL)
        server.remove(rule)
        let again = try await ToolProcess.run(["download", source, "--quality", "worst", "--library", library])
        #expect(again.code == 0 && again.error.contains("resuming"), "\(again.error)")
        expectEnd(try await ToolProcess.run(["downloads", "verify", "--library", library]), 0)
    }

    @Test("a second process can pause a running download and resume it")
    func twoProcesses() async throws {
        let rule = hold()
        let tool = try ToolProcess(["download", source, "--quality", "worst", "--library", library])
        #expect(await isHeld())
        expectEqual(try await list().first?["state"] as? String, "downloading")
        let pause = try await ToolProcess.run(["downloads", "pause", "1", "--library", library])
        #expect(pause.code == 0 && pause.output.contains("paused"), "\(pause.error)")
        let run = await tool.finish()
        #expect(
            run.code == 1 && run.error.contains("another program paused") && run.error.contains("resume"),
            "\(run.error)")
        server.remove(rule)
        let resume = try await ToolProcess.run(["downloads", "resume", "1", "--library", library])
        #expect(resume.code == 0 && resume.output.contains(".movpkg"), "\(resume.error)")
        let pauseAgain = try await ToolProcess.run(["downloads", "pause", "1", "--library", library])
        #expect(pauseAgain.code == 1 && pauseAgain.error.contains("is finished"), "\(pauseAgain)")
    }

    @Test("a second process can remove a running download")
    func removed() async throws {
        _ = hold()
        let tool = try ToolProcess(["download", source, "--quality", "worst", "--library", library])
        #expect(await isHeld())
        let remove = try await ToolProcess.run(["downloads", "remove", "1", "--library", library])
        #expect(remove.code == 0 && remove.output.contains("removed"), "\(remove.error)")
        let run = await tool.finish()
        #expect(run.code == 1 && run.error.contains("another program removed"), "\(run.error)")
        #expect(try await list().isEmpty)
        #expect(try FileManager.default.contentsOfDirectory(atPath: library).filter { $0.hasSuffix(".movpkg") } == [])
    }

    @Test("two processes with the same URL share one download")
    func sameTwice() async throws {
        let rule = hold()
        let command = ["download", source, "--quality", "worst", "--library", library]
        let first = try ToolProcess(command)
        #expect(await isHeld())
        let second = try ToolProcess(command)
        // The second process reports that it waits. The first one then continues.
        #expect(try await until { second.errors.contains("waiting") ? true : nil } == true)
        server.remove(rule)
        for tool in [first, second] {
            let run = await tool.finish()
            #expect(run.code == 0 && run.output.contains(".movpkg"), "\(run.error)")
        }
        expectEqual(try await list().count, 1)
        let segments = server.requests.filter { $0.path.hasSuffix(".ts") && $0.outcome == .complete && $0.range == nil }
        #expect(Set(segments.map(\.path)).count == segments.count)
    }

    @Test("a process runs only its own download")
    func others() async throws {
        _ = hold()
        let first = try ToolProcess(["download", source, "--quality", "worst", "--library", library])
        #expect(await isHeld())
        first.child.send(SIGKILL)
        _ = await first.finish()
        let before = server.requests("vod-ts/*").count
        let second = try await ToolProcess.run([
            "download", server.url(for: "plain/film.mp4").absoluteString, "--library", library,
        ])
        #expect(second.code == 0, "\(second.error)")
        #expect(server.requests("vod-ts/*").count == before)
        expectEqual(try await list().compactMap { $0["state"] as? String }, ["queued", "finished"])
    }

    // MARK: terminal

    /// Runs the tool in a terminal of `columns` columns, made with Python's pty, and returns its output.
    private func terminal(_ columns: Int, _ command: String) async throws -> (
        code: Int32, output: String, error: String
    ) {
        try """
        import fcntl, os, pty, struct, sys, termios
        pid, fd = pty.fork()
        if pid == 0:
            # The window is as wide as it is going to be before the tool looks.
            fcntl.ioctl(1, termios.TIOCSWINSZ, struct.pack('HHHH', 24, \(columns), 0, 0))
            os.execv('/bin/sh', ['/bin/sh', '-c', sys.argv[1]])
        while True:
            try: piece = os.read(fd, 65536)
            except OSError: break
            if not piece: break
            os.write(1, piece)
        sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
        """.write(toFile: shell.file("terminal.py"), atomically: true, encoding: .utf8)
        return try await shell.run("exec python3 terminal.py 'exec \"'$Z'\" \(command)'")
    }

    @Test("a terminal shows one progress line that fits its width", arguments: [120, 60, 30])
    func bar(columns: Int) async throws {
        // Slow enough for several updates of the progress line.
        server.setNetwork(.kilobits(4000))
        let run = try await terminal(columns, "download \(source) --quality worst --library \(library)")
        #expect(run.code == 0, "\(run.output)")
        let drawn = run.output.components(separatedBy: "\n").flatMap { $0.components(separatedBy: "\r") }.filter {
            $0.contains("%")
        }
        #expect(drawn.count > 3, "\(run.output)")
        #expect(drawn.allSatisfy { $0.count < columns }, "\(drawn.map(\.count))")
        if columns == 120 {
            let middle = try #require(drawn.dropFirst(drawn.count / 2).first { $0.contains("/s") }, "\(drawn)")
            for word in ["[", "#", "kB", "of 0:24", "/s", "left"] { #expect(middle.contains(word), "\(middle)") }
        }
        // The output has no escape sequences, and its last line is the path of the download.
        #expect(!run.output.contains("\u{1B}"))
        #expect(run.output.split(whereSeparator: \.isNewline).last?.hasSuffix(".movpkg") == true)
    }

    @Test("--quiet and --json show no progress on a terminal")
    func quiet() async throws {
        let run = try await terminal(80, "download \(source) --quality worst --library \(library) --quiet")
        #expect(run.code == 0 && run.output.split(whereSeparator: \.isNewline).count == 1, "\(run.output)")
        let json = try await terminal(80, "download \(server.url(for: "plain/film.mp4")) --library \(library) --json")
        #expect(
            json.code == 0
                && json.output.split(whereSeparator: \.isNewline).allSatisfy { $0.hasPrefix("{") && $0.hasSuffix("}") },
            "\(json.output)")
    }

    // MARK: write errors

    @Test(
        "full standard output is an error, and downloads are kept",
        arguments: [
            "downloads list", "downloads list --json", "downloads verify", "download URL --quality worst",
            "download URL --quality worst --json",
        ])
    func fullOutput(command: String) async throws {
        _ = try await ToolProcess.run([
            "download", server.url(for: "plain/film.mp4").absoluteString, "--library", library,
        ])
        let command = command.replacingOccurrences(of: "URL", with: source)
        let run = try await shell.run("exec $Z \(command) --library '\(library)' > /dev/full")
        #expect(run.code == 1 && run.error.contains("the disk is full"), "\(command): \(run.code) \(run.error)")
        #expect(try await list().count >= 1)
    }

    @Test("an unwritable library fails; a full disk waits until Ctrl-C")
    func noSuchPlace() async throws {
        let run = try await ToolProcess.run(["download", source, "--library", "/proc/nowhere/library"])
        #expect(run.code == 1 && run.error.contains("/proc"), "\(run.error)")
        try FileManager.default.createDirectory(atPath: library, withIntermediateDirectories: true)
        // The policy reserves more space than the disk has.
        try """
        {"simultaneousDownloads":3,"simultaneousSegments":4,"bytesPerSecond":0,"quota":0,"reservedSpace":\(Int64.max / 4),"allowsMeteredNetwork":false,"patience":1}
        """.write(toFile: library + "/policy.json", atomically: true, encoding: .utf8)
        let tool = try ToolProcess(["download", source, "--library", library])
        #expect(try await until { tool.errors.contains("waiting") ? true : nil } == true, "\(tool.errors)")
        tool.child.send(SIGINT)
        expectEnd(await tool.finish(), 130)
    }
}
