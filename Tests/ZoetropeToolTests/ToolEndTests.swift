import Foundation
import TestSupport
import Testing

@Suite("Exit codes and errors of the tool", .serialized)
struct ToolEndTests {
    private let film: String
    init() throws { film = try TestMedia.url("quad-h264.mp4").path }

    // MARK: implied play command

    @Test("a file, path or URL without a command is played")
    func playIsMeant() async throws {
        let shell = try ToolShell()
        try FileManager.default.copyItem(atPath: film, toPath: shell.file("film"))
        try FileManager.default.copyItem(atPath: film, toPath: shell.file("-dash.mp4"))
        for name in ["film", "./film", film, "file://\(film)", "-- film", "-- -dash.mp4", "./-dash.mp4"] {
            let options = "--headless --frames 2 --report json"
            let run = try await shell.run(
                name.hasPrefix("--") ? "exec $Z play \(options) \(name)" : "exec $Z \(name) \(options)")
            #expect(run.code == 0, "\(name): \(run.error)")
            #expect((try ToolProcess.report(run.output)["framesShown"] as? Int ?? 0) > 0)
        }
        // A word that looks like a file or URL is reported as a missing one.
        for name in ["missing.mp4", "./missing", "http://127.0.0.1:1/x"] {
            let run = try await shell.run("exec $Z \(name) --headless --seconds 20")
            #expect(
                run.code == 1 && run.error.contains(name.replacingOccurrences(of: "./", with: "")),
                "\(name): \(run.error)")
        }
    }

    @Test(
        "a mistyped command is reported with a suggestion",
        arguments: [("plya", "play"), ("prob", "probe"), ("snapshto", "snapshot"), ("xyzzyx", "render")])
    func typos(word: String, near: String) async throws {
        let run = try await ToolProcess.run([word, "x.mp4"])
        #expect(run.code == 64 && run.error.contains(word) && run.error.contains(near), "\(run.error)")
    }

    @Test("file names that begin with a dash work after -- or ./")
    func dashes() async throws {
        let shell = try ToolShell()
        try FileManager.default.copyItem(atPath: film, toPath: shell.file("-dash.mp4"))
        for name in ["./-dash.mp4", "-- -dash.mp4"] {
            for command in [
                "probe", "probe --json", "play --headless --frames 1", "snapshot -o a.png",
                "render -y --to 0.1 -o a.mp4", "bench seek --positions 0", "filters SepiaTone --sheet a.png --picture",
            ] {
                let isOption = command.hasPrefix("filters")
                if isOption, name.hasPrefix("--") { continue }
                let run = try await shell.run("exec $Z \(command) \(name)")
                #expect(run.code == 0, "\(command) \(name): \(run.error)")
            }
        }
        for command in ["", "probe", "play"] {
            let run = try await shell.run("exec $Z \(command) -dash.mp4")
            #expect(run.code == 64 && run.error.contains("./-dash.mp4"), "\(command): \(run.output)\(run.error)")
        }
    }

    @Test("a negative number can be the value of an option")
    func negative() async throws {
        let shell = try ToolShell()
        let run = try await shell.run("exec $Z snapshot '\(film)' -o a.png --brightness -0.5 --at -1")
        #expect(run.code == 0 && shell.contents == ["a.png"], "\(run.error)")
    }

    // MARK: no silent failures

    @Test("playing without any frame exits with 1 and reports an error")
    func nothingShown() async throws {
        // A listening socket that never answers.
        let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
        defer { close(listener) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_addr.s_addr = inet_addr("127.0.0.1")
        var length = socklen_t(MemoryLayout<sockaddr_in>.size)
        let port = withUnsafeMutablePointer(to: &address) { pointer in
            pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address -> UInt16 in
                guard bind(listener, address, length) == 0, listen(listener, 8) == 0,
                    getsockname(listener, address, &length) == 0
                else { return 0 }
                return UInt16(
                    bigEndian: UnsafeRawPointer(address).assumingMemoryBound(to: sockaddr_in.self).pointee.sin_port)
            }
        }
        try #require(port != 0)
        let url = "http://127.0.0.1:\(port)/film.mp4"
        let run = try await ToolProcess.run(["play", url, "--headless", "--seconds", "0.5", "--report", "json"])
        expectEnd(run, 1)
        #expect(run.error.contains("nothing was shown") && run.error.contains(url), "\(run.error)")
        let report = try ToolProcess.report(run.output)
        #expect(
            report["status"] as? String == "failed"
                && (report["error"] as? String)?.contains("nothing was shown") == true)
    }

    @Test("a single unplayable file of several is an error")
    func oneOfSeveral() async throws {
        let run = try await ToolProcess.run([
            "play", film, "/nonexistent/film.mp4", "--headless", "--speed", "8", "--report", "json",
        ])
        #expect(run.code == 1 && run.error.contains("/nonexistent/film.mp4"), "\(run)")
        #expect((try ToolProcess.report(run.output)["error"] as? String)?.contains("/nonexistent/film.mp4") == true)
    }

    @Test(
        "JSON reports contain the error of a failure",
        arguments: [
            ["probe", "/nonexistent", "--json"], ["play", "/nonexistent", "--headless", "--report", "json"],
            ["render", "/nonexistent", "-o", "/tmp/none.mp4", "--report", "json"],
            ["bench", "seek", "/nonexistent", "--positions", "1", "--json"],
            ["render", "/usr/bin/env", "-o", "/nonexistent/none.mp4", "--report", "json"],
            ["play", "/usr/bin/env", "--headless", "--report", "json"], ["probe", "/usr/bin/env", "--json"],
            ["render", "/usr/bin/env", "-o", "/tmp/none.mp4", "--shader", "/nonexistent", "--report", "json"],
            ["play", "--report", "json", "/usr/bin/env"],
        ])
    func json(arguments: [String]) async throws {
        let run = try await ToolProcess.run(arguments)
        #expect(
            run.code == 1 && run.error.hasPrefix("zoetrope: ") && run.error.count > 20, "\(arguments): \(run.error)")
        let start = try #require(run.output.firstIndex(of: "{"), "\(arguments): \(run.output)")
        let report = try JSONSerialization.jsonObject(with: Data(run.output[start...].utf8)) as? [String: Any] ?? [:]
        #expect((report["error"] as? String)?.isEmpty == false, "\(arguments): \(run.output)")
    }

    // MARK: write errors

    @Test(
        "full or closed standard output is an error",
        arguments: [
            "--help", "--version", "help play", "probe --json FILM", "probe FILM", "filters", "filters GaussianBlur",
            "play FILM --headless --frames 1 --report json",
            "render FILM -o a.mp4 -y --to 0.1 --report json", "bench seek FILM --positions 0",
            "bench seek FILM --positions 0 --json", "--generate-completion-script bash",
        ])
    func fullOutput(command: String) async throws {
        let shell = try ToolShell()
        let run = try await shell.run(
            "exec $Z \(command.replacingOccurrences(of: "FILM", with: "'\(film)'")) > /dev/full")
        #expect(run.code == 1 && run.error.contains("the disk is full"), "\(command): \(run.code) \(run.error)")
        let closed = try await shell.run("exec $Z \(command.replacingOccurrences(of: "FILM", with: "'\(film)'")) >&-")
        #expect(
            closed.code == 1 && closed.error.contains("standard output"), "\(command): \(closed.code) \(closed.error)")
    }

    @Test(
        "a full device given by -o is an error",
        arguments: ["snapshot FILM -o full.png", "filters SepiaTone --sheet full.png"])
    func fullDevice(command: String) async throws {
        let shell = try ToolShell()
        try FileManager.default.createSymbolicLink(atPath: shell.file("full.png"), withDestinationPath: "/dev/full")
        let run = try await shell.run("exec $Z \(command.replacingOccurrences(of: "FILM", with: "'\(film)'"))")
        #expect(
            run.code == 1 && run.error.contains("full.png") && run.error.contains("the disk is full"),
            "\(run.code) \(run.error)")
        #expect(shell.contents == ["full.png"])
    }

    @Test(
        "a file size limit is an error and leaves no file",
        arguments: [
            "snapshot FILM -o a.png", "render FILM -o a.mp4", "render FILM -o a.gif", "render FILM -o a.mkv",
            "filters SepiaTone --sheet a.png",
        ])
    func fileSize(command: String) async throws {
        let shell = try ToolShell()
        // The limit is 1 KiB. It also applies to the redirected output, which is shorter.
        let natural = try TestMedia.url("natural-h264.mp4").path
        let run = try await shell.run(
            "ulimit -f 1; exec $Z \(command.replacingOccurrences(of: "FILM", with: "'\(natural)'"))")
        #expect(
            run.code == 1 && run.error.contains("exceeds the maximum file size"), "\(command): \(run.code) \(run.error)"
        )
        #expect(shell.contents == [])
    }

    @Test("a closed pipe ends the tool silently with SIGPIPE")
    func closedPipe() async throws {
        let shell = try ToolShell()
        var ends: [Int32] = [0, 0]
        try #require(pipe(&ends) == 0)
        close(ends[0])
        defer { close(ends[1]) }
        for command in ["filters", "probe '\(film)'", "--help"] {
            let run = try await shell.run("exec $Z \(command) >&\(ends[1])")
            #expect(run.code == 128 + SIGPIPE && run.error.isEmpty, "\(command): \(run.code) \(run.error)")
        }
    }

    // MARK: signals

    @Test(
        "a signal ends a render, is reported, and leaves no file",
        arguments: [SIGINT, SIGTERM, SIGHUP, SIGQUIT, SIGPIPE])
    func signals(signal: Int32) async throws {
        let shell = try ToolShell()
        let long = try await longFilm(in: shell)
        let child = try shell.start("exec $Z render '\(long)' -o out.mp4 --report json")
        try await shell.waits { $0.contains { $0.hasSuffix(".part") } }
        child.send(signal)
        let run = await shell.finish(child)
        #expect(run.code == 128 + signal, "\(run.error)")
        #expect(run.error.contains("Interrupted") || signal == SIGPIPE)
        #expect((try ToolProcess.report(run.output)["error"] as? String)?.contains("Interrupted") == true)
        #expect(shell.contents == ["long.mp4"])
    }

    @Test("two signals in succession end a render and leave no file")
    func twice() async throws {
        let shell = try ToolShell()
        let long = try await longFilm(in: shell)
        let child = try shell.start("exec $Z render '\(long)' -o out.gif")
        try await shell.waits { $0.contains { $0.hasSuffix(".part") } }
        child.send(SIGINT)
        child.send(SIGTERM)
        let run = await shell.finish(child)
        #expect([128 + SIGINT, 128 + SIGTERM].contains(run.code))
        #expect(shell.contents == ["long.mp4"])
    }

    @Test("ignored signals stay ignored")
    func nohup() async throws {
        let shell = try ToolShell()
        let child = try shell.start("trap '' HUP; exec $Z render '\(film)' -o out.mp4")
        try await shell.waits { $0.contains { $0.hasSuffix(".part") || $0 == "out.mp4" } }
        child.send(SIGHUP)
        let run = await shell.finish(child)
        #expect(run.code == 0 && shell.contents == ["out.mp4"], "\(run.error)")
    }

    private func longFilm(in shell: ToolShell) async throws -> String {
        let part = try TestMedia.url("sine-large.mp4").path
        let whole = shell.file("long.mp4")
        let made = try await offPool {
            try ChildProcess("ffmpeg", ["-v", "error", "-stream_loop", "100", "-i", part, "-c", "copy", whole]).wait()
        }
        try #require(made == 0)
        return whole
    }
}

extension ToolShell {
    /// Waits until `wanted` returns true for the folder's contents.
    func waits(sourceLocation: SourceLocation = #_sourceLocation, _ wanted: ([String]) -> Bool) async throws {
        await eventually("other files", seen: { "\(contents)" }, sourceLocation: sourceLocation) { wanted(contents) }
    }
}
