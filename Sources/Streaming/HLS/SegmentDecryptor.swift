import CFFmpeg
import Foundation

/// A decryptor for whole segments with AES-128 (RFC 8216 §4.3.2.4): CBC with PKCS #7 padding. It decrypts while bytes
/// arrive. The cipher is that of libavutil.
package final class SegmentDecryptor {
    private let cipher: OpaquePointer
    private var iv: [UInt8]
    /// The bytes that are not decrypted yet, at most one block. Only at the end is it known how much of the last block
    /// is padding.
    private var rest: [UInt8] = []
    private var out: [UInt8] = []

    /// Creates a decryptor. Returns nil if the key or the initialization vector does not have 16 bytes.
    package init?(key: [UInt8], iv: [UInt8]) {
        guard key.count == 16, iv.count == 16, let cipher = av_aes_alloc() else { return nil }
        guard av_aes_init(cipher, key, 128, 1) >= 0 else {
            av_free(UnsafeMutableRawPointer(cipher))
            return nil
        }
        self.cipher = cipher
        self.iv = iv
    }

    deinit { av_free(UnsafeMutableRawPointer(cipher)) }

    /// Decrypts the next bytes, and delivers those that cannot be padding. Delivered bytes are valid during the call.
    package func feed(_ bytes: UnsafeRawBufferPointer, to deliver: (UnsafeRawBufferPointer) -> Void) {
        rest.append(contentsOf: bytes)
        // At least one byte is held back. A complete block is therefore decrypted only when more bytes follow it.
        let blocks = max(0, (rest.count - 1) / 16)
        guard blocks > 0 else { return }
        decrypt(blocks)
        rest.removeFirst(blocks * 16)
        out.withUnsafeBytes { deliver(UnsafeRawBufferPointer(rebasing: $0[0..<(blocks * 16)])) }
    }

    /// Delivers the last block without its padding.
    /// - Returns: Whether the data is a whole number of blocks with valid padding. If not, the key is wrong, or the
    ///   data is cut off or missing: even an empty segment has one block, which is all padding.
    package func finish(to deliver: (UnsafeRawBufferPointer) -> Void) -> Bool {
        guard rest.count == 16 else { return false }
        decrypt(1)
        rest = []
        let padding = Int(out[15])
        guard (1...16).contains(padding), out[(16 - padding)..<16].allSatisfy({ Int($0) == padding }) else {
            return false
        }
        out.withUnsafeBytes { deliver(UnsafeRawBufferPointer(rebasing: $0[0..<(16 - padding)])) }
        return true
    }

    private func decrypt(_ blocks: Int) {
        if out.count < blocks * 16 { out = [UInt8](repeating: 0, count: blocks * 16) }
        out.withUnsafeMutableBufferPointer { target in
            rest.withUnsafeBufferPointer { source in
                iv.withUnsafeMutableBufferPointer {
                    av_aes_crypt(cipher, target.baseAddress, source.baseAddress, Int32(blocks), $0.baseAddress, 1)
                }
            }
        }
    }
}
