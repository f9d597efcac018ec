import EngineTestSupport
import CFFmpeg
import Foundation
import MediaCore
import Streaming
import TestSupport

@testable import MediaEngine

/// A stream, read and decoded from start to end without a clock.
struct StreamReading {
    /// The number in each frame, in order, with its time in nanoseconds and its height in pixels.
    var pictures: [(number: Int, time: Int64, height: Int)] = []
    /// The left channel at 48 kHz, and the media time of its first sample in nanoseconds.
    var sound: [Float] = []
    var soundStart: Int64?
    /// The largest difference between the timestamp of an audio chunk and its time by the sample count, in nanoseconds.
    var soundDrift: Int64 = 0
    var error: AVError?

    var numbers: [Int] { pictures.map(\.number) }

    /// Reads and decodes a stream.
    /// - Parameter at: Called with 0 before opening, and before each step with the newest frame's media time in
    ///   nanoseconds.
    init(
        _ url: URL, from start: Int64 = 0, audio: TrackSelection.Choice = .automatic,
        options: HTTPOptions = HTTPOptions(),
        limits: AdaptationLimits = AdaptationLimits(), upTo end: Int64 = .max,
        at: (HLSSession, Int64) -> Void = { _, _ in }
    ) throws {
        let session = HLSSession(url: url, settings: HLSReader.settings(options))
        defer { session.close() }
        session.setLimits(limits)
        // Set the playhead before the first step, so that loading ahead is limited from the start.
        session.setPlayhead { 0 }
        at(session, 0)
        var selection = TrackSelection()
        selection.audio = audio
        let reader = try HLSReader(session: session, selection: selection)
        if start > 0, let error = reader.seek(to: MediaTime(nanoseconds: start)) { throw error }
        try read(reader, session, end, at)
    }

    private mutating func read(
        _ reader: HLSReader, _ session: HLSSession, _ end: Int64, _ at: (HLSSession, Int64) -> Void
    ) throws {
        let format = AudioFormat(sampleRate: 48_000, channelMask: 4)
        var video = try reader.description.video.map {
            try VideoDecoder(track: $0, startOffset: 0, location: "test", threads: 1)
        }
        var audio = try reader.description.audio.map {
            try AudioDecoder(track: $0, format: format, startOffset: 0, location: "test")
        }
        var decodedTo: Int64 = 0
        var result = self
        func show(_ output: VideoDecoder.Output) {
            decodedTo = max(decodedTo, output.pts.nanoseconds)
            result.pictures.append((Rig.number(output.frame), output.pts.nanoseconds, output.frame.height))
        }
        func hear(_ samples: UnsafePointer<Float>, _ frames: Int, _ pts: MediaTime?) {
            let pts = pts?.nanoseconds
            if result.soundStart == nil { result.soundStart = pts }
            if let pts, let start = result.soundStart {
                let counted = start + Int64(Double(result.sound.count) / 48_000 * 1e9)
                result.soundDrift = max(result.soundDrift, abs(pts - counted))
            }
            result.sound.append(contentsOf: UnsafeBufferPointer(start: samples, count: frames))
        }
        reading: while decodedTo < end {
            at(session, decodedTo)
            switch reader.next() {
            case .video(let packet): video?.decode(packet) { show($0) }
            case .audio(let packet): audio?.decode(packet) { hear($0, $1, $2) }
            case .track(.video(let track)):
                video?.decode(nil) { show($0) }
                video = try VideoDecoder(track: track, startOffset: 0, location: "test", threads: 1)
            case .track(.audio(let track)):
                guard audio?.track.parameters.codes(sameAs: track.parameters) != true else { continue }
                audio?.decode(nil) { hear($0, $1, $2) }
                audio = try AudioDecoder(track: track, format: format, startOffset: 0, location: "test")
            case .other, .problem: continue
            case .jump(let time):
                result.error = AVError(.unknown, at: "test", reason: "jumps to \(time)")
                break reading
            case .failed(let error):
                result.error = error
                break reading
            case .end: break reading
            }
        }
        video?.decode(nil) { show($0) }
        audio?.decode(nil) { hear($0, $1, $2) }
        self = result
    }

    /// Returns the largest deviation of a sample from a continuous sine of `frequency`, as a fraction of the peak.
    /// Excludes the first and last 100 ms.
    func worstBreak(frequency: Double) -> Double {
        let part = sound.dropFirst(4800).dropLast(4800)
        guard part.count > 9600 else { return .infinity }
        let x = Array(part)
        let c = Float(2 * cos(2 * Double.pi * frequency / 48_000))
        var peak: Float = 0.001
        var worst: Float = 0
        for n in 1..<(x.count - 1) {
            peak = max(peak, abs(x[n]))
            worst = max(worst, abs(x[n + 1] - c * x[n] + x[n - 1]))
        }
        return Double(worst / peak)
    }
}
