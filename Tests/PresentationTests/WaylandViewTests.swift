import Foundation
import TestSupport
import Testing

/// Tests of one `PlayerView` in a real window on each windowing system: the screenshots, and whether the video's own
/// surface shows the frames.
@Suite("Player view on Wayland", .serialized)
struct WaylandViewTests {
    private static let black = [0, 0, 0]
    private typealias Point = (x: Int, y: Int, color: [Int])

    private func poll(_ condition: () async throws -> Bool) async throws -> Bool {
        try await Deadline().isMet(condition)
    }

    /// Waits until each point has its color. Records the last screenshot's colors as an issue if not.
    private func shows(
        _ screen: any PrivateScreen, _ points: [Point], within tolerance: Int = 12,
        sourceLocation: SourceLocation = #_sourceLocation
    ) async throws {
        var seen: [[Int]] = []
        let isThere = try await poll {
            let shot = try screen.screenshot()
            seen = points.map { shot.color($0.x, $0.y) }
            return points.allSatisfy { shot.isNear($0.x, $0.y, $0.color, within: tolerance) }
        }
        #expect(isThere, "wanted \(points.map(\.color)), saw \(seen)", sourceLocation: sourceLocation)
    }

    private func quadrants(x: Int = 0, y: Int = 0, width: Int, height: Int, order: [Int] = [0, 1, 2, 3]) -> [Point] {
        zip([(1, 1), (3, 1), (1, 3), (3, 3)], order).map {
            (x + width * $0.0 / 4, y + height * $0.1 / 4, TestPicture.colors[$1])
        }
    }

    /// Waits until the video's own surface shows the frames of `probe`, or (if `isWanted` is false) does not. Returns
    /// false after the deadline.
    private func isOnSurface(_ probe: ProbeProcess, _ isWanted: Bool) async throws -> Bool {
        try await poll { try await probe.ask("facts").isOnSurface == isWanted }
    }

    private func moves(_ probe: ProbeProcess) async throws -> Bool {
        let before = try await probe.ask("facts").presented
        return try await poll { try await probe.ask("facts").presented > before + 5 }
    }

    @Test("every pixel layout, matrix and range has the right colors", arguments: Windowing.wayland)
    func colors(windowing: Windowing) async throws {
        let screen = try await windowing.launch(width: 320, height: 180)
        defer { screen.close() }
        for (layout, matrix, isFull) in [
            ("yuv420p", "bt601", false), ("nv12", "bt709", true), ("yuv444p", "bt601", true),
            ("p010", "bt2020", false),
        ] {
            let probe = try ProbeProcess(
                ["--layout", layout, "--matrix", matrix] + (isFull ? ["--full"] : []), display: screen)
            #expect(try await isOnSurface(probe, true))
            try await shows(screen, quadrants(width: 320, height: 180))
            try await probe.ask("quit")
            #expect(probe.child.wait() == 0, "\(probe.errors)")
        }
    }

    @Test("each gravity applies at once, on a surface and through GTK", arguments: Windowing.allCases, [false, true])
    func gravity(windowing: Windowing, isCovered: Bool) async throws {
        let screen = try await windowing.launch(width: 320, height: 320)
        defer { screen.close() }
        let probe = try ProbeProcess(
            ["--picture", "320x160", "--window", "320x320"] + (isCovered ? ["--covered"] : []), display: screen)
        let fitted =
            quadrants(y: 80, width: 320, height: 160) + [(160, 70, Self.black), (160, 250, Self.black)]
        try await shows(screen, fitted)
        #expect(try await isOnSurface(probe, !isCovered))
        try await probe.ask("gravity fill")
        try await shows(
            screen,
            quadrants(width: 320, height: 320) + [
                (160 - 8, 8, TestPicture.colors[0]), (160 + 8, 312, TestPicture.colors[3]),
            ])
        try await probe.ask("gravity resize")
        try await shows(screen, quadrants(width: 320, height: 320))
        try await probe.ask("gravity aspect")
        try await shows(screen, fitted)
    }

    @Test("a covered video moves to GTK and back without a stop", arguments: Windowing.allCases)
    func covering(windowing: Windowing) async throws {
        let screen = try await windowing.launch(width: 320, height: 180)
        defer { screen.close() }
        let probe = try ProbeProcess(["--moving"], display: screen)
        for isCovered in [true, false, true, false] {
            try await probe.ask("covered \(isCovered ? "on" : "off")")
            #expect(try await isOnSurface(probe, !isCovered))
            #expect(try await moves(probe))
        }
        try await probe.ask("moving off")
        try await shows(screen, quadrants(width: 320, height: 180))
    }

    @Test("a window cuts off a video that extends beyond its edge")
    func beyondWindow() async throws {
        let screen = try await PrivateCompositor.launch(.sway)
        defer { screen.close() }
        let probe = try ProbeProcess(["--fixed"], display: screen)
        #expect(try await isOnSurface(probe, true))
        try screen.command(["[app_id=.*] move absolute position 300 200"])
        try await shows(screen, quadrants(x: 300, y: 200, width: 320, height: 180))
        let ground = try screen.screenshot().color(220, 245)
        try await probe.ask("move -160 0")
        #expect(try await isOnSurface(probe, false))
        try await shows(
            screen, [(340, 245, TestPicture.colors[1]), (340, 335, TestPicture.colors[3]), (220, 245, ground)])
        try await probe.ask("move 0 0")
        #expect(try await isOnSurface(probe, true))
        try await shows(screen, quadrants(x: 300, y: 200, width: 320, height: 180))
    }

