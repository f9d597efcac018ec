import Foundation
import TestSupport
import Testing

/// Tests of the times and positions that the gallery's pages show, read from screenshots.
@Suite("Clocks, labels and sliders of the gallery", .serialized)
struct GalleryClockTests {
    private static let accent = [0x35, 0x84, 0xE4]

    /// The filled part of a slider: a horizontal line in the accent color.
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
    /// The longest filled line on the page, right of the sidebar and above the switches.
    private static func slider(_ shot: Screenshot) -> Fill? {
        (560..<760).compactMap { fill(shot, y: $0, from: 216) }.max { $0.length < $1.length }
    }
    /// The pixels of an area of the screen, row by row.
    private static func pixels(_ shot: Screenshot, _ x: Range<Int>, _ y: Range<Int>) -> [[Int]] {
        y.flatMap { y in x.map { shot.color($0, y) } }
    }

    /// Opens the controls page with the player still at `seconds`.
    private func still(_ seconds: Int) async throws -> (shot: Screenshot, slider: Fill) {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let app = try AppProcess("Gallery", ["--page", "controls", "--still", "\(seconds)"], display: display)
        let last = Last()
        // The slider has stopped moving.
        let shot = try await display.settled { shot in
            guard let now = GalleryClockTests.slider(shot), now.length > 80 else { return false }
            return last.isSame(now.end)
        }
        #expect(app.child.exitCode == nil, "\(app.errors.suffix(2000))")
        return (shot, try #require(GalleryClockTests.slider(shot)))
    }
    private final class Last: @unchecked Sendable {
        // `@unchecked Sendable`, because only one test at a time uses it.
        private var value = -1, times = 0
        private var looks: Set<[[Int]]> = []
        func isSame(_ new: Int) -> Bool {
            times = new == value ? times + 1 : 0
            value = new
            return times >= 5
        }
        /// - Returns: The number of different values so far, `look` included.
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
        // The clock is left of the slider. It shows minutes and seconds, but no tenths, which would be as wide as
        // “0.0”.
        let clock = (start - 80)..<(start - 12), rows = (two.slider.y - 12)..<(two.slider.y + 12)
        let second = Double(four.slider.end - two.slider.end) / 2

        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let app = try AppProcess("Gallery", ["--page", "controls"], display: display)
        // The clock and the slider change during playback.
        let (looks, ends) = (Last(), Last())
        _ = try await display.settled { shot in
            guard let fill = GalleryClockTests.fill(shot, y: two.slider.y, from: start - 2) else { return false }
            let seen = (
                looks.saw(GalleryClockTests.pixels(shot, clock, rows)), ends.saw([[fill.end]])
            )
            return seen.0 >= 8 && seen.1 >= 8
        }
        // Pause, and at once seek to a time between four and five seconds: playback must stay paused there. The filled
        // part ends half a knob before the clicked position.
        let window = try #require(try display.window("Zoetrope Gallery"))
        try display.xdotool(["windowfocus", "--sync", window])
        let x = four.slider.end + 10 + Int(second * 0.5)
        try display.xdotool(["key", "space", "mousemove", "\(x)", "\(two.slider.y)", "click", "1"])
        let place = Last()
        let shot = try await display.settled { shot in
            guard let fill = GalleryClockTests.fill(shot, y: two.slider.y, from: start - 2) else { return false }
            // During playback, too, a single screenshot may show this time.
            return place.isSame(fill.end) && abs(fill.end - (x - 10)) <= 4
                && GalleryClockTests.seconds(shot, clock, rows) == GalleryClockTests.seconds(four.shot, clock, rows)
        }
        #expect(GalleryClockTests.seconds(shot, clock, rows) != GalleryClockTests.seconds(two.shot, clock, rows))
        #expect(app.child.exitCode == nil, "\(app.errors.suffix(2000))")
    }
    /// The pixels of the minutes and seconds, which are 31 pixels wide.
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
            // The label is below the left video and above the sliders: dark text on a light background.
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
        // The sample is too short for a busy machine: it would end before four screenshots.
        let film = try TestMedia.url("blue.mp4").path
        let app = try AppProcess("Gallery", ["--page", "stream", "--url", film], display: display)
        let rows = (560..<760).map { (y: $0, ends: Last()) }
        _ = try await display.settled { shot in
            // At least two rows must change: the buffered part in a row above does not move.
            rows.count { row in
                GalleryClockTests.fill(shot, y: row.y, from: 216).map { row.ends.saw([[$0.end]]) >= 4 } ?? false
            } >= 2
        }
        #expect(app.child.exitCode == nil, "\(app.errors.suffix(2000))")
    }
}
