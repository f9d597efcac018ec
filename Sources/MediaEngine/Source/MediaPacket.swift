import CFFmpeg
import MediaCore

/// A compressed packet with times in the item's timeline. It is immutable after it was read.
///
/// The reader finishes the packet before other threads can access it. Decoders only take references to its buffer.
final class MediaPacket: Sendable {
    private let packet: Owned<AVPacket>
    var raw: UnsafeMutablePointer<AVPacket> { packet.raw }
    /// The presentation time; `nil` if the container does not specify it.
    let pts: MediaTime?
    /// The end of the presentation, without padding that is discarded; `nil` without `pts`.
    let end: MediaTime?
    let isKey: Bool
    /// Whether the packet has a timestamp, so that the decoder knows the time of its frame.
    var hasStamp: Bool { raw.pointee.pts != zt_nopts() || raw.pointee.dts != zt_nopts() }
    /// The size in bytes, including side data. Side data may contain the packet of a second stream, which may be as
    /// large as this packet.
    let byteCount: Int

    init(taking packet: consuming Owned<AVPacket>, pts: MediaTime?, end: MediaTime?) {
        let raw = packet.raw
        self.packet = packet
        self.pts = pts
        self.end = end
        isKey = raw.pointee.flags & AV_PKT_FLAG_KEY != 0
        var bytes = Int(raw.pointee.size)
        for index in 0..<Int(max(0, raw.pointee.side_data_elems)) {
            if let sideData = raw.pointee.side_data {
                bytes = bytes.addingSaturating(Int(clamping: sideData[index].size))
            }
        }
        byteCount = bytes
    }
}
