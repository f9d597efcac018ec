import CFFmpeg
import Foundation
import MediaCore

extension VideoTrackDescription {
    /// What `context` says of its stream; nil without parameters.
    init?(_ stream: UnsafeMutablePointer<AVStream>, in context: UnsafeMutablePointer<AVFormatContext>) {
        guard let p = stream.pointee.codecpar, let parameters = CodecParameters(copying: p) else { return nil }
        let aspect = av_guess_sample_aspect_ratio(context, stream, nil)
        let rate = av_guess_frame_rate(context, stream, nil)
        let format = context.pointee.iformat.map { String(cString: $0.pointee.name) } ?? ""
        let quarter = Int((zt_stream_rotation(stream) / 90).rounded()) % 4
        self.init(
            streamIndex: Int(stream.pointee.index), parameters: parameters, timeBase: stream.pointee.time_base,
            rotation: ((quarter + 4) % 4) * 90,
            pixelAspectRatio: aspect.num > 0 && aspect.den > 0 ? av_q2d(aspect) : 1,
            frameDuration: rate.num > 0 && rate.den > 0 ? Int64(1_000_000_000 * Int64(rate.den) / Int64(rate.num)) : 0,
            // MP4 has each frame's own; Matroska and TS often one for all, whatever the frames do.
            hasReliableDurations: format.contains("mp4"),
            light: StreamLight(stream))
    }
}

extension AudioTrackDescription {
    init?(_ stream: UnsafeMutablePointer<AVStream>) {
        guard let p = stream.pointee.codecpar, let parameters = CodecParameters(copying: p) else { return nil }
        let rate = Int(p.pointee.sample_rate)
        var mask: UInt64 = 0
        if p.pointee.ch_layout.order == AV_CHANNEL_ORDER_NATIVE {
            mask = p.pointee.ch_layout.u.mask
        } else {
            var layout = AVChannelLayout()
            av_channel_layout_default(&layout, p.pointee.ch_layout.nb_channels)
            mask = layout.order == AV_CHANNEL_ORDER_NATIVE ? layout.u.mask : 3
            av_channel_layout_uninit(&layout)
        }
        let tb = stream.pointee.time_base
        self.init(
            streamIndex: Int(stream.pointee.index), parameters: parameters, timeBase: tb,
            sampleRate: rate, channelMask: mask,
            hasExactTimes: tb.num > 0 && Int64(tb.den) / Int64(tb.num) >= Int64(rate))
    }
}
