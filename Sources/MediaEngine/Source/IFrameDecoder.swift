import CFFmpeg
import MediaCore
import Streaming

/// A decoder for single frames of an I-frame playlist. Thread-safe; blocks while it decodes.
enum IFrameDecoder {
    /// Decodes a frame.
    ///
    /// - Throws: `.fileFormatNotRecognized`, `.noVideoTrack` or `.decodeFailed` if the data is not a frame,
    ///   `.decoderNotFound` if no decoder is installed, `.cancelled` if loading is interrupted.
    static func decode(_ frame: IFrame) throws(AVError) -> VideoFrame {
        let segment = frame.segment
        guard case .demuxer(let demuxer) = try SegmentDemuxer.open(segment, feed: frame.feed) else {
            throw AVError(
                .decodeFailed, at: segment.location, reason: "the segment of the I-frame playlist contains no media")
        }
        let index = av_find_best_stream(demuxer.context, AVMEDIA_TYPE_VIDEO, -1, -1, nil, 0)
        guard index >= 0, let stream = demuxer.streams[Int(index)],
            let track = VideoTrackDescription(stream, in: demuxer.context)
        else {
            throw AVError(
                .noVideoTrack, at: segment.location, reason: "the segment of the I-frame playlist contains no frame")
        }
        let decoder = try VideoDecoder(
            track: track, startOffset: 0, location: segment.location, threads: 1, device: nil)
        var found: VideoFrame?
        func take(_ output: VideoDecoder.Output) { if found == nil { found = output.frame } }
        while found == nil, let owner = Owned<AVPacket>(av_packet_alloc()) {
            guard demuxer.read(owner.raw) >= 0 else { break }
            let packet = MediaPacket(taking: owner, pts: nil, end: nil)
            // The data ends after the frame, so the rest of the container is missing.
            guard packet.raw.pointee.stream_index == index, packet.isKey else { continue }
            decoder.decode(packet, deliver: take)
            break
        }
        if found == nil { decoder.decode(nil, deliver: take) }
        guard let found else {
            throw AVError(
                .decodeFailed, at: segment.location, reason: "the frame of the I-frame playlist can't be decoded")
        }
        return try found.placed(
            at: MediaTime(nanoseconds: segment.start), lasting: MediaTime(nanoseconds: segment.duration))
    }
}

extension VideoFrame {
    /// Returns the same image with another time.
    func placed(at start: MediaTime, lasting duration: MediaTime) throws(AVError) -> VideoFrame {
        try copy(time: start.time, duration: duration > 0 ? duration.time : .invalid, orientation: orientation)
    }

    /// Returns the same image in its stored orientation.
    func withoutRotation() throws(AVError) -> VideoFrame {
        try copy(time: presentationTime, duration: duration, orientation: .upright)
    }

    /// Returns the same image with square pixels.
    func withSquarePixels() throws(AVError) -> VideoFrame {
        try copy(time: presentationTime, duration: duration, orientation: orientation, pixelAspectRatio: 1)
    }

    private func copy(
        time: CMTime, duration: CMTime, orientation: PictureOrientation, pixelAspectRatio: Double? = nil
    ) throws(AVError) -> VideoFrame {
        let copy = withAVFrame {
            VideoFrame(
                retaining: $0, presentationTime: time, duration: duration, orientation: orientation,
                pixelAspectRatio: pixelAspectRatio ?? self.pixelAspectRatio,
                isPremultiplied: isPremultiplied)
        }
        guard let copy else { throw AVError(.unknown, at: "", reason: "there is not enough memory") }
        return copy
    }
}
