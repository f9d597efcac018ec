import Testing

@testable import Streaming

@Suite("Decryption of segments")
struct SegmentDecryptorTests {
    /// Decrypts a segment that arrives in pieces of `piece` bytes. The key and the initialization vector are zeros.
    private func decrypted(_ bytes: [UInt8], by piece: Int = 5) throws -> (text: String, isWhole: Bool) {
        let zeros = [UInt8](repeating: 0, count: 16)
        let decryptor = try #require(SegmentDecryptor(key: zeros, iv: zeros))
        var plain: [UInt8] = []
        for start in stride(from: 0, to: bytes.count, by: piece) {
            Array(bytes[start..<min(start + piece, bytes.count)]).withUnsafeBytes {
                decryptor.feed($0) { plain.append(contentsOf: $0) }
            }
        }
        let isWhole = decryptor.finish { plain.append(contentsOf: $0) }
        return (String(decoding: plain, as: UTF8.self), isWhole)
    }

    // The results of `openssl enc -aes-128-cbc` for "sixteen bytes ok!" and for empty input.
    private static let text: [UInt8] = [
        0x06, 0x08, 0x5E, 0x70, 0x5E, 0x23, 0x94, 0xC3, 0x02, 0x53, 0x72, 0xE9, 0x40, 0xBB, 0x31, 0x14,
        0x06, 0xC2, 0x37, 0xE2, 0x8B, 0x7A, 0xE0, 0xCC, 0x8B, 0x72, 0xF4, 0x54, 0xB9, 0x57, 0xC4, 0x62,
    ]
    private static let nothing: [UInt8] = [
        0x01, 0x43, 0xDB, 0x63, 0xEE, 0x66, 0xB0, 0xCD, 0xFF, 0x9F, 0x69, 0x91, 0x76, 0x80, 0x15, 0x1E,
    ]

    @Test("padding is removed, however the bytes arrive", arguments: [1, 5, 16, 100])
    func whole(piece: Int) throws {
        #expect(try decrypted(Self.text, by: piece) == ("sixteen bytes ok!", true))
        #expect(try decrypted(Self.nothing, by: piece) == ("", true))
    }

    @Test("an empty or truncated segment is not whole", arguments: [0, 1, 15, 16, 17, 31])
    func cut(count: Int) throws {
        #expect(try !decrypted(Array(Self.text.prefix(count))).isWhole)
    }
}
