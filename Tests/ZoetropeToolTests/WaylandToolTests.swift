import Foundation
import TestSupport
import Testing

/// Tests `zoetrope play` and `zoetrope app` in windows of Wayland compositors.
@Suite("The tool on Wayland", .serialized)
struct WaylandToolTests {
    private static let environment = [
        "ZOETROPE_RENDERER": "cpu", "NO_AT_BRIDGE": "1", "DBUS_SESSION_BUS_ADDRESS": "disabled:",
    ]

    /// Returns whether each of the four colors of the test video covers about a quarter of a window on the screen.
    private static func hasVideo(_ shot: Screenshot) -> Bool {
        var counts = [Int](repeating: 0, count: TestPicture.colors.count)
        let rows = shot.pixels.count / 3 / max(1, shot.width)
        for y in stride(from: 0, to: rows, by: 4) {
            for x in stride(from: 0, to: shot.width, by: 4) {
                if let index = TestPicture.colors.indices.first(where: { shot.isNear(x, y, TestPicture.colors[$0]) }) {
                    counts[index] += 1
                }
            }
        }
        // A quarter of 320 × 180, sampled at every fourth pixel in both directions, has 900 samples.
        return counts.allSatisfy { $0 > 700 }
    }

    private func shows(_ screen: any PrivateScreen, _ isRight: @escaping @Sendable (Screenshot) throws -> Bool)
        async throws -> Bool
    {
        try await until { try isRight(try screen.screenshot()) ? true : nil } == true
    }

    @Test("play shows the video and reports its frames", arguments: Windowing.wayland)
    func play(windowing: Windowing) async throws {
        let screen = try await windowing.launch(width: 1280, height: 800)
        defer { screen.close() }
        let film = try TestMedia.url("quad-709.mp4").path
        let tool = try ToolProcess(
            ["play", "--loop", "--size", "640x360", film], environment: Self.environment, display: screen)
        defer { tool.child.send(SIGKILL) }
        #expect(try await shows(screen, Self.hasVideo))
        let run = try await ToolProcess.run(
            ["play", film, "--report", "json"], environment: Self.environment, display: screen)
        #expect(run.code == 0, "\(run.error)")
        let report = try ToolProcess.report(run.output)
        #expect(report["status"] as? String == "ended" && (report["framesShown"] as? Int ?? 0) > 0, "\(report)")
    }

    @Test("the app opens and shows the video", arguments: Windowing.wayland)
    func app(windowing: Windowing) async throws {
        let screen = try await windowing.launch(width: 1280, height: 800)
        defer { screen.close() }
        let shell = try ToolShell()
        let tool = try ToolProcess(
            ["app", TestMedia.url("quad-709.mp4").path],
            environment: Self.environment.merging(
                Dictionary(
                    uniqueKeysWithValues: ["HOME", "XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME"].map {
                        ($0, shell.folder)
                    })
            ) { $1 }, display: screen)
        defer { tool.child.send(SIGKILL) }
        #expect(try await shows(screen, Self.hasVideo))
        #expect(!tool.errors.contains("CRITICAL") && !tool.errors.contains("WARNING"), "\(tool.errors)")
    }

    @Test("the pointer shows the controls; keys play, pause and fill the screen")
    func hands() async throws {
        let screen = try await PrivateCompositor.launch(.sway)
        defer { screen.close() }
        let pointer = try screen.pointer()
        try pointer.move(1200, 700)
        let tool = try ToolProcess(
            ["play", "--loop", "--size", "640x360", TestMedia.url("quad-709.mp4").path],
            environment: Self.environment, display: screen)
        defer { tool.child.send(SIGKILL) }
        let blue = [0, 0, 255]
        #expect(try await shows(screen) { $0.isNear(18, 340, blue, within: 60) })
        // The bar is blended into the frames. The pointer is moved around, like a hand, until the bar is visible.
        let isBarred: @Sendable (Screenshot) -> Bool = {
            ($0.color(18, 340).last ?? 255) < 160 && $0.isNear(18, 300, blue, within: 60)
        }
        func points(_ x: Int, _ y: Int, _ isRight: @escaping @Sendable (Screenshot) -> Bool) async throws -> Bool {
            try await Deadline().isMet {
                try pointer.move(x + Int.random(in: 0...2), y)
                return isRight(try screen.screenshot())
            }
        }
        #expect(try await points(300, 100) { isBarred($0) && ($0.color(35, 331).min() ?? 255) < 120 })
        try pointer.move(35, 331)
        try pointer.click()
        // The play symbol is light where the pause symbol is dark. sway's screenshots include the pointer, so it stays
        // beside the button.
        #expect(try await points(75, 331) { isBarred($0) && ($0.color(35, 331).min() ?? 0) > 200 })
        try screen.key("space")
        #expect(try await points(75, 331) { isBarred($0) && ($0.color(35, 331).min() ?? 255) < 120 })
        try screen.key("f")
        #expect(try await shows(screen) { $0.isNear(320, 200, [255, 0, 0]) && $0.isNear(960, 600, [255, 255, 255]) })
        try screen.key("f")
        #expect(try await shows(screen) { $0.isNear(160, 90, [255, 0, 0]) && $0.isNear(480, 270, [255, 255, 255]) })
    }
}
