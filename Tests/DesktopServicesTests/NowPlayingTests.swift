import DesktopServices
import Foundation
import TestSupport
import Testing

/// Tests of the information that an app with real files sends to the desktop, as seen by playerctl and by the probe
/// `MPRISConformance`.
@Suite("Now playing information on the desktop", .serialized)
struct NowPlayingTests {
    /// A tagged video of forty seconds, small enough to be made for each test.
    private final class Film {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-tagged-\(UUID().uuidString.prefix(8)).mp4")
        init() async throws {
            let path = url.path
            let code = try await offPool {
                try ChildProcess(
                    "ffmpeg",
                    [
                        "-v", "error", "-nostdin", "-y", "-f", "lavfi", "-i", "testsrc=s=160x90:r=10:d=40", "-f",
                        "lavfi", "-i", "sine=d=40", "-c:v", "libx264",
                        "-preset", "ultrafast", "-g", "20", "-pix_fmt", "yuv420p", "-c:a", "aac", "-metadata",
                        "title=Tagged Title", "-metadata", "artist=Some Body", path,
                    ]
                ).wait()
            }
            guard code == 0 else { throw AppProcess.NoAnswer(what: "ffmpeg ended with \(code)") }
        }
        deinit { try? FileManager.default.removeItem(at: url) }
    }

    private final class Probe: @unchecked Sendable {
        // `@unchecked Sendable`, because only one test at a time uses it.
        let bus: PrivateSessionBus, display: PrivateDisplay, app: AppProcess
        private let film: Film?

        init(_ kind: String, _ files: [String], settings: String = "", extra: [String] = []) async throws {
            bus = try await PrivateSessionBus.launch()
            display = try await PrivateDisplay.launch()
            let film = files.contains("tagged.mp4") ? try await Film() : nil
            self.film = film
            app = try AppProcess(
                "NowPlaying",
                [kind] + files.map { try $0 == "tagged.mp4" ? film?.url.path ?? "" : TestMedia.url($0).path } + extra,
                environment: [
                    "DBUS_SESSION_BUS_ADDRESS": bus.address, "XDG_RUNTIME_DIR": bus.runtimeFolder, "ZT_PROBE": settings,
                    "NO_AT_BRIDGE": "1",
                ], display: display)
            try await app.wait(for: "ready")
        }
        deinit { display.close() }

        func tell(_ lines: String...) async throws {
            for line in lines {
                try app.send(line)
                try await app.wait(for: "done \(line)")
            }
        }
        func ctl(_ arguments: String...) async throws -> String {
            try await bus.run("playerctl", ["-p", "Probes"] + arguments).text
        }
        func names() async throws -> [String] {
            try await bus.run("playerctl", ["-l"]).text.split(separator: "\n").map(String.init).filter {
                $0.hasPrefix("Probes")
            }
        }
        func comes(
            sourceLocation: SourceLocation = #_sourceLocation, _ isSo: @escaping @Sendable () async throws -> Bool
        ) async throws -> Bool {
            try await eventually(sourceLocation: sourceLocation, isSo)
        }
        func fact(_ name: String) async throws -> Double? {
            try await tell("tell")
            let words = app.lines.last { $0.hasPrefix("rate ") }?.split(separator: " ").map(String.init) ?? []
            return words.firstIndex(of: name).flatMap { words.indices.contains($0 + 1) ? Double(words[$0 + 1]) : nil }
        }
        var isQuiet: Bool { !app.errors.contains("CRITICAL") && !app.errors.contains("WARNING") }
    }

