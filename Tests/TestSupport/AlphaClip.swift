import CFFmpeg
import Foundation
import MediaEngine

/// The test videos `alpha-*`, of 160×96 pixels in four columns.
///
/// The first column is transparent, with green color values. The second is half-transparent red. The third is red with
/// an alpha that identifies the frame. The fourth is blue.
package enum AlphaClip {
    package static let all = [
        "alpha-qtrle.mov", "alpha-png.mov", "alpha-png16.mov", "alpha-prores.mov", "alpha-vp8.webm", "alpha-vp9.webm",
    ]
    package static let count = 25

    /// Returns the alpha of the third column in frame `n`, counted from 0.
    package static func alpha(_ n: Int) -> Int { 20 + 8 * n }

    /// Returns the number of a frame, determined by its third column; nil if the alpha matches no frame.
    package static func number(_ frame: VideoFrame) -> Int? {
        let alpha = pixel(frame, 5.0 / 8)[3]
        let n = Int((Double(alpha - 20) / 8).rounded())
        return (0..<count).contains(n) && abs(alpha - self.alpha(n)) <= 3 ? n : nil
    }

    /// Returns red, green, blue and alpha, 0…255, in the middle of each of the four columns.
    package static func columns(_ frame: VideoFrame) -> [[Int]] { [1, 3, 5, 7].map { pixel(frame, Double($0) / 8) } }

    /// Returns red, green, blue and alpha, 0…255, at a fraction of the width and half of the height. The colors are not
    /// premultiplied by alpha.
    package static func pixel(_ frame: VideoFrame, _ part: Double) -> [Int] {
        let pixels = pixels(frame)
        let x = Int(part * Double(frame.width))
        let y = frame.height / 2
        let p = y * frame.width + x < pixels.count ? pixels[y * frame.width + x] : 0
        return [p >> 16 & 255, p >> 8 & 255, p & 255, p >> 24].map(Int.init)
    }

    /// Returns the pixels as BGRA words as stored, not premultiplied by alpha.
    package static func pixels(_ frame: VideoFrame) -> [UInt32] {
        var pixels = [UInt32](repeating: 0, count: frame.width * frame.height + AlphaScaler.slack / 4)
        let done = pixels.withUnsafeMutableBytes { raw in
            raw.baseAddress.map { base in
                frame.withAVFrame {
                    AlphaScaler().drawStraight(
                        AlphaScaler.Source($0, isPremultiplied: frame.isPremultiplied), width: frame.width,
                        height: frame.height,
                        into: base, stride: frame.width * 4)
                }
            } ?? false
        }
        return done ? Array(pixels.prefix(frame.width * frame.height)) : []
    }

    /// Returns the columns of every frame as the ffmpeg tool decodes them. For VP8 and VP9, ffmpeg uses libvpx, because
    /// its own decoders ignore alpha.
    package static func columns(byFFmpeg file: URL) throws -> [[[Int]]] {
        let raw = FileManager.default.temporaryDirectory.appendingPathComponent("zt-alpha-\(UUID().uuidString).raw")
        defer { try? FileManager.default.removeItem(at: raw) }
        let name = file.lastPathComponent
        let decoder =
            name.contains("vp8") ? ["-c:v", "libvpx"] : name.hasSuffix(".webm") ? ["-c:v", "libvpx-vp9"] : []
        try ChildProcess(
            "ffmpeg",
            ["-v", "error", "-y"] + decoder + [
                "-i", file.path, "-fps_mode", "passthrough", "-vf", "scale=160:96:flags=neighbor",
                "-f", "rawvideo", "-pix_fmt", "rgba", raw.path,
            ]
        ).wait()
        let bytes = [UInt8](try Data(contentsOf: raw))
        let size = 160 * 96 * 4
        return (0..<bytes.count / size).map { n in
            [20, 60, 100, 140].map { x in (0..<4).map { Int(bytes[n * size + (48 * 160 + x) * 4 + $0]) } }
        }
    }
}
