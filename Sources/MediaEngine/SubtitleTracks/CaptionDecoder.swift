import CFFmpeg
import MediaCore

/// A decoder for captions in the side data of frames (ATSC A/53, CEA-608). It is not `Sendable`; one thread uses it.
final class CaptionDecoder {
    private let decoder: SubtitleDecoder
    private let packetOwner: Owned<AVPacket>
    private var packet: UnsafeMutablePointer<AVPacket> { packetOwner.raw }
    private var last: MediaTime?

    /// Creates a decoder. Returns `nil` if FFmpeg was built without it.
    init?(store: SubtitleStore) {
        guard let owner = Owned<AVCodecParameters>(avcodec_parameters_alloc()) else { return nil }
        let parameters = owner.raw
        parameters.pointee.codec_type = AVMEDIA_TYPE_SUBTITLE
        parameters.pointee.codec_id = AV_CODEC_ID_EIA_608
        guard
            let decoder = SubtitleDecoder(
                parameters: parameters, timeBase: AVRational(num: 1, den: 1_000_000), startOffset: 0, store: store),
            let packet = Owned<AVPacket>(av_packet_alloc())
        else { return nil }
        self.decoder = decoder
        packetOwner = packet
    }

    /// Decodes the captions of a frame. Frames must be passed in presentation order.
    ///
    /// - Parameter time: The media time of the frame.
    func take(_ frame: VideoFrame, at time: MediaTime) {
        // After a seek or at the start of a pass, unfinished captions belong to another position.
        if let last, time <= last || time - last > 1_000_000_000 { decoder.flush() }
        last = time
        decoder.didRead(from: time, to: time + max(0, MediaTime(frame.duration) ?? 0))
        frame.withAVFrame { raw in
            guard let side = av_frame_get_side_data(raw, AV_FRAME_DATA_A53_CC), side.pointee.size > 0,
                let bytes = side.pointee.data,
                av_new_packet(packet, Int32(side.pointee.size)) >= 0
            else { return }
            packet.pointee.data.update(from: bytes, count: side.pointee.size)
            packet.pointee.pts = time.microseconds
            decoder.decode(packet)
            av_packet_unref(packet)
        }
    }
}
