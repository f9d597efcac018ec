import Foundation
import TestSupport
import Testing

/// Tests of the example app that downloads: by clicks, killed during a download, and restarted.
@Suite("The example app Player41")
struct Player41AppTests {
    /// The app, with its window at (0, 0) of the display.
    private struct App {
        let process: ChildProcess
        let display: PrivateDisplay
        let errors: String

        init(_ display: PrivateDisplay, data: URL, stream: URL) throws {
            self.display = display
            errors = data.appendingPathComponent("errors-\(UUID().uuidString.prefix(8))").path
            let own = [
                "PULSE_SERVER": "unix:/nonexistent", "ZOETROPE_RENDERER": "cpu",
                "ZOETROPE_EXAMPLE_MEDIA": "/nonexistent", "XDG_DATA_HOME": data.path, "HOME": data.path,
                "PLAYER41_STREAM": stream.absoluteString,
            ]
            process = try ChildProcess(
                Programs.path("Player41"), [],
                environment: display.environment.merging(own) { $1 }, error: errors)
        }
        /// Clicks at a point of the window, which has its default size.
        func press(_ x: Int, _ y: Int) throws { try display.xdotool(["mousemove", "\(x)", "\(y)", "click", "1"]) }
        /// Waits until the stream's video is visible: its lower half is gray, and its surroundings are black.
        func showsPicture(_ y: Int = 230, sourceLocation: SourceLocation = #_sourceLocation) async -> Bool {
            await eventually("grey at 260, \(y)", sourceLocation: sourceLocation) {
                let color = (try? display.screenshot().color(260, y)) ?? []
                Sightings.note { "\(color)" }
                return color.count == 3 && color.allSatisfy { (20...235).contains($0) }
            }
        }
        func kill() {
            process.send(SIGKILL)
            process.wait(seconds: 5)
        }
    }

    private static func files(_ data: URL, _ suffix: String) -> [String] {
        (FileManager.default.enumerator(atPath: data.path)?.compactMap { $0 as? String } ?? []).filter {
            $0.contains(".movpkg/") && $0.hasSuffix(suffix)
        }
    }

    private static func hasDefaults(_ data: URL) -> Bool {
        FileManager.default.enumerator(atPath: data.path)?.contains { ($0 as? String)?.hasSuffix(".plist") ?? false }
            ?? false
    }

    @Test("a download resumes after a kill, plays offline and can be deleted")
    func killed() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let data = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-player41-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: data, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: data) }
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        // The downloaded variant (265 kbit/s at least) stalls after a third.
        let slow = server.inject(.stall(after: 5_000), on: "vod-fmp4/v1/seg00[4-9].m4s")
        let url = server.url(for: "vod-fmp4/master.m3u8")
        let first = try App(display, data: data, stream: url)
        defer { first.kill() }
        #expect(await first.showsPicture())
        try first.press(260, 610)
        #expect(await eventually { Self.files(data, ".m4s").count >= 4 })
        #expect(await server.waitForRequests(1, "vod-fmp4/v1/seg00[4-9].m4s"))
        // Only the stalled segments are still running.
        #expect(await server.wait { $0.contains { $0.outcome == .running && $0.path.hasSuffix(".m4s") } })
        first.kill()
        server.remove(slow)

        let second = try App(display, data: data, stream: url)
        defer { second.kill() }
        // The package's playlist is written last. The download resumed without a click.
        #expect(await eventually { Self.files(data, "movpkg/index.m3u8").count == 1 })
        #expect(await second.showsPicture())
        // The app's defaults contain the location of the package.
        #expect(await eventually { Self.hasDefaults(data) })
        second.kill()

        // The local player's window will open at (0, 0) too, over the app's. It is checked at a point where the app's
        // window is black, or not gray yet.
        let third = try App(display, data: data, stream: url)
        defer { third.kill() }
        #expect(await third.showsPicture())
        #expect(try display.screenshot().color(260, 100).allSatisfy { $0 < 20 })
        try third.press(200, 610)
        #expect(await third.showsPicture(150))
        func windows() throws -> Int {
            try display.xdotool(["search", "--onlyvisible", "--class", "Player41"]).split(separator: "\n").count
        }
        let open = try windows()
        try display.xdotool(["key", "Escape"])
        #expect(try await eventually { try windows() < open })
        // The app's window is drawn again where the player's window was.
        #expect(
            try await eventually {
                let color = try display.screenshot().color(260, 100)
                return color.count == 3 && color.allSatisfy { $0 < 20 }
            })
        // The app asks in a separate window before it deletes the download.
        let before = try display.screenshot()
        try third.press(455, 610)
        #expect(try await eventually { try windows() == open })
        // Once the window is drawn, it takes clicks.
        #expect(
            try await eventually { try display.screenshot().differences(from: before, x: 130..<180, y: 84..<104) > 50 })
        #expect(Self.files(data, ".m4s").count > 12)
        try third.press(155, 94)
        #expect(await eventually { Self.files(data, "").isEmpty })
        #expect(third.process.exitCode == nil)
        for app in [first, second, third] {
            // Ignore gupnp's warnings about a port that another program uses.
            let said = ((try? String(contentsOfFile: app.errors, encoding: .utf8)) ?? "").split(separator: "\n").filter
            { !$0.contains("gupnp") }.joined(separator: "\n")
            #expect(!said.contains("WARNING") && !said.contains("CRITICAL") && !said.contains("Fatal"), "\(said)")
        }
    }
}
