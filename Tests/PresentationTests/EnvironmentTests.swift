import Foundation
import TestSupport
import Testing

/// Tests that nothing changes the environment while the process has several threads. `Tests/environment-guard.c`
/// records such changes.
@Suite("Process environment", .serialized)
struct EnvironmentTests {
    /// The path of the compiled guard library, for `LD_PRELOAD`.
    private static let library: Result<String, any Error> = Result {
        let path = FileManager.default.temporaryDirectory.appendingPathComponent("zt-guard-\(getpid()).so").path
        let source = Repository.root.appendingPathComponent("Tests/environment-guard.c").path
        let errors = path + ".err"
        for compiler in ["clang", "cc", "gcc"] {
            let child = try? ChildProcess(
                compiler, ["-O1", "-shared", "-fPIC", "-o", path, source, "-ldl"], error: errors)
            if child?.wait() == 0 { return path }
        }
        throw AppProcess.NoAnswer(
            what: "no C compiler: \((try? String(contentsOfFile: errors, encoding: .utf8)) ?? "")")
    }

    private struct Run {
        var code: Int32
        var output: String
        var errors: String
        /// The changes of the environment while there were several threads.
        var changes: [String]
        var isGuarded: Bool
    }

    private func run(_ line: [String], _ display: PrivateDisplay) async throws -> Run {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-environment-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        func file(_ name: String) -> String { folder.appendingPathComponent(name).path }
        var environment = display.environment.merging([
            "ZOETROPE_RENDERER": "cpu", "PULSE_SERVER": "unix:/nonexistent", "HOME": folder.path,
            "XDG_DATA_HOME": file("data"), "XDG_STATE_HOME": file("state"), "XDG_CACHE_HOME": file("cache"),
            // A desktop sets these variables for a new program, and GDK removes them.
            "DESKTOP_STARTUP_ID": "test_TIME1", "XDG_ACTIVATION_TOKEN": "test",
            "LD_PRELOAD": try Self.library.get(), "ENVIRONMENT_GUARD": file("guard"),
        ]) { $1 }
        for name in [
            "DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "GSK_RENDERER", "GDK_DEBUG", "GDK_DISABLE", "GTK_A11Y",
        ] {
            environment[name] = nil
        }
        let (code, output, errors) = try await ChildProcess.run(line: line, environment: environment)
        let lines = ((try? String(contentsOfFile: file("guard"), encoding: .utf8)) ?? "").split(separator: "\n")
        return Run(
            code: code, output: output, errors: errors, changes: lines.filter { $0 != "guarded" }.map(String.init),
            isGuarded: lines.contains("guarded"))
    }

    @Test(
        "the environment is never changed while threads run; GTK uses cairo",
        arguments: ["app", "player", "late", "queue", "looper", "model", "thread", "download"])
    func ways(_ way: String) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let run = try await run(Programs.command("Start", [way, TestMedia.url("loop-aac.mp4").path]), display)
        #expect(run.code == 0 && run.isGuarded, "\(run.code) \(run.output) \(run.errors)")
        #expect(run.changes.isEmpty, "\(run.changes)")
        // GTK 4.16 reads another variable and warns about the old one.
        let minor = try #require(
            run.output.split(separator: "gtk=").last.flatMap { Int($0.prefix { $0.isNumber }) }, "\(run.output)")
        let disabled = minor >= 16 ? "GDK_DEBUG= GDK_DISABLE=gl,vulkan" : "GDK_DEBUG=gl-disable GDK_DISABLE="
        #expect(
            run.output.contains(
                "shown GSK_RENDERER=cairo \(disabled) GTK_A11Y=none GSETTINGS_BACKEND=memory gl=false renderer=GskCairoRenderer"
            ),
            "\(run.output) \(run.errors)")
        #expect(!run.errors.contains("Unrecognized value") && !run.errors.contains("WARNING"), "\(run.errors)")
    }

    @Test(
        "the tool does not change the environment while threads run",
        arguments: [
            ["play", "--seconds", "1"], ["play", "--seconds", "1", "--renderer", "cpu"],
            ["play", "--seconds", "1", "--loop", "--headless"], ["play", "--seconds", "1", "--wall", "2"],
            ["probe"],
        ])
    func tool(_ arguments: [String]) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let film = try TestMedia.url("loop-aac.mp4").path
        let run = try await run([ToolProcess.executable, arguments[0], film] + arguments.dropFirst(), display)
        #expect(run.isGuarded && run.code < 128, "\(run.code) \(run.errors)")
        #expect(run.changes.isEmpty, "\(run.changes)")
    }

    @Test(
        "an app does not change the environment while threads run",
        arguments: [[Programs.path("PlainGTK")], [ToolProcess.executable, "app"]])
    func app(_ line: [String]) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        // The program plays until `timeout` ends it.
        let run = try await run(
            ["timeout", "4"] + line + [TestMedia.url("loop-aac.mp4").path], display)
        #expect(run.isGuarded && run.code == 124, "\(run.code) \(run.errors)")
        #expect(run.changes.isEmpty, "\(run.changes)")
    }

    @Test("GTK uses cairo even after the program clears the variable")
    func cleared() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let run = try await run(
            Programs.command("Start", ["cleared", TestMedia.url("loop-aac.mp4").path]), display)
        #expect(run.code == 0 && run.isGuarded && run.changes.isEmpty, "\(run.code) \(run.errors) \(run.changes)")
        #expect(
            run.output.contains("GSK_RENDERER= ") && run.output.contains("renderer=GskCairoRenderer"), "\(run.output)")
    }

    @Test(
        "GTK prints no warning when the user leaves OpenGL on",
        arguments: ["GDK_DEBUG=no-portals", "GDK_DISABLE=vulkan"])
    func leavesGL(variable: String) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let line = Programs.command("Start", ["player", try TestMedia.url("loop-aac.mp4").path])
        let run = try await run(["env", variable] + line, display)
        #expect(run.output.contains("shown ") && run.changes.isEmpty, "\(run.output) \(run.errors)")
        #expect(!run.errors.contains("Gdk-WARNING"), "\(run.errors)")
    }

    @Test("variables set by the user are kept")
    func ofTheUser() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let line = Programs.command("Start", ["player", try TestMedia.url("loop-aac.mp4").path])
        let run = try await run(["env", "GDK_DEBUG=no-portals", "GSETTINGS_BACKEND=keyfile"] + line, display)
        #expect(run.output.contains("GDK_DEBUG=no-portals") && run.output.contains("GSETTINGS_BACKEND=keyfile"))
        #expect(run.output.contains("GSK_RENDERER=cairo") && run.changes.isEmpty, "\(run.output) \(run.errors)")
    }
}
