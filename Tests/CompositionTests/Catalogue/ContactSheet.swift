import Foundation

@testable import Filters
@testable import Overlays

/// Images in a grid, written as an uncompressed PNG (ISO/IEC 15948; RFC 1950, RFC 1951 § 3.2.4).
struct ContactSheet {
    let columns: Int, cell: (width: Int, height: Int)
    private var pixels: [UInt8] = []
    private var count = 0
    init(columns: Int, width: Int, height: Int) {
        self.columns = columns
        cell = (width, height)
    }

    /// Adds an image, with a light checkerboard behind transparent pixels.
    mutating func add(_ bitmap: ImageBitmap) {
        let column = count % columns
        let row = count / columns
        let stride = columns * cell.width * 3
        if column == 0 { pixels += [UInt8](repeating: 0, count: stride * cell.height) }
        for y in 0..<min(cell.height - 2, bitmap.height) {
            for x in 0..<min(cell.width - 2, bitmap.width) {
                let from = (y * bitmap.width + x) * 4
                let to = (row * cell.height + y) * stride + (column * cell.width + x) * 3
                let rest = (255 - Int(bitmap.pixels[from + 3])) * ((x / 8 + y / 8) % 2 == 0 ? 200 : 150) / 255
                for i in 0..<3 { pixels[to + i] = UInt8(min(255, Int(bitmap.pixels[from + i]) + rest)) }
            }
        }
        count += 1
    }

    func write(to path: String) throws {
        let width = columns * cell.width
        let height = pixels.count / (width * 3)
        var raw: [UInt8] = []
        for y in 0..<height { raw += [0] + pixels[(y * width * 3)..<((y + 1) * width * 3)] }
        var data: [UInt8] = [0x78, 0x01]
        var at = 0
        while at < raw.count {
            let size = min(65535, raw.count - at)
            data +=
                [
                    at + size == raw.count ? 1 : 0, UInt8(size & 255), UInt8(size >> 8), UInt8(~size & 255),
                    UInt8((~size >> 8) & 255),
                ] + raw[at..<(at + size)]
            at += size
        }
        var a: UInt32 = 1
        var b: UInt32 = 0
        for byte in raw {
            a = (a + UInt32(byte)) % 65521
            b = (b + a) % 65521
        }
        data += ContactSheet.bytes(b << 16 | a)
        var file: [UInt8] = [137, 80, 78, 71, 13, 10, 26, 10]
        file +=
            chunk("IHDR", ContactSheet.bytes(UInt32(width)) + ContactSheet.bytes(UInt32(height)) + [8, 2, 0, 0, 0])
            + chunk("IDAT", data) + chunk("IEND", [])
        try Data(file).write(to: URL(fileURLWithPath: path))
    }

    private static func bytes(_ n: UInt32) -> [UInt8] {
        [UInt8(n >> 24), UInt8(n >> 16 & 255), UInt8(n >> 8 & 255), UInt8(n & 255)]
    }
    private static let table: [UInt32] = (0..<256).map { n in
        (0..<8).reduce(UInt32(n)) { c, _ in c & 1 == 1 ? 0xEDB8_8320 ^ (c >> 1) : c >> 1 }
    }
    private func chunk(_ name: String, _ data: [UInt8]) -> [UInt8] {
        let body = Array(name.utf8) + data
        let check = ~body.reduce(~UInt32(0)) { ContactSheet.table[Int(($0 ^ UInt32($1)) & 255)] ^ ($0 >> 8) }
        return ContactSheet.bytes(UInt32(data.count)) + body + ContactSheet.bytes(check)
    }
}
