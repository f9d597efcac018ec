/// The key from `EXT-X-KEY` or `EXT-X-SESSION-KEY` (RFC 8216 §4.3.2.4, §4.3.4.5). `METHOD=NONE` is not a key.
package struct EncryptionKey: Sendable, Equatable, PlaylistResource {
    package enum Method: Sendable, Hashable {
        case aes128, sampleAES, sampleAESCTR
        /// Another method, as written in the playlist.
        case other(String)
    }

    package var method: Method
    package var uri: String
    /// The initialization vector, 16 bytes in big-endian order. nil means the segment's media sequence number.
    package var iv: [UInt8]?
    /// The key format. With `identity`, the URI returns the 16 bytes of the key itself.
    package var keyFormat = "identity"
    /// The versions of the key format as written, such as `1/2/5`. The default is `1`.
    package var keyFormatVersions = "1"

    package init(
        method: Method, uri: String, iv: [UInt8]? = nil, keyFormat: String = "identity", keyFormatVersions: String = "1"
    ) {
        self.method = method
        self.uri = uri
        self.iv = iv
        self.keyFormat = keyFormat
        self.keyFormatVersions = keyFormatVersions
    }

    package var resourceURI: String? { uri }

    /// Returns the initialization vector for a segment, 16 bytes: the stated one, or the media sequence number in
    /// big-endian order (RFC 8216 §5.2).
    package func initializationVector(forMediaSequence number: Int) -> [UInt8] {
        if let iv { return iv }
        let bits = UInt64(clamping: number)
        return [UInt8](repeating: 0, count: 8)
            + (0..<8).map { UInt8(truncatingIfNeeded: bits >> (56 - 8 * UInt64($0))) }
    }
}
