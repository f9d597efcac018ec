import Foundation
import TestSupport
import Testing

/// Tests of displays that disappear or never answer, and of the pointer on a display.
@Suite("Display connections", .serialized)
struct DisplayTests {
    /// A socket that accepts connections and never sends anything.
    private final class SilentServer {
        let descriptor: Int32
        let path: String
        init?(_ path: String) {
            unlink(path)
            self.path = path
            descriptor = socket(AF_UNIX, Int32(SOCK_STREAM.rawValue), 0)
            var address = sockaddr_un()
            address.sun_family = sa_family_t(AF_UNIX)
            withUnsafeMutableBytes(of: &address.sun_path) { $0.copyBytes(from: Array(path.utf8)) }
            let bound = withUnsafePointer(to: &address) { raw in
                raw.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                    bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_un>.size))
                }
            }
            guard bound == 0, listen(descriptor, 5) == 0 else { return nil }
        }
        deinit {
            close(descriptor)
            unlink(path)
        }
    }

    @Test("an X server that does not respond is reported")
    func silentX() async throws {
        try? FileManager.default.createDirectory(atPath: "/tmp/.X11-unix", withIntermediateDirectories: true)
        let number = 20_000 + Int(getpid()) % 20_000
        let server = try #require(SilentServer("/tmp/.X11-unix/X\(number)"))
        let film = try TestMedia.url("quad-709.mp4").path
        let result = try await ToolProcess.run(
            ["play", film], environment: ["DISPLAY": ":\(number)", "GDK_BACKEND": "x11"])
        expectEnd(result, 1)
        #expect(result.error.contains(":\(number)") && result.error.contains("did not respond"), "\(result.error)")
        let errors = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-silent-\(UUID().uuidString.prefix(8))"
        ).path
        defer { try? FileManager.default.removeItem(atPath: errors) }
        var environment = ProcessInfo.processInfo.environment
        environment["DISPLAY"] = ":\(number)"
        environment["GDK_BACKEND"] = "x11"
        let app = try ChildProcess(
            line: Programs.command("Component", ["--input", "/dev/null", film]), environment: environment, error: errors
        )
        let code = await Task.detached { app.wait() }.value
        let said = try String(contentsOfFile: errors, encoding: .utf8)
        #expect(code == 1 && said.contains("did not respond"), "\(code): \(said)")
        withExtendedLifetime(server) {}
    }

    @Test("a silent Wayland compositor is reported; without one, X is used")
    func silentWayland() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-way-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let film = try TestMedia.url("quad-709.mp4").path
        let path = folder.appendingPathComponent("wayland-9").path
        let environment = ["WAYLAND_DISPLAY": path, "XDG_RUNTIME_DIR": folder.path]
        let there = try await ToolProcess.run(
            ["play", film, "--frames", "1"], environment: environment, display: display)
        #expect(there.code == 0, "\(there.error)")
        let server = try #require(SilentServer(path))
        let silent = try await ToolProcess.run(
            ["play", film, "--frames", "1"], environment: environment, display: display)
        expectEnd(silent, 1)
        #expect(silent.error.contains("Wayland compositor did not respond"), "\(silent.error)")
        withExtendedLifetime(server) {}
    }

    /// Answers the first client as a compositor that offers only `wl_compositor`.
    private func answerPoorly(_ server: SilentServer) {
        let descriptor = server.descriptor
        Thread.detachNewThread {
            let client = accept(descriptor, nil, nil)
            guard client >= 0 else { return }
            var request = [UInt8](repeating: 0, count: 24)
            guard recv(client, &request, 24, Int32(MSG_WAITALL)) == 24 else { return }
            let name = Array("wl_compositor".utf8) + [0, 0, 0]
            let words: [UInt32] = [2, 36 << 16, 1, 14]
            let tail: [UInt32] = [4, 3, 12 << 16, 1]
            let answer = [words.flatMap(Self.bytes), name, tail.flatMap(Self.bytes)].flatMap { $0 }
            _ = answer.withUnsafeBytes { send(client, $0.baseAddress, $0.count, Int32(MSG_NOSIGNAL)) }
            close(client)
        }
    }
    private static func bytes(_ word: UInt32) -> [UInt8] { withUnsafeBytes(of: word) { Array($0) } }

    @Test("a Wayland compositor without a shell protocol is reported")
    func poorWayland() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-poor-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let path = folder.appendingPathComponent("wayland-9").path
        let server = try #require(SilentServer(path))
        answerPoorly(server)
        let run = try await ToolProcess.run(
            ["play", try TestMedia.url("quad-709.mp4").path],
            environment: ["WAYLAND_DISPLAY": path, "XDG_RUNTIME_DIR": folder.path])
        #expect(run.code == 1)
        #expect(run.error.contains("lacks what windows require: wl_shm, xdg_wm_base"), "\(run.error)")
        withExtendedLifetime(server) {}
    }

    @Test("a lost X server ends the program with exit code 1")
    func goneX() async throws {
        let film = try TestMedia.url("quad-709.mp4").path
        for milliseconds in [0, 40, 80, 120, 160, 200, 250, 300, 400, 600, 1000, 2000] {
            // Use a display number that no other test's server takes after this one has ended.
            let display = try await PrivateDisplay.launch(number: 40_000 + Int(getpid()) % 19_000)
            let tool = try ToolProcess(["play", film, "--loop"], display: display)
            await letTimePass(Double(milliseconds) / 1000, because: "the server goes at any moment of the start")
            display.kill()
            let result = await tool.finish()
            #expect(result.code == 1, "\(milliseconds) ms: \(result)")
            #expect(
                result.error.contains(display.name) && result.error.contains("zoetrope: ")
                    || result.error.contains("No display"), "\(milliseconds) ms: \(result)")
            display.close()
        }
    }

    @Test("windows carry the name of their program")
    func names() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let film = try TestMedia.url("quad-709.mp4").path
        let tool = try ToolProcess(["play", film, "--loop"], display: display)
        defer { tool.child.send(SIGKILL) }
        let player = try #require(try await until { try display.window("quad-709.mp4") })
        let told = try display.run("xprop", ["-id", player, "WM_CLASS"])
        #expect(told.contains("\"zoetrope\""), "\(told)")
        let app = try AppProcess("Component", [film], display: display)
        try await app.wait(for: "ready")
        let probe = try #require(try await until { try display.window("Probe") })
        #expect(try display.run("xprop", ["-id", probe, "WM_CLASS"]).contains("\"Probes\""))
    }

    @Test("the pointer hides while a video plays, but not while paused")
    func pointer() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let tool = try ToolProcess(["play", try TestMedia.url("quad-709.mp4").path, "--loop"], display: display)
        defer { tool.child.send(SIGKILL) }
        let window = try #require(try await until { try display.window("quad-709.mp4") })
        /// Whether the pointer becomes visible when it moves to (`x`, `y`). It moves before each look, because it may
        /// have hidden again before a late look.
        func isSeen(_ x: Int, _ y: Int) async throws -> Bool {
            try await until {
                try display.xdotool(["mousemove", "\(x + 1)", "\(y)", "mousemove", "\(x)", "\(y)"])
                return try display.isPointerVisible() ? true : nil
            } == true
        }
        #expect(try await isSeen(160, 90))
        #expect(try await until { try display.isPointerVisible() ? nil : true } == true)
        #expect(try await isSeen(100, 60))
        #expect(try await until { try display.isPointerVisible() ? nil : true } == true)
        // The pointer stays visible while the player is paused.
        try display.key("space", window: window)
        #expect(try await isSeen(120, 80))
        await letTimePass(4, because: "the pointer would hide after three seconds")
        #expect(try display.isPointerVisible())
        // It hides again after playback has resumed.
        try display.key("space", window: window)
        #expect(try await until { try display.isPointerVisible() ? nil : true } == true)
    }
}
