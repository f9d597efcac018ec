import Foundation
import TestSupport
import Testing

/// Tests of an app with a video in a window, together with mock desktop services (`Tests/Fixtures/bus-mock`) on a
/// private bus.
@Suite("The screen stays awake while a visible video plays", .serialized)
struct IdleTests {
    private final class Probe: @unchecked Sendable {
        // `@unchecked Sendable`, because only one test at a time uses it.
        let bus: PrivateSessionBus, display: PrivateDisplay, app: AppProcess
        private let mock: ChildProcess, output: URL

        init(_ services: [String], film: String = "loop-aac.mp4") async throws {
            let bus = try await PrivateSessionBus.launch()
            let display = try await PrivateDisplay.launch()
            (self.bus, self.display) = (bus, display)
            output = FileManager.default.temporaryDirectory.appendingPathComponent(
                "zt-mock-\(UUID().uuidString.prefix(8))")
            mock = try bus.start(
                Repository.fixture("bus-mock"), services, output: output.path)
            let file = output
            #expect(
                try await until {
                    ChildProcess.wholeLines(of: file).count { $0.hasPrefix("has ") } == services.count ? true : nil
                } == true)
            app = try AppProcess(
                "NowPlaying", ["loop", try TestMedia.url(film).path],
                environment: [
                    "DBUS_SESSION_BUS_ADDRESS": bus.address, "XDG_RUNTIME_DIR": bus.runtimeFolder, "NO_AT_BRIDGE": "1",
                ], display: display)
            try await app.wait(for: "ready")
        }
        deinit {
            mock.send(SIGKILL)
            mock.wait(seconds: 5)
            display.close()
            try? FileManager.default.removeItem(at: output)
        }
        func tell(_ lines: String...) async throws {
            for line in lines {
                try app.send(line)
                try await app.wait(for: "done \(line)")
            }
        }
        var calls: [String] { ChildProcess.wholeLines(of: output).filter { $0.contains(".") && !$0.hasPrefix("has ") } }
        func comes(_ wanted: [String]) async throws -> Bool {
            try await until("\(wanted)", seen: { "\(self.calls)" }) {
                let calls = self.calls
                return calls.count == wanted.count && zip(calls, wanted).allSatisfy { $0.hasPrefix($1) } ? true : nil
            } == true
        }
    }

    private static let words = "'Playing a video'"

    @Test("the portal is inhibited while playing, and released when paused or empty")
    func portal() async throws {
        let probe = try await Probe(["portal", "screensaver"])
        // A paused video does not inhibit the screen saver.
        try await probe.tell("loop", "tell")
        #expect(probe.calls.isEmpty)
        try await probe.tell("play")
        let asked = "Inhibit.Inhibit ('', 8, {"
        #expect(try await probe.comes([asked]), "\(probe.calls)")
        #expect(probe.calls.first?.contains("'reason': <\(Self.words)>") == true, "\(probe.calls)")
        try await probe.tell("pause")
        #expect(try await probe.comes([asked, "Request.Close"]), "\(probe.calls)")
        try await probe.tell("play")
        #expect(try await probe.comes([asked, "Request.Close", asked]), "\(probe.calls)")
        try await probe.tell("empty")
        #expect(try await probe.comes([asked, "Request.Close", asked, "Request.Close"]), "\(probe.calls)")
        #expect(!probe.app.errors.contains("WARNING"), "\(probe.app.errors)")
    }

    @Test(
        "the screen saver is inhibited if the portal fails or is missing",
        arguments: [["portal-fails", "screensaver"], ["portal-refuses", "screensaver"], ["screensaver"]])
    func screenSaver(_ services: [String]) async throws {
        let probe = try await Probe(services)
        try await probe.tell("loop", "play")
        let failed = services.count == 2 ? ["Inhibit.Inhibit"] : []
        let asked = "ScreenSaver.Inhibit ('Probes', \(Self.words))"
        #expect(try await probe.comes(failed + [asked]), "\(probe.calls)")
        try await probe.tell("pause")
        #expect(try await probe.comes(failed + [asked, "ScreenSaver.UnInhibit (4711,)"]), "\(probe.calls)")
    }

    @Test("a hidden window, a disabled setting and exit release the screen saver")
    func hidden() async throws {
        let probe = try await Probe(["screensaver"])
        let asked = "ScreenSaver.Inhibit"
        let released = "ScreenSaver.UnInhibit"
        try await probe.tell("loop", "play")
        #expect(try await probe.comes([asked]))
        try await probe.tell("awake off")
        #expect(try await probe.comes([asked, released]), "\(probe.calls)")
        try await probe.tell("awake on")
        #expect(try await probe.comes([asked, released, asked]), "\(probe.calls)")
        let window = try #require(try probe.display.window("Now playing"))
        try probe.display.xdotool(["windowunmap", window])
        #expect(try await probe.comes([asked, released, asked, released]), "\(probe.calls)")
        try probe.display.xdotool(["windowmap", window])
        #expect(try await probe.comes([asked, released, asked, released, asked]), "\(probe.calls)")
        try await probe.tell("end")
        #expect(try await probe.comes([asked, released, asked, released, asked, released]), "\(probe.calls)")
    }

    @Test("without services, the compositor keeps the screen awake while a video plays")
    func compositor() async throws {
        let screen = try await PrivateCompositor.launch(.sway)
        defer { screen.close() }
        let app = try AppProcess(
            "NowPlaying", ["loop", try TestMedia.url("loop-aac.mp4").path],
            environment: ["DBUS_SESSION_BUS_ADDRESS": "disabled:", "NO_AT_BRIDGE": "1"], display: screen)
        try await app.wait(for: "ready")
        func isInhibited(_ wanted: Bool) async throws -> Bool {
            try await until {
                try screen.command(["-t", "get_tree"]).contains("\"inhibit_idle\": true") == wanted ? true : nil
            } == true
        }
        for line in ["loop", "play"] {
            try app.send(line)
            try await app.wait(for: "done \(line)")
        }
        #expect(try await isInhibited(true))
        try app.send("pause")
        try await app.wait(for: "done pause")
        #expect(try await isInhibited(false))
    }

    @Test("the compositor's inhibitor is on the window whose video plays")
    func windows() async throws {
        let screen = try await PrivateCompositor.launch(.sway)
        defer { screen.close() }
        let app = try AppProcess(
            "NowPlaying", ["loop", try TestMedia.url("loop-aac.mp4").path],
            environment: ["DBUS_SESSION_BUS_ADDRESS": "disabled:", "NO_AT_BRIDGE": "1"], display: screen)
        try await app.wait(for: "ready")
        /// The titles of the windows, and whether they inhibit idleness.
        @Sendable func windows(in node: Any) -> [(title: String, inhibits: Bool)] {
            guard let node = node as? [String: Any] else { return [] }
            let inner = ["nodes", "floating_nodes"].flatMap { node[$0] as? [Any] ?? [] }
            return inner.flatMap(windows) + [(node["name"] as? String ?? "", node["inhibit_idle"] as? Bool ?? false)]
        }
        @Sendable func windows() throws -> [(title: String, inhibits: Bool)] {
            windows(in: try JSONSerialization.jsonObject(with: Data(try screen.command(["-t", "get_tree"]).utf8)))
        }
        func isInhibited(by title: String) async throws -> Bool {
            try await until("an inhibitor of \(title)", seen: { "\((try? windows()) ?? [])" }) {
                try windows().filter(\.inhibits).map(\.title) == [title] ? true : nil
            } == true
        }
        func tell(_ lines: String...) async throws {
            for line in lines {
                try app.send(line)
                try await app.wait(for: "done \(line)")
            }
        }
        // The first window shows a paused video.
        try await tell("loop", "window Second")
        #expect(try await isInhibited(by: "Second"))
        // Beside the others, so that it does not cover them.
        try await tell("window Third")
        #expect(
            try await until {
                try windows().contains { $0.title == "Third" } ? true : nil
            } == true)
        try screen.command(["[title=Third] move absolute position 400 300"])
        try await tell("close Second")
        #expect(try await isInhibited(by: "Third"))
    }

    @Test("audio alone does not keep the screen awake")
    func sound() async throws {
        let probe = try await Probe(["portal", "screensaver"], film: "audio-stereo.wav")
        try await probe.tell("loop", "play")
        #expect(
            try await until {
                (try? probe.app.send("tell")) != nil
                    && probe.app.lines.contains { $0.hasPrefix("rate 1.0 time 0.") && !$0.contains("time 0.0 ") }
                    ? true : nil
            } == true)
        try await probe.tell("pause")
        #expect(probe.calls.isEmpty)
    }
}
