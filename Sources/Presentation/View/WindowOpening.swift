import Foundation
import GTK

/// The time at which a window opens, and its size, which comes from the app or from the first video.
@MainActor
final class WindowOpening {
    private let window: GTKWindow
    private let sizing: WindowSizing
    private let videos: Int
    private var hasSize: Bool
    private var isWaiting = false
    private var isClosed = false
    /// The size in points while that of the video is unknown.
    private static let usualSize = CGSize(width: 640, height: 360)

    /// Creates the object for a window.
    /// - Parameters:
    ///   - window: The window.
    ///   - videos: The number of videos in the window.
    ///   - width: The width of the content in points. If width and height are nil, the first video determines the size.
    ///   - height: The height of the content in points.
    init(_ window: GTKWindow, videos: Int, width: Int?, height: Int?) {
        (self.window, self.videos) = (window, videos)
        hasSize = width != nil || height != nil
        sizing = WindowSizing(window)
        guard hasSize else { return }
        let usual = WindowOpening.usualSize
        sizing.set(CGSize(width: width ?? Int(usual.width), height: height ?? Int(usual.height)))
    }

    /// Returns the size of a window with a number of videos, at most 1280×720 and at least 160×90.
    /// - Parameters:
    ///   - video: The size of the first video.
    ///   - videos: The number of videos.
    nonisolated static func size(of video: CGSize, videos: Int) -> CGSize {
        let columns = Double(videos).squareRoot().rounded(.up)
        let rows = (Double(videos) / columns).rounded(.up)
        let whole = CGSize(width: video.width * columns, height: video.height * rows)
        let factor = min(1, 1280 / whole.width, 720 / whole.height)
        return CGSize(width: max(160, whole.width * factor), height: max(90, whole.height * factor))
    }

    /// Sets the usual size for now, unless another one is known.
    func takeUsualSize() { if !hasSize { sizing.set(WindowOpening.usualSize) } }

    /// Shows the window, at once or when its size is known.
    func present() {
        guard !hasSize else { return window.present() }
        // The size of the video is usually known soon. The window waits for it, instead of changing its size after it
        // has opened. If the size arrives later, for example from a slow server, the window adopts it then.
        isWaiting = true
        DispatchQueue.main.asyncAfter(deadline: .now() + 1) { [weak self] in
            MainActor.assumeIsolated { self?.presentNow() }
        }
    }

    /// Shows a window that waits for its size, with the size that is known.
    func presentNow() {
        guard isWaiting, !isClosed else { return }
        isWaiting = false
        takeUsualSize()
        window.present()
    }

    /// Adopts the size of the first video, unless there is a size already.
    func adopt(_ video: CGSize) {
        guard video.width > 0, video.height > 0 else { return }
        take(WindowOpening.size(of: video, videos: videos))
    }

    /// Adopts a size, unless there is one already.
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
