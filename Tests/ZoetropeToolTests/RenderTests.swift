import Foundation
import TestSupport
import Testing

@Suite("zoetrope render", .serialized)
struct RenderTests {
    private final class Folder {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-render-\(UUID().uuidString.prefix(8))"
        ).path
        init() throws { try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(atPath: path) }
        var contents: [String] { (try? FileManager.default.contentsOfDirectory(atPath: path)) ?? [] }
        func file(_ name: String) -> String { path + "/" + name }
    }

    @Test("the requested range is written and reported in one JSON line")
    func report() async throws {
        let folder = try Folder()
        let out = folder.file("out.mp4")
        let run = try await ToolProcess.run([
            "render", TestMedia.url("counter.mp4").path, "-o", out, "--from", "2", "--to", "0:04", "--report", "json",
        ])
        #expect(run.code == 0, "\(run.error)")
        let report = try ToolProcess.report(run.output)
        #expect(
            Set(report.keys) == [
                "status", "error", "file", "pictures", "seconds", "bytes", "wallSeconds", "cpuSeconds", "speed",
            ])
        #expect(
            report["status"] as? String == "completed" && report["pictures"] as? Int == 60
                && report["seconds"] as? Double == 2)
        #expect((report["bytes"] as? Int ?? 0) > 1000)
        // Standard error is not a terminal here, so there is no progress bar.
        #expect(run.error.isEmpty)
        #expect(folder.contents == ["out.mp4"])
        let again = try await ToolProcess.run(["render", TestMedia.url("counter.mp4").path, "-o", out, "--to", "1"])
        #expect(again.code == 1 && again.error.contains("--overwrite"), "\(again)")
        let over = try await ToolProcess.run([
            "render", TestMedia.url("counter.mp4").path, "-o", out, "--to", "0.5", "-y", "--preset", "low",
        ])
        #expect(over.code == 0, "\(over.error)")
    }

    @Test("errors about a range without frames are correct")
    func rangeWithoutFrames() async throws {
        let folder = try Folder()
        // Frames from 1 s to 2 s, audio from 0 s to 4 s.
        let source = folder.file("late.mkv")
        let made = try await offPool {
            try ChildProcess(
                "ffmpeg",
                [
                    "-nostdin", "-v", "error", "-f", "lavfi", "-i", "sine=440:d=4", "-itsoffset", "1", "-f", "lavfi",
                    "-i",
                    "testsrc2=s=64x48:r=10:d=1", "-map", "0", "-map", "1", "-c:v", "mpeg4", "-c:a", "pcm_s16le", source,
                ]
            ).wait()
        }
        #expect(made == 0)
        func message(_ from: String, _ to: String) async throws -> String {
            let run = try await ToolProcess.run([
                "render", source, "-o", folder.file("out.mp4"), "-y", "--from", from, "--to", to,
            ])
            return run.code == 0 ? "" : run.error
        }
        let early = try await message("0", "0.5")
        #expect(
            early.contains("the first frame begins at 1.0 s, but the range ends at 0.5 s")
                && early.contains("later end"))
        let late = try await message("3", "3.5")
        #expect(
            late.contains("the last frame ends at 2.0 s, but the range begins at 3.0 s")
                && late.contains("earlier start"))
        let beyond = try await message("60", "61")
        #expect(beyond.contains("lasts 4.0 s, but the time range begins at 60.0 s") && beyond.contains("earlier start"))
        expectEqual(try await message("0.5", "1.05"), "")
    }

    @Test("--gif writes a GIF under any name")
    func gif() async throws {
        let folder = try Folder()
        let out = folder.file("moving")
        let run = try await ToolProcess.run([
            "render", TestMedia.url("counter.mp4").path, "-o", out, "--gif", "--to", "1", "--width", "160", "--fps",
            "5",
        ])
        #expect(run.code == 0, "\(run.error)")
        #expect(try Data(contentsOf: URL(fileURLWithPath: out)).prefix(6) == Data("GIF89a".utf8))
    }

    @Test("Ctrl-C and SIGTERM exit with 130 and 143 and remove the output", arguments: [SIGINT, SIGTERM])
    func interrupted(signal: Int32) async throws {
        let folder = try Folder()
        // More than three minutes long, so that the export cannot finish first.
        let source = folder.file("long.mp4")
        let part = try TestMedia.url("sine-large.mp4").path
        let made = try await offPool {
            try ChildProcess("ffmpeg", ["-v", "error", "-stream_loop", "100", "-i", part, "-c", "copy", source]).wait()
        }
        try #require(made == 0)
        let tool = try ToolProcess(["render", source, "-o", folder.file("out.mp4"), "--report", "json"])
        // The hidden output file appears after the signal handlers are installed.
        await eventually(
            "a second file", seen: { "\(folder.contents), it \(tool.child.state), \(tool.errors)" },
            while: { tool.child.exitCode == nil }
        ) { folder.contents.count >= 2 }
        tool.child.send(signal)
        let result = await tool.finish()
        expectEnd(result, 128 + signal)
        #expect(try ToolProcess.report(result.output)["status"] as? String == "cancelled")
        #expect(folder.contents == ["long.mp4"])
    }

    @Test("a failed export exits with 1, a reason and no output", arguments: ["/nonexistent/film.mp4", "/etc/passwd"])
    func failures(path: String) async throws {
        let folder = try Folder()
        let run = try await ToolProcess.run(["render", path, "-o", folder.file("out.mp4"), "--report", "json"])
        #expect(run.code == 1 && run.error.contains(path), "\(run)")
        #expect(try ToolProcess.report(run.output)["status"] as? String == "failed")
        #expect(folder.contents == [])
    }

    @Test(
        "invalid arguments exit with 64",
        arguments: [
            ["x", "-o", "a.txt"], ["x"], ["x", "-o", "a.mp4", "--from", "5", "--to", "4"],
            ["x", "-o", "a.mp4", "--fps", "0"], ["x", "-o", "a.gif", "--width", "1"],
            ["x", "-o", "a.mp4", "--preset", "huge"],
        ])
    func usage(arguments: [String]) async throws {
        expectEnd(try await ToolProcess.run(["render"] + arguments), 64)
    }

    @Test("help has examples and exit codes")
    func help() async throws {
        let run = try await ToolProcess.run(["render", "--help"])
        #expect(run.code == 0 && run.output.contains("EXAMPLES") && run.output.contains("EXIT CODES"), "\(run)")
    }
}