    @Test("a view without a frame is black, and shows the next one", arguments: Windowing.allCases)
    func empty(windowing: Windowing) async throws {
        let screen = try await windowing.launch(width: 320, height: 180)
        defer { screen.close() }
        let probe = try ProbeProcess([], display: screen)
        try await shows(screen, quadrants(width: 320, height: 180))
        try await probe.ask("empty on")
        try await shows(screen, quadrants(width: 320, height: 180).map { ($0.x, $0.y, Self.black) })
        try await probe.ask("empty off")
        try await probe.ask("standing 5")
        try await shows(screen, quadrants(width: 320, height: 180, order: [1, 2, 3, 0]))
    }

    @Test("the view survives hiding and the destruction of its window", arguments: Windowing.allCases)
    func windows(windowing: Windowing) async throws {
        let screen = try await windowing.launch(width: 320, height: 180)
        defer { screen.close() }
        let probe = try ProbeProcess([], display: screen)
        try await shows(screen, quadrants(width: 320, height: 180))
        for picture in 5...7 {
            try await probe.ask("replant")
            try await probe.ask("standing \(picture)")
            try await shows(screen, quadrants(width: 320, height: 180, order: (0..<4).map { ($0 + picture) % 4 }))
        }
        try await probe.ask("moving on")
        try await probe.ask("visible off")
        #expect(try await isOnSurface(probe, false))
        try await probe.ask("visible on")
        #expect(try await isOnSurface(probe, true))
        #expect(try await moves(probe))
        try await probe.ask("destroy")
        try await probe.ask("drop")
        try await probe.ask("quit")
        #expect(probe.child.wait() == 0, "\(probe.errors)")
        #expect(!probe.errors.contains("CRITICAL") && !probe.errors.contains("rror"), "\(probe.errors)")
    }

    @Test("the video follows its window's size and place")
    func resizing() async throws {
        let screen = try await PrivateCompositor.launch(.sway)
        defer { screen.close() }
        let probe = try ProbeProcess([], display: screen)
        try await shows(screen, quadrants(width: 320, height: 180))
        // sway keeps the center of a window when it resizes, so also set the position.
        try screen.command(["[app_id=.*] resize set 200 200, move absolute position 0 0"])
        try await shows(screen, quadrants(y: 44, width: 200, height: 112) + [(100, 20, Self.black)])
        try screen.command(["[app_id=.*] move absolute position 300 100"])
        try await shows(screen, quadrants(x: 300, y: 144, width: 200, height: 112))
        try screen.command(["[app_id=.*] fullscreen enable"])
        try await shows(screen, quadrants(y: 40, width: 1280, height: 720))
        try screen.command(["[app_id=.*] fullscreen disable"])
        try await shows(screen, quadrants(x: 300, y: 144, width: 200, height: 112))
        #expect(try await isOnSurface(probe, true))
    }

    @Test("the video has the display's pixels at each scale", arguments: [1, 1.25, 1.5, 2, 3])
    func scales(scale: Double) async throws {
        let screen = try await PrivateCompositor.launch(.sway, width: 480, height: 360, scale: scale)
        defer { screen.close() }
        // At some scales the bars begin at half a point.
        let probe = try ProbeProcess(["--picture", "322x183", "--window", "321x240"], display: screen)
        #expect(try await isOnSurface(probe, true))
        let (width, height) = (321 * scale, 321 * 183 / 322 * scale)
        let top = (240 * scale - height) / 2
        try await shows(
            screen,
            quadrants(y: Int(top), width: Int(width), height: Int(height)) + [
                (Int(width) / 2, Int(top / 2), Self.black), (Int(width) / 2, Int(240 * scale - top / 2), Self.black),
            ])
    }

    @Test("a window on another output takes its scale")
    func outputs() async throws {
        let screen = try await PrivateCompositor.launch(.sway, width: 640, height: 400, outputs: 2)
        defer { screen.close() }
        try screen.command(["output HEADLESS-1 position 0 0"])
        try screen.command(["output HEADLESS-2 position 640 0 scale 2"])
        let probe = try ProbeProcess(["--moving"], display: screen)
        #expect(try await moves(probe))
        try screen.command(["[app_id=.*] move container to output HEADLESS-2"])
        #expect(try await moves(probe))
        try screen.command(["[app_id=.*] move container to output HEADLESS-1"])
        #expect(try await moves(probe))
        #expect(try await isOnSurface(probe, true))
        #expect(!probe.errors.contains("rror"), "\(probe.errors)")
    }

    @Test("a window on a hidden workspace draws nothing, then continues")
    func hidden() async throws {
        let screen = try await PrivateCompositor.launch(.sway)
        defer { screen.close() }
        let probe = try ProbeProcess(["--moving"], display: screen)
        #expect(try await moves(probe))
        try screen.command(["workspace", "2"])
        // Once the view has noticed, it neither draws nor pulls frames.
        #expect(
            try await poll {
                let before = try await probe.ask("facts")
                await letTimePass(0.4, because: "a view that is not hidden draws twelve times or more meanwhile")
                let after = try await probe.ask("facts")
                return before.presented == after.presented && before.pulls == after.pulls
            })
        try screen.command(["workspace", "1"])
        #expect(try await moves(probe))
        try await probe.ask("moving off")
        try await shows(screen, quadrants(width: 320, height: 180))
    }
}
