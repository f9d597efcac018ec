import CFFmpeg
import Foundation
import MediaCore
import MediaEngine

@testable import Filters

/// Test frames in memory, and functions that read results.
enum Pictures {
    /// Creates a BGR0 frame. `color` returns red, green and blue (0…255) for x from the left and y from the top.
    static func frame(
        _ width: Int, _ height: Int, rotation: Int = 0, aspect: Double = 1, _ color: (Int, Int) -> (Int, Int, Int)
    ) throws -> VideoFrame {
        guard let picture = av_frame_alloc() else { throw AVError(.unknown, at: "test", reason: "no memory") }
        var owned: UnsafeMutablePointer<AVFrame>? = picture
        defer { av_frame_free(&owned) }
        picture.pointee.format = AV_PIX_FMT_BGR0.rawValue
        picture.pointee.width = Int32(width)
        picture.pointee.height = Int32(height)
        guard av_frame_get_buffer(picture, 0) >= 0, let data = picture.pointee.data.0 else {
            throw AVError(.unknown, at: "test", reason: "no memory")
        }
        for y in 0..<height {
            for x in 0..<width {
                let (r, g, b) = color(x, y)
                let at = y * Int(picture.pointee.linesize.0) + x * 4
                (data[at], data[at + 1], data[at + 2], data[at + 3]) = (UInt8(b), UInt8(g), UInt8(r), 0)
            }
        }
        guard
            let frame = VideoFrame(
                retaining: picture, presentationTime: CMTime(value: 7, timescale: 25),
                duration: CMTime(value: 1, timescale: 25),
                orientation: PictureOrientation(rotation: rotation), pixelAspectRatio: aspect)
        else { throw AVError(.unknown, at: "test", reason: "no memory") }
        return frame
    }

    /// Returns red, green and blue of the pixel at x from the left, y from the top. Empty outside of the frame.
    static func pixel(_ frame: VideoFrame, _ x: Int, _ y: Int) -> [Int] {
        frame.withAVFrame { picture in
            guard let data = picture.pointee.data.0, (0..<Int(picture.pointee.height)).contains(y),
                (0..<Int(picture.pointee.linesize.0) / 4).contains(x)
            else { return [] }
            let at = y * Int(picture.pointee.linesize.0) + x * 4
            return [Int(data[at + 2]), Int(data[at + 1]), Int(data[at])]
        }
    }

    /// Returns an image at the origin with one row of colors, which are not premultiplied.
    static func row(_ colors: [SIMD4<Double>]) -> CIImage {
        var bytes: [UInt8] = []
        for c in colors { for i in 0..<4 { bytes.append(UInt8(((i < 3 ? c[i] * c[3] : c[3]) * 255).rounded())) } }
        return CIImage(ImageBitmap(width: colors.count, height: 1, pixels: bytes))
    }
}
