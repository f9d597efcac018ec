import Foundation
import MediaCore
import MediaEngine
import TestSupport
import Testing

@testable import Filters

/// Tests the functions that give code access to a frame's pixels.
@Suite struct FrameReadingTests {
    /// Returns blue, green, red and alpha of a pixel.
    private func pixel(_ pixels: UnsafeRawBufferPointer, _ row: Int, _ x: Int, _ y: Int) -> [UInt8] {
        Array(pixels[y * row + x * 4..<y * row + x * 4 + 4])
    }

    @Test(
        "the four colors are in place for every rotation and format",
        arguments: TestPicture.Layout.allCases, [0, 90, 180, 270])
    func turns(layout: TestPicture.Layout, rotation: Int) throws {
        let frame = try #require(TestPicture.quadrants(width: 64, height: 36, layout: layout, rotation: rotation))
        let order = [0: [0, 1, 2, 3], 90: [2, 0, 3, 1], 180: [3, 2, 1, 0], 270: [1, 3, 0, 2]][rotation] ?? []
        try frame.withBGRA(width: 80, height: 60) { pixels, row in
            #expect(row == 320 && pixels.count == 320 * 60)
            for (index, at) in [(20, 15), (60, 15), (20, 45), (60, 45)].enumerated() {
                let found = pixel(pixels, row, at.0, at.1)
                let wanted = TestPicture.colors[order[index]].reversed() + [255]
                #expect(
                    zip(found, wanted).allSatisfy { abs(Int($0) - Int($1)) <= 6 },
                    "quadrant \(index): \(found), wanted \(Array(wanted))")
            }
        }
    }

    @Test("without a size the buffer has the displayed size")
    func size() throws {
        let frame = try #require(TestPicture.quadrants(width: 64, height: 36, layout: .yuv420p, rotation: 90))
        let (row, count) = try frame.withBGRA { ($1, $0.count) }
        #expect(row == 36 * 4 && count == 36 * 4 * 64)
    }

    @Test("fit adds black bars; fill crops what exceeds the size")
    func gravity() throws {
        let frame = try FrameStage.plain(0x3366_99, width: 64, height: 16)
        try frame.withBGRA(width: 64, height: 64, gravity: .resizeAspect) { pixels, row in
            #expect(pixel(pixels, row, 5, 5) == [0, 0, 0, 255] && pixel(pixels, row, 5, 60) == [0, 0, 0, 255])
            #expect(pixel(pixels, row, 32, 32) == [0x99, 0x66, 0x33, 255])
        }
        let tall = try FrameStage.plain(0x3366_99, width: 16, height: 64)
        try tall.withBGRA(width: 60, height: 60, gravity: .resizeAspect) { pixels, row in
            for y in 0..<60 {
                #expect(pixel(pixels, row, 21, y) == [0, 0, 0, 255] && pixel(pixels, row, 38, y) == [0, 0, 0, 255])
                #expect(pixel(pixels, row, 30, y) == [0x99, 0x66, 0x33, 255])
            }
        }
        // The left and right edges of the wide frame are cropped, so only its middle remains.
        let quadrants = try #require(TestPicture.quadrants(width: 64, height: 16, layout: .yuv420p, rotation: 0))
        try quadrants.withBGRA(width: 16, height: 16, gravity: .resizeAspectFill) { pixels, row in
            for (index, at) in [(3, 3), (12, 3), (3, 12), (12, 12)].enumerated() {
                let wanted = TestPicture.colors[index].reversed() + [255]
                let found = pixel(pixels, row, at.0, at.1)
                #expect(zip(found, wanted).allSatisfy { abs(Int($0) - Int($1)) <= 6 }, "\(index): \(found)")
            }
        }
    }

    @Test("colors of a transparent frame are premultiplied")
    func alpha() throws {
        let frame = try VideoFrame.bgra(width: 16, height: 16, presentationTime: .zero, hasAlpha: true) { pixels, _ in
            for at in stride(from: 0, to: pixels.count, by: 4) {
                pixels.storeBytes(of: 0x80FF_0000, toByteOffset: at, as: UInt32.self)
            }
        }
        try frame.withBGRA { pixels, row in
            let found = pixel(pixels, row, 8, 8)
            #expect(zip(found, [0, 0, 128, 128]).allSatisfy { abs(Int($0) - Int($1)) <= 1 }, "\(found)")
        }
    }

    @Test("an invalid size is an error; the closure's error is rethrown")
    func errors() throws {
        struct Own: Error {}
        let frame = try FrameStage.plain(0)
        for size in [0, -1, 16385, Int.max] {
            #expect { try frame.withBGRA(width: size, height: 4) { _, _ in } } throws: {
                ($0 as? AVError)?.code == .invalidArgument
            }
        }
        #expect(throws: Own.self) { try frame.withBGRA { _, _ in throw Own() } }
    }
}
