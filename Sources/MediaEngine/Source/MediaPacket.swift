import CFFmpeg
import MediaCore

/// One compressed packet, immutable once read, its times already in the item's own timeline.
///
/// The reader writes the packet before anyone else sees it; decoders only take references to its buffer.
final class MediaPacket: Sendable {
    private let packet: Owned<AVPacket>
    var raw: UnsafeMutablePointer<AVPacket> { packet.raw }
    /// Presentation time; nil when the container gives none.
    let pts: MediaTime?
    /// End of presentation, after any padding to be discarded; nil without pts.
    let end: MediaTime?
    let isKey: Bool
    /// The decoder knows where its picture belongs.
    var hasStamp: Bool { raw.pointee.pts != zt_nopts() || raw.pointee.dts != zt_nopts() }
    /// With what comes beside the picture: a second stream's piece is as large as many a picture.
    let byteCount: Int

    init(taking packet: consuming Owned<AVPacket>, pts: MediaTime?, end: MediaTime?) {
        let raw = packet.raw
        self.packet = packet
        self.pts = pts
        self.end = end
        isKey = raw.pointee.flags & AV_PKT_FLAG_KEY != 0
        var bytes = Int(raw.pointee.size)
        for index in 0..<Int(max(0, raw.pointee.side_data_elems)) {
            if let beside = raw.pointee.side_data { bytes = bytes.addingSaturating(Int(clamping: beside[index].size)) }
        }
        byteCount = bytes
    }
}
