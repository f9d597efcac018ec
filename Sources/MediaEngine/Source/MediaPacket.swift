import CFFmpeg
import MediaCore

/// One compressed packet, immutable once read, its times already in the item's own timeline.
final class MediaPacket: @unchecked Sendable {
    // Guarded by immutability: the AVPacket is written by the reader before anyone else sees it;
    // decoders only take references to its buffer.
    let raw: UnsafeMutablePointer<AVPacket>
    /// Presentation time; nil when the container gives none.
    let pts: MediaTime?
    /// End of presentation, after any padding to be discarded; nil without pts.
    let end: MediaTime?
    let isKey: Bool
    /// The decoder knows where its picture belongs.
    var hasStamp: Bool { raw.pointee.pts != zt_nopts() || raw.pointee.dts != zt_nopts() }
    /// With what comes beside the picture: a second stream's piece is as large as many a picture.
    let byteCount: Int

    init(taking raw: UnsafeMutablePointer<AVPacket>, pts: MediaTime?, end: MediaTime?) {
        self.raw = raw
        self.pts = pts
        self.end = end
        isKey = raw.pointee.flags & AV_PKT_FLAG_KEY != 0
        var bytes = Int(raw.pointee.size)
        for index in 0..<Int(max(0, raw.pointee.side_data_elems)) {
            if let beside = raw.pointee.side_data { bytes = bytes.addingSaturating(Int(clamping: beside[index].size)) }
        }
        byteCount = bytes
    }

    deinit {
        var p: UnsafeMutablePointer<AVPacket>? = raw
        av_packet_free(&p)
    }
}
