import DesktopServices
import Foundation
import TestSupport
import Testing

/// Tests of a player that plays nothing on a private bus. GLib's `gdbus` sends requests, and `dbus-monitor` records the
/// signals.
@Suite("A player on the session bus", .serialized)
struct MPRISTests {
    private final class Probe: @unchecked Sendable {
        // `@unchecked Sendable`, because only one test at a time uses it.
        let bus: PrivateSessionBus
        let app: AppProcess
        let name: String

        init(_ lines: String..., bus: PrivateSessionBus? = nil, name: String = "probe", wanted: String? = nil)
            async throws
        {
            self.bus = if let bus { bus } else { try await PrivateSessionBus.launch() }
            self.name = "org.mpris.MediaPlayer2." + (wanted ?? name)
            app = try AppProcess("MPRIS", [name], whole: self.bus.environment)
            try await app.wait(for: "ready")
            for line in lines + ["start"] { try await tell(line) }
            let full = self.name
            let bus = self.bus
            guard wanted != nil || name != "probe" else {
                try await eventually { try await bus.names().contains(full) }
                return
            }
        }

        func tell(_ lines: String...) async throws {
            for line in lines {
                try app.send(line)
                try await app.wait(for: "done \(line)")
            }
        }
        func call(_ method: String, _ arguments: String...) async throws -> (code: Int32, text: String) {
            try await bus.run(
                "gdbus",
                ["call", "--session", "--dest", name, "--object-path", "/org/mpris/MediaPlayer2", "--method", method]
                    + arguments)
        }
        func player(_ method: String, _ arguments: String...) async throws {
            let answer = try await bus.run(
                "gdbus",
                [
                    "call", "--session", "--dest", name, "--object-path", "/org/mpris/MediaPlayer2",
                    "--method", "org.mpris.MediaPlayer2.Player." + method, "--",
                ] + arguments)
            #expect(answer.code == 0 && answer.text == "()", "\(method): \(answer)")
        }
        func get(_ property: String, of interface: String = "org.mpris.MediaPlayer2.Player") async throws -> String {
            try await call("org.freedesktop.DBus.Properties.Get", interface, property).text
        }
        func set(_ property: String, _ value: String, of interface: String = "org.mpris.MediaPlayer2.Player")
            async throws -> (code: Int32, text: String)
        {
            try await call("org.freedesktop.DBus.Properties.Set", interface, property, value)
        }
        /// Returns the requests that the player has received since the last call.
        func asked() async throws -> [String] {
            try await tell("asked-so-far")
            let lines = app.lines.filter { $0.hasPrefix("asked ") }
            defer { count = lines.count }
            return lines.dropFirst(count).map { String($0.dropFirst(6)) }
        }
        private var count = 0
    }

    /// A recorder of the player's signals on the bus.
    private final class Listener {
        private let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-monitor-\(UUID().uuidString.prefix(8))")
        private let process: ChildProcess
        private let bus: PrivateSessionBus
        init(_ bus: PrivateSessionBus) async throws {
            self.bus = bus
            process = try bus.start(
                "dbus-monitor", ["--session", "type='signal',path='/org/mpris/MediaPlayer2'"], output: file.path)
            // `dbus-monitor` listens once it has reported its own name.
            let file = file
            _ = try await until {
                (try? String(contentsOf: file, encoding: .utf8))?.contains("NameAcquired") == true
                    || (try? String(contentsOf: file, encoding: .utf8))?.contains("NameLost") == true ? true : nil
            }
        }
        /// Waits for a signal that contains `end`. Returns all signals so far, each as one line without timestamps.
        func signals(upTo end: String) async throws -> [String] {
            let file = file
            let found = try await until { () -> [String]? in
                let all = Self.read(file)
                return all.contains { $0.contains(end) } ? all : nil
            }
            return found ?? Self.read(file)
        }
        private static func read(_ file: URL) -> [String] {
            let text = (try? String(contentsOf: file, encoding: .utf8)) ?? ""
            var all: [String] = []
            for line in text.split(separator: "\n") {
                if line.hasPrefix("signal") {
                    all.append(line.components(separatedBy: "member=").last ?? "")
                } else if !all.isEmpty, line.hasPrefix(" ") {
                    all[all.count - 1] += " " + line.split(separator: " ").joined(separator: " ")
                }
            }
            return all.filter { !$0.hasPrefix("Name") }
        }
        deinit {
            process.send(SIGKILL)
            process.wait(seconds: 5)
            try? FileManager.default.removeItem(at: file)
        }
    }

