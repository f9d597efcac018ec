import Foundation
import GTK

/// When a window opens, and how large: as the app wants it, or as its first video is. Main actor.
@MainActor
final class WindowOpening {
    private let window: GTKWindow
    private let sizing: WindowSizing
    private let videos: Int
    private var hasSize: Bool
    private var isWaiting = false
    private var isClosed = false
    /// Points; while the video's own is not known.
    private static let usualSize = CGSize(width: 640, height: 360)

    /// - Parameters:
    ///   - videos: how many of them the window shows.
    ///   - width: of what the window shows, GTK units; nil, as `height` is: as the first video is.
    init(_ window: GTKWindow, videos: Int, width: Int?, height: Int?) {
        (self.window, self.videos) = (window, videos)
        hasSize = width != nil || height != nil
        sizing = WindowSizing(window)
        guard hasSize else { return }
        let usual = WindowOpening.usualSize
        sizing.set(CGSize(width: width ?? Int(usual.width), height: height ?? Int(usual.height)))
    }

    /// The size of a window that shows `videos` videos, the first of which has the size `video`: at most 1280×720, at
    /// least 160×90.
    nonisolated static func size(of video: CGSize, videos: Int) -> CGSize {
        let columns = Double(videos).squareRoot().rounded(.up)
        let rows = (Double(videos) / columns).rounded(.up)
        let whole = CGSize(width: video.width * columns, height: video.height * rows)
        let factor = min(1, 1280 / whole.width, 720 / whole.height)
        return CGSize(width: max(160, whole.width * factor), height: max(90, whole.height * factor))
    }

    /// Takes the usual size for now, unless one is known.
    func takeUsualSize() { if !hasSize { sizing.set(WindowOpening.usualSize) } }

    /// Shows the window.
    func present() {
        guard !hasSize else { return window.present() }
        // The picture's size is known in a moment; a window that opens right beats one that jumps. If it comes late (a
        // slow server), the window takes it then.
        isWaiting = true
        DispatchQueue.main.asyncAfter(deadline: .now() + 1) { [weak self] in
            MainActor.assumeIsolated { self?.presentNow() }
        }
    }

    /// Shows a window that waits for its size, in whatever size is known.
    func presentNow() {
        guard isWaiting, !isClosed else { return }
        isWaiting = false
        takeUsualSize()
        window.present()
    }

    /// Takes the size of the first video, unless there is a size already.
    func adopt(_ video: CGSize) {
        guard video.width > 0, video.height > 0 else { return }
        take(WindowOpening.size(of: video, videos: videos))
    }

    /// Takes `size`, unless there is one already.
    func take(_ size: @autoclosure () -> CGSize) {
        guard !hasSize, !isClosed else { return }
        hasSize = true
        sizing.set(size())
        presentNow()
    }

    func close() {
        isClosed = true
        sizing.close()
    }
}
