import CFFmpeg
import MediaCore

/// A decoder of one audio track, which returns interleaved `Float` samples in the output's format.
///
/// libavcodec removes the encoder's priming and padding. libswresample converts sample rate and channel layout; a
/// downmix uses the standard coefficients, normalized to prevent clipping.
final class AudioDecoder {
    let track: AudioTrackDescription
    let format: AudioFormat
    private let startOffset: MediaTime
    private let decoder: Owned<AVCodecContext>
    private var context: UnsafeMutablePointer<AVCodecContext> { decoder.raw }
    private let frameOwner: Owned<AVFrame>
    private var frame: UnsafeMutablePointer<AVFrame> { frameOwner.raw }
    private var resampler: Owned<SwrResampler>?
    private var inputLayout = AVChannelLayout()
    private var inputRate: Int32 = 0
    private var inputFormat: Int32 = -1
    private var buffer: [Float] = []
    private(set) var decodedFrames = 0
    private(set) var failedPackets = 0

    init(track: AudioTrackDescription, format: AudioFormat, startOffset: MediaTime, location: String) throws(AVError) {
        self.track = track
        self.format = format
        self.startOffset = startOffset
        guard let codec = avcodec_find_decoder(track.parameters.raw.pointee.codec_id),
            let decoder = Owned<AVCodecContext>(avcodec_alloc_context3(codec)),
            let frame = Owned<AVFrame>(av_frame_alloc())
        else {
            throw AVError(
                .decoderNotFound, at: location,
                reason: "no decoder for the codec “\(track.parameters.codecName)” is installed",
                suggestion: DecoderPackage.suggestion(for: [track.parameters.codecName]))
        }
        let context = decoder.raw
        self.decoder = decoder
        frameOwner = frame
        context.pointee.pkt_timebase = track.timeBase
        guard avcodec_parameters_to_context(context, track.parameters.raw) >= 0 else {
            throw AVError(
                .decodeFailed, at: location,
                reason: "the parameters of the \(track.parameters.codecName) track are damaged")
        }
        context.pointee.pkt_timebase = track.timeBase
        context.pointee.thread_count = 1
        guard avcodec_open2(context, codec, nil) >= 0 else {
            throw AVError(
                .decoderNotFound, at: location, reason: "the \(track.parameters.codecName) decoder failed to open")
        }
    }

    deinit { av_channel_layout_uninit(&inputLayout) }

    /// Returns the reason why nothing was decoded; `nil` if something was, or if there were no packets.
    func failure(at location: String) -> AVError? {
        guard decodedFrames == 0, failedPackets > 0 else { return nil }
        return AVError(
            .decodeFailed, at: location, reason: "every packet of the audio track is damaged",
            suggestion: "Copy or download the file again")
    }

    func flush() {
        avcodec_flush_buffers(context)
        if let raw = resampler?.raw { swr_init(raw) }
    }

    /// Decodes `packet`; nil drains the decoder and the resampler.
    /// - Parameter deliver: Called with interleaved samples, the number of sample frames, and the media time of the
    ///   first one. The time is nil if the samples follow the previous ones.
    func decode(_ packet: MediaPacket?, deliver: (UnsafePointer<Float>, Int, MediaTime?) -> Void) {
        while true {
            let rc = avcodec_send_packet(context, packet?.raw)
            if rc == zt_averror_eagain() {
                receive(deliver)
                continue
            }
            if rc < 0 && rc != zt_averror_eof() { failedPackets += 1 }
            break
        }
        receive(deliver)
        if packet == nil, resampler != nil { convert(nil, pts: nil, deliver) }
    }

    private func receive(_ deliver: (UnsafePointer<Float>, Int, MediaTime?) -> Void) {
        while avcodec_receive_frame(context, frame) >= 0 {
            defer { av_frame_unref(frame) }
            decodedFrames += 1
            guard configure() else {
                failedPackets += 1
                continue
            }
            let pts = MediaTime(stamp: frame.pointee.best_effort_timestamp, base: track.timeBase).map {
                $0 - startOffset
            }
            convert(frame, pts: pts, deliver)
        }
    }

