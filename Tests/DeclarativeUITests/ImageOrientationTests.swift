import Foundation
import Testing

@testable import DeclarativeUI

@Suite("Images in memory")
struct ImageOrientationTests {
    @Test(
        "each EXIF orientation is turned upright",
        arguments: [
            (Image.Orientation.up, [[1, 2], [3, 4], [5, 6]]), (.upMirrored, [[2, 1], [4, 3], [6, 5]]),
            (.down, [[6, 5], [4, 3], [2, 1]]), (.downMirrored, [[5, 6], [3, 4], [1, 2]]),
            (.right, [[5, 3, 1], [6, 4, 2]]), (.left, [[2, 4, 6], [1, 3, 5]]),
            (.leftMirrored, [[1, 3, 5], [2, 4, 6]]), (.rightMirrored, [[6, 4, 2], [5, 3, 1]]),
        ])
    func orientations(orientation: Image.Orientation, expected: [[UInt32]]) throws {
        // Two pixels wide and three high, with one pixel of padding after each row.
        let stored: [[UInt32]] = [[1, 2, 99], [3, 4, 99], [5, 6, 99]]
        let data = stored.flatMap { $0 }.withUnsafeBufferPointer { Data(buffer: $0) }
        let turned = try #require(
            orientation.turned(ImagePixels.Pixels(data: data, width: 2, height: 3, bytesPerRow: 12)))
        #expect(turned.width == expected[0].count && turned.height == expected.count)
        let rows = turned.data.withUnsafeBytes { raw in
            (0..<turned.height).map { y in
                (0..<turned.width).map { x in
                    raw.loadUnaligned(fromByteOffset: y * turned.bytesPerRow + x * 4, as: UInt32.self)
                }
            }
        }
        #expect(rows == expected)
    }

    @Test("too few bytes for an image's size give no image")
    func short() {
        #expect(
            Image.Orientation.down.turned(
                ImagePixels.Pixels(data: Data(count: 20), width: 2, height: 3, bytesPerRow: 8)) == nil)
    }
}
