import CFFmpeg
import Foundation
import MediaCore
import Streaming

/// A reader of a single frame from a composition, or from the segments of an HLS stream.
///
/// It reads one variant of a stream from the segment that contains the time, and no more segments than needed. Not
/// thread-safe.
final class StreamFrameExtractor {
    /// The session of a stream; nil for a composition.
    private let session: HLSSession?
    private let reader: any PacketReader
    private let location: String
    private let interrupt: InterruptToken
    private var decoder: VideoDecoder?

    /// Opens the stream, and waits for the playlists and the start of the segment.
    /// - Parameters:
    ///   - maximumSize: The maximum size in pixels; see `StreamFrames.choice`.
    ///   - start: The media time at which to begin reading.
    init(url: URL, options: HTTPOptions, maximumSize: CGSize, start: MediaTime, interrupt: InterruptToken)
        throws(AVError)
    {
        let opened = try HLSReader.onDemand(
            url, options: options, for: maximumSize, TrackSelection(audio: .none), start: start, interrupt: interrupt)
        (reader, session) = (opened.reader, opened.session)
        location = opened.session.location
        self.interrupt = interrupt
    }

    /// Opens a composition at the media time `start`.
    init(_ plan: CompositionPlan, start: MediaTime, interrupt: InterruptToken) throws(AVError) {
        reader = try CompositionReader(plan, TrackSelection(audio: .none), at: start, interrupt: interrupt)
        session = nil
        location = CompositionPlan.location
        self.interrupt = interrupt
    }

    deinit {
        guard let session else { return }
        interrupt.removeWaker(session)
        session.close()
    }

    /// Returns the frame displayed at `requestedTime`, or the first frame found between `from` and `to`, in media time.
    func frame(at requestedTime: MediaTime, from: MediaTime, to: MediaTime) throws(AVError) -> VideoFrame {
        guard let video = reader.description.video else {
            throw reader.description.problems.first?.error
                ?? AVError(
                    .noVideoTrack, at: location,
                    reason: session == nil ? "the composition has no video" : "the stream has no video",
                    suggestion: "Choose media with video")
        }
        decoder = try start(video)
        let requestedTime = max(requestedTime, reader.clamped(.min))
        // If a segment does not begin with a keyframe, decoding starts again from further back.
        for back: MediaTime in [0, 8_000_000_000, 30_000_000_000] {
            if back > 0 {
                let target = reader.clamped(requestedTime)
                if let error = reader.seek(to: reader.clamped(max(0, target - back))) { throw error }
                decoder = try start(reader.description.video ?? video)
            }
            if let found = try decode(upTo: requestedTime, from: from, to: to, acceptsLate: false) { return found }
        }
        if let error = reader.seek(to: reader.clamped(0)) { throw error }
        decoder = try start(reader.description.video ?? video)
        if let found = try decode(upTo: requestedTime, from: from, to: to, acceptsLate: true) { return found }
        throw AVError(
            .decodeFailed, at: location,
            reason: "no frame of the video could be decoded for the requested time")
    }

    private func start(_ track: VideoTrackDescription) throws(AVError) -> VideoDecoder {
        try VideoDecoder(track: track, startOffset: 0, location: location, device: nil)
    }

    /// Decodes up to `requestedTime`, and returns the frame at that time, or the first frame found between `from` and
    /// `to`.
    ///
    /// Returns nil if there is no frame. Also returns nil if the first frame is after both `requestedTime` and `to`,
    /// unless `acceptsLate` is true.
    private func decode(upTo requestedTime: MediaTime, from: MediaTime, to: MediaTime, acceptsLate: Bool)
        throws(AVError)
        -> VideoFrame?
    {
        var best: VideoFrame?
        var result: VideoFrame?
        var isTooLate = false
        var hasKey = false
        func take(_ output: VideoDecoder.Output) {
            guard result == nil, !isTooLate else { return }
            if !output.pts.hasBegun(by: requestedTime) {
                if best != nil {
                    result = best
                } else if acceptsLate || output.pts <= to {
                    result = output.frame
                } else {
                    isTooLate = true
                }
            } else {
                best = output.frame
                if output.pts >= from, from < requestedTime { result = best }
            }
        }
        while result == nil, !isTooLate {
            switch reader.next() {
            case .video(let packet):
                // Frames before the first keyframe cannot be decoded.
                hasKey = hasKey || packet.isKey
                guard hasKey else { continue }
                if let pts = packet.pts, best == nil, packet.isKey, !acceptsLate,
                    !pts.hasBegun(by: max(requestedTime, to))
                {
                    return nil
                }
                decoder?.decode(packet, deliver: take)
            case .track(.video(let track)):
                decoder?.decode(nil, deliver: take)
                decoder = try start(track)
                hasKey = false
            case .audio, .track, .problem, .other: continue
            case .end:
                decoder?.decode(nil, deliver: take)
                return result ?? best
            case .jump:
                throw AVError(
                    .noLongerPlayable, at: location,
                    reason: "the live stream removed its segments before they could be read")
            case .failed(let error): throw error
            }
        }
        return result
    }
}
