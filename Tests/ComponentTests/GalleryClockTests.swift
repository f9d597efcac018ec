import Foundation
import TestSupport
import Testing

/// What the gallery's pages show of the time, read from the screen.
@Suite("Clocks, labels and sliders of the gallery", .serialized)
struct GalleryClockTests {
    private static let accent = [0x35, 0x84, 0xE4]

    /// A line of the accent colour: what a slider is filled with.
    private struct Fill: Sendable {
        let y: Int, start: Int, end: Int
        var length: Int { end - start }
    }
    private static func fill(_ shot: Screenshot, y: Int, from first: Int) -> Fill? {
        var (x, start) = (first, -1)
        while x < 800, !shot.isNear(x, y, accent) { x += 1 }
        start = x
        while x < 800, shot.isNear(x, y, accent) { x += 1 }
        return x > start ? Fill(y: y, start: start, end: x) : nil
    }
    /// The longest one of the page: below the sidebar's right edge and above the switches.
    private static func slider(_ shot: Screenshot) -> Fill? {
        (560..<760).compactMap { fill(shot, y: $0, from: 216) }.max { $0.length < $1.length }
    }
    /// The pixels of a part of the screen.
    private static func pixels(_ shot: Screenshot, _ x: Range<Int>, _ y: Range<Int>) -> [[Int]] {
        y.flatMap { y in x.map { shot.color($0, y) } }
    }

    /// A page that stands at `seconds`.
    private func still(_ seconds: Int) async throws -> (shot: Screenshot, slider: Fill) {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let app = try AppProcess("Gallery", ["--page", "controls", "--still", "\(seconds)"], display: display)
        let last = Last()
        // The slider is where it will stay.
        let shot = try await display.settled { shot in
            guard let now = GalleryClockTests.slider(shot), now.length > 80 else { return false }
            return last.isSame(now.end)
        }
        #expect(app.child.exitCode == nil, "\(app.errors.suffix(2000))")
        return (shot, try #require(GalleryClockTests.slider(shot)))
    }
    private final class Last: @unchecked Sendable {
        // Used by one test at a time.
        private var value = -1, times = 0
        private var looks: Set<[[Int]]> = []
        func isSame(_ new: Int) -> Bool {
            times = new == value ? times + 1 : 0
            value = new
            return times >= 5
        }
        /// - Returns: how many different ones it has seen.
        func saw(_ look: [[Int]]) -> Int {
            looks.insert(look)
            return looks.count
        }
    }

    @Test("the controls page's clock and slider follow playback and seeks")
    func controls() async throws {
        let (two, four) = (try await still(2), try await still(4))
        #expect(two.slider.y == four.slider.y && four.slider.end > two.slider.end + 40)
        let start = two.slider.start
        // The clock stands before the slider: minutes and seconds, without tenths, which are as wide as “0.0”.
        let clock = (start - 80)..<(start - 12), rows = (two.slider.y - 12)..<(two.slider.y + 12)
        let second = Double(four.slider.end - two.slider.end) / 2

        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let app = try AppProcess("Gallery", ["--page", "controls"], display: display)
        // While it plays, both change.
        let (looks, ends) = (Last(), Last())
        _ = try await display.settled { shot in
            guard let fill = GalleryClockTests.fill(shot, y: two.slider.y, from: start - 2) else { return false }
            let seen = (
                looks.saw(GalleryClockTests.pixels(shot, clock, rows)), ends.saw([[fill.end]])
            )
            return seen.0 >= 8 && seen.1 >= 8
        }
        // Paused and sought to between four and five seconds: half a knob's width is behind its fill's end.
        let window = try #require(try display.window("Zoetrope Gallery"))
        try display.key("space", window: window)
        let place = four.slider.end + 10 + Int(second * 0.5)
        try display.xdotool(["mousemove", "\(place)", "\(two.slider.y)", "click", "1"])
        let shot = try await display.settled { shot in
            guard let fill = GalleryClockTests.fill(shot, y: two.slider.y, from: start - 2) else { return false }
            return abs(fill.end - (place - 10)) <= 4
                && GalleryClockTests.seconds(shot, clock, rows) == GalleryClockTests.seconds(four.shot, clock, rows)
        }
        #expect(GalleryClockTests.seconds(shot, clock, rows) != GalleryClockTests.seconds(two.shot, clock, rows))
        #expect(app.child.exitCode == nil, "\(app.errors.suffix(2000))")
    }
    /// Minutes and seconds, which are as wide as four digits less the narrow colon.
    private static func seconds(_ shot: Screenshot, _ x: Range<Int>, _ y: Range<Int>) -> [[Int]] {
        let first = x.first { x in y.contains { (shot.color(x, $0).max() ?? 255) < 120 } }
        return first.map { pixels(shot, $0..<($0 + 31), y) } ?? []
    }

    @Test("the label below a looping part keeps changing")
    func part() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let app = try AppProcess("Gallery", ["--page", "part"], display: display)
        let looks = Last()
        _ = try await display.settled { shot in
            // Below the left film, above the sliders: dark words on a light ground.
            let label = GalleryClockTests.pixels(shot, 216..<490, 640..<710)
            let ink = label.count { ($0.max() ?? 255) < 120 }
            return ink > 100 && looks.saw(label) >= 10
        }
        #expect(app.child.exitCode == nil, "\(app.errors.suffix(2000))")
    }

    @Test("the stream page's slider moves during playback")
    func stream() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let app = try AppProcess("Gallery", ["--page", "stream"], display: display)
        let rows = (560..<760).map { (y: $0, ends: Last()) }
        _ = try await display.settled { shot in
            // What has come, above it, does not move.
            rows.count { row in
                GalleryClockTests.fill(shot, y: row.y, from: 216).map { row.ends.saw([[$0.end]]) >= 4 } ?? false
            } >= 2
        }
        #expect(app.child.exitCode == nil, "\(app.errors.suffix(2000))")
    }
}
