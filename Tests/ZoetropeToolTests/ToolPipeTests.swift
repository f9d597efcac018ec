import Foundation
import TestSupport
import Testing

@Suite("Pipes as input of the tool", .serialized)
struct ToolPipeTests {
    private let film: String
    init() throws { film = try TestMedia.url("loop-aac.mp4").path }

    /// Ways to pass a pipe as a file in a shell. `FILM` is the piped file.
    private static let ways = [
        "PIPE", "/dev/stdin < PIPE", "/dev/fd/0 < PIPE", "<(cat FILM)", "- < PIPE", "/proc/self/fd/5 5< PIPE",
    ]

    private func run(_ command: String, _ way: String) async throws -> (
        shell: ToolShell, code: Int32, output: String, error: String
    ) {
        let shell = try ToolShell()
        let words = way.replacingOccurrences(of: "FILM", with: "'\(film)'").replacingOccurrences(
            of: "PIPE", with: "pipe.mp4")
        let line = command.replacingOccurrences(of: "INPUT", with: words)
        let run = try await shell.run(
            "mkfifo pipe.mp4; cat '\(film)' > pipe.mp4 & \(line); code=$?; kill $! 2>/dev/null; exit $code")
        return (shell, run.code, run.output, run.error)
    }

    @Test("probe reads a pipe", arguments: ways)
    func probe(way: String) async throws {
        let run = try await run("timeout 60 $Z probe --json INPUT", way)
        #expect(run.code == 0 && run.output.contains("\"h264\""), "\(run.code) \(run.output) \(run.error)")
    }

    @Test("play reads a pipe", arguments: ways)
    func play(way: String) async throws {
        let run = try await run("timeout 60 $Z play --headless --report json INPUT", way)
        let report = try ToolProcess.report(run.output)
        #expect(run.code == 0 && report["status"] as? String == "ended", "\(run.code) \(run.output) \(run.error)")
        #expect((report["framesShown"] as? Int ?? 0) > 0)
    }

    @Test("snapshot and render read a pipe", arguments: ways)
    func pictures(way: String) async throws {
        let picture = try await run("timeout 60 $Z snapshot -o a.png INPUT", way)
        #expect(picture.code == 0, "\(picture.code) \(picture.error)")
        let movie = try await run("timeout 120 $Z render -o a.mp4 INPUT && exec $Z probe a.mp4", way)
        #expect(movie.code == 0, "\(movie.code) \(movie.error)")
    }

    @Test("pipes in a folder or list do not cause a hang")
    func lists() async throws {
        let shell = try ToolShell()
        let run = try await shell.run(
            """
            mkdir folder; mkfifo folder/b.mp4; cp '\(film)' folder/a.mp4; cp '\(film)' folder/c.mp4
            printf 'folder/a.mp4\\nfolder/b.mp4\\nfolder/c.mp4\\n' > list.m3u
            timeout 100 $Z play --headless folder; echo $?; timeout 100 $Z play --headless list.m3u; echo $?
            """)
        #expect(run.output.contains("1\n1\n") || run.output.contains("0\n0\n"), "\(run.output) \(run.error)")
        #expect(run.error.contains("b.mp4” timed out: no program opened the pipe"), "\(run.error)")
    }
}
