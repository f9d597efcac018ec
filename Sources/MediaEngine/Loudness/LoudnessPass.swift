import Foundation
import MediaCore

/// Reads a track of sound to its end and measures it.
struct LoudnessPass {
    enum Outcome {
        /// Nil: it has no loudness.
        case measured(LoudnessMeasure?)
        /// It was given up.
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

    /// - Parameter isWanted: asked at each packet.
    /// - Throws: why the file can't be read or decoded; `.operationNotSupported` without libavfilter.
    func run(while isWanted: () -> Bool) throws(AVError) -> Outcome {
        let format = AudioFormat(
            sampleRate: min(max(track.sampleRate, 8000), 192_000),
            channelMask: track.channelMask.nonzeroBitCount > 8 ? AudioFormat.stereo : track.channelMask)
        let decoder = try AudioDecoder(
            track: track, format: format, startOffset: reader.startOffset, location: location)
        guard let meter = LoudnessMeter(format: format) else { throw unmeasurable }
        var went = true
        func take(_ packet: MediaPacket?) {
            decoder.decode(packet) { samples, frames, _ in went = meter.add(samples, frames: frames) && went }
        }
        reading: while went {
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
        guard went else { throw unmeasurable }
        return .measured(meter.measure)
    }

    private var unmeasurable: AVError {
        AVError(
            .operationNotSupported, at: location,
            reason: "FFmpeg's libavfilter with the filter “ebur128” is not installed or refused the audio",
            suggestion: "Install libavfilter (Debian, Ubuntu)")
    }
}

/// How loud the audio of a file is as a whole, after EBU R 128.
package struct FileLoudness: Sendable {
    /// Integrated loudness in LUFS; nil for silence and for less than 0.4 s.
    package let integrated: Double?
    /// The highest true peak in dBTP; nil if unknown.
    package let truePeak: Double?
    /// The container's number of the track, from 0.
    package let track: Int

    /// Measures the track that a player would play. Blocks until the whole file is read.
    /// - Throws: `.noPlayableTracks` for a file without audio; `.cancelled` when interrupted.
    package static func measure(_ url: URL, interrupt: InterruptToken) throws(AVError) -> FileLoudness {
        let reader = try ItemReader(url: url, selection: TrackSelection(video: .none), interrupt: interrupt)
        guard let track = reader.description.audio else {
            throw AVError(
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
