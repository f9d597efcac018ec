import Foundation
import TestSupport
import Testing

/// Tests of the clocks, titles and sliders that the example apps show during playback, read from screenshots.
@Suite("Text and sliders in the example apps", .serialized)
struct ExampleScreenTests {
    /// The positions of an app's texts and slider, in pixels of its window, which has its default size at (0, 0).
    struct Face: Sendable, CustomTestStringConvertible {
        let app: String
        var arguments: [String] = []
        /// The duration of the video, in seconds.
        var seconds = 60.0
        /// The area of the elapsed time.
        var time: ScreenText.Area?
        /// The area of the duration, or of the remaining time, which is shown as negative.
        var length: ScreenText.Area?
        /// The row and columns of the position slider or progress bar.
        var bar: (y: Int, x: Range<Int>)?
        /// Whether clicks on the bar seek.
        var seeks = true
        /// The area of a title, and its text.
        var title: (area: ScreenText.Area, words: String)?
        /// A point where the pointer shows the controls.
        var pointer = (x: 400, y: 300)
        var testDescription: String { app }
    }

    static let faces = [
        Face(
            app: "Youtube", time: .init(8, 366, 37, 20), length: .init(46, 366, 36, 20), bar: (410, 20..<740),
            title: (.init(16, 442, 340, 26), "Hills at dusk, one hour in one minute")),
        Face(
            app: "Bilibili", time: .init(10, 552, 50, 20), length: .init(1050, 552, 40, 20), bar: (562, 62..<1038),
            title: (.init(58, 36, 230, 24), "Northern lights above a still lake")),
        Face(
            app: "SystemVideoPlayer", time: .init(12, 598, 42, 26), length: .init(1050, 598, 42, 26),
            bar: (611, 66..<1034), title: (.init(16, 562, 110, 26), "Hills at dusk")),
        Face(
            app: "QuickTime", time: .init(255, 550, 40, 24), length: .init(655, 550, 50, 24), bar: (562, 306..<645)),
        Face(
            app: "VisionPro", time: .init(235, 652, 44, 24), length: .init(792, 652, 45, 24), bar: (664, 301..<776)),
        Face(
            app: "PlayerKit", arguments: ["inlineSystem"], time: .init(130, 560, 42, 20),
            length: .init(600, 560, 40, 20), bar: (570, 177..<594), title: (.init(6, 50, 110, 24), "Evening Hills")),
        Face(
            app: "VideoNavigation", length: .init(810, 436, 48, 20), seeks: false,
            title: (.init(268, 470, 100, 24), "Hills at dusk")),
        Face(
            app: "Player41", arguments: ["--play"], seconds: 24, time: .init(10, 468, 42, 20),
            length: .init(466, 468, 42, 20), bar: (510, 28..<493), title: (.init(220, 358, 80, 24), "Playing")),
        Face(app: "TikTok", bar: (754, 29..<405), seeks: false, title: (.init(22, 656, 110, 24), "@slow.places")),
    ]

    /// Makes a video of one minute in one color, under every file name that the examples use.
    private static func films() throws -> URL {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-films-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        let film = folder.appendingPathComponent("demo.mp4")
        let code = try ChildProcess(
            "ffmpeg",
            [
                "-v", "error", "-y", "-f", "lavfi", "-i", "color=0x203850:s=640x360:r=10", "-t", "60", "-c:v",
                "libx264", "-preset", "ultrafast", "-pix_fmt", "yuv420p", "-g", "10", film.path,
            ]
        ).wait()
        try #require(code == 0)
        for name in ["demo-small"] + (1...6).flatMap({ ["wide-\($0)", "feed-\($0)"] }) {
            try FileManager.default.linkItem(at: film, to: folder.appendingPathComponent("\(name).mp4"))
        }
        return folder
    }

    /// The times that one screenshot shows, in seconds.
    struct Shown {
        /// The duration of the video.
        let seconds: Double
        /// The elapsed time, the remaining time, and the time at the bar's position; nil if the app does not show it.
        var time: Double?, left: Double?, place: Double?
        /// The duration as shown, or nil.
        var length: Double?

        /// The current time, from the most exact source: the clock, the remaining time, or the bar. -1 if none is
        /// shown.
        var now: Double { time ?? left.map { seconds - $0 } ?? place ?? -1 }
        /// Whether all shown times agree. The tolerance is 1.6 s: clocks show whole seconds, and remaining times may be
        /// rounded up.
        var isConsistent: Bool {
            (length == nil || length == seconds) && (left == nil || (0...seconds).contains(left ?? 0))
                && [time, left.map { seconds - $0 }, place].compactMap { $0 }.allSatisfy { abs($0 - now) <= 1.6 }
        }
    }

    private final class App: @unchecked Sendable {
        let face: Face
        let display: PrivateDisplay
        private let process: ChildProcess
        private let films: URL
        /// The server for the app that plays a stream.
        private let server: StreamServer?
        private var moves = 0

