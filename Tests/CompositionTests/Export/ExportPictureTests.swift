import Foundation
import MediaCore
import MediaEngine
import Synchronization
import TestSupport
import Testing

@testable import Export

@Suite("Exported frames", .serialized)
struct ExportPictureTests {
    @Test(
        "every source frame is written once, in order, at its timestamp",
        arguments: [
            ("counter-23976.mp4", "mp4", 240), ("counter-vfr.mkv", "mp4", 199), ("counter-vfr.mkv", "mkv", 199),
            ("trimmed.mp4", "m4v", 270),
        ])
    func whole(source: String, type: String, count: Int) async throws {
        let bench = try ExportBench()
        let original = try TestMedia.url(source)
        let file = try await bench.export(original, to: "out.\(type)")
        let numbers = try await bench.numbers(original)
        #expect(numbers.count == count && Set(numbers).count == count)
        expectEqual(try await bench.numbers(file), numbers)
        let was = try await bench.times(original)
        let now = try await bench.times(file)
        #expect(now.count == count)
        // ffprobe prints microseconds. Matroska stores milliseconds.
        #expect(zip(was, now).allSatisfy { abs($0 - $1) < (type == "mkv" ? 0.0006 : 0.000_002) })
    }

    @Test("a range contains the frame displayed at its start, not its end")
    func trimmed() async throws {
        let bench = try ExportBench()
        // At 24000/1001 frames per second, frame 100 begins at 4.1708 s and frame 150 at 6.25625 s.
        let file = try await bench.export(TestMedia.url("counter-23976.mp4"), to: "out.mp4") {
            $0.timeRange = seconds(4.18, 6.25624)
        }
        expectEqual(try await bench.numbers(file), Array(100..<150))
        let times = try await bench.times(file)
        #expect(times.first == 0)
        #expect(
            times.enumerated().dropFirst().allSatisfy { abs($1 - (Double(100 + $0) * 1001 / 24000 - 4.18)) < 0.0001 })
        let length = try #require(Double(try await bench.probe(file, "-show_entries", "format=duration").first ?? ""))
        #expect(abs(length - (6.25624 - 4.18)) < 0.001)
    }

    /// The ranges cross keyframes, and one source has irregular timestamps.
    @Test(
        "a range of exact timestamps contains exactly those frames",
        arguments: ["counter.mp4", "counter.ts", "counter-vfr.mkv"])
    func exact(source: String) async throws {
        let bench = try ExportBench()
        let original = try TestMedia.url(source)
        let times = try await bench.times(original)
        // In a transport stream media time begins with the audio, which here is a little earlier than the video.
        let zero = try #require(
            Double(try await bench.probe(original, "-show_entries", "format=start_time").first ?? ""))
        let range = CMTimeRange(
            start: CMTime(nanoseconds: Int64(((times[95] - zero) * 1e9).rounded())),
            end: CMTime(nanoseconds: Int64(((times[130] - zero) * 1e9).rounded())))
        let file = try await bench.export(original, to: "out.mp4") { $0.timeRange = range }
        expectEqual(try await bench.numbers(file), Array(95..<130))
        let now = try await bench.times(file)
        #expect(zip(now, times[95..<130]).allSatisfy { abs($0 - ($1 - times[95])) < 0.0001 })
    }

    @Test(
        "rotated and anamorphic videos are exported upright with square pixels",
        arguments: [
            ("quad-rot90.mp4", 180, 320, [2, 0, 3, 1]), ("quad-rot180.mp4", 320, 180, [3, 2, 1, 0]),
            ("quad-rot270.mp4", 180, 320, [1, 3, 0, 2]),
            ("quad-anamorphic.mp4", 320, 180, [0, 1, 2, 3]), ("quad-odd.mp4", 322, 182, [0, 1, 2, 3]),
        ])
    func upright(source: String, width: Int, height: Int, order: [Int]) async throws {
        let bench = try ExportBench()
        let file = try await bench.export(TestMedia.url(source), to: "out.mp4") { $0.timeRange = seconds(0, 0.2) }
        let shape = try await bench.probe(
            file, "-select_streams", "v", "-show_entries",
            "stream=width,height,sample_aspect_ratio:stream_side_data=rotation")
        #expect(shape == ["\(width)", "\(height)", "1:1"])
        try await expectQuadrants(bench, file, width, height, order)
    }

    /// Checks that the frame has red, green, blue and white quadrants in the given order, away from their edges.
    private func expectQuadrants(
        _ bench: ExportBench, _ file: URL, _ width: Int, _ height: Int, _ order: [Int], tolerance: Int = 6
    ) async throws {
        let pixels = try await bench.pixels(file, "rgb24")
        for (place, color) in order.enumerated() {
            let x = width / 4 + place % 2 * width / 2
            let y = height / 4 + place / 2 * height / 2
            let pixel = pixels[(y * width + x) * 3..<(y * width + x) * 3 + 3].map(Int.init)
            #expect(
                zip(pixel, TestPicture.colors[color]).allSatisfy { abs($0 - $1) <= tolerance }, "\(pixel) at \(x), \(y)"
            )
        }
    }

    @Test(
        "colors survive any matrix, range and bit depth of the source",
        arguments: [
            "quad-h264.mp4", "quad-709.mp4", "quad-full.mp4", "quad-hevc10.mkv", "quad-vp9.webm",
        ])
    func colors(source: String) async throws {
        let bench = try ExportBench()
        let file = try await bench.export(TestMedia.url(source), to: "out.mp4") { $0.timeRange = seconds(0, 0.2) }
        let said = try await bench.probe(
            file, "-select_streams", "v", "-show_entries", "stream=pix_fmt,color_range,color_space")
        #expect(said == ["yuv420p", "tv", "smpte170m"])
        let shape = try await bench.probe(file, "-select_streams", "v", "-show_entries", "stream=width,height")
            .compactMap { Int($0) }
        try await expectQuadrants(bench, file, shape[0], shape[1], [0, 1, 2, 3])
    }

    @Test("HD exports are labeled BT.709 and keep composed colors")
    func highDefinition() async throws {
        let bench = try ExportBench()
        let file = try await bench.export(TestMedia.url("sine-large.mp4"), to: "out.mp4") {
            $0.timeRange = seconds(0, 0.1)
            $0.composer = ClosureComposer { _, time, size in try ClosureComposer.flat(size, [40, 90, 200], at: time) }
        }
        #expect(
            try await bench.probe(
                file, "-select_streams", "v", "-show_entries", "stream=color_space,color_transfer,color_primaries") == [
                    "bt709", "bt709", "bt709",
                ])
        let pixel = try await bench.pixels(file, "rgb24", filter: "crop=2:2:600:300").prefix(3).map(Int.init)
        #expect(zip(pixel, [200, 90, 40]).allSatisfy { abs($0 - $1) <= 3 }, "\(pixel)")
    }

    @Test("the composer receives decoded frames, source times and the output size")
    func composing() async throws {
        let bench = try ExportBench()
        let calls = Calls()
        let file = try await bench.export(
            TestMedia.url("quad-rot90.mp4"), to: "out.mp4", preset: AVAssetExportPreset640x480
        ) {
            $0.timeRange = seconds(1.01, 1.2)
            $0.maximumWidth = 100
            $0.composer = ClosureComposer { frame, time, size in
                calls.note(frame, time, size)
                return try ClosureComposer.flat(size, [0, 0, 255], at: time)
            }
        }
        let noted = calls.noted
        #expect(noted.map(\.time) == [1.01, 1.04, 1.08, 1.12, 1.16])
        #expect(noted.allSatisfy { $0.rotation == 90 && $0.width == 100 && $0.height == 178 })
        #expect(
            try await bench.probe(file, "-select_streams", "v", "-show_entries", "stream=width,height") == [
                "100", "178",
            ])
    }

    private final class Calls: Sendable {
        struct Call: Sendable { var time: Double, rotation: Int, width: Int, height: Int }
        private let all = Mutex<[Call]>([])
        func note(_ frame: VideoFrame, _ time: CMTime, _ size: (width: Int, height: Int)) {
            all.withLock {
                $0.append(Call(time: time.seconds, rotation: frame.rotation, width: size.width, height: size.height))
            }
        }
        var noted: [Call] { all.withLock { $0 } }
    }

    /// Presets fit the frame into their size and use even numbers of pixels.
    @Test("frame rate limits drop frames evenly; presets never enlarge a frame")
    func fewer() async throws {
        let bench = try ExportBench()
        let file = try await bench.export(TestMedia.url("counter-video.mp4"), to: "out.mp4") {
            $0.maximumFrameRate = 10
            $0.timeRange = seconds(0, 2)
        }
        expectEqual(try await bench.numbers(file), Array(stride(from: 0, to: 60, by: 3)))
        func size(_ name: String, _ w: Double, _ h: Double, _ limit: Int? = nil) -> [Int] {
            let size = ExportPreset(name: name)?.size(for: CGSize(width: w, height: h), maximumWidth: limit)
            return [size?.width ?? 0, size?.height ?? 0]
        }
        #expect(size(AVAssetExportPreset1280x720, 3840, 2160) == [1280, 720])
        #expect(size(AVAssetExportPreset1280x720, 2160, 3840) == [720, 1280])
        #expect(size(AVAssetExportPreset1280x720, 320, 180) == [320, 180])
        #expect(size(AVAssetExportPreset640x480, 1920, 800) == [640, 266])
        #expect(size(AVAssetExportPresetHighestQuality, 1, 1) == [2, 2])
        #expect(size(AVAssetExportPresetHighestQuality, 1920, 1080, 481) == [480, 270])
        #expect(AVAssetExportSession(asset: AVURLAsset(url: bench.url("x")), presetName: "nonsense") == nil)
    }

    @Test(
        "WebM uses VP9 and Opus, Matroska uses H.264 and AAC",
        arguments: [("webm", ["vp9", "opus"]), ("mkv", ["h264", "aac"])])
    func containers(type: String, codecs: [String]) async throws {
        let bench = try ExportBench()
        let file = try await bench.export(TestMedia.url("counter.mp4"), to: "out.\(type)") {
            $0.timeRange = seconds(1, 1.5)
        }
        expectEqual(try await bench.probe(file, "-show_entries", "stream=codec_name"), codecs)
        expectEqual(try await bench.numbers(file), Array(30..<45))
    }

    // The audio of the first stream is in its variants, that of the second one in a playlist of its own.
    @Test(
        "an HLS stream exports any range of its largest variant with audio",
        arguments: ["vod-ts/master.m3u8", "vod-fmp4/master.m3u8"])
    func stream(_ path: String) async throws {
        let bench = try ExportBench()
        let file = try await bench.export(TestStreams.url(path), to: "out.mp4") {
            $0.timeRange = seconds(3, 4.5)
        }
        #expect(
            try await bench.probe(file, "-select_streams", "v", "-show_entries", "stream=width,height") == [
                "960", "192",
            ])
        expectEqual(try await bench.numbers(file), Array(90..<135))
        expectEqual(try await bench.soundLength(file), 72_000)
        // The default language is a sine of 440 Hz, whose phase is 0 at 3 s. The ends are left out, where encoders fade.
        let samples = try await bench.samples(file)
        try #require(samples.count >= 72_000)
        let step = 2 * Double.pi * 440 / 48_000
        var (sine, cosine, power) = (0.0, 0.0, 0.0)
        for index in 4_800..<67_200 {
            let sample = Double(samples[index])
            sine += sample * sin(step * Double(index))
            cosine += sample * cos(step * Double(index))
            power += sample * sample
        }
        #expect((sine * sine + cosine * cosine) / (power * 62_400 / 2) > 0.98)
        #expect(abs(atan2(cosine, sine) / step) < 1, "in samples")
    }

    @Test("metadata, languages and chapters are exported; chapters follow the range")
    func details() async throws {
        let bench = try ExportBench()
        let words =
            ";FFMETADATA1\ntitle=A Film\nartist=Nobody\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=0\nEND=2000\ntitle=One\n[CHAPTER]\nTIMEBASE=1/1000\nSTART=2000\nEND=8000\ntitle=Two\n"
        try Data(words.utf8).write(to: bench.url("words.txt"))
        let source = try await bench.make(
            "tagged.mkv",
            [
                "-i", TestMedia.url("counter-23976.mp4").path, "-i", bench.url("words.txt").path, "-map_metadata", "1",
                "-map_chapters", "1", "-c", "copy", "-metadata:s:a:0", "language=ger", "-t", "8",
            ])
        let file = try await bench.export(source, to: "out.mp4") { $0.timeRange = seconds(1, 3) }
        let said = try await bench.probe(
            file, "-show_entries",
            "format_tags=title,artist:chapter=start_time,end_time:chapter_tags=title:stream_tags=language")
        #expect(Set(said).isSuperset(of: ["A Film", "Nobody", "deu", "One", "Two"]))
        #expect(Set(said).isSuperset(of: ["0.000000", "1.000000", "2.000000"]))
        let own = try await bench.export(source, to: "own.mp4") {
            $0.timeRange = seconds(1, 1.2)
            $0.metadata = [
                AVMetadataItem(identifier: .commonIdentifierTitle, stringValue: "Mine"),
                AVMetadataItem(identifier: .commonIdentifierAlbumName, stringValue: "All"),
            ]
        }
        expectEqual(try await bench.probe(own, "-show_entries", "format_tags=title,artist,album"), ["Mine", "All"])
    }
}
