import Foundation
import MediaCore

/// A pass that reads an audio track to its end and measures its loudness.
struct LoudnessPass {
    enum Outcome {
        /// The measured loudness; nil if the track has none, such as silence.
        case measured(LoudnessMeasure?)
        /// The measurement was abandoned.
        case abandoned
    }

    private let reader: ItemReader
    private let track: AudioTrackDescription
    private let location: String

    init(_ reader: ItemReader, _ track: AudioTrackDescription, location: String) {
        self.reader = reader
        self.track = track
        self.location = location
    }

    /// Runs the measurement.
    /// - Parameter isWanted: Called after each audio packet. If it returns false, the measurement is abandoned.
    /// - Throws: The reason why the file cannot be read or decoded. `.operationNotSupported` without libavfilter.
    func run(while isWanted: () -> Bool) throws(AVError) -> Outcome {
        let format = AudioFormat(
            sampleRate: min(max(track.sampleRate, 8000), 192_000),
            channelMask: track.channelMask.nonzeroBitCount > 8 ? AudioFormat.stereo : track.channelMask)
        let decoder = try AudioDecoder(
            track: track, format: format, startOffset: reader.startOffset, location: location)
        guard let meter = LoudnessMeter(format: format) else { throw unmeasurable }
        var succeeded = true
        func take(_ packet: MediaPacket?) {
            decoder.decode(packet) { samples, frames, _ in succeeded = meter.add(samples, frames: frames) && succeeded }
        }
        reading: while succeeded {
            switch reader.next() {
            case .audio(let packet):
                take(packet)
                guard isWanted() else { return .abandoned }
            case .end: break reading
            case .failed(let error): throw error
            case .video, .track, .problem, .other, .jump: continue
            }
        }
        take(nil)
        guard succeeded else { throw unmeasurable }
        if let error = decoder.failure(at: location) { throw error }
        return .measured(meter.measure)
    }

    private var unmeasurable: AVError {
        AVError(
            .operationNotSupported, at: location,
            reason: "FFmpeg's libavfilter with the filter “ebur128” is not installed or refused the audio",
            suggestion: "Install libavfilter (Debian, Ubuntu)")
    }
}

/// The overall loudness of a file's audio, as defined by EBU R 128.
package struct FileLoudness: Sendable {
    /// The integrated loudness in LUFS; nil for silence and for less than 0.4 s.
    package let integrated: Double?
    /// The maximum true peak in dBTP; nil if unknown.
    package let truePeak: Double?
    /// The container's index of the track, from 0.
    package let track: Int

    /// Measures the track that a player would play. Blocks the calling thread until the whole file is read.
    /// - Throws: The reason why the file cannot be read or measured. `.noPlayableTracks` for a file without audio;
    ///   `.cancelled` when interrupted.
    package static func measure(_ url: URL, interrupt: InterruptToken) throws(AVError) -> FileLoudness {
        let reader = try ItemReader(url: url, selection: TrackSelection(video: .none), interrupt: interrupt)
        guard let track = reader.description.audio else {
            throw reader.description.problem(.audio)
                ?? AVError(
                    .noPlayableTracks, at: url.location, reason: "the file has no audio track that can be decoded",
                    suggestion: "Choose a file with audio")
        }
        let pass = LoudnessPass(reader, track, location: url.location)
        guard case .measured(let measure) = try pass.run(while: { !interrupt.isInterrupted }) else {
            throw AVError(.cancelled, at: url.location, reason: "the operation was cancelled")
        }
        return FileLoudness(integrated: measure?.integrated, truePeak: measure?.truePeak, track: track.streamIndex)
    }
}
