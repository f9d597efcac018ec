import Export
import Foundation
import MediaCore
import MediaEngine
import TestSupport
import Testing

/// A folder for a test's exports, with functions that examine them with ffmpeg instead of Zoetrope's own decoders.
final class ExportBench: Sendable {
    let folder: URL

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-export-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit { try? FileManager.default.removeItem(at: folder) }

    func url(_ name: String) -> URL { folder.appendingPathComponent(name) }

    /// The names of all files in the folder, including hidden ones.
    var contents: [String] { ((try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []).sorted() }

    /// Exports `source` to a file `name` in the folder.
    @discardableResult
    func export(
        _ source: URL, to name: String, preset: String = AVAssetExportPresetHighestQuality,
        _ set: (AVAssetExportSession) -> Void = { _ in }
    ) async throws -> URL {
        let session = try #require(AVAssetExportSession(asset: AVURLAsset(url: source), presetName: preset))
        set(session)
        try await session.export(to: url(name))
        #expect(session.status == .completed && session.progress == 1 && session.error == nil)
        return url(name)
    }

    // MARK: examining files

    private func run(_ program: String, _ arguments: [String]) async throws -> Data {
        let out = url(".out-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: out) }
        let code = try await offPool { try ChildProcess(program, arguments, output: out.path).wait() }
        #expect(code == 0, "\(program) \(arguments)")
        return try Data(contentsOf: out)
    }

    func probe(_ file: URL, _ arguments: String...) async throws -> [String] { try await probe(file, arguments) }

    func probe(_ file: URL, _ arguments: [String]) async throws -> [String] {
        let data = try await run("ffprobe", ["-v", "error"] + arguments + ["-of", "default=nw=1:nk=1", file.path])
        return String(decoding: data, as: UTF8.self).split(separator: "\n").map(String.init)
    }

    /// Returns the start of each frame by the container's timestamps, in seconds.
    func times(_ file: URL) async throws -> [Double] {
        try await probe(file, "-select_streams", "v:0", "-show_entries", "frame=best_effort_timestamp_time").compactMap
        { Double($0) }
    }

    /// Returns the pixels of all frames, in order.
    func pixels(_ file: URL, _ format: String, filter: String = "null") async throws -> [UInt8] {
        [UInt8](
            try await run(
                "ffmpeg",
                [
                    "-v", "error", "-noautorotate", "-i", file.path, "-map", "0:v:0", "-fps_mode", "passthrough", "-vf",
                    filter,
                    "-f", "rawvideo", "-pix_fmt", format, "-",
                ]))
    }

    /// Returns the numbers of the frames of a `counter*` video, read from the 16 blocks in their upper halves.
    func numbers(_ file: URL) async throws -> [Int] {
        let bytes = try await pixels(file, "gray", filter: "scale=320:64")
        return (0..<bytes.count / (320 * 64)).map { picture in
            (0..<16).reduce(0) { number, block in
                number << 1 | (bytes[picture * 320 * 64 + 12 * 320 + block * 20 + 10] > 126 ? 1 : 0)
            }
        }
    }

    /// Returns the samples of the first channel.
    func samples(_ file: URL) async throws -> [Float] {
        let data = try await run(
            "ffmpeg", ["-v", "error", "-i", file.path, "-map", "0:a:0", "-af", "pan=mono|c0=c0", "-f", "f32le", "-"])
        return data.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }

    /// Returns the length of the audio in samples, as stated by the container: ffmpeg's demuxer of MP4 keeps the
    /// padding of the last packet.
    func soundLength(_ file: URL) async throws -> Int {
        let said = try await probe(file, "-select_streams", "a", "-show_entries", "stream=duration_ts")
        return try #require(said.first.flatMap { Int($0) })
    }

    /// Returns the bytes of all audio packets.
    func soundPackets(_ file: URL) async throws -> Data {
        try await run("ffmpeg", ["-v", "error", "-i", file.path, "-map", "0:a:0", "-c", "copy", "-f", "data", "-"])
    }

    /// Creates a file in the folder with ffmpeg.
    func make(_ name: String, _ arguments: [String]) async throws -> URL {
        _ = try await run("ffmpeg", ["-v", "error", "-y"] + arguments + [url(name).path])
        return url(name)
    }
}

func seconds(_ from: Double, _ to: Double) -> CMTimeRange {
    CMTimeRange(
        start: CMTime(seconds: from, preferredTimescale: 1_000_000),
        end: CMTime(seconds: to, preferredTimescale: 1_000_000))
}

/// A composer that calls a closure for each frame and returns its result.
final class ClosureComposer: ExportComposer {
    private let body: @Sendable (VideoFrame, CMTime, (width: Int, height: Int)) throws -> VideoFrame?
    init(_ body: @escaping @Sendable (VideoFrame, CMTime, (width: Int, height: Int)) throws -> VideoFrame?) {
        self.body = body
    }
    func compose(_ frame: VideoFrame, at itemTime: CMTime, size: (width: Int, height: Int)) throws -> VideoFrame? {
        try body(frame, itemTime, size)
    }

    /// Returns a frame of one color, given as blue, green, red.
    static func flat(_ size: (width: Int, height: Int), _ bgr: [UInt8], at time: CMTime) throws -> VideoFrame {
        try .bgra(width: size.width, height: size.height, presentationTime: time) { pixels, _ in
            for i in stride(from: 0, to: pixels.count - 3, by: 4) {
                pixels[i] = bgr[0]
                pixels[i + 1] = bgr[1]
                pixels[i + 2] = bgr[2]
            }
        }
    }
}