    @Test("a playing queue publishes its metadata and obeys commands until exit")
    func queue() async throws {
        let probe = try await Probe("queue", ["tagged.mp4", "counter.mp4"])
        expectEqual(try await probe.names(), [])
        try await probe.tell("play")
        #expect(try await probe.comes { try await probe.names() == ["Probes"] })
        #expect(try await probe.comes { try await probe.ctl("metadata", "xesam:title") == "Tagged Title" })
        expectEqual(try await probe.ctl("status"), "Playing")
        _ = try await probe.ctl("pause")
        #expect(try await probe.comes { try await probe.fact("rate") == 0 })
        expectEqual(try await probe.ctl("status"), "Paused")
        _ = try await probe.ctl("position", "1")
        #expect(try await probe.comes { try await probe.fact("time") == 1 })
        _ = try await probe.ctl("volume", "0.5")
        #expect(try await probe.comes { try await probe.fact("volume") == 0.5 })
        let first = try await probe.ctl("metadata", "mpris:trackid")
        _ = try await probe.ctl("next")
        #expect(try await probe.comes { try await probe.fact("items") == 1 })
        #expect(try await probe.comes { try await probe.ctl("metadata", "mpris:trackid") != first })
        // An app's metadata precedes the file's.
        try await probe.tell("title Other")
        #expect(try await probe.comes { try await probe.ctl("metadata", "xesam:title") == "Other" })
        #expect(probe.isQuiet, "\(probe.app.errors)")
        _ = try await probe.bus.run(
            "gdbus",
            [
                "call", "--session", "--dest", "org.mpris.MediaPlayer2.Probes", "--object-path",
                "/org/mpris/MediaPlayer2",
                "--method", "org.mpris.MediaPlayer2.Quit",
            ])
        #expect(try await probe.comes { probe.app.child.exitCode == 0 })
        expectEqual(try await probe.names(), [])
    }