    // MARK: names

    @Test("a second player's bus name has its process ID until it exits")
    func names() async throws {
        let first = try await Probe("all on")
        let second = try await Probe(bus: first.bus, wanted: "probe.instance")
        let full = "org.mpris.MediaPlayer2.probe.instance\(second.app.child.pid)"
        try await eventually { try await first.bus.names() == ["org.mpris.MediaPlayer2.probe", full] }
        second.app.child.send(SIGKILL)
        try await eventually { try await first.bus.names() == ["org.mpris.MediaPlayer2.probe"] }
        try await first.tell("stop")
        expectEqual(try await first.bus.names(), [])
        try await first.tell("start")
        try await eventually { try await first.bus.names() == ["org.mpris.MediaPlayer2.probe"] }
    }

    @Test(
        "an app's name becomes a valid bus name element",
        arguments: [
            ("my app", "my_app"), ("42", "_42"), ("", "player"), ("tv.zoetrope.App", "tv_zoetrope_App"), ("日本", "__"),
        ])
    func element(_ name: String, _ wanted: String) { #expect(MPRISService.element(name) == wanted) }

    @Test("without a bus the service does nothing and logs nothing")
    func noBus() async throws {
        let environment = ProcessInfo.processInfo.environment.filter {
            !["DBUS_SESSION_BUS_ADDRESS", "XDG_RUNTIME_DIR", "DISPLAY"].contains($0.key)
        }
        for extra in [
            [:], ["DBUS_SESSION_BUS_ADDRESS": "unix:path=/nonexistent/bus"], ["DBUS_SESSION_BUS_ADDRESS": "nonsense"],
        ] {
            let app = try AppProcess("MPRIS", whole: environment.merging(extra) { $1 })
            for line in ["start", "status Playing", "seeked 5", "stop", "start"] {
                try app.send(line)
                try await app.wait(for: "done \(line)")
            }
            #expect(app.errors.isEmpty && app.child.exitCode == nil)
            app.child.send(SIGTERM)
        }
    }

    @Test("the player plays on after the bus ends")
    func busGoes() async throws {
        let probe = try await Probe("all on")
        probe.bus.stop()
        try await probe.tell("status Playing", "seeked 3", "list a,b", "stop")
        #expect(probe.app.child.exitCode == nil && probe.app.errors.isEmpty, "\(probe.app.errors)")
    }

    // MARK: properties and methods

    @Test("properties have the specified types and the current values")
    func properties() async throws {
        let probe = try await Probe(
            "all on", "rates", "track 7 60000000 Film", "status Paused", "place 1500000", "volume 0.5")
        expectEqual(try await probe.get("PlaybackStatus"), "(<'Paused'>,)")
        expectEqual(try await probe.get("Position"), "(<int64 1500000>,)")
        #expect(
            try await probe.get("Metadata")
                == "(<{'mpris:length': <int64 60000000>, 'mpris:trackid': <objectpath '/zoetrope/item/7'>, 'xesam:title': <'Film'>}>,)"
        )
        expectEqual(try await probe.get("MinimumRate"), "(<0.5>,)")
        expectEqual(try await probe.get("MaximumRate"), "(<2.0>,)")
        expectEqual(try await probe.get("Volume"), "(<0.5>,)")
        expectEqual(try await probe.get("CanGoNext"), "(<true>,)")
        try await probe.tell("next off", "place 1700000")
        expectEqual(try await probe.get("CanGoNext"), "(<false>,)")
        expectEqual(try await probe.get("Position"), "(<int64 1700000>,)")
        expectEqual(try await probe.get("Identity", of: "org.mpris.MediaPlayer2"), "(<'Probe'>,)")
        expectEqual(try await probe.get("HasTrackList", of: "org.mpris.MediaPlayer2"), "(<true>,)")
        expectEqual(try await probe.get("SupportedUriSchemes", of: "org.mpris.MediaPlayer2"), "(<['file', 'https']>,)")
        // A property that the player does not offer has no value, and `GetAll` omits it.
        #expect(try await probe.get("LoopStatus").contains("Error"))
        #expect(try await probe.get("DesktopEntry", of: "org.mpris.MediaPlayer2").contains("Error"))
        #expect(
            try await !probe.call("org.freedesktop.DBus.Properties.GetAll", "org.mpris.MediaPlayer2.Player").text
                .contains("LoopStatus"))
        try await probe.tell("loop Track", "entry tv.zoetrope.Probe")
        expectEqual(try await probe.get("LoopStatus"), "(<'Track'>,)")
        expectEqual(try await probe.get("DesktopEntry", of: "org.mpris.MediaPlayer2"), "(<'tv.zoetrope.Probe'>,)")
        // Without control, no action is possible.
        try await probe.tell("control off")
        for name in ["CanControl", "CanPlay", "CanPause", "CanSeek", "CanGoNext", "CanGoPrevious"] {
            #expect(try await probe.get(name) == "(<false>,)", "\(name)")
        }
    }

    @Test("possible actions are performed; impossible ones have no effect or fail")
    func methods() async throws {
        let probe = try await Probe("all on", "track 1 60000000", "status Playing")
        for method in ["Play", "Pause", "PlayPause", "Stop", "Next", "Previous"] { try await probe.player(method) }
        expectEqual(try await probe.asked(), ["play", "pause", "playPause", "stop", "next", "previous"])
        expectEnd(try await probe.call("org.mpris.MediaPlayer2.Raise"), 0)
        expectEnd(try await probe.call("org.mpris.MediaPlayer2.Quit"), 0)
        expectEqual(try await probe.asked(), ["raise", "quit"])
        try await probe.tell("all off")
        for method in ["Play", "Pause", "Next", "Previous"] { try await probe.player(method) }
        try await probe.player("Seek", "1000")
        try await probe.player("SetPosition", "/zoetrope/item/1", "1000")
        expectEnd(try await probe.call("org.mpris.MediaPlayer2.Raise"), 0)
        expectEnd(try await probe.call("org.mpris.MediaPlayer2.Quit"), 0)
        #expect(try await probe.call("org.mpris.MediaPlayer2.Player.PlayPause").text.contains("NotSupported"))
        #expect(try await probe.set("Fullscreen", "<true>", of: "org.mpris.MediaPlayer2").text.contains("NotSupported"))
        expectEqual(try await probe.asked(), [])
        try await probe.tell("control off")
        #expect(try await probe.call("org.mpris.MediaPlayer2.Player.Stop").text.contains("NotSupported"))
        #expect(try await probe.set("Volume", "<0.5>").text.contains("NotSupported"))
        expectEqual(try await probe.asked(), [])
    }

    @Test("seeks are relative and clamped; SetPosition applies only to the current track")
    func seeking() async throws {
        let probe = try await Probe("all on", "track 1 60000000", "place 10000000")
        for (offset, wanted) in [
            ("5000000", "seek(15000000)"), ("-3000000", "seek(7000000)"), ("-90000000", "seek(0)"),
            ("60000000", "next"),
            ("9223372036854775807", "next"), ("-9223372036854775808", "seek(0)"), ("50000000", "seek(60000000)"),
        ] {
            try await probe.player("Seek", offset)
            #expect(try await probe.asked() == [wanted], "\(offset)")
        }
        try await probe.tell("next off")
        try await probe.player("Seek", "60000000")
        expectEqual(try await probe.asked(), ["stop"])
        try await probe.player("SetPosition", "/zoetrope/item/1", "30000000")
        expectEqual(try await probe.asked(), ["seek(30000000)"])
        // Invalid requests: for another track, before the start, and after the end.
        try await probe.player("SetPosition", "/zoetrope/item/2", "30000000")
        try await probe.player("SetPosition", "/zoetrope/item/1", "-1")
        try await probe.player("SetPosition", "/zoetrope/item/1", "60000001")
        expectEqual(try await probe.asked(), [])
        // A live stream has no known end, so no position is too large.
        try await probe.tell("track 3 live", "place 9223372036854775800")
        try await probe.player("Seek", "9223372036854775807")
        expectEqual(try await probe.asked(), ["seek(9223372036854775807)"])
    }

    @Test("volume, rate, loop and shuffle are clamped, and invalid values fail")
    func settings() async throws {
        let probe = try await Probe("all on", "rates", "loop None", "shuffle off")
        for (name, value, wanted) in [
            ("Volume", "<0.25>", "setVolume(0.25)"), ("Volume", "<-3.0>", "setVolume(0.0)"),
            ("Volume", "<7.0>", "setVolume(1.0)"),
            ("Rate", "<1.5>", "setRate(1.5)"), ("Rate", "<9.0>", "setRate(2.0)"), ("Rate", "<-1.0>", "setRate(0.5)"),
            ("Rate", "<0.0>", "pause"),
            ("LoopStatus", "<'Playlist'>", "setLoop(DesktopServices.MPRIS.LoopStatus.playlist)"),
            ("Shuffle", "<true>", "setShuffle(true)"),
        ] {
            let answer = try await probe.set(name, value)
            #expect(answer.code == 0, "\(name) \(value): \(answer)")
            #expect(try await probe.asked() == [wanted], "\(name) \(value): \(answer)")
        }
        expectEnd(try await probe.set("Fullscreen", "<true>", of: "org.mpris.MediaPlayer2"), 0)
        expectEqual(try await probe.asked(), ["setFullscreen(true)"])
        for (name, value) in [
            ("LoopStatus", "<'Sometimes'>"), ("Volume", "<'loud'>"), ("Rate", "<true>"), ("Shuffle", "<1>"),
            ("Position", "<int64 5>"), ("PlaybackStatus", "<'Playing'>"), ("Nothing", "<1>"),
        ] {
            let answer = try await probe.set(name, value)
            #expect(
                answer.code != 0 && answer.text.contains("org.freedesktop.DBus.Error"), "\(name) \(value): \(answer)")
        }
        #expect(try await probe.call("org.mpris.MediaPlayer2.Player.Seek", "'soon'").code != 0)
        #expect(try await probe.call("org.mpris.MediaPlayer2.Player.SetPosition", "no path", "5").code != 0)
        expectEqual(try await probe.asked(), [])
    }

    @Test("OpenUri accepts only supported schemes")
    func opening() async throws {
        let probe = try await Probe("all on")
        try await probe.player("OpenUri", "file:///film.mp4")
        try await probe.player("OpenUri", "HTTPS://example.org/a b")
        expectEqual(try await probe.asked(), ["open(\"file:///film.mp4\")", "open(\"HTTPS://example.org/a b\")"])
        for uri in ["gopher://example.org", "film.mp4", ""] {
            let answer = try await probe.call("org.mpris.MediaPlayer2.Player.OpenUri", uri)
            #expect(answer.code != 0 && answer.text.contains("org.freedesktop.DBus.Error"), "\(uri): \(answer)")
        }
        expectEqual(try await probe.asked(), [])
    }

    @Test("the track list can be read, navigated and, if allowed, edited")
    func list() async throws {
        let probe = try await Probe("all on", "list a,b,c", "track b 1000000")
        #expect(
            try await probe.get("Tracks", of: "org.mpris.MediaPlayer2.TrackList")
                == "(<[objectpath '/zoetrope/item/a', '/zoetrope/item/b', '/zoetrope/item/c']>,)")
        let words = try await probe.call(
            "org.mpris.MediaPlayer2.TrackList.GetTracksMetadata",
            "[objectpath '/zoetrope/item/c', '/nobody', '/zoetrope/item/a']"
        ).text
        #expect(
            words
                == "([{'mpris:length': <int64 1000000>, 'mpris:trackid': <objectpath '/zoetrope/item/c'>, 'xesam:title': <'title-c'>}, "
                + "{'mpris:length': <int64 1000000>, 'mpris:trackid': <objectpath '/zoetrope/item/a'>, 'xesam:title': <'title-a'>}],)"
        )
        expectEnd(try await probe.call("org.mpris.MediaPlayer2.TrackList.GoTo", "/zoetrope/item/c"), 0)
        expectEnd(try await probe.call("org.mpris.MediaPlayer2.TrackList.GoTo", "/nobody"), 0)
        expectEnd(try await probe.call("org.mpris.MediaPlayer2.TrackList.RemoveTrack", "/zoetrope/item/a"), 0)
        expectEqual(try await probe.asked(), ["goTo(\"/zoetrope/item/c\")"])
        try await probe.tell("edit on")
        expectEnd(try await probe.call("org.mpris.MediaPlayer2.TrackList.RemoveTrack", "/zoetrope/item/a"), 0)
        #expect(
            try await probe.call(
                "org.mpris.MediaPlayer2.TrackList.AddTrack", "file:///d.mp4", "/zoetrope/item/c", "true"
            ).code == 0)
        #expect(
            try await probe.call("org.mpris.MediaPlayer2.TrackList.AddTrack", "gopher:d", "/zoetrope/item/c", "true")
                .code != 0)
        #expect(
            try await probe.asked() == [
                "remove(\"/zoetrope/item/a\")",
                "add(uri: \"file:///d.mp4\", after: \"/zoetrope/item/c\", makeCurrent: true)",
            ])
    }

    // MARK: signals

    @Test("each change is signaled once, a position only after a jump")
    func signals() async throws {
        let probe = try await Probe("all on")
        let listener = try await Listener(probe.bus)
        try await probe.tell("status Playing", "status Playing", "place 5", "volume 0.5", "seeked 9000000")
        var all = try await listener.signals(upTo: "Seeked")
        #expect(
            all == [
                "PropertiesChanged string \"org.mpris.MediaPlayer2.Player\" array [ dict entry( string \"PlaybackStatus\" variant string \"Playing\" ) ] array [ ]",
                "PropertiesChanged string \"org.mpris.MediaPlayer2.Player\" array [ dict entry( string \"Volume\" variant double 0.5 ) ] array [ ]",
                "Seeked int64 9000000",
            ])
        try await probe.tell("list a,b", "list a,x,b", "title New", "list x,b", "list q", "seeked 7")
        all = try await listener.signals(upTo: "Seeked int64 7").filter { $0.hasPrefix("Track") }
        #expect(all.count == 5, "\(all)")
        #expect(
            all.first
                == "TrackListReplaced array [ object path \"/zoetrope/item/a\" object path \"/zoetrope/item/b\" ] object path \"/org/mpris/MediaPlayer2/TrackList/NoTrack\""
        )
        #expect(
            all.dropFirst().first?.hasPrefix("TrackAdded array [ dict entry( string \"mpris:length\"") == true
                && all[1].hasSuffix("object path \"/zoetrope/item/a\""))
        #expect(all[2].hasPrefix("TrackMetadataChanged object path \"/zoetrope/item/a\"") && all[2].contains("New"))
        #expect(all[3] == "TrackRemoved object path \"/zoetrope/item/a\"")
        #expect(all[4].hasPrefix("TrackListReplaced array [ object path \"/zoetrope/item/q\" ]"))
        // The loop property is not offered any more, so the signal lists it as invalidated.
        try await probe.tell("loop Track", "loop nothing", "seeked 8")
        all = try await listener.signals(upTo: "Seeked int64 8")
        #expect(
            all.contains(
                "PropertiesChanged string \"org.mpris.MediaPlayer2.Player\" array [ ] array [ string \"LoopStatus\" ]"),
            "\(all)")
    }

    // MARK: external programs

    @Test("playerctl finds, reads and controls the player")
    func playerctl() async throws {
        let probe = try await Probe(
            "all on", "track 1 60000000 Film", "status Paused", "place 2500000", "loop None", "shuffle off",
            "volume 0.5")
        func ctl(_ arguments: String...) async throws -> String {
            try await probe.bus.run("playerctl", ["-p", "probe"] + arguments).text
        }
        expectEqual(try await probe.bus.run("playerctl", ["-l"]).text, "probe")
        expectEqual(try await ctl("status"), "Paused")
        expectEqual(try await ctl("metadata", "xesam:title"), "Film")
        expectEqual(try await ctl("position"), "2.500000")
        expectEqual(try await ctl("metadata", "--format", "{{duration(mpris:length)}} {{status}}"), "1:00 Paused")
        expectEqual(try await ctl("loop"), "None")
        expectEqual(try await ctl("shuffle"), "Off")
        for (arguments, wanted) in [
            (["pause"], "pause"), (["play"], "play"), (["play-pause"], "playPause"), (["next"], "next"),
            (["position", "30"], "seek(30000000)"),
            (["position", "5+"], "seek(7500000)"), (["volume", "0.75"], "setVolume(0.75)"),
            (["loop", "Track"], "setLoop(DesktopServices.MPRIS.LoopStatus.track)"),
            (["open", "file:///film.mp4"], "open(\"file:///film.mp4\")"),
        ] {
            let answer = try await probe.bus.run("playerctl", ["-p", "probe"] + arguments)
            #expect(answer.code == 0, "\(arguments): \(answer)")
            #expect(try await probe.asked() == [wanted], "\(arguments): \(answer)")
        }
    }
}

extension PrivateSessionBus {
    /// Returns the names of the players on the bus, sorted.
    fileprivate func names() async throws -> [String] {
        let text = try await run(
            "gdbus",
            [
                "call", "--session", "--dest", "org.freedesktop.DBus", "--object-path", "/", "--method",
                "org.freedesktop.DBus.ListNames",
            ]
        ).text
        return text.split(separator: "'").map(String.init).filter { $0.hasPrefix("org.mpris.") }.sorted()
    }
}
