import CFFmpeg
import Foundation
import MediaCore

extension VideoTrackDescription {
    /// Creates the description of `stream` in `context`. Returns `nil` without codec parameters.
    init?(_ stream: UnsafeMutablePointer<AVStream>, in context: UnsafeMutablePointer<AVFormatContext>) {
        guard let p = stream.pointee.codecpar, let parameters = CodecParameters(copying: p) else { return nil }
        let rate = av_guess_frame_rate(context, stream, nil)
        let format = context.pointee.iformat.map { String(cString: $0.pointee.name) } ?? ""
        self.init(
            streamIndex: Int(stream.pointee.index), parameters: parameters, timeBase: stream.pointee.time_base,
            orientation: PictureOrientation(stream), aspect: TrackAspect(stream),
            frameDuration: VideoTrackDescription.frameDuration(rate),
            // MP4 has a duration for each frame. Matroska and transport streams often have one for all, which may be
            // wrong.
            hasReliableDurations: format.contains("mp4"),
            light: StreamLight(stream),
            hasSecondStream: AlphaDecoder.isAnnounced(by: stream))
    }

    /// Returns the nominal duration of a frame, at most a minute. If the frame rate implies more, no other frame
    /// follows.
    private static func frameDuration(_ rate: AVRational) -> MediaTime {
        MediaTime(stamp: 1, base: AVRational(num: rate.den, den: rate.num))?.bounded(to: 0...60_000_000_000) ?? 0
    }
}

extension AudioTrackDescription {
    /// Creates the description of `stream`. Returns `nil` without codec parameters.
    ///
    /// - Parameter context: The container, whose tags are used if the stream has none.
    init?(_ stream: UnsafeMutablePointer<AVStream>, in context: UnsafeMutablePointer<AVFormatContext>? = nil) {
        guard let p = stream.pointee.codecpar, let parameters = CodecParameters(copying: p) else { return nil }
        let rate = Int(p.pointee.sample_rate).bounded(to: 0...AudioFormat.highestRate)
        let tb = stream.pointee.time_base
        self.init(
            streamIndex: Int(stream.pointee.index), parameters: parameters, timeBase: tb,
            sampleRate: rate, channelMask: AudioFormat.mask(of: p.pointee.ch_layout),
            hasExactTimes: tb.num > 0 && Int64(tb.den) / Int64(tb.num) >= Int64(rate),
            tagged: LoudnessMeasure(tags: LoudnessMeasure.tags(context?.pointee.metadata, stream.pointee.metadata)))
    }
}

extension AudioFormat {
    /// Returns the native channel mask of `layout`. For a layout without positions, returns the mask of the default
    /// layout with the same number of channels, or stereo if there is none.
    static func mask(of layout: AVChannelLayout) -> UInt64 {
        var mask: UInt64 = 0
        if layout.order == AV_CHANNEL_ORDER_NATIVE {
            mask = layout.u.mask
        } else {
            var usual = AVChannelLayout()
            av_channel_layout_default(&usual, layout.nb_channels)
            mask = usual.order == AV_CHANNEL_ORDER_NATIVE ? usual.u.mask : AudioFormat.stereo
            av_channel_layout_uninit(&usual)
        }
        return mask == 0 ? AudioFormat.stereo : mask
    }
}