    @Test(
        "muted background loops and private players are not published",
        arguments: [("loop mute", false), ("loop", true), ("loop secret", false)])
    func background(_ settings: String, _ isTold: Bool) async throws {
        let probe = try await Probe("ext", ["loop-aac.mp4"], settings: settings)
        if isTold {
            #expect(try await probe.comes { try await probe.names() == ["Probes"] })
        } else {
            // Wait until the video is displayed and has looped, so that the app had time to register.
            #expect(
                try await until {
                    let shot = try probe.display.screenshot()
                    return stride(from: 0, to: 320, by: 8).contains { x in
                        stride(from: 0, to: 180, by: 8).contains { shot.isNear(x, $0, [255, 0, 0], within: 30) }
                    } ? true : nil
                } == true)
            try await probe.tell("tell")
            expectEqual(try await probe.names(), [])
        }
    }

    @Test("a player is published once unmuted, and removed when private or empty")
    func eligible() async throws {
        let probe = try await Probe("loop", ["counter.mp4"])
        try await probe.tell("mute on", "loop", "play", "tell")
        #expect(try await probe.comes { (try await probe.fact("time") ?? 0) > 0 })
        expectEqual(try await probe.names(), [])
        try await probe.tell("mute off")
        #expect(try await probe.comes { try await probe.ctl("loop") == "Track" })
        try await probe.tell("secret on")
        #expect(try await probe.comes { try await probe.names() == [] })
        try await probe.tell("secret off")
        #expect(try await probe.comes { try await probe.names() == ["Probes"] })
        try await probe.tell("empty")
        #expect(try await probe.comes { try await probe.names() == [] })
    }

    @Test("a player paused while its file opens is published afterwards")
    func pausedEarly() async throws {
        let server = try StreamServer(root: TestMedia.folder)
        defer { server.close() }
        let stall = server.inject(.stall(after: 0), on: "*")
        let probe = try await Probe("queue", [])
        try await probe.tell("address \(server.url(for: "counter.mp4"))", "play", "pause")
        #expect(await server.waitForRequests(1, "counter.mp4"))
        expectEqual(try await probe.names(), [])
        server.remove(stall)
        #expect(try await probe.comes { try await probe.ctl("status") == "Paused" })
        // A new item is not published before it is started.
        try await probe.tell("empty")
        #expect(try await probe.comes { try await probe.names() == [] })
        try await probe.tell("address \(server.url(for: "counter.mp4"))")
        #expect(
            try await probe.comes {
                try await probe.tell("where")
                return probe.app.lines.last { $0.hasPrefix("at ") }?.contains("ready true") == true
            })
        expectEqual(try await probe.names(), [])
        try await probe.tell("play")
        #expect(try await probe.comes { try await probe.ctl("status") == "Playing" })
    }

    @Test("a seek and a loop restart are signaled")
    func jumps() async throws {
        let probe = try await Probe("loop", ["loop-aac.mp4"])
        try await probe.tell("loop", "play")
        #expect(try await probe.comes { try await probe.names() == ["Probes"] })
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-monitor-\(UUID().uuidString.prefix(8))")
        defer { try? FileManager.default.removeItem(at: file) }
        let monitor = try probe.bus.start(
            "dbus-monitor", ["--session", "type='signal',member='Seeked'"], output: file.path)
        defer { monitor.send(SIGKILL) }
        @Sendable func told() -> [Double] {
            let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            return text.matches(of: /int64 (\d+)/).compactMap { Double($0.1).map { $0 / 1e6 } }
        }
        // Without a user's seek, positions are signaled only at loops, and are at the beginning.
        #expect(try await probe.comes { told().count >= 2 })
        #expect(told().allSatisfy { $0 < 1 }, "\(told())")
        try await probe.tell("pause")
        let count = told().count
        try await probe.tell("seek 0.25")
        #expect(try await probe.comes { told().count > count })
        #expect(told().last == 0.25, "\(told())")
    }

    @Test("the app's metadata overrides the file's, and its handlers run alone")
    func app() async throws {
        let probe = try await Probe(
            "queue", ["tagged.mp4", "counter.mp4"], extra: [try TestMedia.url("cover.png").path])
        try await probe.tell("play", "pause", "commands", "info Hello")
        #expect(try await probe.comes { try await probe.ctl("metadata", "xesam:title") == "Hello" })
        expectEqual(try await probe.ctl("metadata", "xesam:artist"), "Somebody")
        expectEqual(try await probe.ctl("metadata", "mpris:length"), "90000000")
        expectEqual(try await probe.ctl("position"), "12.500000")
        expectEqual(try await probe.ctl("status"), "Paused")
        _ = try await probe.ctl("next")
        try await probe.app.wait(for: "command next")
        expectEqual(try await probe.fact("items"), 3)
        _ = try await probe.ctl("position", "33")
        try await probe.app.wait(for: "command position 33.0")
        let failed = try await probe.bus.run("playerctl", ["-p", "Probes", "previous"])
        #expect(failed.code != 0 && failed.text.contains("MPRemoteCommandHandlerStatus 200"))
        // The artwork is a file that other programs can read.
        #expect(try await probe.comes { try await probe.ctl("metadata", "mpris:artUrl").hasPrefix("file:///") })
        let art = try #require(URL(string: try await probe.ctl("metadata", "mpris:artUrl")))
        #expect(try Data(contentsOf: art).starts(with: [0x89, 0x50, 0x4e, 0x47]))
        try await probe.tell("commands nopause", "noinfo")
        #expect(try await probe.comes { try await probe.ctl("metadata", "xesam:title") == "Tagged Title" })
        #expect(try await probe.bus.run("playerctl", ["-p", "Probes", "play-pause"]).code != 0)
        #expect(probe.isQuiet, "\(probe.app.errors)")
        probe.app.child.send(SIGTERM)
        #expect(try await probe.comes { probe.app.child.exitCode != nil })
    }

    @Test("a released session is replaced by the player's or the app's metadata")
    func session() async throws {
        let probe = try await Probe("queue", ["tagged.mp4"])
        // playerctl reads no metadata of a player without a play command, such as the session.
        let get = [
            "call", "--session", "--dest", "org.mpris.MediaPlayer2.Probes", "--object-path", "/org/mpris/MediaPlayer2",
            "--method", "org.freedesktop.DBus.Properties.Get", "org.mpris.MediaPlayer2.Player", "Metadata",
        ]
        @Sendable func isTitle(_ title: String) async throws -> Bool {
            try await probe.comes {
                try await probe.bus.run("gdbus", get).text.contains("'xesam:title': <'\(title)'>")
            }
        }
        try await probe.tell("play", "pause", "session Inner")
        #expect(try await isTitle("Inner"))
        try await probe.tell("nosession")
        #expect(try await isTitle("Tagged Title"))
        try await probe.tell("info Own")
        #expect(try await isTitle("Own"))
        try await probe.tell("session Inner")
        #expect(try await isTitle("Inner"))
        try await probe.tell("nosession")
        #expect(try await isTitle("Own"))
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("an active session shows and controls only its own players")
    func sessionPlayers() async throws {
        let probe = try await Probe("queue", ["tagged.mp4", "counter.mp4"])
        try await probe.tell("play")
        #expect(try await probe.comes { try await probe.names() == ["Probes"] })
        try await probe.tell("pause", "session Inner", "automatic")
        #expect(try await probe.comes { try await probe.ctl("metadata", "xesam:title") == "Inner" })
        #expect(try await probe.comes { try await probe.ctl("metadata", "xesam:artist") == "Some Body" })
        try await probe.tell("other")
        // The desktop can show a player from its first frame on.
        #expect(
            try await probe.comes {
                try await probe.tell("otherTime")
                let line = probe.app.lines.last { $0.hasPrefix("other time ") }
                return (line?.split(separator: " ").last.flatMap { Double($0) } ?? 0) > 0
            })
        expectEqual(try await probe.ctl("status"), "Paused")
        expectEqual(try await probe.ctl("metadata", "xesam:artist"), "Some Body")
        _ = try await probe.ctl("play")
        #expect(try await probe.comes { try await probe.fact("rate") == 1 })
        #expect(try await probe.comes { try await probe.ctl("status") == "Playing" })
        #expect(probe.isQuiet, "\(probe.app.errors)")
    }

    @Test("Play reaches the toggle handler if the play command is disabled")
    func toggles() async throws {
        let probe = try await Probe("queue", ["tagged.mp4"])
        try await probe.tell("play", "pause", "toggle")
        #expect(try await probe.comes { try await probe.ctl("status") == "Paused" })
        _ = try await probe.ctl("play")
        try await probe.app.wait(for: "command toggle")
    }

    @Test("full screen can be turned on and off through the bus")
    func fullscreen() async throws {
        let probe = try await Probe("queue", ["counter.mp4"])
        let manager = try await probe.display.manageWindows()
        defer { manager.send(SIGKILL) }
        try await probe.tell("play", "pause")
        #expect(try await probe.comes { try await probe.names() == ["Probes"] })
        @Sendable func property(_ arguments: String...) async throws -> String {
            try await probe.bus.run(
                "gdbus",
                [
                    "call", "--session", "--dest", "org.mpris.MediaPlayer2.Probes", "--object-path",
                    "/org/mpris/MediaPlayer2",
                    "--method", "org.freedesktop.DBus.Properties." + arguments[0], "org.mpris.MediaPlayer2",
                    "Fullscreen",
                ] + arguments.dropFirst()
            ).text
        }
        expectEqual(try await property("Get"), "(<false>,)")
        _ = try await property("Set", "<true>")
        #expect(try await probe.comes { try await property("Get") == "(<true>,)" })
        _ = try await property("Set", "<false>")
        #expect(try await probe.comes { try await property("Get") == "(<false>,)" })
    }

    @Test("OpenUri calls the view's handler, and fails without one or when invalid", arguments: [true, false])
    func opens(_ opens: Bool) async throws {
        let probe = try await Probe("queue", ["tagged.mp4"], settings: opens ? "opens" : "")
        try await probe.tell("play")
        #expect(try await probe.comes { try await probe.names() == ["Probes"] })
        func open(_ uri: String) async throws -> Int32 {
            try await probe.bus.run(
                "gdbus",
                [
                    "call", "--session", "--dest", "org.mpris.MediaPlayer2.Probes", "--object-path",
                    "/org/mpris/MediaPlayer2",
                    "--method", "org.mpris.MediaPlayer2.Player.OpenUri", uri,
                ]
            ).code
        }
        let code = try await open("file:///tmp/other.mp4")
        #expect((code == 0) == opens)
        if opens {
            #expect(try await probe.comes { probe.app.lines.contains("open file:///tmp/other.mp4") })
            let (none, other) = (try await open("no address"), try await open("gopher://host/x"))
            #expect(none != 0 && other != 0)
        }
        #expect(probe.app.lines.count { $0.hasPrefix("open ") } == (opens ? 1 : 0))
    }

    @Test("the project's MPRIS conformance program reports no failure")
    func conformance() async throws {
        let probe = try await Probe("queue", ["tagged.mp4", "counter.mp4"])
        try await probe.tell("play")
        #expect(try await probe.comes { try await probe.names() == ["Probes"] })
        let answer = try await probe.bus.run(
            Programs.path("Probes"), ["MPRISConformance", "Probes"],
            seconds: 120)
        #expect(answer.code == 0, "\(answer.text)")
        let lines = answer.text.split(separator: "\n").map(String.init)
        #expect(lines.count { $0.hasPrefix("yes") } > 30 && !lines.contains { $0.hasPrefix("no ") }, "\(answer.text)")
    }
}
