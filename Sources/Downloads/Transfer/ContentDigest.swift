import CFFmpeg
import Foundation

/// What tells a file with a flipped bit from the file that came: MurmurHash3, 128 bits, libavutil's. It is no seal
/// against somebody who wants to deceive; it costs a fifth of what SHA-256 does there.
struct ContentDigest: Sendable, Hashable {
    var bytes: Data
    static let none = ContentDigest(bytes: Data())

    private init(bytes: Data) { self.bytes = bytes }
    init(stored: Data) { bytes = stored }

    /// A digest in the making. Its owner uses it from one thread at a time.
    final class Maker {
        private let context: OpaquePointer?

        init() {
            context = av_murmur3_alloc()
            if let context { av_murmur3_init(context) }
        }
        deinit { av_free(UnsafeMutableRawPointer(context)) }

        func add(_ bytes: UnsafeRawBufferPointer) {
            guard let context, let base = bytes.baseAddress else { return }
            av_murmur3_update(context, base.assumingMemoryBound(to: UInt8.self), bytes.count)
        }

        /// Call once.
        func finish() -> ContentDigest {
            guard let context else { return .none }
            var out = [UInt8](repeating: 0, count: 16)
            av_murmur3_final(context, &out)
            return ContentDigest(bytes: Data(out))
        }
    }
}
