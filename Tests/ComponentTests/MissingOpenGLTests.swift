import Foundation
import GTK
import TestSupport
import Testing

/// Tests of an app with controls over a video, on a machine whose graphics device turns out to lack OpenGL.
@Suite("Views over a video without OpenGL", .serialized)
struct MissingOpenGLTests {
    /// An environment in which OpenGL is chosen, but GTK offers none.
    private static var environment: [String: String] {
        var environment = ["ZOETROPE_RENDERER": "gl", "GSK_RENDERER": "cairo"]
        if GTKVersion.isAtLeast(minor: 16) {
            environment["GDK_DISABLE"] = "gl"
        } else {
            environment["GDK_DEBUG"] = "gl-disable"
        }
        return environment
    }

    @Test("views over a video stay visible without OpenGL", arguments: Windowing.frameless)
    func covers(windowing: Windowing) async throws {
        let screen = try await windowing.launch(width: 640, height: 400)
        defer { screen.close() }
        let app = try AppProcess(
            "Cover", [TestMedia.url("quad-709.mp4").path], environment: Self.environment, display: screen)
        try await app.wait(for: "event playing")
        // A half-transparent black bar at the bottom of the video.
        try app.send("put bar")
        try await app.wait(for: "did put bar")
        _ = try await screen.settled {
            $0.isNear(100, 350, [0, 0, 127]) && $0.isNear(550, 350, [127, 127, 127])
                && $0.isNear(100, 100, [255, 0, 0])
        }
        // The video has its own surface, and the bar is blended into its frames.
        try await eventually("a bar in the video's surface", seen: { app.lines.last ?? "" }) {
            try app.send("views")
            let view = try await app.wait(for: "view ")
            return view.hasPrefix("view own") && view.contains("600x60@")
        }
        // Views that are made later use the CPU at once. The message is printed once.
        try app.send("put two")
        try await app.wait(for: "did put two")
        _ = try await screen.settled { $0.isNear(475, 200, [255, 255, 0]) && $0.isNear(400, 100, [255, 0, 0]) }
        #expect(app.errors.components(separatedBy: "OpenGL is not available").count == 2, "\(app.errors)")
    }
}
