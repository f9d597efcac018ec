import Foundation
import TestSupport
import Testing

/// Tests of the button that casts to a renderer, with a fake renderer in a private network
/// (`Tests/Fixtures/fake-renderer`).
@Suite("The route button", .serialized, .enabled(if: PrivateNetwork.isPossible, "network namespaces need root"))
struct RouteButtonTests {
    /// An app's display, and a network with one renderer at its other end.
    private final class Room: @unchecked Sendable {
        // `@unchecked Sendable`, because only one test at a time uses it.
        let network: PrivateNetwork, display: PrivateDisplay
        let output = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-route-\(UUID().uuidString.prefix(8))")
        private var renderer: ChildProcess?
        init(renderer isThere: Bool) async throws {
            network = try await PrivateNetwork.launch()
            display = try await PrivateDisplay.launch()
            guard isThere else { return }
            let line =
                network.prefix(.renderer) + [
                    Repository.fixture("fake-renderer"), network.rendererAddress,
                    "Living Room",
                ]
            renderer = try ChildProcess(line[0], Array(line.dropFirst()), output: output.path)
        }
        deinit {
            renderer?.send(SIGKILL)
            display.close()
            try? FileManager.default.removeItem(at: output)
        }
        var told: [String] { ChildProcess.wholeLines(of: output) }
        func pull() { renderer?.send(SIGKILL) }
    }

    @Test("the system player's button appears, casts, and displays why casting ended")
    func chosen() async throws {
        let room = try await Room(renderer: true)
        let app = try AppProcess(
            "Kit", ["system-items", TestMedia.url("counter.mp4").path],
            environment: ["DBUS_SESSION_BUS_ADDRESS": "", "NO_AT_BRIDGE": "1"],
            display: room.display, through: room.network.prefix(.app))
        try await app.wait(for: "ready")
        for line in ["load", "play"] {
            try app.send(line)
            try await app.wait(for: "done \(line)")
        }
        func shows(_ x: Int, _ y: Int, _ condition: @escaping @Sendable (Screenshot) throws -> Bool) async throws
            -> Bool
        {
            try await until { () -> Bool? in
                try room.display.xdotool(["mousemove", "\(x + Int.random(in: 0...2))", "\(y)"])
                return try condition(try room.display.screenshot()) ? true : nil
            } == true
        }
        // The symbol is a light frame on the dark bar. Until the renderer is found, the gear of the options menu is in
        // its place.
        let isThere: @Sendable (Screenshot) -> Bool = { shot in
            (519..<530).allSatisfy { x in (shot.color(x, 364).min() ?? 0) > 180 }
                && (519..<530).allSatisfy { x in (shot.color(x, 369).max() ?? 255) < 60 }
                && (shot.color(20, 376).max() ?? 255) < 160
        }
        #expect(try await shows(300, 200, isThere))
        try room.display.xdotool(["mousemove", "528", "371", "click", "1"])
        // The menu is light and below the button. Its second line is the renderer.
        let isOpen: @Sendable (Screenshot) -> Bool = { shot in (shot.color(465, 451).min() ?? 0) > 200 }
        #expect(try await until { isOpen(try room.display.screenshot()) ? true : nil } == true)
        // Again, because the video may have ended meanwhile.
        for line in ["seek 0", "play"] {
            try app.send(line)
            try await app.wait(for: "done \(line)")
        }
        try room.display.xdotool(["mousemove", "530", "451", "click", "1"])
        #expect(try await until { room.told.contains { $0.hasPrefix("Play ") } ? true : nil } == true)
        // The local view is dark, with a text that names the renderer.
        #expect(
            try await shows(300, 300) { shot in
                (shot.color(100, 120).max() ?? 255) < 70
                    && (200..<440).contains { x in (220..<245).contains { y in (shot.color(x, y).min() ?? 0) > 200 } }
            })
        room.pull()
        // The text changes: the reason of the failure replaces the renderer's name. The checked areas avoid the light
        // columns of the video.
        @Sendable func isLight(_ shot: Screenshot, _ columns: Range<Int>, _ rows: Range<Int>) -> Bool {
            columns.contains { x in rows.contains { y in (shot.color(x, y).min() ?? 0) > 220 } }
        }
        #expect(
            try await shows(300, 300) { shot in
                !isLight(shot, 230..<300, 220..<245) && isLight(shot, 125..<230, 186..<200)
            })
        #expect(!app.errors.contains("CRITICAL") && !app.errors.contains("⚠"), "\(app.errors)")
    }

    @Test("AirPlayPickerView has a named button only if a renderer exists", arguments: [true, false])
    func picker(_ isThere: Bool) async throws {
        let room = try await Room(renderer: isThere)
        let film = try TestMedia.url("quad-709.mp4").path
        let environment = room.display.environment.merging([
            "LC_ALL": "C", "PULSE_SERVER": "unix:/nonexistent", "ZOETROPE_RENDERER": "cpu",
        ]) { $1 }
        let file = room.output.path + ".dump"
        let pipe = room.output.path + ".in"
        #expect(mkfifo(pipe, 0o600) == 0)
        defer { for path in [file, pipe] { try? FileManager.default.removeItem(atPath: path) } }
        let line =
            room.network.prefix(.app) + [
                "dbus-run-session", "--", Repository.fixture("atspi-dump"),
                isThere ? "Cast to Device" : "Volume",
            ] + Programs.command("Kit", ["--input", pipe, "custom", film])
        let code = try await offPool {
            try ChildProcess(line[0], Array(line.dropFirst()), environment: environment, output: file).wait()
        }
        let dump = try String(contentsOfFile: file, encoding: .utf8)
        #expect(code == 0, "\(dump.suffix(1000))")
        #expect(dump.contains("Cast to Device") == isThere, "\(dump.suffix(2000))")
    }
}
