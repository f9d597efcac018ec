import CFFmpeg
import Foundation
import MediaCore
import Streaming

/// A reader that decodes an asset from a position to its end, at the caller's pace instead of in real time. It is used
/// for writing files.
///
/// The asset is a file, an HTTP resource, a composition or an HLS stream, whose largest variant is read throughout. The
/// selected tracks are those that a player would choose. Times are media times: nanoseconds from the container's start.
package final class OfflineReader {
    package enum Step {
        /// A decoded frame with its `presentationTime` in media time, in presentation order.
        case picture(VideoFrame)
        /// Interleaved samples in the requested format, and the media time of the first; `nil` if they follow the
        /// previous ones.
        case sound([Float], at: MediaTime?)
        /// A packet of the audio track as it is in the container.
        case soundPacket(Packet)
        case end
    }

    /// A compressed packet. Its timestamps are in `timeBase`; media time is the timestamp minus `offset`.
    package final class Packet: Sendable {
        private let packet: MediaPacket
        package let timeBase: AVRational
        package let offset: MediaTime

        init(_ packet: MediaPacket, timeBase: AVRational, offset: MediaTime) {
            self.packet = packet
            self.timeBase = timeBase
            self.offset = offset
        }
        package var byteCount: Int { packet.byteCount }
        /// Calls `body` with the packet, which is read-only and valid while `body` runs.
        package func withAVPacket<T>(_ body: (UnsafePointer<AVPacket>) throws -> T) rethrows -> T {
            try withExtendedLifetime(packet) { try body(UnsafePointer(packet.raw)) }
        }
    }

    /// The properties of the video track.
    package struct Video: Sendable {
        /// The time base of the container; 1/90 000 for a stream.
        package let timeBase: AVRational
        /// The frame rate in frames per second according to the container; 0/1 if unknown.
        package let frameRate: AVRational
    }

    /// The properties of the audio track.
    package struct Sound: Sendable {
        package let codec: AVCodecID
        package let sampleRate: Int
        package let channelCount: Int
        package let channelMask: UInt64
        package let timeBase: AVRational
        package let streamIndex: Int
        /// The identifier of the track in its asset.
        package let trackID: CMPersistentTrackID
        let parameters: CodecParameters
        /// Calls `body` with the codec parameters, which are read-only and valid while `body` runs.
        package func withParameters<T>(_ body: (UnsafePointer<AVCodecParameters>) throws -> T) rethrows -> T {
            try withExtendedLifetime(parameters) { try body(UnsafePointer(parameters.raw)) }
        }
    }

    package let location: String
    /// The video track; `nil` if there is none, or only cover art.
    package let video: Video?
    /// The audio track; `nil` if there is none.
    package let sound: Sound?
    /// The reason why the source's video track cannot be decoded; `nil` if it can be decoded or there is none.
    package var videoProblem: AVError? { reader.description.problem(.video) }
    /// The reason why the source's audio track cannot be decoded; `nil` if it can be decoded or there is none.
    package var soundProblem: AVError? { reader.description.problem(.audio) }
    /// The duration; `nil` if it is unknown until the end is reached.
    package var duration: MediaTime? { reader.description.duration }
    package var isStream: Bool { session != nil }
    /// Whether the audio has been decoded already, so that its packets are not those of a file.
    package var hasDecodedSound: Bool { reader is CompositionReader }
    /// Whether packets of the audio track are decoded only in part, or only for those that follow them, so that copies
    /// of them would sound different.
    package var hasCutSound: Bool { (reader as? ItemReader)?.hasCutAudio ?? false }
    /// The number of frames decoded since the reader was created, across seeks.
    package private(set) var decodedPictures = 0
    /// Whether a truncated file is read to its end without an error.
    package var allowsTruncated = false
    /// The reason why the file is known to be truncated without reading it; `nil` if it is not.
    package var truncation: AVError? { (reader as? ItemReader)?.truncation }
    /// Whether the video is no longer decoded. Its packets are skipped.
    package var skipsPictures = false
    /// The media time from which frames are needed. Frames that end before it are decoded only if other frames depend on
    /// them, so some of them are not returned.
    package var neededFrom: MediaTime = .min
    /// The media time that the video packets have reached.
    package private(set) var videoReach: MediaTime = 0

    private let reader: any PacketReader
    private let session: HLSSession?
    private let interrupt: InterruptToken
    private var videoDecoder: VideoDecoder?
    private var audio: OfflineAudio
    /// Decoded frames and samples that have not been returned yet.
    private var ready = Ready()
    private struct Ready {
        private var steps: [Step] = []
        private var next = 0

        mutating func append(_ step: Step) { steps.append(step) }
        mutating func popFirst() -> Step? {
            guard next < steps.count else {
                removeAll()
                return nil
            }
            next += 1
            return steps[next - 1]
        }
        mutating func removeAll() {
            steps.removeAll(keepingCapacity: true)
            next = 0
        }
    }
    private var isDraining = false

    /// Opens an asset. Blocks.
    ///
    /// - Parameter volumes: The audio mix of a composition. For other assets, the caller applies the mix.
    /// - Throws: The errors of `AssetDetails.read`; `.operationNotSupported` for a live stream, which has no end.
    package init(
        url: URL, options: HTTPOptions = HTTPOptions(), volumes: SharedTrackVolumes = SharedTrackVolumes(),
        interrupt: InterruptToken
    ) throws(AVError) {
        self.interrupt = interrupt
        location = url.mediaName
        (reader, session) = try OfflineReader.open(url, options, volumes, interrupt)
        audio = OfflineAudio(location: location, startOffset: reader.startOffset)
        let description = reader.description
        if session != nil, description.duration == nil {
            throw AVError(
                .operationNotSupported, at: location, reason: "a live stream has no end, so it can't be exported",
                suggestion: "Export the recording after the broadcast ends")
        }
        video = description.video.map { track in
            // The packets of a stream have times in nanoseconds, which is finer than the time base of any codec.
            let base = track.timeBase.den == 1_000_000_000 ? AVRational(num: 1, den: 90_000) : track.timeBase
            let rate =
                track.frameDuration > 0 ? av_d2q(1 / track.frameDuration.seconds, 100_000) : AVRational(num: 0, den: 1)
            return Video(timeBase: base, frameRate: rate)
        }
        sound = description.audio.map { track in
            let p = track.parameters.raw.pointee
            return Sound(
                codec: p.codec_id, sampleRate: track.sampleRate, channelCount: Int(p.ch_layout.nb_channels),
                channelMask: track.channelMask, timeBase: track.timeBase, streamIndex: track.streamIndex,
                trackID: track.trackID, parameters: track.parameters)
        }
        if let track = description.video { videoDecoder = try decoder(for: track) }
    }

    deinit {
        if let session {
            interrupt.removeWaker(session)
            session.close()
        }
    }

    private static func open(
        _ url: URL, _ options: HTTPOptions, _ volumes: SharedTrackVolumes, _ interrupt: InterruptToken
    ) throws(AVError) -> (any PacketReader, HLSSession?) {
        switch try MediaFound.at(url, options: options, interrupt: interrupt) {
        case .file(let source): return (try ItemReader(source, url: url, selection: TrackSelection()), nil)
        case .composition(let plan):
            return (try CompositionReader(plan, volumes: volumes, interrupt: interrupt), nil)
        case .stream: break
        }
        let stream = try HLSReader.onDemand(
            url, options: options, for: .zero, TrackSelection(), start: 0, interrupt: interrupt)
        return (stream.reader, stream.session)
    }

    private func decoder(for track: VideoTrackDescription) throws(AVError) -> VideoDecoder {
        // Decode in software on all cores, so that frames are in memory and equal on every machine.
        try VideoDecoder(track: track, startOffset: reader.startOffset, location: location, device: nil)
    }

    /// Makes the reader return audio as samples of `format`. Call it before reading.
    ///
    /// - Throws: The reason why the audio decoder cannot be opened.
    package func decodeSound(as format: AudioFormat) throws(AVError) {
        try audio.returnSamples(of: reader.description.audio, as: format)
    }

    /// Makes the reader return audio as packets. Call it before reading.
    package func passSoundPackets() { audio.returnPackets() }

    /// Seeks to a position from which everything from `time` on can be decoded. The first frames and samples may be
    /// before `time`.
    ///
    /// - Throws: The reason why the seek failed.
    package func seek(to time: MediaTime) throws(AVError) {
        ready.removeAll()
        isDraining = false
        if let error = reader.seek(to: time) { throw error }
        if let track = reader.description.video {
            // A stream may have changed to another container, and a composition to another file.
            if let videoDecoder,
                track.isCut
                    ? videoDecoder.track.parameters === track.parameters
                    : videoDecoder.track.parameters.codes(sameAs: track.parameters)
            {
                videoDecoder.flush()
            } else {
                videoDecoder = try decoder(for: track)
            }
        }
        if let track = reader.description.audio { try audio.seek(in: track) }
    }

    /// Checks that the audio that was read could be decoded, at least in part.
    ///
    /// - Throws: `.decodeFailed` if every packet is damaged.
    package func requireDecodedSound() throws(AVError) { try audio.requireDecoded() }

    /// Returns the next frame, samples or packet, or the end. Blocks.
    ///
    /// - Throws: The reason why reading failed; `.cancelled` if interrupted.
    package func read() throws(AVError) -> Step {
        while true {
            if let step = ready.popFirst() { return step }
            if isDraining { return .end }
            if interrupt.isInterrupted {
                throw AVError(.cancelled, at: location, reason: "the operation was cancelled")
            }
            try step()
        }
    }

    private func step() throws(AVError) {
        switch reader.next() {
        case .video(let packet):
            videoReach = max(videoReach, packet.pts ?? 0)
            if !skipsPictures, let videoDecoder {
                let isBefore = videoDecoder.track.hasEnded(packet, by: neededFrom)
                videoDecoder.decode(packet, keepOnlyReferences: isBefore, deliver: take)
            }
        case .audio(let packet):
            if audio.returnsPackets, let track = reader.description.audio {
                ready.append(.soundPacket(Packet(packet, timeBase: track.timeBase, offset: reader.startOffset)))
            } else {
                audio.decode(packet, take)
            }
        case .track(.video(let track)):
            if let videoDecoder, !track.isCut, videoDecoder.track.parameters.codes(sameAs: track.parameters) { break }
            videoDecoder?.decode(nil, deliver: take)
            videoDecoder = try decoder(for: track)
        case .track(.audio(let track)):
            try audio.change(to: track, take)
        case .problem, .other: break
        case .jump:
            throw AVError(
                .noLongerPlayable, at: location, reason: "a part of the stream is no longer on the server",
                suggestion: "Choose a later start time to export what remains")
        case .end:
            if let shortfall = reader.shortfall, !allowsTruncated { throw shortfall }
            videoDecoder?.decode(nil, deliver: take)
            audio.decode(nil, take)
            isDraining = true
        case .failed(let error): throw error
        }
    }

    private func take(_ output: VideoDecoder.Output) {
        decodedPictures += 1
        ready.append(.picture(output.frame))
    }

    private func take(_ samples: [Float], _ time: MediaTime?) { ready.append(.sound(samples, at: time)) }
}