    /// Creates the resampler if there is none for the format of the current frame. The format can change within a
    /// stream. Returns false if the resampler cannot be created.
    private func configure() -> Bool {
        let same =
            resampler != nil && inputRate == frame.pointee.sample_rate && inputFormat == frame.pointee.format
            && av_channel_layout_compare(&inputLayout, &frame.pointee.ch_layout) == 0
        if same { return true }
        inputRate = frame.pointee.sample_rate
        inputFormat = frame.pointee.format
        av_channel_layout_uninit(&inputLayout)
        av_channel_layout_copy(&inputLayout, &frame.pointee.ch_layout)
        var source = inputLayout
        if source.order == AV_CHANNEL_ORDER_UNSPEC { av_channel_layout_default(&source, inputLayout.nb_channels) }
        var target = AVChannelLayout()
        av_channel_layout_from_mask(&target, format.channelMask)
        resampler = nil
        var fresh: OpaquePointer?
        let rc = swr_alloc_set_opts2(
            &fresh, &target, AV_SAMPLE_FMT_FLT, Int32(format.sampleRate),
            &source, AVSampleFormat(inputFormat), inputRate, 0, nil)
        resampler = Owned(fresh)
        if rc >= 0, let fresh, source.order != AV_CHANNEL_ORDER_UNSPEC || mixAlternately(fresh), swr_init(fresh) >= 0 {
            return true
        }
        resampler = nil
        return false
    }

    /// Mixes channels of unknown positions, which libswresample refuses: with n output channels, output channel k gets
    /// the mean of the input channels k, k + n, k + 2n and so on.
    private func mixAlternately(_ resampler: OpaquePointer) -> Bool {
        let (inputs, outputs) = (Int(inputLayout.nb_channels), format.channelCount)
        guard inputs > 0, outputs > 0 else { return false }
        var matrix = [Double](repeating: 0, count: inputs * outputs)
        for input in 0..<inputs {
            let output = input % outputs
            matrix[output * inputs + input] = 1 / Double((inputs - output + outputs - 1) / outputs)
        }
        return swr_set_matrix(resampler, matrix, Int32(inputs)) >= 0
    }

    private func convert(
        _ input: UnsafeMutablePointer<AVFrame>?, pts: MediaTime?,
        _ deliver: (UnsafePointer<Float>, Int, MediaTime?) -> Void
    ) {
        guard let resampler = resampler?.raw else { return }
        let count = input?.pointee.nb_samples ?? 0
        let capacity = Int(swr_get_out_samples(resampler, count))
        guard capacity > 0 else { return }
        let channels = format.channelCount
        if buffer.count < capacity * channels { buffer = [Float](repeating: 0, count: capacity * channels) }
        var first = pts
        if input != nil, let pts {
            // The resampler first returns the samples that it still holds.
            first = pts - MediaTime(nanoseconds: swr_get_delay(resampler, 1_000_000_000))
        }
        let got = buffer.withUnsafeMutableBytes { raw -> Int in
            var out: UnsafeMutablePointer<UInt8>? = raw.bindMemory(to: UInt8.self).baseAddress
            let rc: Int32
            if let input {
                rc = input.pointee.extended_data.withMemoryRebound(to: UnsafePointer<UInt8>?.self, capacity: 8) {
                    swr_convert(resampler, &out, Int32(capacity), $0, count)
                }
            } else {
                rc = swr_convert(resampler, &out, Int32(capacity), nil, 0)
            }
            return Int(rc)
        }
        guard got > 0 else { return }
        buffer.withUnsafeBufferPointer { p in
            if let base = p.baseAddress { deliver(base, got, first) }
        }
    }
}
