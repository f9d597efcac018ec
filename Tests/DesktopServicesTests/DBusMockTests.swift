import Foundation
import TestSupport
import Testing

/// Tests of an app with a video in a window, together with independent services of python3-dbusmock.
@Suite("Desktop services that python3-dbusmock imitates", .serialized)
struct DBusMockTests {
    private final class Probe: @unchecked Sendable {
        // `@unchecked Sendable`, because only one test at a time uses it.
        let bus: PrivateSessionBus, display: PrivateDisplay
        private(set) var app: AppProcess?
        init() async throws {
            (bus, display) = (try await PrivateSessionBus.launch(), try await PrivateDisplay.launch())
        }
        deinit { display.close() }

        func startApp(_ kind: String = "loop", film: String = "loop-aac.mp4") async throws {
            app = try AppProcess(
                "NowPlaying", [kind, try TestMedia.url(film).path],
                environment: ["DBUS_SESSION_BUS_ADDRESS": bus.address, "XDG_RUNTIME_DIR": bus.runtimeFolder],
                display: display)
            try await app?.wait(for: "ready")
        }
        func tell(_ lines: String...) async throws {
            let app = try #require(app)
            for line in lines {
                try app.send(line)
                try await app.wait(for: "done \(line)")
            }
        }
        func screenSaver() async throws -> DBusMock {
            let mock = try await DBusMock("org.freedesktop.ScreenSaver", at: "/org/freedesktop/ScreenSaver", on: bus)
            try await mock.add("Inhibit", takes: "ss", gives: "u", "ret = dbus.UInt32(7)")
            try await mock.add("UnInhibit", takes: "u")
            return mock
        }
        static let request = "/org/freedesktop/portal/desktop/request/mock/t"
        /// Starts a portal older than version 0.9, which chooses the path of the request itself.
        func portal() async throws -> DBusMock {
            let mock = try await DBusMock(
                "org.freedesktop.portal.Desktop", at: "/org/freedesktop/portal/desktop",
                interface: "org.freedesktop.portal.Inhibit", on: bus)
            try await mock.add("Inhibit", takes: "sua{sv}", gives: "o", "ret = '\(Probe.request)'")
            try await mock.add(object: Probe.request, "org.freedesktop.portal.Request", method: "Close")
            return mock
        }
        var isQuiet: Bool { app.map { !$0.errors.contains("CRITICAL") && !$0.errors.contains("WARNING") } ?? false }
    }
    /// Waits until the mock's calls begin with the texts in `wanted`, in order and without further calls. Returns false
    /// after the deadline.
    private func comes(_ mock: DBusMock, _ wanted: [String]) async throws -> Bool {
        try await until {
            let calls = mock.calls
            return calls.count == wanted.count && zip(calls, wanted).allSatisfy { $0.hasPrefix($1) } ? true : nil
        } == true
    }
    private static let asked = "Inhibit \"Probes\" \"Playing a video\"", released = "UnInhibit 7"

