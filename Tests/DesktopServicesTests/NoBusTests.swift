import Foundation
import TestSupport
import Testing

@testable import DesktopServices
@testable import GTK

@Suite("Without a session bus", .serialized)
struct NoBusTests {
    @Test(
        "the session bus exists at its address or in the runtime folder",
        arguments: [
            ([:], false), (["XDG_RUNTIME_DIR": "/run/user/1"], true), (["XDG_RUNTIME_DIR": "/run/user/2"], false),
            (["DBUS_SESSION_BUS_ADDRESS": "unix:path=/x"], true),
            (["DBUS_SESSION_BUS_ADDRESS": "", "XDG_RUNTIME_DIR": "/run/user/1"], false),
            (["DBUS_SESSION_BUS_ADDRESS": "disabled:", "XDG_RUNTIME_DIR": "/run/user/1"], false),
        ])
    func isThere(_ environment: [String: String], _ expected: Bool) {
        #expect(DesktopBus.isAvailable(environment) { $0 == "/run/user/1/bus" } == expected)
    }

    @Test(
        "the name for session managers is a valid GApplication identifier",
        arguments: [
            ("tv.zoetrope.App", "tv.zoetrope.App"), ("Film", "tv.zoetrope.Film"), ("my film", "tv.zoetrope.my_film"),
            ("42", "tv.zoetrope._42"), ("", "tv.zoetrope.player"), ("..", "tv.zoetrope.__"),
        ])
    func name(_ identifier: String, _ expected: String) { #expect(GTKHold.name(of: identifier) == expected) }

    @Test("no bus is started, and the app plays without warnings")
    func noneIsStarted() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        var environment = display.environment.merging(["ZOETROPE_RENDERER": "cpu", "PULSE_SERVER": "unix:/nonexistent"])
        { $1 }
        for key in ["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR"] { environment[key] = nil }
        let app = try AppProcess("NowPlaying", ["loop", TestMedia.url("loop-aac.mp4").path], whole: environment)
        try await app.wait(for: "ready")
        for line in ["loop", "play"] {
            try app.send(line)
            try await app.wait(for: "done \(line)")
        }
        #expect(
            try await until {
                (try? app.send("tell")) != nil
                    && app.lines.contains { $0.hasPrefix("rate 1.0 time ") && !$0.contains("time 0.0 ") } ? true : nil
            } == true)
        // dbus-launch opens a window of 10 × 10 pixels. Its absence proves that no bus was started.
        let windows = try display.run("xwininfo", ["-root", "-tree"])
        #expect(windows.contains("Now playing") && !windows.contains(" 10x10+"), "\(windows)")
        #expect(!app.errors.contains("CRITICAL") && !app.errors.contains("WARNING"), "\(app.errors)")
    }
}
