import Foundation
import MediaCore
import MediaEngine
import TestSupport
import Testing

@testable import Export

@Suite("Exported audio", .serialized)
struct ExportSoundTests {
    /// Returns the delay of `sound`, in samples, relative to a 440 Hz sine that began `start` seconds earlier. It is
    /// computed from the phase, so it is unique only within ±54 samples, half a period.
    private func lag(_ sound: [Float], start: Double, rate: Double) -> Int {
        // Whole periods, after the encoder's start has settled.
        let step = 2 * Double.pi * 440 / rate
        let begin = 2 * Double.pi * 440 * start
        var inPhase = 0.0
        var behind = 0.0
        for i in 4000..<min(sound.count - 2000, 16_000) {
            inPhase += Double(sound[i]) * sin(begin + step * Double(i))
            behind -= Double(sound[i]) * cos(begin + step * Double(i))
        }
        return Int((atan2(behind, inPhase) / step).rounded())
    }

    @Test(
        "a range begins at the exact sample and has the exact length",
        arguments: [
            ("sine-aac48.mp4", "mp4", 48_000.0), ("sine-aac44.mp4", "mov", 44_100), ("sine-flac.mkv", "mp4", 48_000),
            ("sine-pcm.mov", "mp4", 48_000), ("sine-opus.webm", "mp4", 48_000),
        ])
    func trimmed(source: String, type: String, rate: Double) async throws {
        let bench = try ExportBench()
        let file = try await bench.export(TestMedia.url(source), to: "out.\(type)") {
            $0.timeRange = seconds(0.7125, 1.45)
        }
        let sound = try await bench.samples(file)
        expectEqual(try await bench.soundLength(file), Int((0.7375 * rate).rounded()))
        let late = lag(sound, start: 0.7125, rate: rate)
        #expect(late == 0)
        // Nothing is missing at the very beginning: the sine already has its full amplitude.
        #expect(sound[64..<256].map { abs($0) }.max() ?? 0 > 0.3)
    }

    @Test(
        "audio that the container supports is copied unchanged",
        arguments: [
            ("sine-aac48.mp4", "mp4"), ("sine-aac44.mp4", "mov"), ("sine-pcm.mov", "mov"), ("sine-flac.mkv", "mkv"),
            ("sine-opus.webm", "webm"),
        ])
    func copied(source: String, type: String) async throws {
        let bench = try ExportBench()
        let original = try TestMedia.url(source)
        let file = try await bench.export(original, to: "out.\(type)", preset: AVAssetExportPresetLowQuality)
        try await expectEqual(bench.soundPackets(file), bench.soundPackets(original))
        // The decoded audio is the same, too: start padding and end are unchanged.
        try await expectEqual(bench.samples(file), bench.samples(original))
    }

