import Foundation

/// A writer of Presentation Graphic Streams (`.sup`), for which FFmpeg has no encoder. Each picture is a rectangle.
public enum PGSWriter {
    public struct Picture: Sendable {
        /// The time at which the picture appears and disappears, in seconds.
        public var start: Double, end: Double
        /// The rectangle in pixels, on a canvas of 1920 × 1080.
        public var x: Int, y: Int, width: Int, height: Int
        /// The color in BT.709, 0…255.
        public var luma: UInt8, cr: UInt8, cb: UInt8

        public init(
            start: Double, end: Double, x: Int, y: Int, width: Int, height: Int, luma: UInt8 = 235, cr: UInt8 = 128,
            cb: UInt8 = 128
        ) {
            self.start = start
            self.end = end
            self.x = x
            self.y = y
            self.width = width
            self.height = height
            self.luma = luma
            self.cr = cr
            self.cb = cb
        }
    }

    public static func stream(_ pictures: [Picture]) -> Data {
        var bytes: [UInt8] = []
        var number = 0
        for picture in pictures {
            let size = two(picture.width) + two(picture.height)
            let place = two(picture.x) + two(picture.y)
            // The middle third of each line has a second color. A border with a color index that is invisible would
            // prove nothing.
            let third = picture.width / 3
            let line = run(1, third) + run(2, picture.width - 2 * third) + run(1, third) + [0, 0]
            let image = (0..<picture.height).flatMap { _ in line }
            let palette: [UInt8] = [
                0, 0, 1, picture.luma, picture.cr, picture.cb, 255, 2, picture.luma, picture.cr, picture.cb, 128,
            ]
            let data = size + image
            add(
                &bytes, picture.start, 0x16,
                two(1920) + two(1080) + [0x10] + two(number) + [0x80, 0, 0, 1] + two(0) + [0, 0] + place)
            add(&bytes, picture.start, 0x17, [1, 0] + place + size)
            add(&bytes, picture.start, 0x14, palette)
            add(
                &bytes, picture.start, 0x15,
                two(0) + [0, 0xC0, UInt8(data.count >> 16 & 255)] + two(data.count & 0xFFFF) + data)
            add(&bytes, picture.start, 0x80, [])
            add(&bytes, picture.end, 0x16, two(1920) + two(1080) + [0x10] + two(number + 1) + [0, 0, 0, 0])
            add(&bytes, picture.end, 0x17, [1, 0] + place + size)
            add(&bytes, picture.end, 0x80, [])
            number += 2
        }
        return Data(bytes)
    }

    private static func two(_ value: Int) -> [UInt8] { [UInt8(value >> 8 & 255), UInt8(value & 255)] }

    private static func run(_ color: UInt8, _ count: Int) -> [UInt8] {
        count < 64 ? [0, 0x80 | UInt8(count), color] : [0, 0xC0 | UInt8(count >> 8), UInt8(count & 255), color]
    }

    private static func add(_ bytes: inout [UInt8], _ seconds: Double, _ type: UInt8, _ body: [UInt8]) {
        let time = Int((seconds * 90_000).rounded())
        bytes += Array("PG".utf8) + two(time >> 16) + two(time & 0xFFFF) + [0, 0, 0, 0, type] + two(body.count) + body
    }
}