    @Test("the screen saver is inhibited only while a video plays")
    func screenSaver() async throws {
        let probe = try await Probe()
        let saver = try await probe.screenSaver()
        // The video lasts ten seconds, so that even a busy machine sends the request before the end.
        try await probe.startApp("queue", film: "counter-video.mp4")
        #expect(saver.calls.isEmpty)
        try await probe.tell("play")
        #expect(try await comes(saver, [Self.asked]), "\(saver.calls)")
        try await probe.tell("pause")
        #expect(try await comes(saver, [Self.asked, Self.released]), "\(saver.calls)")
        // The video plays to its end.
        try await probe.tell("play")
        #expect(try await comes(saver, [Self.asked, Self.released, Self.asked, Self.released]), "\(saver.calls)")
        try await probe.tell("loop", "play")
        #expect(
            try await comes(saver, [Self.asked, Self.released, Self.asked, Self.released, Self.asked]), "\(saver.calls)"
        )
        try await probe.tell("end")
        #expect(
            try await comes(saver, [Self.asked, Self.released, Self.asked, Self.released, Self.asked, Self.released]),
            "\(saver.calls)")
        #expect(probe.isQuiet, "\(probe.app?.errors ?? "")")
    }

    @Test("a late answer to the inhibit request is released at exit")
    func lateAnswer() async throws {
        let probe = try await Probe()
        let saver = try await DBusMock("org.freedesktop.ScreenSaver", at: "/org/freedesktop/ScreenSaver", on: probe.bus)
        // The mock logs the call first, and answers after the app has received the command to end.
        try await saver.add(
            "Inhibit", takes: "ss", gives: "u", "import time; time.sleep(0.25); ret = dbus.UInt32(7)")
        try await saver.add("UnInhibit", takes: "u")
        try await probe.startApp("queue")
        let app = try #require(probe.app)
        try app.send("play")
        #expect(try await comes(saver, [Self.asked]), "\(saver.calls)")
        try app.send("end")
        #expect(try await comes(saver, [Self.asked, Self.released]), "\(saver.calls)")
        #expect(probe.isQuiet, "\(probe.app?.errors ?? "")")
    }

    @Test("the portal is used instead of the screen saver until it refuses")
    func portal() async throws {
        let probe = try await Probe()
        let portal = try await probe.portal()
        let saver = try await probe.screenSaver()
        try await probe.startApp()
        try await probe.tell("loop", "play")
        #expect(try await comes(portal, ["Inhibit \"\" 8 {"]), "\(portal.calls)")
        #expect(portal.calls.first?.contains("Playing a video") == true && saver.calls.isEmpty, "\(portal.calls)")
        try await probe.tell("pause")
        #expect(try await comes(portal, ["Inhibit", "Close"]), "\(portal.calls)")
        try await probe.tell("play")
        #expect(try await comes(portal, ["Inhibit", "Close", "Inhibit"]), "\(portal.calls)")
        try await portal.emit(
            "Response", of: "org.freedesktop.portal.Request", at: Probe.request, "ua{sv}", "[<uint32 2>, <@a{sv} {}>]")
        #expect(try await comes(saver, [Self.asked]), "\(saver.calls)")
        try await probe.tell("pause")
        #expect(try await comes(saver, [Self.asked, Self.released]), "\(saver.calls)")
        // A portal that refused the request gets no call to end it.
        #expect(portal.calls.count == 3, "\(portal.calls)")
        #expect(probe.isQuiet, "\(probe.app?.errors ?? "")")
    }

    @Test("the screen saver is used if the portal hangs or disappears", arguments: ["silent", "gone"])
    func portalLeaves(_ how: String) async throws {
        let probe = try await Probe()
        let portal = try await probe.portal()
        let saver = try await probe.screenSaver()
        try await probe.startApp()
        if how == "silent" { portal.freeze() }
        try await probe.tell("loop", "play")
        if how == "gone" {
            #expect(try await comes(portal, ["Inhibit"]), "\(portal.calls)")
            #expect(saver.calls.isEmpty)
            portal.kill()
        }
        #expect(try await comes(saver, [Self.asked]), "\(saver.calls)")
        try await probe.tell("pause")
        #expect(try await comes(saver, [Self.asked, Self.released]), "\(saver.calls)")
        #expect(probe.isQuiet, "\(probe.app?.errors ?? "")")
    }

    @Test("without a portal and screen saver, GTK inhibits through the session manager")
    func session() async throws {
        let probe = try await Probe()
        let session = try await DBusMock("org.gnome.SessionManager", at: "/org/gnome/SessionManager", on: probe.bus)
        try await session.add("Inhibit", takes: "susu", gives: "u", "ret = dbus.UInt32(11)")
        try await session.add("Uninhibit", takes: "u")
        try await probe.startApp()
        try await probe.tell("loop", "play")
        #expect(try await comes(session, ["Inhibit \"tv.zoetrope.Probes\""]), "\(session.calls)")
        // The flag 8 is “Inhibit the session being marked as idle”.
        #expect(session.calls.first?.hasSuffix("\"Playing a video\" 8") == true, "\(session.calls)")
        try await probe.tell("pause")
        #expect(try await comes(session, ["Inhibit", "Uninhibit 11"]), "\(session.calls)")
        #expect(probe.isQuiet, "\(probe.app?.errors ?? "")")
    }

    @Test("an app adds its process ID if its player name is taken")
    func names() async throws {
        let probe = try await Probe()
        let other = try await DBusMock(
            "org.mpris.MediaPlayer2.Probes", at: "/org/mpris/MediaPlayer2",
            interface: "org.mpris.MediaPlayer2.Player", on: probe.bus)
        try await other.add(property: "PlaybackStatus", "'Paused'")
        try await other.add("Pause")
        try await probe.startApp()
        try await probe.tell("loop", "play")
        let pid = try #require(probe.app).child.pid
        let bus = probe.bus
        let name = "Probes.instance\(pid)"
        func becomes(_ status: String) async throws -> Bool {
            try await eventually(status) { try await bus.run("playerctl", ["-p", name, "status"]).text == status }
        }
        #expect(try await becomes("Playing"))
        _ = try await bus.run("playerctl", ["-p", name, "pause"])
        #expect(try await becomes("Paused"))
        #expect(other.calls.isEmpty, "\(other.calls)")
    }
}
