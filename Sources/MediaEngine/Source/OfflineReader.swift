import CFFmpeg
import Foundation
import MediaCore
import Streaming

/// Reads an asset from one place to its end, decoded, as fast as it is asked: for files to be written, not for screens.
///
/// A file, an http(s) resource or an HLS stream (of which the largest variant is read throughout), with the tracks a
/// player would choose. Media time as everywhere: nanoseconds from the container's start.
package final class OfflineReader {
    package enum Step {
        /// A picture as decoded, `presentationTime` in media time, in the order of presentation.
        case picture(VideoFrame)
        /// Interleaved samples in the format asked for; the media time of the first, nil: it just follows the last.
        case sound([Float], at: MediaTime?)
        /// A packet of the sound as it is in the container.
        case soundPacket(Packet)
        case end
    }

    /// A compressed packet. Its stamps are in `timeBase`, and `offset` before media time.
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
        /// Read only, valid while the closure runs.
        package func withAVPacket<T>(_ body: (UnsafePointer<AVPacket>) throws -> T) rethrows -> T {
            try withExtendedLifetime(packet) { try body(UnsafePointer(packet.raw)) }
        }
    }

    package struct Video: Sendable {
        /// In which the container counts; 1/90 000 for a stream.
        package let timeBase: AVRational
        /// Pictures a second as the container tells; 0/1 when it does not.
        package let frameRate: AVRational
    }

    package struct Sound: Sendable {
        package let codec: AVCodecID
        package let sampleRate: Int
        package let channelCount: Int
        package let channelMask: UInt64
        package let timeBase: AVRational
        package let streamIndex: Int
        let parameters: CodecParameters
        /// Read only, valid while the closure runs.
        package func withParameters<T>(_ body: (UnsafePointer<AVCodecParameters>) throws -> T) rethrows -> T {
            try withExtendedLifetime(parameters) { try body(UnsafePointer(parameters.raw)) }
        }
    }

    package let location: String
    /// Nil when there is none, or only a cover.
    package let video: Video?
    package let sound: Sound?
    /// Why there is none though the source has a video track; nil: it has no such track, or it can be decoded.
    package var videoProblem: AVError? { reader.description.problems.first { $0.kind == .video }?.error }
    /// Nil when nobody knows before the end.
    package var duration: MediaTime? { reader.description.duration }
    package var isStream: Bool { session != nil }
    /// Pictures handed out since the begin, seeks or not.
    package private(set) var decodedPictures = 0
    /// A file that is cut off is read to where it ends, and no error.
    package var allowsTruncated = false
    /// Why the file cannot hold all that its header tells of, as far as that is known without reading it.
    package var truncation: AVError? { (reader as? ItemReader)?.truncation }
    /// No more pictures come, only sound; their packets are read over.
    package var skipsPictures = false
    /// How far the packets of pictures have come, media time.
    package private(set) var videoReach: MediaTime = 0

    private let reader: any PacketReader
    private let session: HLSSession?
    private let interrupt: InterruptToken
    private var videoDecoder: VideoDecoder?
    private var audioDecoder: AudioDecoder?
    private enum SoundOutput {
        case none, packets
        case samples(AudioFormat)
    }
    private var soundOutput = SoundOutput.none
    /// What has been read and not handed out.
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

    /// - Throws: as `AssetDetails.read`; `.operationNotSupported` for a live stream, which has no end.
    package init(url: URL, options: HTTPOptions = HTTPOptions(), interrupt: InterruptToken) throws(AVError) {
        self.interrupt = interrupt
        location = url.location
        (reader, session) = try OfflineReader.open(url, options, interrupt)
        let description = reader.description
        if session != nil, description.duration == nil {
            throw AVError(
                .operationNotSupported, at: location, reason: "a live stream has no end, so it can't be exported",
                suggestion: "Export the recording after the broadcast ends")
        }
        video = description.video.map { track in
            // Nanoseconds, into which a stream's packets are laid, are finer than any codec's clock.
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
                parameters: track.parameters)
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
        _ url: URL, _ options: HTTPOptions, _ interrupt: InterruptToken
    ) throws(AVError) -> (any PacketReader, HLSSession?) {
        if case .file(let source) = try MediaFound.at(url, options: options, interrupt: interrupt) {
            return (try ItemReader(source, url: url, selection: TrackSelection()), nil)
        }
        let stream = try HLSReader.onDemand(url, options: options, for: .zero, start: 0, interrupt: interrupt)
        return (stream.reader, stream.session)
    }

    private func decoder(for track: VideoTrackDescription) throws(AVError) -> VideoDecoder {
        // In software, on all cores: pictures are wanted in memory, and the same on every machine.
        try VideoDecoder(track: track, startOffset: reader.startOffset, location: location, device: nil)
    }

    /// Sound comes as samples of `format`; to be called before reading.
    package func decodeSound(as format: AudioFormat) throws(AVError) {
        soundOutput = .samples(format)
        guard let track = reader.description.audio else { return }
        audioDecoder = try AudioDecoder(
            track: track, format: format, startOffset: reader.startOffset, location: location)
    }

    /// Sound comes as packets; to be called before reading.
    package func passSoundPackets() { soundOutput = .packets }

    /// Moves to a place from which everything from `time` on can be decoded; what comes first lies before it.
    package func seek(to time: MediaTime) throws(AVError) {
        ready.removeAll()
        isDraining = false
        if let error = reader.seek(to: time) { throw error }
        if let track = reader.description.video {
            // A stream may have come to another container.
            if let videoDecoder, videoDecoder.track.parameters.codes(sameAs: track.parameters) {
                videoDecoder.flush()
            } else {
                videoDecoder = try decoder(for: track)
            }
        }
        audioDecoder?.flush()
    }

    /// - Throws: why reading broke off; `.cancelled` when interrupted.
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
            if !skipsPictures { videoDecoder?.decode(packet, deliver: take) }
        case .audio(let packet):
            if case .packets = soundOutput, let track = reader.description.audio {
                ready.append(.soundPacket(Packet(packet, timeBase: track.timeBase, offset: reader.startOffset)))
            } else {
                audioDecoder?.decode(packet, deliver: take)
            }
        case .track(.video(let track)):
            if let videoDecoder, videoDecoder.track.parameters.codes(sameAs: track.parameters) { break }
            videoDecoder?.decode(nil, deliver: take)
            videoDecoder = try decoder(for: track)
        case .track(.audio(let track)):
            guard case .samples(let soundFormat) = soundOutput,
                audioDecoder.map({ !$0.track.parameters.codes(sameAs: track.parameters) }) ?? true
            else { break }
            audioDecoder?.decode(nil, deliver: take)
            audioDecoder = try AudioDecoder(
                track: track, format: soundFormat, startOffset: reader.startOffset, location: location)
        case .problem, .other: break
        case .jump:
            throw AVError(
                .noLongerPlayable, at: location, reason: "a part of the stream is no longer on the server",
                suggestion: "Choose a later start time to export what remains")
        case .end:
            if let shortfall = reader.shortfall, !allowsTruncated { throw shortfall }
            videoDecoder?.decode(nil, deliver: take)
            audioDecoder?.decode(nil, deliver: take)
            isDraining = true
        case .failed(let error): throw error
        }
    }

    private func take(_ output: VideoDecoder.Output) {
        decodedPictures += 1
        ready.append(.picture(output.frame))
    }

    private func take(_ samples: UnsafePointer<Float>, _ count: Int, _ time: MediaTime?) {
        guard let audioDecoder else { return }
        ready.append(
            .sound(
                Array(UnsafeBufferPointer(start: samples, count: count * audioDecoder.format.channelCount)), at: time))
    }
}