        init(_ face: Face) async throws {
            self.face = face
            films = try ExampleScreenTests.films()
            display = try await PrivateDisplay.launch()
            let stream = face.app == "Player41" ? try TestStreams.server() : nil
            server = stream
            let arguments = face.app == "QuickTime" ? [films.appendingPathComponent("demo.mp4").path] : face.arguments
            process = try ChildProcess(
                Programs.path(face.app), arguments,
                environment: display.environment.merging([
                    "PULSE_SERVER": "unix:/nonexistent", "ZOETROPE_RENDERER": "cpu",
                    "ZOETROPE_EXAMPLE_MEDIA": films.path, "HOME": films.path, "XDG_DATA_HOME": films.path,
                    "PLAYER41_STREAM": stream?.url(for: "vod-fmp4/master.m3u8").absoluteString ?? "",
                ]) { $1 })
        }
        deinit {
            process.send(SIGKILL)
            process.wait(seconds: 5)
            display.close()
            server?.close()
            try? FileManager.default.removeItem(at: films)
        }

        /// Moves the pointer, which shows the controls, and takes a screenshot. A busy machine draws the controls some
        /// time after the motion. So the pointer moves for two extra screenshots, and the last screenshot counts.
        func look() throws -> Screenshot {
            func move() throws -> Screenshot {
                moves += 1
                // Hidden controls ignore a motion of less than three points.
                try display.xdotool(["mousemove", "\(face.pointer.x + moves % 2 * 8)", "\(face.pointer.y)"])
                return try display.screenshot()
            }
            for _ in 0..<2 { _ = try move() }
            return try move()
        }

        /// Waits until the shown times are consistent and `isWanted` accepts them. Returns nil after the deadline.
        func shown(_ isWanted: @escaping @Sendable (Shown) -> Bool) async throws -> Shown? {
            try await until {
                let found = try self.read(try self.look())
                return found.isConsistent && isWanted(found) ? found : nil
            }
        }

        /// Clicks at (`x`, `y`) until the shown times are consistent and `isWanted` accepts them. Controls may hide
        /// before a late click, so the pointer shows them again before each click.
        func click(_ x: Int, _ y: Int, _ isWanted: @escaping @Sendable (Shown) -> Bool) async throws -> Shown? {
            try await until {
                _ = try self.look()
                try self.display.xdotool(["mousemove", "\(x)", "\(y)"])
                try self.display.xdotool(["click", "1"])
                for _ in 0..<10 {
                    let found = try self.read(try self.look())
                    if found.isConsistent, isWanted(found) { return found }
                }
                return nil
            }
        }

        /// Returns the shown times and the path of a screenshot, for the message of a failed test.
        func report() throws -> String {
            let shot = try look()
            return "\(try read(shot)), \(shot.saved())"
        }

        func read(_ shot: Screenshot) throws -> Shown {
            var found = Shown(seconds: face.seconds)
            if let area = face.time {
                // An unreadable clock gives a time that is never consistent.
                found.time = try ScreenText.clock(shot, in: area) ?? -100
            }
            if let area = face.length {
                let length = try ScreenText.clock(shot, in: area) ?? 1000
                if length < 0 { found.left = -length } else { found.length = length }
            }
            if let bar = face.bar { found.place = shot.filled(y: bar.y, x: bar.x) * face.seconds }
            return found
        }
    }

    @Test("clocks and sliders show the position during playback and after a seek", arguments: faces)
    func shown(_ face: Face) async throws {
        let app = try await App(face)
        // A busy machine reads a screenshot in some seconds, so a short video may be near its end by then.
        let isShort = face.seconds < 60
        let first = try #require(
            try await app.shown { (0...(isShort ? face.seconds - 3 : face.seconds / 2)).contains($0.now) },
            "\(face.app) shows no position")
        // The position must advance: an app that stays at 0:00 does not play.
        let later = try await app.shown { $0.now >= first.now + 2 }
        let report = later == nil ? try app.report() : ""
        let reached = try #require(later, "\(face.app) stands at \(first.now): \(report)").now
        #expect(reached <= face.seconds * (isShort ? 1 : 0.7))
        if let title = face.title {
            #expect(
                try await until {
                    let words = try ScreenText.line(try app.look(), in: title.area)
                    let letters = { (text: String) in text.lowercased().filter { $0.isLetter || $0.isNumber } }
                    return letters(words) == letters(title.words) ? true : nil
                } == true, "\(face.app): \(title.words)")
        }
        guard face.seeks, let bar = face.bar else { return }
        let x = bar.x.lowerBound + bar.x.count * 3 / 4
        let sought = try #require(
            try await app.click(x, bar.y) { (face.seconds * 0.72...face.seconds).contains($0.now) },
            "\(face.app) does not show where it was led")
        let plays = try await app.shown { $0.now >= sought.now + 1 || $0.now >= face.seconds - 1 } != nil
        let seen = plays ? "" : try app.report()
        #expect(plays, "\(face.app) stands after the seek to \(sought): \(seen)")
    }
}
