import CFFmpeg
import Foundation
import MediaCore

/// A track of black frames, with packets for the decoder of raw video. All packets share the memory of one frame.
final class BlackFrame {
    let track: VideoTrackDescription
    private let template: Owned<AVPacket>
    private let size: CGSize

    /// Creates black frames with the shape of a source's frames.
    ///
    /// - Throws: `.unknown` if there is not enough memory.
    init(like video: TrackVideo?, _ orientation: PictureOrientation) throws(AVError) {
        let noMemory = AVError(
            .unknown, at: CompositionPlan.location, reason: "there is not enough memory for a black frame",
            suggestion: "Close other programs and try again")
        size = BlackFrame.size(like: video)
        let (width, height) = (Int(size.width), Int(size.height))
        guard let parameters = Owned<AVCodecParameters>(avcodec_parameters_alloc()),
            let packet = Owned<AVPacket>(av_packet_alloc())
        else { throw noMemory }
        parameters.raw.pointee.codec_type = AVMEDIA_TYPE_VIDEO
        parameters.raw.pointee.codec_id = AV_CODEC_ID_RAWVIDEO
        parameters.raw.pointee.format = AV_PIX_FMT_YUV420P.rawValue
        parameters.raw.pointee.width = Int32(width)
        parameters.raw.pointee.height = Int32(height)
        let luma = width * height
        let chroma = (width + 1) / 2 * ((height + 1) / 2)
        guard let copy = CodecParameters(copying: parameters.raw),
            av_new_packet(packet.raw, Int32(clamping: luma + 2 * chroma)) >= 0, let data = packet.raw.pointee.data
        else { throw noMemory }
        // Black in the limited range, which the decoder assumes.
        data.update(repeating: 16, count: luma)
        (data + luma).update(repeating: 128, count: 2 * chroma)
        packet.raw.pointee.flags |= AV_PKT_FLAG_KEY
        template = packet
        track = VideoTrackDescription(
            streamIndex: 0, parameters: copy, timeBase: CompositionReader.nanoseconds, orientation: orientation,
            aspect: TrackAspect(video?.pixelAspectRatio ?? 1), frameDuration: 33_333_333, hasReliableDurations: true,
            light: nil, hasSecondStream: false, isCut: true)
    }

    /// Returns the size of the frames. Larger frames than those of any source are not made.
    private static func size(like video: TrackVideo?) -> CGSize {
        guard let size = video?.naturalSize, size.width >= 1, size.height >= 1, size.width * size.height <= 268_435_456
        else { return CGSize(width: 640, height: 360) }
        return size
    }

    /// Whether the frames have the shape of a source's frames.
    func fits(_ video: TrackVideo?, _ orientation: PictureOrientation) -> Bool {
        BlackFrame.size(like: video) == size && track.orientation == orientation
            && track.aspect.ratio == video?.pixelAspectRatio ?? 1
    }

    /// Returns the packet of a frame that is shown from `start` to `end`; nil if there is not enough memory.
    func packet(from start: MediaTime, to end: MediaTime) -> MediaPacket? {
        guard let packet = Owned<AVPacket>(av_packet_clone(template.raw)) else { return nil }
        packet.raw.pointee.pts = start.nanoseconds
        packet.raw.pointee.dts = start.nanoseconds
        packet.raw.pointee.duration = (end - start).nanoseconds
        return MediaPacket(taking: packet, pts: start, end: end)
    }
}