    @Test(
        "other audio is encoded from the first sample to the last",
        arguments: [("sine-flac.mkv", 48_000.0), ("sine-mp3.mkv", 44_100), ("sine-opus.webm", 48_000)])
    func encoded(source: String, rate: Double) async throws {
        let bench = try ExportBench()
        let original = try TestMedia.url(source)
        let file = try await bench.export(original, to: "out.mp4")
        #expect(
            try await bench.probe(file, "-select_streams", "a", "-show_entries", "stream=codec_name,sample_rate") == [
                "aac", "\(Int(rate))",
            ])
        var before = try await bench.samples(original)
        let after = try await bench.samples(file)
        // ffmpeg does not skip the encoder's padding of MP3 in Matroska, which newer versions of it place before time 0.
        let start =
            try await bench.probe(original, "-select_streams", "a", "-show_entries", "stream=start_time")
            .first.flatMap(Double.init) ?? 0
        let padding = source == "sine-mp3.mkv" ? Int((max(0, -start) * rate).rounded()) : 0
        before = Array(before.dropFirst(padding))
        // The timestamps of Matroska are rounded to milliseconds.
        let tolerance = padding > 0 ? Int(rate / 1000) : 1
        #expect(abs(before.count - (try await bench.soundLength(file))) <= tolerance)
        let late = lag(after, start: 0, rate: rate) - lag(before, start: 0, rate: rate)
        #expect(abs(late) <= tolerance)
    }

    @Test("packed audio of a stream has no gaps at 44.1 kHz")
    func packed() async throws {
        let bench = try ExportBench()
        let file = try await bench.export(TestStreams.url("packed-audio/master44.m3u8"), to: "out.mp4") {
            $0.timeRange = seconds(0.5, 10)
        }
        let sound = try await bench.samples(file)
        try #require(sound.count > 400_000)
        // The delay in each tenth of a second, in pieces of whole periods.
        let lags = stride(from: 0, to: sound.count - 10_410, by: 4_410).map { begin in
            lag(Array(sound[begin..<begin + 10_410]), start: 0.5 + Double(begin) / 44_100, rate: 44_100)
        }
        #expect(lags.allSatisfy { abs($0 - lags[0]) <= 1 }, "\(lags)")
    }

    @Test("a range after a discontinuity has the audio of that part")
    func discontinuity() async throws {
        let bench = try ExportBench()
        // The first 12 s have 48 kHz, the rest has 44.1 kHz and its own initialization section.
        let file = try await bench.export(TestStreams.url("discontinuity/fmp4.m3u8"), to: "out.mp4") {
            $0.timeRange = seconds(15, 16.5)
        }
        expectEqual(try await bench.numbers(file), Array(450..<495))
        let sound = try await bench.samples(file)
        expectEqual(try await bench.soundLength(file), 72_000)
        let late = lag(sound, start: 15, rate: 48_000)
        #expect(abs(late) <= 1, "\(late)")
        let amplitude = sound[4_800..<67_200].map { abs($0) }.max() ?? 0
        let power = sound[4_800..<67_200].reduce(0) { $0 + Double($1) * Double($1) } / 62_400
        // A sine, without clicks or gaps, has this power.
        #expect(abs(power * 2 / Double(amplitude * amplitude) - 1) < 0.1, "\(power), \(amplitude)")
    }

    @Test("the audio that ordered chapters omit is not exported", arguments: ["mkv", "mp4"])
    func ordered(type: String) async throws {
        let bench = try ExportBench()
        let source = bench.url("ordered.mkv")
        try OrderedFile.write(
            TestMedia.url("counter.mp4"), parts: [.init("A", 4.3, 6.1), .init("B", 0.5, 2)], to: source)
        let file = try await bench.export(source, to: "out.\(type)")
        #expect(abs(try await bench.samples(file).count - 158_400) < 4_800)
    }

    @Test("a source without audio gets no audio track")
    func none() async throws {
        let bench = try ExportBench()
        let file = try await bench.export(TestMedia.url("counter-video.mp4"), to: "out.mp4") {
            $0.timeRange = seconds(0, 0.5)
        }
        expectEqual(try await bench.probe(file, "-show_entries", "stream=codec_type"), ["video"])
    }

    @Test("gaps become silence, overlaps are dropped, rounded timestamps stay gapless")
    func cutting() throws {
        let format = AudioFormat(sampleRate: 1000, channelMask: AudioFormat.stereo)
        func run(exact: Bool, range: ExportRange, runIn: Int64? = nil, _ chunks: [(MediaTime?, Int, Float)]) throws
            -> [Float]
        {
            var cut = AudioTrimmer(range: range, format: format, isExact: exact, runIn: runIn)
            var out: [Float] = []
            for (time, count, value) in chunks {
                try cut.take([Float](repeating: value, count: count * 2), at: time) { (chunk) throws(AVError) in
                    out += chunk
                }
            }
            try cut.finish(paddingTo: nil) { (chunk) throws(AVError) in out += chunk }
            return stride(from: 0, to: out.count, by: 2).map { out[$0] }
        }
        let ms: MediaTime = 1_000_000
        let whole = ExportRange()
        #expect(
            try run(exact: true, range: whole, [(0, 4, 1), (30 * ms, 2, 2)]) == [1, 1, 1, 1]
                + [Float](repeating: 0, count: 26) + [2, 2])
        #expect(
            try run(exact: true, range: whole, [(0, 50, 1), (20 * ms, 40, 2)]) == [Float](repeating: 1, count: 50)
                + [Float](repeating: 2, count: 10))
        #expect(
            try run(exact: false, range: whole, [(0, 4, 1), (11 * ms, 2, 2), (nil, 1, 3)]) == [1, 1, 1, 1, 2, 2, 3])
        #expect(
            try run(exact: true, range: ExportRange(start: 2 * ms, end: 5 * ms), [(0, 4, 1), (4 * ms, 4, 2)]) == [
                1, 1, 2,
            ])
        #expect(
            try run(exact: true, range: ExportRange(start: 0, end: 5 * ms), [(-2 * ms, 4, 1), (nil, 9, 2)]) == [
                1, 1, 2, 2, 2,
            ])
        // With a run-in of 2, packets of 8 samples begin at −2, 6, 14 and so on. Therefore the chunk with timestamp 15
        // begins at 14, and the 3 samples before it at 11.
        #expect(
            try run(
                exact: false, range: ExportRange(start: 10 * ms, end: 16 * ms), runIn: 2,
                [(12 * ms, 3, 1), (15 * ms, 8, 2)]) == [0, 1, 1, 1, 2, 2])
    }
}
