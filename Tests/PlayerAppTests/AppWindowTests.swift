import Foundation
import TestSupport
import Testing

/// Tests of the app's window when it is small, fills the screen, or is at an edge of the screen.
@Suite("The app's window, small and large", .serialized)
struct AppWindowTests {
    /// Starts the app with two blue videos in a window of `size`, with the playlist enabled.
    private func film(_ rig: AppRig, size: (width: Int, height: Int)) async throws -> ToolProcess {
        let films = [try rig.film("one.mp4").path, try rig.film("two.mp4").path]
        try rig.left(showsList: true, size: size)
        let app = try rig.start(films[0], films[1])
        #expect(try await rig.shows("one.mp4 (1/2)"))
        #expect(try await rig.plays())
        return app
    }
    private func isBlue(_ rig: AppRig, _ x: Int, _ y: Int) throws -> Bool {
        try rig.display.screenshot().isNear(x, y, AppRig.blue, within: 24)
    }

    @Test("a narrow window overlays the playlist only on request")
    func narrow() async throws {
        let rig = try await AppRig()
        let app = try await film(rig, size: (342, 220))
        // One point at each side of the window.
        let (left, right): (AppRig.Place, AppRig.Place) = ((20, 150), (310, 150))
        @Sendable func isWhole() throws -> Bool { try isBlue(rig, left.x, left.y) && isBlue(rig, right.x, right.y) }
        @Sendable func isCovered() throws -> Bool { try !isBlue(rig, right.x, right.y) }
        #expect(try await rig.comes { try isWhole() })
        for dismiss in ["Escape", "F9", "click", "Return"] {
            try rig.key("F9", in: "mp4")
            #expect(try await rig.comes { try isCovered() })
            switch dismiss {
            case "click": try rig.click(left)
            case "Return": try rig.key("Down", in: "mp4"); try rig.key("Return", in: "mp4")
            default: try rig.key(dismiss, in: "mp4")
            }
            #expect(try await rig.comes { try isWhole() }, "\(dismiss)")
        }
        // Return selected the second video, so the list had the focus.
        #expect(try await rig.shows("two.mp4 (2/2)"))
        // A wide window shows the playlist beside the video.
        let window = try #require(try rig.display.window("mp4"))
        try rig.display.xdotool(["windowsize", "--sync", window, "810", "300"])
        // The list is light. The screen beside the narrow window is black.
        #expect(
            try await rig.comes {
                let shot = try rig.display.screenshot()
                return shot.isNear(250, 150, AppRig.blue, within: 24) && !shot.isNear(700, 150, AppRig.blue, within: 24)
                    && (600..<800).contains { shot.color($0, 250).min() ?? 0 > 230 }
            })
        try rig.key("ctrl+q", in: "mp4")
        #expect(await rig.ends(app) == 0)
        #expect(try String(contentsOf: rig.stateFile, encoding: .utf8).contains("\"showsList\":true"))
    }

    @Test("full screen hides the playlist, shows it on request, then restores it")
    func fullScreen() async throws {
        let rig = try await AppRig()
        let manager = try await rig.display.manageWindows()
        defer { manager.send(SIGTERM) }
        let app = try await film(rig, size: (800, 450))
        let edge: AppRig.Place = (1230, 400)
        /// Whether the window fills the screen according to the desktop's media controls.
        @Sendable func isReportedFullScreen() async throws -> Bool {
            try await rig.bus.run(
                "gdbus",
                [
                    "call", "--session", "--dest", "org.mpris.MediaPlayer2.io_github_zoetrope_Zoetrope",
                    "--object-path", "/org/mpris/MediaPlayer2", "--method", "org.freedesktop.DBus.Properties.Get",
                    "org.mpris.MediaPlayer2", "Fullscreen",
                ]
            ).text == "(<true>,)"
        }
        try rig.key("f", in: "mp4")
        #expect(try await rig.comes { try isBlue(rig, edge.x, edge.y) && isBlue(rig, 40, 400) })
        #expect(try await rig.comes { try await isReportedFullScreen() })
        try rig.key("F9", in: "mp4")
        #expect(try await rig.comes { try !isBlue(rig, edge.x, edge.y) })
        try rig.key("Escape", in: "mp4")
        #expect(try await rig.comes { try isBlue(rig, edge.x, edge.y) })
        try rig.key("Escape", in: "mp4")
        // The list, which is light, is beside the video again.
        #expect(
            try await rig.comes {
                let shot = try rig.display.screenshot()
                return (0..<1280).contains { shot.color($0, 300).min() ?? 0 > 230 }
            })
        #expect(try await rig.comes { try await !isReportedFullScreen() })
        try rig.key("ctrl+q", in: "mp4")
        #expect(await rig.ends(app) == 0)
    }

    @Test("the context menu fits on the screen wherever it opens")
    func menu() async throws {
        let rig = try await AppRig()
        let app = try await film(rig, size: (800, 450))
        let window = try #require(try rig.display.window("mp4"))
        var sizes: Set<String> = []
        let places: [(Int, Int, [(Int, Int)])] = [
            (0, 0, [(100, 100)]), (400, 150, [(30, 230)]), (600, 330, [(30, 460), (450, 440)]),
        ]
        // Repeat until all menus of one round have the same size: the video's tracks may become known only after some
        // menus have opened. The window is in the upper left, in the middle, where the menu fits neither above nor
        // below, and at the lower edge.
        let deadline = Deadline()
        repeat {
            sizes = []
            for (x, y, places) in places {
                try rig.display.xdotool(["windowmove", "--sync", window, "\(x)", "\(y)"])
                for place in places {
                    let before = Set(
                        try rig.display.xdotool(["search", "--onlyvisible", "--class", "zoetrope"]).split(
                            separator: "\n"))
                    try rig.click((x + place.0, y + place.1), button: 3)
                    let found = Found()
                    #expect(
                        try await rig.comes {
                            let now = try rig.display.xdotool(["search", "--onlyvisible", "--class", "zoetrope"])
                            found.window = now.split(separator: "\n").first { !before.contains($0) }.map(String.init)
                            return found.window != nil
                        })
                    let menu = try #require(found.window)
                    // The menu may still grow, so wait until its frame is constant.
                    #expect(
                        try await rig.comes {
                            let frame = try Self.geometry(rig, menu)
                            defer { found.frame = frame }
                            return found.frame.map { $0 == frame } ?? false
                        })
                    let frame = try #require(found.frame)
                    sizes.insert("\(frame.width)x\(frame.height)")
                    // The menu's shadow may extend beyond the screen.
                    let isInside =
                        frame.x >= -Self.shadow && frame.y >= -Self.shadow
                        && frame.x + frame.width <= 1280 + Self.shadow && frame.y + frame.height <= 800 + Self.shadow
                    #expect(isInside, "\(frame)")
                    #expect(
                        try await rig.comes {
                            try rig.display.xdotool(["key", "Escape"])
                            return try !rig.display.xdotool(["search", "--onlyvisible", "--class", "zoetrope"])
                                .split(separator: "\n").contains(Substring(menu))
                        })
                }
            }
        } while sizes.count != 1 && !deadline.isPast
        #expect(sizes.count == 1, "\(sizes)")
        try rig.key("ctrl+q", in: "mp4")
        #expect(await rig.ends(app) == 0)
    }
    private static let shadow = 20
    private final class Found: @unchecked Sendable {
        // `@unchecked Sendable`, because only one test at a time uses it.
        var window: String?
        var frame: Frame?
    }
    private struct Frame: Equatable {
        let x: Int, y: Int, width: Int, height: Int
    }
    private static func geometry(_ rig: AppRig, _ window: String) throws -> Frame {
        let words = try rig.display.xdotool(["getwindowgeometry", "--shell", window]).split(separator: "\n")
        func number(_ key: String) -> Int {
            words.first { $0.hasPrefix(key + "=") }.flatMap { Int($0.dropFirst(key.count + 1)) } ?? -1
        }
        return Frame(x: number("X"), y: number("Y"), width: number("WIDTH"), height: number("HEIGHT"))
    }

    @Test("columns of the help are separated in English and German", arguments: ["", "de"])
    func help(language: String) async throws {
        let rig = try await AppRig()
        let one = try rig.film("one.mp4")
        try rig.left(showsList: false, size: (1100, 700))
        let app = try rig.start(
            one.path, environment: language.isEmpty ? [:] : ["LANG": "de_DE.UTF-8", "LANGUAGE": language])
        #expect(try await rig.shows("one.mp4"))
        #expect(try await rig.plays())
        try rig.key("question", in: "mp4")
        // The columns with white text, below the bar.
        let found = Gap()
        #expect(
            try await rig.comes {
                let shot = try rig.display.screenshot()
                let columns = (8..<1100).filter { x in
                    (60..<740).contains { y in shot.color(x, y).min() ?? 0 > 200 }
                }
                found.widest = zip(columns, columns.dropFirst()).map { $1 - $0 }.max() ?? 0
                return found.widest >= 30 && columns.count > 300
            }, "\(found.widest)")
        try rig.key("ctrl+q", in: "mp4")
        #expect(await rig.ends(app) == 0)
    }
    private final class Gap: @unchecked Sendable {
        // `@unchecked Sendable`, because only one test at a time uses it.
        var widest = 0
    }
}
