import CX11
import Foundation
import Synchronization
import TestSupport

/// Looks at one pixel of the screen about once a millisecond, on a thread and a connection of its own, and remembers
/// the colours that it had, in their order.
final class PixelWatch: Sendable {
    private struct Seen {
        var colors: [[UInt8]] = []
        var count = 0
        var isOver = false
    }
    private let seen = Mutex(Seen())

    /// Returns when it has looked once: what happens from then on is seen.
    ///
    /// - Parameters: on the screen, pixels.
    init(x: Int32, y: Int32) {
        let hasLooked = DispatchSemaphore(value: 0)
        let thread = Thread { [weak self] in
            defer { hasLooked.signal() }
            guard let display = XOpenDisplay(nil) else { return }
            defer { XCloseDisplay(display) }
            let root = XDefaultRootWindow(display)
            while let self, !self.isOver {
                // All planes; 2: a pixel's bits together.
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

    /// Ends it. How often it looked, and the colours one after the other: red, green, blue of 0…255.
    func end() -> (count: Int, colors: [[UInt8]]) {
        seen.withLock {
            $0.isOver = true
            return ($0.count, $0.colors)
        }
    }
}
