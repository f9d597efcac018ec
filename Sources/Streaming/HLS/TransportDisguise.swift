/// A detector for still images that some servers put before a segment's transport stream, so that image hosts accept
/// the file.
package enum TransportDisguise {
    private static let longest = 16 << 10
    /// The packet size of a transport stream (ISO/IEC 13818-1 §2.4.3), in bytes.
    private static let packet = 188
    /// The number of a segment's first bytes that `length(in:)` needs.
    package static let reach = longest + 5 * packet

    /// Returns whether the first four bytes are those of a PNG, JPEG, GIF or BMP file.
    package static func isImage(_ first: [UInt8]) -> Bool {
        [[0x89, 0x50, 0x4E, 0x47], [0xFF, 0xD8, 0xFF], [0x47, 0x49, 0x46, 0x38], [0x42, 0x4D]].contains {
            first.starts(with: $0)
        }
    }

    /// Returns the offset of the transport stream after an image, or 0 if there is no image or no transport stream
    /// follows it.
    package static func length(in head: [UInt8]) -> Int {
        guard isImage(head) else { return 0 }
        // A single sync byte also occurs in images, so five packets in a row are required, or as many as there are.
        return head.indices.prefix(longest).first { start in
            start > 0 && head.count >= start + 2 * packet
                && stride(from: start, to: min(head.count, start + 5 * packet), by: packet).allSatisfy {
                    head[$0] == 0x47
                }
        } ?? 0
    }
}
