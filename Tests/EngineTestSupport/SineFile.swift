import Foundation
import TestSupport

/// A WAV file of sines in 32-bit floats, of which every sample is known, and the analysis of recordings of it.
package struct SineFile {
    package var frequency: Double
    /// The amplitude of the sine; full scale is 1.
    package var amplitude: Double
    package var seconds: Double
    package var rate: Int
    package var channels: Int

    package init(
        frequency: Double, amplitude: Double = 0.5, seconds: Double, rate: Int = 48_000, channels: Int = 2
    ) {
        self.frequency = frequency
        self.amplitude = amplitude
        self.seconds = seconds
        self.rate = rate
        self.channels = channels
    }

    package var count: Int { Int((seconds * Double(rate)).rounded()) }
    package func sample(_ n: Int) -> Float {
        Float(amplitude * sin(2 * Double.pi * frequency / Double(rate) * Double(n)))
    }

    /// Writes the file to `folder`.
    /// - Parameter change: Returns the sample to write, for the index and the value of each sample.
    package func write(_ name: String, to folder: URL, changing change: (Int, Float) -> Float = { $1 }) throws -> URL {
        var data = Data("RIFF".utf8)
        func word(_ value: UInt32) { withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) } }
        func half(_ value: UInt16) { withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) } }
        let bytes = UInt32(count * channels * 4)
        word(36 + bytes)
        data.append(Data("WAVEfmt ".utf8))
        word(16)
        half(3)  // WAVE_FORMAT_IEEE_FLOAT
        half(UInt16(channels))
        word(UInt32(rate))
        word(UInt32(rate * channels * 4))
        half(UInt16(channels * 4))
        half(32)
        data.append(Data("data".utf8))
        word(bytes)
        var samples: [Float] = []
        samples.reserveCapacity(count * channels)
        for n in 0..<count { samples += Array(repeating: change(n, sample(n)), count: channels) }
        samples.withUnsafeBytes { data.append(contentsOf: $0) }
        let url = folder.appendingPathComponent(name)
        try data.write(to: url)
        return url
    }

    /// A folder for one test, removed when the instance is deinitialized.
    package final class Folder {
        package let url = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-sines-\(UUID().uuidString.prefix(8))")
        package init() throws { try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true) }
        deinit { try? FileManager.default.removeItem(at: url) }
    }

    /// Returns the amplitude of `frequency` in each piece of `length` samples. A piece must contain whole cycles of it,
    /// and of the other frequencies in the recording, which would otherwise affect the result.
    package static func levels(
        of frequency: Double, in recording: some Collection<Float>, every length: Int, rate: Double = 48_000
    ) -> [Double] {
        let samples = Array(recording)
        return stride(from: 0, to: samples.count / length * length, by: length).map { start in
            var re = 0.0
            var im = 0.0
            for n in 0..<length {
                let angle = 2 * Double.pi * frequency / rate * Double(n)
                re += Double(samples[start + n]) * cos(angle)
                im += Double(samples[start + n]) * sin(angle)
            }
            return 2 * (re * re + im * im).squareRoot() / Double(length)
        }
    }
}

/// A recording of a player's audio, repeated if the player reports an underrun. As in `LoopTests`, ten attempts prove
/// that the player causes the underruns. Attempts in which the machine woke a thread too late prove nothing, and do not
/// count. Underruns in the first tenth of a second are not reported. Therefore an attempt with a delay of 0.1 s or more
/// is repeated up to twice, and the least delayed one is used.
package enum SoundTake {
    package struct RanDry: Error { let attempts: [String] }

    /// Records the audio of a player.
    /// - Parameter body: Plays, and returns after all audio was heard.
    /// - Throws: `RanDry` if no attempt succeeds.
    @MainActor
    package static func record(on kind: SoundServer = .pulseAudio, _ body: (Rig) async throws -> Void) async throws
        -> [Float]
    {
        var attempts: [String] = []
        var counted = 0
        var late: [(samples: [Float], delay: Double)] = []
        while counted < 10, attempts.count < 30, late.count < 3 {
            let server = try await PrivateSoundServer.launch(kind)
            defer { server.stop() }
            let recording = try await server.record()
            let rig = Rig(server: server.address)
            let watch = DelayWatch()
            try await body(rig)
            let underruns = rig.player.statistics.underruns
            let delay = watch.stop()
            rig.player.pause()
            let samples = try await recording.finish()
            rig.player.removeAllItems()
            rig.stopDisplay()
            let isSkipped = server.hasSkippedClient
            if underruns == 0, !isSkipped {
                if delay < 0.1 { return samples }
                late.append((samples, delay))
                continue
            }
            attempts.append(
                "\(underruns) underruns, a due thread kept waiting \(Int(delay * 1000)) ms\(isSkipped ? ", skipped by the server" : "")"
            )
            if delay < 0.03, !isSkipped { counted += 1 }
        }
        if let best = late.min(by: { $0.delay < $1.delay }) { return best.samples }
        throw RanDry(attempts: attempts)
    }
}
