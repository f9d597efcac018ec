import Foundation
import TestSupport
import Testing

/// Tests, by screenshots, of frames with alpha over a colored window.
@Suite("Alpha in the view", .serialized)
struct AlphaViewTests {
    private static let backdrop = [200, 0, 200]
    /// The colors of the columns in frame `n` of the videos `alpha-*`: red, green, blue, alpha.
    private static func columns(_ n: Int) -> [[Int]] {
        [[0, 255, 0, 0], [230, 40, 40, 128], [230, 40, 40, 20 + 8 * n], [40, 40, 230, 255]]
    }

    private static func blended(_ color: [Int], over backdrop: [Int]) -> [Int] {
        (0..<3).map { (color[$0] * color[3] + backdrop[$0] * (255 - color[3])) / 255 }
    }

    /// Whether the screenshot shows the columns of frame `n` over `backdrop`. The frame is `width` pixels wide, at the
    /// left of the window, and `middle` is its vertical center.
    private static func shows(_ shot: Screenshot, _ n: Int, over backdrop: [Int], width: Int = 320, middle: Int = 96)
        -> Bool
    {
        zip([1, 3, 5, 7], columns(n)).allSatisfy {
            shot.isNear(width * $0 / 8, middle, blended($1, over: backdrop), within: 6)
        }
    }

    private func until(
        _ display: PrivateDisplay, sourceLocation: SourceLocation = #_sourceLocation,
        _ condition: @escaping @Sendable (Screenshot) -> Bool
    ) async throws -> Screenshot? {
        try await TestSupport.until(sourceLocation: sourceLocation) {
            let shot = try display.screenshot()
            return condition(shot) ? shot : nil
        }
    }

    @Test(
        "the background shows through transparent areas with each renderer",
        arguments: ["cpu", "gl"],
        ["alpha-qtrle.mov", "alpha-prores.mov", "alpha-vp9.webm"])
    func blends(renderer: String, film: String) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let arguments = ["--film", try TestMedia.url(film).path, "--backdrop", "rgb(200,0,200)", "--window", "320x232"]
        let probe = try ProbeProcess(arguments, renderer: renderer, display: display)
        // The frame is shown at twice its size, with 20 rows of the window above and below.
        let shot = try await until(display) { AlphaViewTests.shows($0, 0, over: AlphaViewTests.backdrop, middle: 116) }
        let first = try #require(shot, "\(renderer), \(film): never seen; \(probe.errors)")
        #expect(first.color(160, 8) == AlphaViewTests.backdrop && first.color(20, 116) == AlphaViewTests.backdrop)
        // The transparent green must not show, not even at the border to the next column. In 4:2:0 videos the codec
        // itself mixes some of it in there.
        let most = film.hasSuffix(".webm") ? 100 : 28
        let green = (0..<160).map { first.color($0, 116)[1] }.max() ?? 255
        #expect(green <= most, "\(green)")
        try await probe.ask("standing 5")
        #expect(
            try await until(display) { AlphaViewTests.shows($0, 12, over: AlphaViewTests.backdrop, middle: 116) } != nil
        )
        try await probe.ask("quit")
    }

    @Test("bars stay transparent while an overlay reaches into them", arguments: [false, true])
    func bars(isCovered: Bool) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let probe = try ProbeProcess(
            ["--picture", "320x160", "--window", "320x320", "--backdrop", "rgb(200,0,200)"]
                + (isCovered ? ["--covered"] : []), display: display)
        // The bars have 80 rows each.
        func shows(marker: Bool) async throws -> Bool {
            try await until(display) { shot in
                let backdrop = AlphaViewTests.backdrop
                return shot.isNear(80, 120, [255, 0, 0]) && shot.isNear(240, 200, [255, 255, 255])
                    && shot.isNear(16, 308, marker ? [255, 255, 255] : backdrop)
                    && shot.isNear(160, 40, backdrop) && shot.isNear(160, 308, backdrop)
            } != nil
        }
        #expect(try await shows(marker: false))
        try await probe.ask("marker on")
        #expect(try await shows(marker: true))
        try await probe.ask("marker off")
        #expect(try await shows(marker: false))
        let isBack = try await Deadline().isMet { try await probe.ask("facts").isOnSurface == !isCovered }
        #expect(isBack)
        try await probe.ask("quit")
    }

    @Test("without a background, transparent areas are black", arguments: ["cpu", "gl"])
    func overBlack(renderer: String) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let probe = try ProbeProcess(
            ["--film", try TestMedia.url("alpha-qtrle.mov").path, "--window", "320x192"], renderer: renderer,
            display: display)
        #expect(try await until(display) { AlphaViewTests.shows($0, 0, over: [0, 0, 0]) } != nil)
        try await probe.ask("quit")
    }

    @Test("opaque frames between transparent ones are shown fully", arguments: ["cpu", "gl"])
    func changes(renderer: String) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let arguments = [
            "--film", try TestMedia.url("alpha-prores.mov").path, "--backdrop", "rgb(200,0,200)", "--window", "320x192",
        ]
        let probe = try ProbeProcess(arguments, renderer: renderer, display: display)
        // Returns the description of the video's own surface, or an empty string. The CPU renderer uses such a surface
        // for opaque frames.
        func surface() throws -> String {
            guard renderer == "cpu", let window = try display.window("probe") else { return "" }
            let child = try display.run("xwininfo", ["-id", window, "-tree"]).split(separator: "\n")
                .first { $0.contains("320x192+0+0  +0+0") && $0.contains("(has no name)") }?.split(separator: " ").first
                .map(String.init)
            return try child.map { try display.run("xwininfo", ["-id", $0]) } ?? ""
        }
        for round in 0..<3 {
            try await probe.ask("standing \(4 + round * 8)")
            #expect(
                try await until(display) { AlphaViewTests.shows($0, 0, over: AlphaViewTests.backdrop) } != nil,
                "\(round)")
            #expect(try !surface().contains("IsViewable"), "a surface cannot blend")
            try await probe.ask("standing \(7 + round * 8)")
            let whole = try await until(display) { shot in
                shot.isNear(80, 48, [255, 0, 0]) && shot.isNear(240, 48, [0, 255, 0])
                    && shot.isNear(80, 144, [0, 0, 255]) && shot.isNear(240, 144, [255, 255, 255])
            }
            #expect(whole != nil, "\(round)")
            guard renderer == "cpu" else { continue }
            // GTK may draw a frame before the surface is shown again.
            let isOnSurface = try await Deadline().isMet { try surface().contains("IsViewable") }
            #expect(isOnSurface, "opaque frames are on the surface again")
        }
        try await probe.ask("quit")
    }

    @Test("a cropped frame blends at the right position", arguments: ["cpu", "gl"])
    func fills(renderer: String) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let arguments = [
            "--film", try TestMedia.url("alpha-vp9.webm").path, "--backdrop", "rgb(200,0,200)", "--window", "160x192",
            "--gravity", "fill",
        ]
        let probe = try ProbeProcess(arguments, renderer: renderer, display: display)
        // The two middle columns, each 80 points wide.
        let shot = try await until(display) {
            $0.isNear(
                40, 96, AlphaViewTests.blended(AlphaViewTests.columns(0)[1], over: AlphaViewTests.backdrop), within: 6)
                && $0.isNear(
                    120, 96, AlphaViewTests.blended(AlphaViewTests.columns(0)[2], over: AlphaViewTests.backdrop),
                    within: 6)
        }
        #expect(shot != nil)
        try await probe.ask("quit")
    }
}
