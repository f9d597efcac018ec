import CX11
import Foundation
import Synchronization
import TestSupport

/// A recorder of the colors of one screen pixel. It samples about once per millisecond, with its own thread and X
/// connection, and stores the colors in order.
final class PixelWatch: Sendable {
    private struct Seen {
        var colors: [[UInt8]] = []
        var count = 0
        var isOver = false
    }
    private let seen = Mutex(Seen())

    /// Creates the recorder and returns after the first sample, so that no later change is missed.
    ///
    /// - Parameters: The position on the screen, in pixels.
    init(x: Int32, y: Int32) {
        let hasLooked = DispatchSemaphore(value: 0)
        let thread = Thread { [weak self] in
            defer { hasLooked.signal() }
            guard let display = XOpenDisplay(nil) else { return }
            defer { XCloseDisplay(display) }
            let root = XDefaultRootWindow(display)
            while let self, !self.isOver {
                // `~0` selects all planes, and 2 is `ZPixmap`.
                guard let image = XGetImage(display, root, x, y, 1, 1, ~0, 2) else { return }
                let color = (0..<3).map { UInt8(bitPattern: image.pointee.data?[2 - $0] ?? 0) }
                zt_x11_destroy_image(image)
                self.seen.withLock {
                    if $0.colors.last != color, $0.colors.count < 10_000 { $0.colors.append(color) }
                    $0.count += 1
                }
                hasLooked.signal()
                blockWhileTimePasses(0.0005, because: "the pixel is sampled")
            }
        }
        thread.start()
        hasLooked.wait()
    }

    private var isOver: Bool { seen.withLock { $0.isOver } }

    /// Stops the recorder. Returns the number of samples and the sequence of colors (red, green and blue, 0…255)
    /// without repetitions.
    func end() -> (count: Int, colors: [[UInt8]]) {
        seen.withLock {
            $0.isOver = true
            return ($0.count, $0.colors)
        }
    }
}
