import CFFmpeg

/// The audio format of an audio track.
struct TrackAudio: Sendable {
    let sampleRate: Double
    let channelCount: Int
    /// The channel layout as libavutil names it; nil if the container does not give it.
    let channelLayout: String?
    /// The native channel mask of FFmpeg; that of the default layout if the container does not give it.
    let channelMask: UInt64
    /// The number of bits per sample; nil if unknown.
    let bitDepth: Int?

    /// Creates a description from `parameters`; nil if the track is not audio.
    init?(_ parameters: AVCodecParameters) {
        guard parameters.codec_type == AVMEDIA_TYPE_AUDIO else { return nil }
        sampleRate = Double(parameters.sample_rate)
        channelCount = Int(parameters.ch_layout.nb_channels)
        channelLayout = TrackAudio.name(parameters.ch_layout)
        channelMask = AudioFormat.mask(of: parameters.ch_layout)
        let bits =
            parameters.bits_per_raw_sample > 0 ? parameters.bits_per_raw_sample : parameters.bits_per_coded_sample
        bitDepth = bits > 0 ? Int(bits) : nil
    }

    /// Whether the container gives enough information to start a decoder.
    var isComplete: Bool { sampleRate > 0 }

    private static func name(_ layout: AVChannelLayout) -> String? {
        guard layout.order != AV_CHANNEL_ORDER_UNSPEC else { return nil }
        var name = [CChar](repeating: 0, count: 128)
        guard withUnsafePointer(to: layout, { av_channel_layout_describe($0, &name, name.count) }) > 0 else {
            return nil
        }
        return name.withUnsafeBufferPointer { $0.baseAddress.map { String(cString: $0) } }
    }
}
