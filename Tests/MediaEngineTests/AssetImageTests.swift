import EngineTestSupport
import CFFmpeg
import Foundation
import MediaCore
import MediaEngine
import TestSupport
import Testing

@Suite("Images of an asset")
struct AssetImageTests {
    /// Returns the number of a frame of the counter video, read from its gray level.
    private func number(_ frame: VideoFrame) -> Int { Self.number(frame) }
    static func number(_ frame: VideoFrame) -> Int {
        frame.withAVFrame { f in
            guard let luma = f.pointee.data.0 else { return -1 }
            let grey = Int(luma[32 * Int(f.pointee.linesize.0) + 32])
            return Int((Double(grey - 20) / 4).rounded())
        }
    }

    @Test("any time within a frame gives that frame, also with B-frames", arguments: ["mp4", "mkv", "ts"])
    func exact(container: String) async throws {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: try AssetTestMedia.counter(container)))
        for wanted in [0, 1, 7, 24, 25, 26, 31, 49] {
            for offset in [0.0, 0.02, 0.035] {
                let time = CMTime(seconds: Double(wanted) / 25 + offset, preferredTimescale: 90_000)
                let (frame, actual) = try await generator.image(at: time)
                #expect(number(frame) == wanted, "\(container) at \(time)")
                #expect(abs(actual.seconds - Double(wanted) / 25) < 0.0011)
            }
        }
    }

    @Test("times outside the video give the first or the last frame", arguments: ["mp4", "mkv", "ts"])
    func edges(container: String) async throws {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: try AssetTestMedia.counter(container)))
        for time in [CMTime(value: -5, timescale: 1), .negativeInfinity] {
            #expect(number(try await generator.image(at: time).image) == 0)
        }
        for time in [CMTime(value: 2, timescale: 1), CMTime(value: 5000, timescale: 1), .positiveInfinity] {
            #expect(number(try await generator.image(at: time).image) == 49)
        }
        for time in [CMTime.invalid, .indefinite] {
            await #expect(throws: AVError.self) { try await generator.image(at: time) }
        }
    }

    @Test("images are of the video track that a player shows")
    func track() async throws {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: try BrokenTracks.blueSecond()))
        let frame = try await generator.image(at: CMTime(value: 1, timescale: 1)).image
        // The blue track in BT.601: the red difference is below its middle of 128, and the blue one far above.
        let (blue, red) = frame.withAVFrame { f in
            (f.pointee.data.1.map { Int($0[45]) } ?? 0, f.pointee.data.2.map { Int($0[45]) } ?? 0)
        }
        #expect(blue > 200 && red < 128, "\(blue), \(red)")
    }

    @Test("a tolerance allows a nearby keyframe")
    func tolerance() async throws {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: try AssetTestMedia.counter("mp4")))
        generator.requestedTimeToleranceBefore = .positiveInfinity
        #expect(number(try await generator.image(at: CMTime(value: 40, timescale: 25)).image) == 25)
        generator.requestedTimeToleranceBefore = CMTime(value: 5, timescale: 25)
        let near = number(try await generator.image(at: CMTime(value: 40, timescale: 25)).image)
        #expect((35...40).contains(near))
    }

    @Test("a tolerance that is not a length of time counts as zero")
    func invalidTolerance() async throws {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: try AssetTestMedia.counter("mp4")))
        for tolerance in [CMTime.invalid, .indefinite, CMTime(value: -1, timescale: 1)] {
            generator.requestedTimeToleranceBefore = tolerance
            generator.requestedTimeToleranceAfter = tolerance
            #expect(number(try await generator.image(at: CMTime(value: 40, timescale: 25)).image) == 40)
        }
    }

    /// Decodes an image file with ffmpeg. `at` returns red, green and blue at a position.
    private func pixels(_ data: Data, name: String = "x.png") throws -> (
        width: Int, height: Int, at: (Int, Int) -> [Int]
    ) {
        let url = try AssetTestMedia.temporary(name, data)
        defer { AssetTestMedia.remove(url) }
        let process = Process()
        let pipe = Pipe()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments = [
            "ffmpeg", "-nostdin", "-v", "error", "-i", url.path, "-f", "image2pipe", "-c:v", "ppm", "-pix_fmt", "rgb24",
            "-",
        ]
        process.standardOutput = pipe
        try process.run()
        let bytes = [UInt8](pipe.fileHandleForReading.readDataToEndOfFile())
        process.waitUntilExit()
        let head = String(decoding: bytes.prefix(32), as: UTF8.self).split(maxSplits: 4, whereSeparator: \.isWhitespace)
        let width = Int(head[1]) ?? 0
        let height = Int(head[2]) ?? 0
        let start = bytes.count - width * height * 3
        return (width, height, { x, y in (0..<3).map { Int(bytes[start + (y * width + x) * 3 + $0]) } })
    }
    private func near(_ a: [Int], _ b: [Int], by limit: Int = 6) -> Bool {
        zip(a, b).allSatisfy { abs($0 - $1) <= limit }
    }

    @Test("encoded images keep their colors", arguments: ImageFormat.allCases)
    func colours(format: ImageFormat) async throws {
        let frame = try await AVAssetImageGenerator(asset: AVURLAsset(url: try AssetTestMedia.quadrants())).image(
            at: .zero
        ).image
        let picture = try pixels(try frame.encoded(as: format), name: "x.\(format.rawValue)")
        #expect(picture.width == 160 && picture.height == 90)
        #expect(near(picture.at(20, 20), [255, 0, 0]), "\(picture.at(20, 20))")
        #expect(near(picture.at(140, 20), [0, 255, 0]), "\(picture.at(140, 20))")
        #expect(near(picture.at(20, 80), [0, 0, 255]), "\(picture.at(20, 80))")
        #expect(near(picture.at(140, 80), [255, 255, 255]), "\(picture.at(140, 80))")
    }

    @Test("rotation matches ffmpeg's, and can be turned off")
    func rotation() async throws {
        let url = try AssetTestMedia.rotated()
        let reference = try AssetTestMedia.make("rotated-90-by-ffmpeg.png", "-i \(url.path) -frames:v 1")
        let wanted = try pixels(Data(contentsOf: reference))
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: url))
        let got = try pixels(try await generator.image(at: .zero).image.encoded(as: .png))
        try #require(got.width == 90 && got.height == 160 && wanted.width == 90)
        for (x, y) in [(10, 10), (80, 10), (10, 150), (80, 150)] {
            #expect(near(got.at(x, y), wanted.at(x, y), by: 40), "\(x),\(y): \(got.at(x, y)) \(wanted.at(x, y))")
        }
        generator.appliesPreferredTrackTransform = false
        #expect(try await generator.image(at: .zero).image.presentationSize == CGSize(width: 160, height: 90))
    }

    @Test("images have square pixels and respect the maximum size")
    func sizes() async throws {
        let generator = AVAssetImageGenerator(asset: AVURLAsset(url: try AssetTestMedia.anamorphic()))
        let full = try pixels(try await generator.image(at: .zero).image.encoded(as: .png))
        #expect(full.width == 262 && full.height == 144)
        generator.maximumSize = CGSize(width: 131, height: 1000)
        let small = try await generator.image(at: .zero).image
        #expect(small.presentationSize == CGSize(width: 131, height: 72))
        generator.maximumSize = CGSize(width: 5000, height: 0)
        #expect(try await generator.image(at: .zero).image.width == 180)
    }
}
