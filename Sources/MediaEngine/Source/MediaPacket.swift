import CFFmpeg

/// One compressed packet, immutable once read, its times already in the item's own timeline.
final class MediaPacket: @unchecked Sendable {
    // Guarded by immutability: the AVPacket is written by the reader before anyone else sees it;
    // decoders only take references to its buffer.
    let raw: UnsafeMutablePointer<AVPacket>
    /// Presentation time, nanoseconds of media time; nil when the container gives none.
    let pts: Int64?
    /// End of presentation, after any padding to be discarded; nil without pts.
    let end: Int64?
    let isKey: Bool
    var byteCount: Int { Int(raw.pointee.size) }

    init(taking raw: UnsafeMutablePointer<AVPacket>, pts: Int64?, end: Int64?) {
        self.raw = raw
        self.pts = pts
        self.end = end
        isKey = raw.pointee.flags & AV_PKT_FLAG_KEY != 0
    }

    deinit {
        var p: UnsafeMutablePointer<AVPacket>? = raw
        av_packet_free(&p)
    }
}
