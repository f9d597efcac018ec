/// A still image that some servers put before a segment's transport stream, so that image hosts take it.
package enum TransportDisguise {
    private static let longest = 16 << 10
    /// Of a transport stream (ISO/IEC 13818-1 §2.4.3).
    private static let packet = 188
    /// How many of a segment's first bytes tell.
    package static let reach = longest + 5 * packet

    /// PNG, JPEG, GIF or BMP, by the first four bytes.
    package static func isImage(_ first: [UInt8]) -> Bool {
        [[0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], [0x47, 0x49, 0x46, 0x38], [0x42, 0x4D]].contains {
            first.starts(with: $0)
        }
    }

    /// Where the transport stream begins behind an image; 0: there is no image, or nothing behind it.
    package static func length(in head: [UInt8]) -> Int {
        guard isImage(head) else { return 0 }
        // Five packets in a row, or as many as there are: one sync byte is in every image.
        return head.indices.prefix(longest).first { start in
            start > 0 && head.count >= start + 2 * packet
                && stride(from: start, to: min(head.count, start + 5 * packet), by: packet).allSatisfy {
                    head[$0] == 0x47
                }
        } ?? 0
    }
}
