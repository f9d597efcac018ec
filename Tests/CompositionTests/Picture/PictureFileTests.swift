import CFFmpeg
import Filters
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

/// Tests images of files that ffmpeg makes from raw frames.
@Suite("Images of files")
struct PictureFileTests {
    private struct Failed: Error { let command: String }

    /// Calls `body` with a new folder, and then removes the folder.
    private func inFolder<T>(_ body: (URL) throws -> T) throws -> T {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(
            "zt-picture-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        return try body(folder)
    }

    private func ffmpeg(_ arguments: [String]) throws {
        guard try ChildProcess("ffmpeg", ["-nostdin", "-v", "error", "-y"] + arguments).wait() == 0 else {
            throw Failed(command: arguments.joined(separator: " "))
        }
    }

    /// Returns red, green and blue of a pixel of a PNG, as ffmpeg reads it.
    private func pixel(_ png: Data, _ x: Int, _ y: Int, width: Int, in folder: URL) throws -> [Int] {
        let file = folder.appendingPathComponent("shot.png")
        let raw = folder.appendingPathComponent("shot.rgb")
        try png.write(to: file)
        try ffmpeg(["-i", file.path, "-f", "rawvideo", "-pix_fmt", "rgb24", raw.path])
        let bytes = try Data(contentsOf: raw)
        let at = (y * width + x) * 3
        return bytes[at..<at + 3].map(Int.init)
    }

    /// Creates a video of two plain gray PQ frames of `nits` in lossless HEVC.
    private func film(_ nits: Double, maxCLL: Int, in folder: URL) throws -> URL {
        let luma = UInt16((876 * Reference.pqCode(nits) + 64).rounded())
        let width = 64
        let height = 48
        var samples =
            [UInt16](repeating: luma, count: width * height) + [UInt16](repeating: 512, count: width * height / 2)
        samples += samples
        let raw = folder.appendingPathComponent("film.yuv")
        let file = folder.appendingPathComponent("film-\(maxCLL).mkv")
        try samples.withUnsafeBytes { Data($0) }.write(to: raw)
        try ffmpeg([
            "-f", "rawvideo", "-pix_fmt", "yuv420p10le", "-s", "\(width)x\(height)", "-r", "5", "-i", raw.path, "-c:v",
            "libx265", "-preset", "ultrafast", "-x265-params",
            "lossless=1:log-level=none:colorprim=bt2020:transfer=smpte2084:colormatrix=bt2020nc:range=limited:hdr10=1"
                + ":master-display=G(13250,34500)B(7500,3000)R(34000,16000)WP(15635,16450)L(10000000,50):max-cll=\(maxCLL),100",
            file.path,
        ])
        return file
    }

    @Test("a snapshot of HDR video matches the window at every size")
    func snapshot() throws {
        try inFolder { folder in
            for (maxCLL, peak) in [(1000, 1000.0), (4000, 4000), (0, 1000)] {
                let url = try film(350, maxCLL: maxCLL, in: folder)
                let wanted = Reference.shown(SIMD3(repeating: 350), peak: peak)
                let generator = AVAssetImageGenerator(asset: AVURLAsset(url: url))
                let frame = try generator.copyImage(at: .zero)
                #expect(
                    frame.withAVFrame { PictureColor($0).toneMap }
                        == ToneMap(transfer: .pq, primaries: .bt2020, peak: peak))
                let whole = try pixel(try frame.encoded(as: .png), 20, 20, width: 64, in: folder)
                #expect(distance(whole, wanted) <= 1, "\(whole), wanted \(wanted)")
                #expect(distance(try Drawing(frame, width: 32, height: 24)[16, 12], wanted) <= 1)
                generator.maximumSize = CGSize(width: 32, height: 32)
                let small = try generator.copyImage(at: .zero)
                #expect(small.width == 32 && small.height == 24)
                #expect(distance(try pixel(try small.encoded(as: .png), 10, 10, width: 32, in: folder), wanted) <= 1)
                #expect(distance(try Drawing(small, width: 16, height: 12)[8, 6], wanted) <= 1)
            }
        }
    }

    @Test("areas outside the stream's crop rectangle are never visible")
    func crop() throws {
        try inFolder { folder in
            // Green with a red border: 6 pixels on the left, 4 above, 10 on the right, 2 below.
            let file = folder.appendingPathComponent("crop.mp4")
            try ffmpeg([
                "-f", "lavfi", "-i", "color=red:s=96x64:r=5:d=0.4,drawbox=x=6:y=4:w=80:h=58:color=lime:t=fill", "-c:v",
                "libx264", "-pix_fmt", "yuv420p", "-qp", "0",
                "-x264-params", "crop-rect=6,4,10,2", file.path,
            ])
            let still = try AVAssetImageGenerator(asset: AVURLAsset(url: file)).copyImage(at: .zero)
            var played: VideoFrame?
            let source = try MediaSource(url: file)
            let stream = try #require(source.streams.compactMap { $0 }.first)
            let track = try #require(VideoTrackDescription(stream, in: source.context))
            let decoder = try VideoDecoder(track: track, startOffset: 0, location: "crop", device: nil)
            while let packet = Owned<AVPacket>(av_packet_alloc()), av_read_frame(source.context, packet.raw) >= 0 {
                decoder.decode(MediaPacket(taking: packet, pts: nil, end: nil)) { played = played ?? $0.frame }
            }
            decoder.decode(nil) { played = played ?? $0.frame }
            for frame in [still, try #require(played)] {
                #expect(frame.width == 80 && frame.height == 58)
                let drawing = try Drawing(frame, width: 80, height: 58)
                for (x, y) in [(0, 0), (79, 0), (0, 57), (79, 57), (40, 30)] {
                    #expect(distance(drawing[x, y], [0, 255, 0]) <= 24, "\(x), \(y): \(drawing[x, y])")
                }
            }
        }
    }
}
