import Foundation
import TestSupport
import Testing

/// Tests of `Examples/make-example-media`, which `make play EXAMPLE=…` runs first.
@Suite("The example apps' films")
struct ExampleMediaTests {
    /// Runs the script with an ffmpeg that makes an empty file, or fails.
    private func run(ffmpeg body: String) async throws -> (code: Int32, lines: [String], folder: URL) {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-films-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let program = folder.appendingPathComponent("ffmpeg")
        try "#!/bin/bash\n\(body)\n".write(to: program, atomically: true, encoding: .utf8)
        try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: program.path)
        var environment = ProcessInfo.processInfo.environment
        environment["PATH"] = folder.path + ":" + (environment["PATH"] ?? "/usr/bin:/bin")
        let said = folder.appendingPathComponent("said")
        let child = try ChildProcess(
            Repository.root.appendingPathComponent("Examples/make-example-media").path, [folder.path + "/films"],
            environment: environment, output: said.path, error: said.path + ".err")
        let code = await Task.detached { child.wait() }.value
        return (code, ChildProcess.wholeLines(of: said), folder)
    }

    @Test("each step prints a percentage that grows to 100")
    func progress() async throws {
        let run = try await run(ffmpeg: "touch \"${@: -1}\"")
        defer { try? FileManager.default.removeItem(at: run.folder) }
        #expect(run.code == 0, "\(run)")
        let shares = run.lines.dropFirst().compactMap { line in
            line.split(separator: "%").first.flatMap { Int($0.trimmingCharacters(in: .whitespaces)) }
        }
        #expect(shares.count > 20 && shares == shares.sorted() && shares.last == 100, "\(run.lines)")
        let films = try FileManager.default.contentsOfDirectory(atPath: run.folder.path + "/films")
        #expect(films.filter { $0.hasSuffix(".mp4") && !$0.hasPrefix(".") }.count == 14)
    }

    /// Because the recipe file is missing, the next run makes the films again.
    @Test("a failing ffmpeg reports an error and leaves no recipe file")
    func failure() async throws {
        let run = try await run(ffmpeg: "exit 3")
        defer { try? FileManager.default.removeItem(at: run.folder) }
        #expect(run.code == 1, "\(run)")
        let errors = try String(contentsOfFile: run.folder.path + "/said.err", encoding: .utf8)
        #expect(errors.contains("ffmpeg failed"))
        #expect(!FileManager.default.fileExists(atPath: run.folder.path + "/films/.recipe"))
    }
}
