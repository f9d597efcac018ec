import CFFmpeg
import Foundation
import MediaCore
import Streaming

/// A reader of single frames from a file. It seeks before the requested time and decodes up to it. Not thread-safe.
package final class FrameExtractor {
    private let source: MediaSource
    private let stream: UnsafeMutablePointer<AVStream>
    private let decoderOwner: Owned<AVCodecContext>
    private var decoder: UnsafeMutablePointer<AVCodecContext> { decoderOwner.raw }
    private var alpha: AlphaDecoder?
    private let interrupt: InterruptToken
    private let orientation: PictureOrientation?
    private let aspect: TrackAspect
    private var coded = CodedOrientation()
    private let light: StreamLight?
    /// The timestamp to use if the next frame has none, in ticks of the time base.
    private var counted: Int64?

    /// Opens the file at `url`.
    ///
    /// - Parameters:
    ///   - decodesKeyFramesOnly: Whether only `keyFrame(at:)` is called. Decoding is then set up to return a single
    ///     frame as soon as possible.
    ///   - takesStills: Whether an image file is accepted.
    /// - Throws: The same errors as `AssetDetails.read`. `.noVideoTrack` for a file without video; artwork does not
    ///   count.
    package convenience init(
        url: URL, options: HTTPOptions = HTTPOptions(), decodesKeyFramesOnly: Bool = false, takesStills: Bool = false,
        interrupt: InterruptToken = InterruptToken()
    ) throws(AVError) {
        let source = try MediaSource(
            url: url, options: options, forwardBytes: FrameExtractor.forwardBytes, interrupt: interrupt)
        try self.init(source, decodesKeyFramesOnly: decodesKeyFramesOnly, takesStills: takesStills)
    }

    /// The number of bytes to read ahead. It is small because the data is not played.
    static let forwardBytes: Int64 = 512 << 10

    init(_ source: MediaSource, decodesKeyFramesOnly: Bool = false, takesStills: Bool = false) throws(AVError) {
        if !takesStills { try source.requireMedia() }
        if let locked = source.locked { throw locked }
        self.source = source
        interrupt = source.interrupt
        let videos = source.streams.compactMap { $0 }.filter {
            $0.pointee.codecpar?.pointee.codec_type == AVMEDIA_TYPE_VIDEO
                && $0.pointee.disposition & AV_DISPOSITION_ATTACHED_PIC == 0
        }
        guard
            // If no track can be displayed, the first one determines the error.
            let stream = ItemReader.chooseVideo(source, .automatic) ?? videos.first,
            let parameters = stream.pointee.codecpar
        else {
            throw AVError(
                .noVideoTrack, at: source.location, reason: "the file has no video track",
                suggestion: "Choose a file with a video track")
        }
        self.stream = stream
        orientation = PictureOrientation(stream)
        aspect = TrackAspect(stream)
        light = StreamLight(stream)
        guard let codec = avcodec_find_decoder(parameters.pointee.codec_id) else {
            throw AVError(
                .decoderNotFound, at: source.location,
                reason:
                    "no decoder for the video codec “\(String(cString: avcodec_get_name(parameters.pointee.codec_id)))” is installed",
                suggestion: DecoderPackage.suggestion(
                    for: [String(cString: avcodec_get_name(parameters.pointee.codec_id))]))
        }
        guard let decoder = Owned<AVCodecContext>(avcodec_alloc_context3(codec)) else {
            throw AVError(.unknown, at: source.location, reason: "there is not enough memory")
        }
        let ready = decoder.raw
        avcodec_parameters_to_context(ready, parameters)
        ready.pointee.pkt_timebase = stream.pointee.time_base
        ready.pointee.thread_count = 0
        if decodesKeyFramesOnly {
            // With frame threads, all threads would need a frame before the first one is returned. Without the loop
            // filter, block edges remain, which are invisible at thumbnail size.
            ready.pointee.thread_type = FF_THREAD_SLICE
            ready.pointee.skip_loop_filter = AVDISCARD_ALL
        }
        PictureLimits.apply(to: ready)
        ready.pointee.flags |= AV_CODEC_FLAG_UNALIGNED
        let rc = avcodec_open2(ready, codec, nil)
        guard rc >= 0 else {
            throw AVError(
                .decodeFailed, at: source.location,
                reason: "the video decoder failed to start: \(MediaSource.ffmpegText(rc))", underlying: rc)
        }
        decoderOwner = decoder
        for case let other? in source.streams where other != stream { other.pointee.discard = AVDISCARD_ALL }
    }

    /// Returns the frame that is displayed at `time`, in item time.
    ///
    /// A time before the first frame returns the first; a time after the last returns the last. With tolerances,
    /// returns the first frame found that starts within them.
    package func frame(
        at time: CMTime, toleranceBefore: CMTime = .zero, toleranceAfter: CMTime = .zero, appliesRotation: Bool = true
    ) throws(AVError) -> VideoFrame {
        guard time.isValid, !time.isIndefinite else {
            throw AVError(
                .invalidArgument, at: source.location, reason: "\(time) is not a valid time for a frame")
        }
        // An infinite time minus an infinite tolerance is not a number, and therefore no bound.
        let requestedTime = MediaTime(time) ?? .max
        let from = MediaTime(time - toleranceBefore) ?? .min
        let to = MediaTime(time + toleranceAfter) ?? .max
        source.clearFailure()
        // A seek can arrive after the target (open GOPs, sparse indexes). Each retry then starts further back, the last
        // one at the start of the file. Some demuxers refuse to seek beyond the end.
        let near = min(requestedTime, source.duration ?? .max)
        for back: MediaTime in [0, 2_000_000_000, 20_000_000_000, .max] {
            guard seek(to: near - back) || back == .max else { continue }
            if let found = try decode(upTo: requestedTime, from: from, to: to, acceptsLate: back == .max) {
                // A broken connection is not the end of the file, so the last frame before it would be wrong.
                if let error = source.inputError { throw error }
                return try videoFrame(found.raw, appliesRotation: appliesRotation)
            }
        }
        if let error = source.inputError { throw error }
        throw interrupt.isInterrupted || interrupt.isOverTime
            ? MediaSource.error(zt_averror_exit(), at: source.location, interrupt: interrupt, whileOpening: false)
            : AVError(.decodeFailed, at: source.location, reason: "no frame of the video track could be decoded")
    }

    /// Returns the last keyframe at or before `time`, in item time, or the first keyframe. Much faster than an exact
    /// frame.
    package func keyFrame(at time: CMTime) throws(AVError) -> VideoFrame {
        let requestedTime = MediaTime(time) ?? .max
        source.clearFailure()
        for start in [min(requestedTime, source.duration ?? .max), .zero] {
            guard seek(to: start) || start == .zero else { continue }
            guard let found = decodeKeyFrame() else { continue }
            return try videoFrame(found.raw, appliesRotation: true)
        }
        if let error = source.inputError { throw error }
        throw interrupt.isInterrupted || interrupt.isOverTime
            ? MediaSource.error(zt_averror_exit(), at: source.location, interrupt: interrupt, whileOpening: false)
            : AVError(
                .decodeFailed, at: source.location,
                reason: "no keyframe of the video track could be decoded for the requested time")
    }

    /// Decodes the next keyframe from the current position.
    private func decodeKeyFrame() -> Owned<AVFrame>? {
        guard let owner = Owned<AVPacket>(av_packet_alloc()), let frame = Owned<AVFrame>(av_frame_alloc()) else {
            return nil
        }
        let packet = owner.raw
        let ready = frame.raw
        // Keyframes that cannot be decoded are skipped, at most 8.
        var tries = 0
        while tries < 8, source.readPastDamage(packet) >= 0 {
            defer { av_packet_unref(packet) }
            guard packet.pointee.stream_index == stream.pointee.index, packet.pointee.flags & AV_PKT_FLAG_KEY != 0
            else { continue }
            tries += 1
            guard avcodec_send_packet(decoder, packet) >= 0 else { continue }
            // A nil packet drains the decoder, so that it returns the frame immediately.
            avcodec_send_packet(decoder, nil)
            let rc = avcodec_receive_frame(decoder, ready)
            avcodec_flush_buffers(decoder)
            if rc >= 0 { return frame }
        }
        return nil
    }

    /// Seeks to the last keyframe at or before `time`. For zero or a negative time, seeks to the start of the file.
    private func seek(to time: MediaTime) -> Bool {
        avcodec_flush_buffers(decoder)
        alpha?.flush()
        counted = nil
        return source.seek(to: max(.zero, time), track: stream.pointee.index) >= 0
    }

    /// Returns the item time of a decoded frame; nil if it has no timestamp.
    private func time(of frame: UnsafeMutablePointer<AVFrame>) -> MediaTime? {
        MediaTime(stamp: frame.pointee.best_effort_timestamp, base: stream.pointee.time_base).map {
            $0 - source.startTime
        }
    }

    /// Decodes up to `requestedTime`, and returns the frame at that time, or the first frame found between `from` and
    /// `to`.
    ///
    /// Returns nil if there is no frame. Also returns nil if the first frame is after both `requestedTime` and `to`,
    /// unless `acceptsLate` is true.
    private func decode(upTo requestedTime: MediaTime, from: MediaTime, to: MediaTime, acceptsLate: Bool)
        throws(AVError)
        -> Owned<AVFrame>?
    {
        guard let owner = Owned<AVPacket>(av_packet_alloc()), var candidate = Owned<AVFrame>(av_frame_alloc()),
            var next = Owned<AVFrame>(av_frame_alloc())
        else { throw AVError(.unknown, at: source.location, reason: "there is not enough memory") }
        let packet = owner.raw
        var hasCandidate = false
        var draining = false
        while true {
            let frame = next.raw
            let rc = avcodec_receive_frame(decoder, frame)
            if rc >= 0 {
                alpha?.join(frame)
                coded.complete(frame)
                if frame.pointee.best_effort_timestamp == zt_nopts(), let counted {
                    frame.pointee.best_effort_timestamp = counted
                }
                let timestamp = frame.pointee.best_effort_timestamp
                if timestamp != zt_nopts() { counted = timestamp.addingSaturating(max(0, zt_frame_duration(frame))) }
                let time = time(of: frame)
                let isLater = time.map { !$0.hasBegun(by: requestedTime) } ?? false
                if isLater, hasCandidate { return candidate }
                if isLater, !acceptsLate, let time, !time.hasBegun(by: to) { return nil }
                swap(&candidate, &next)
                hasCandidate = true
                if isLater || time.map({ from.hasBegun(by: $0) && $0.hasBegun(by: to) }) ?? false { return candidate }
            } else if rc == zt_averror_eagain(), !draining {
                draining = !feed(packet)
            } else if draining {
                guard hasCandidate else { return nil }
                return candidate
            } else {
                // A damaged frame does not end the file; libavcodec continues with the next packet.
                draining = !feed(packet)
            }
            if interrupt.isInterrupted || interrupt.isOverTime {
                return nil
            }
        }
    }

    /// Sends the track's next packet to the decoder. At the end of the file, drains the decoder and returns false.
    private func feed(_ packet: UnsafeMutablePointer<AVPacket>) -> Bool {
        while source.readPastDamage(packet) >= 0 {
            defer { av_packet_unref(packet) }
            guard packet.pointee.stream_index == stream.pointee.index else { continue }
            if counted == nil, case .guessed(let at, _) = source.correction {
                counted = (at + source.startTime).stamp(in: stream.pointee.time_base)
            }
            if alpha == nil { alpha = secondStream(packet) }
            alpha?.decode(packet)
            if avcodec_send_packet(decoder, packet) >= 0 { return true }
        }
        avcodec_send_packet(decoder, nil)
        return false
    }

    /// Returns a new decoder for the alpha channel if `packet` contains data of that channel; otherwise nil.
    private func secondStream(_ packet: UnsafePointer<AVPacket>) -> AlphaDecoder? {
        guard let parameters = stream.pointee.codecpar, AlphaDecoder.isKnown(for: parameters.pointee.codec_id),
            AlphaDecoder.isThere(in: packet)
        else { return nil }
        return CodecParameters(copying: parameters).flatMap { AlphaDecoder($0) }
    }

    private func videoFrame(_ frame: UnsafeMutablePointer<AVFrame>, appliesRotation: Bool) throws(AVError) -> VideoFrame
    {
        light.map { MasteringLight.complete(frame, from: $0) }
        if stream.pointee.codecpar?.pointee.codec_id == AV_CODEC_ID_GIF { _ = OpaqueAnimation.mark(frame) }
        let base = stream.pointee.time_base
        let timestamp = CMTime(stamp: frame.pointee.best_effort_timestamp, base: base)
        let start = timestamp.map { source.startTime == 0 ? $0 : $0 - source.startTime.exactTime } ?? .invalid
        let length = zt_frame_duration(frame)
        guard
            let result = VideoFrame(
                retaining: frame, presentationTime: start,
                duration: length > 0 ? CMTime(stamp: length, base: base) ?? .invalid : .invalid,
                orientation: appliesRotation ? orientation ?? PictureOrientation(frame) ?? .upright : .upright,
                pixelAspectRatio: aspect.ratio(of: frame))
        else {
            throw AVError(.unknown, at: source.location, reason: "there is not enough memory")
        }
        return result
    }
}
