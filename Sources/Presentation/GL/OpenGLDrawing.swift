import Foundation
import MediaCore

/// Whether OpenGL draws the videos of this process.
///
/// `Renderer.chosen` checks only for a graphics device. Whether OpenGL on that device can be used is known when the
/// first view draws with it. The result applies to all views, because they share a display.
@MainActor
enum OpenGLDrawing {
    private static var isUnavailable = false

    static var isUsed: Bool { Renderer.chosen == .gl && !isUnavailable }

    /// Lets the CPU draw all videos from now on, because OpenGL has turned out to be unavailable.
    static func giveUp() {
        guard !isUnavailable else { return }
        isUnavailable = true
        FileHandle.standardError.write(Data("zoetrope: OpenGL is not available. The CPU draws the video.\n".utf8))
        // Delayed, because GTK is drawing now and would ignore requests to draw again.
        DispatchQueue.main.async {
            MainActor.assumeIsolated { for view in PlayerView.all { view.openGLDidFail() } }
        }
    }
}
