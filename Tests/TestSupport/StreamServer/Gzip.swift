import Foundation

/// The gzip format (RFC 1952) with stored blocks (RFC 1951 §3.2.4).
///
/// Stored blocks do not compress, but clients decode them like any other gzip data, and the tests need no zlib.
enum Gzip {
    static func wrap(_ data: Data) -> Data {
        var out = Data([0x1F, 0x8B, 8, 0, 0, 0, 0, 0, 0, 255])
        var rest = data[...]
        repeat {
            let block = rest.prefix(65535)
            rest = rest.dropFirst(block.count)
            let length = UInt16(block.count)
            out.append(rest.isEmpty ? 1 : 0)
            out.append(contentsOf: little(length))
            out.append(contentsOf: little(~length))
            out.append(block)
        } while !rest.isEmpty
        out.append(contentsOf: little(crc32(data)))
        out.append(contentsOf: little(UInt32(truncatingIfNeeded: data.count)))
        return out
    }

    private static func little<T: FixedWidthInteger>(_ value: T) -> [UInt8] {
        (0..<T.bitWidth / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }

    private static func crc32(_ data: Data) -> UInt32 {
        ~data.reduce(~0 as UInt32) { crc, byte in
            (0..<8).reduce(crc ^ UInt32(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xEDB8_8320 : value >> 1 }
        }
    }
}
