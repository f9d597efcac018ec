import Foundation
import TestSupport
import Testing

/// Tests of `ExtVideoPlayer` with a video that has alpha, over other views.
@Suite("A video with alpha in its window", .serialized)
struct AlphaComponentTests {
    private func settled(
        _ display: PrivateDisplay, sourceLocation: SourceLocation = #_sourceLocation,
        _ isRight: @escaping @Sendable (Screenshot) -> Bool
    ) async throws -> Screenshot? {
        try await until(sourceLocation: sourceLocation) {
            let shot = try display.screenshot()
            return isRight(shot) ? shot : nil
        }
    }

    /// Whether the screenshot shows the video over `color`. The player has 600 × 360 points at (20, 20). The columns of
    /// the video are 150 points wide: transparent, half-transparent red, a changing red, and blue.
    private static func isOver(_ shot: Screenshot, _ color: [Int], y: Int) -> Bool {
        let half = zip([230, 40, 40], color).map { ($0 * 128 + $1 * 127) / 255 }
        return shot.isNear(95, y, color) && shot.isNear(245, y, half) && shot.isNear(545, y, [40, 40, 230])
    }

    @Test(
        "the view behind shows through, playing or paused, filtered or not",
        arguments: ["alpha-vp9.webm", "alpha-prores.mov"])
    func overViews(name: String) async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let app = try AppProcess("Component", [TestMedia.url(name).path], display: display)
        try await app.wait(for: "event playing")
        #expect(try await settled(display) { AlphaComponentTests.isOver($0, [0, 0, 255], y: 200) } != nil)
        try await app.ask("filter CIColorInvert")
        #expect(
            try await settled(display) {
                $0.isNear(95, 200, [0, 0, 255]) && $0.isNear(545, 200, [215, 215, 25])
                    && $0.isNear(245, 200, [12, 107, 234])
            } != nil)
        // OpenGL draws this filter.
        try await app.ask("filter CIMaximumComponent")
        #expect(
            try await settled(display) {
                $0.isNear(95, 200, [0, 0, 255]) && $0.isNear(545, 200, [230, 230, 230])
                    && $0.isNear(245, 200, [115, 115, 242])
            } != nil)
        try await app.ask("nofilters")
        try await app.ask("pause")
        #expect(try await settled(display) { AlphaComponentTests.isOver($0, [0, 0, 255], y: 200) } != nil)
        // The app draws a red view over the video.
        try await app.ask("cover")
        #expect(
            try await settled(display) {
                $0.isNear(320, 200, [255, 0, 0]) && AlphaComponentTests.isOver($0, [0, 0, 255], y: 100)
            } != nil)
    }

    /// The second video would have its own surface if nothing were over it.
    @Test("a video behind a video with alpha shows through")
    func overVideo() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let app = try AppProcess("Component", [TestMedia.url("alpha-vp9.webm").path], display: display)
        try await app.wait(for: "event playing")
        try await app.ask("below \(TestMedia.url("quad-709.mp4").path)")
        // The second video has 640 × 360 points: red at the top and blue at the bottom.
        #expect(
            try await settled(display) {
                AlphaComponentTests.isOver($0, [255, 0, 0], y: 100)
                    && AlphaComponentTests.isOver($0, [0, 0, 255], y: 300)
            } != nil)
        try await app.ask("below off")
        #expect(try await settled(display) { AlphaComponentTests.isOver($0, [0, 0, 255], y: 100) } != nil)
    }
}
