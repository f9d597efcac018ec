import Foundation
import TestSupport
import Testing

/// Tests the properties of the streams, as ffmpeg reads them from the server.
@Suite("Media of the test streams", .serialized)
struct StreamServerMediaTests {
    private let server: StreamServer

    init() throws { server = try TestStreams.server() }

    /// Returns the standard output of one of ffmpeg's tools.
    private func output(_ tool: String, _ arguments: [String]) async throws -> String {
        let run = try await ChildProcess.run(line: [tool, "-v", "error"] + arguments)
        #expect(
            run.code == 0 && run.error.isEmpty,
            "\(tool) \(arguments.joined(separator: " ")): \(run.error.suffix(500))")
        return run.output
    }

    private func digest(_ path: String, _ options: [String]) async throws -> String {
        try await output(
            "ffmpeg",
            ["-allowed_extensions", "ALL", "-i", server.url(for: path).absoluteString] + options + ["-f", "md5", "-"])
    }

    @Test(
        "every stream has its number of frames and its width",
        arguments: [
            ("vod-ts/v0/index.m3u8", 720, 320), ("vod-ts/v3/index.m3u8", 720, 960),
            ("vod-fmp4/v0/index.m3u8", 720, 320), ("vod-fmp4/v3/index.m3u8", 720, 960),
            ("packed-audio/video.m3u8", 720, 480), ("discontinuity/ts.m3u8", 720, 480),
            ("discontinuity/fmp4.m3u8", 720, 480),
            ("gap/index.m3u8", 660, 480), ("captions/index.m3u8", 720, 480), ("late-start/index.m3u8", 720, 480),
            ("pts-wrap/index.m3u8", 720, 480),
            ("hevc/index.m3u8", 360, 480), ("fps60/index.m3u8", 1440, 480), ("vod-ts/v1/iframes.m3u8", 12, 480),
            ("redundant/b/v2/index.m3u8", 720, 640), ("plain/film.mp4", 720, 640), ("plain/faststart.mp4", 720, 640),
            ("plain/film.mkv", 720, 640),
            ("plain/film.ts", 720, 640), ("plain/film.webm", 720, 320),
        ])
    func pictures(path: String, count: Int, width: Int) async throws {
        // Counts packets without decoding them. A gap's status 404 is not an error here.
        let url = server.url(for: path).absoluteString
        let arguments = [
            "-select_streams", "v:0", "-count_packets", "-show_entries", "stream=width,nb_read_packets", "-of",
            "csv=p=0", url,
        ]
        let text =
            path.hasPrefix("gap")
            ? try await output("ffprobe", ["-v", "quiet"] + arguments) : try await output("ffprobe", arguments)
        #expect(text.split(separator: "\n").first == "\(width),\(count)")
    }

    @Test("decrypted and byte-range streams equal the original")
    func encryption() async throws {
        let clear = try await digest("vod-ts/v1/index.m3u8", ["-map", "0:v", "-c", "copy"])
        for path in ["aes128/explicit.m3u8", "aes128/implicit.m3u8", "aes128/rotation.m3u8", "byterange/ts.m3u8"] {
            #expect(try await digest(path, ["-map", "0:v", "-c", "copy"]) == clear, "\(path)")
        }
        let fragmented = try await digest("vod-fmp4/v1/index.m3u8", ["-c", "copy"])
        for path in ["aes128/fmp4.m3u8", "byterange/fmp4.m3u8"] {
            #expect(try await digest(path, ["-c", "copy"]) == fragmented, "\(path)")
        }
        // Newer versions of ffmpeg decode the encoder's padding of packed audio, but not that of MP4.
        let packets = ["-c", "copy", "-bsf:a", "aac_adtstoasc"]
        let sound = try await digest("vod-fmp4/audio-en/index.m3u8", packets)
        for path in ["sample-aes/fmp4.m3u8", "sample-aes/packed.m3u8", "packed-audio/aac.m3u8"] {
            #expect(try await digest(path, packets) == sound, "\(path)")
        }
    }

    @Test("a frame shows its number and its variant", arguments: ["vod-ts", "vod-fmp4"], 0..<4)
    func counter(folder: String, variant: Int) async throws {
        let (width, height, _, _) = TestStreams.variants[variant]
        let file = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-frames-\(UUID().uuidString.prefix(8)).gray")
        defer { try? FileManager.default.removeItem(at: file) }
        // Keep the decoded format with its limited range. The format `gray` would expand the range.
        _ = try await output(
            "ffmpeg",
            [
                "-i", server.url(for: "\(folder)/v\(variant)/index.m3u8").absoluteString, "-map", "0:v", "-pix_fmt",
                "yuv420p", "-f", "rawvideo", file.path,
            ])
        let data = try Data(contentsOf: file)
        let size = width * height * 3 / 2
        #expect(data.count == size * TestStreams.frameCount)
        let numbers = (0..<data.count / size).map { frame in
            (0..<16).reduce(0) {
                $0 << 1 | (data[frame * size + height / 4 * width + $1 * width / 16 + width / 32] > 128 ? 1 : 0)
            }
        }
        #expect(numbers == Array(0..<TestStreams.frameCount))
        #expect(TestStreams.variant(luma: Int(data[height * 3 / 4 * width + width / 2])) == variant)
    }

    @Test("the multivariant playlist announces the peak bit rates")
    func bandwidths() throws {
        let text = try String(contentsOf: TestStreams.url("vod-ts/master.m3u8"), encoding: .utf8)
        for variant in 0..<4 {
            let line = try #require(
                text.components(separatedBy: "\nv\(variant)/index.m3u8").first?.split(separator: "\n").last)
            let announced = try #require(
                line.components(separatedBy: ":BANDWIDTH=").last?.split(separator: ",").first.flatMap { Int($0) })
            let heaviest =
                try (0..<12).map {
                    try Data(contentsOf: TestStreams.url(String(format: "vod-ts/v%d/seg%03d.ts", variant, $0))).count
                        * 8
                        / 2
                }.max() ?? 0
            // Some durations in the playlist differ a little from two seconds.
            #expect(abs(announced - heaviest) < heaviest / 50)
            #expect(announced > TestStreams.variants[variant].kilobits * 1000)
        }
    }

    @Test("ffmpeg plays a live stream to its end")
    func live() async throws {
        _ = try LiveStream(
            server, at: "live", over: TestStreams.url("vod-ts/master.m3u8"),
            options: .init(pace: .realTime(speed: 8), initialSegments: 4, isEvent: true, endsAfter: 8))
        let text = try await output(
            "ffprobe",
            [
                "-live_start_index", "0", "-select_streams", "v:0", "-count_packets", "-show_entries",
                "stream=nb_read_packets", "-of", "csv=p=0", server.url(for: "live/v0/index.m3u8").absoluteString,
            ])
        #expect(text.split(separator: "\n").first == "480")
    }
}
