import Foundation
import TestSupport
import Testing

/// `ExtVideoPlayer` with a video that has alpha, over what an app puts behind it.
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

    /// The player lies in 600×360 at (20, 20), its columns are 150 wide: nothing, half of red, a changing red, blue.
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
        // Drawn by OpenGL.
        try await app.ask("filter CIMaximumComponent")
        #expect(
            try await settled(display) {
                $0.isNear(95, 200, [0, 0, 255]) && $0.isNear(545, 200, [230, 230, 230])
                    && $0.isNear(245, 200, [115, 115, 242])
            } != nil)
        try await app.ask("nofilters")
        try await app.ask("pause")
        #expect(try await settled(display) { AlphaComponentTests.isOver($0, [0, 0, 255], y: 200) } != nil)
        // What an app draws over it.
        try await app.ask("cover")
        #expect(
            try await settled(display) {
                $0.isNear(320, 200, [255, 0, 0]) && AlphaComponentTests.isOver($0, [0, 0, 255], y: 100)
            } != nil)
    }

    /// Alone, the video behind has a surface of its own.
    @Test("a video behind a video with alpha shows through")
    func overVideo() async throws {
        let display = try await PrivateDisplay.launch()
        defer { display.close() }
        let app = try AppProcess("Component", [TestMedia.url("alpha-vp9.webm").path], display: display)
        try await app.wait(for: "event playing")
        try await app.ask("below \(TestMedia.url("quad-709.mp4").path)")
        // Red above and blue below, in 640×360.
        #expect(
            try await settled(display) {
                AlphaComponentTests.isOver($0, [255, 0, 0], y: 100)
                    && AlphaComponentTests.isOver($0, [0, 0, 255], y: 300)
            } != nil)
        try await app.ask("below off")
        #expect(try await settled(display) { AlphaComponentTests.isOver($0, [0, 0, 255], y: 100) } != nil)
    }
}
