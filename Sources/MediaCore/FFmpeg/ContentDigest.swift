import CFFmpeg
import Foundation

/// What tells a file with a flipped bit from the file that came: MurmurHash3, 128 bits, libavutil's. It is no seal
/// against somebody who wants to deceive; it costs a fifth of what SHA-256 does there.
package struct ContentDigest: Sendable, Hashable {
    package var bytes: Data
    package static let none = ContentDigest(bytes: Data())

    private init(bytes: Data) { self.bytes = bytes }
    package init(stored: Data) { bytes = stored }

    /// The digest of a text.
    package init(of text: String) {
        let maker = Maker()
        Array(text.utf8).withUnsafeBytes { maker.add($0) }
        self = maker.finish()
    }

    /// The digest as hexadecimal digits.
    package var text: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// A digest in the making. Its owner uses it from one thread at a time.
    package final class Maker {
        private let context: OpaquePointer?

        package init() {
            context = av_murmur3_alloc()
            if let context { av_murmur3_init(context) }
        }
        deinit { av_free(UnsafeMutableRawPointer(context)) }

        package func add(_ bytes: UnsafeRawBufferPointer) {
            guard let context, let base = bytes.baseAddress else { return }
            av_murmur3_update(context, base.assumingMemoryBound(to: UInt8.self), bytes.count)
        }

        /// Call once.
        package func finish() -> ContentDigest {
            guard let context else { return .none }
            var out = [UInt8](repeating: 0, count: 16)
            av_murmur3_final(context, &out)
            return ContentDigest(bytes: Data(out))
        }
    }
}
