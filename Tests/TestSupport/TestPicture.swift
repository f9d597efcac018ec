import CFFmpeg
import Foundation
import MediaCore
import MediaEngine

/// A generator of frames with four plain colors: red and green above, blue and white below. Colors are converted by the
/// formulas of the standards, not by the library under test.
public enum TestPicture {
    public enum Layout: String, Sendable, CaseIterable { case yuv420p, yuv422p, yuv444p, nv12, yuv420p10, p010 }
    public enum Matrix: String, Sendable, CaseIterable {
        case bt601, bt709, bt2020
        /// The luma weights of red and blue (Rec. ITU-R BT.601-7, BT.709-6, BT.2020-2).
        var weights: (red: Double, blue: Double) {
            switch self {
            case .bt601: (0.299, 0.114)
            case .bt709: (0.2126, 0.0722)
            case .bt2020: (0.2627, 0.0593)
            }
        }
        var space: AVColorSpace {
            switch self {
            case .bt601: AVCOL_SPC_SMPTE170M
            case .bt709: AVCOL_SPC_BT709
            case .bt2020: AVCOL_SPC_BT2020_NCL
            }
        }
    }

    public static let colors: [[Int]] = [[255, 0, 0], [0, 255, 0], [0, 0, 255], [255, 255, 255]]

    /// Makes a frame.
    /// - Parameter phase: The number of places by which the colors are rotated, so that frames can be told apart.
    package static func quadrants(
        width: Int, height: Int, layout: Layout = .yuv420p, matrix: Matrix = .bt709, isFullRange: Bool = false,
        rotation: Int = 0, isMirrored: Bool = false, pixelAspectRatio: Double = 1, phase: Int = 0
    ) -> VideoFrame? {
        var frame: UnsafeMutablePointer<AVFrame>? = av_frame_alloc()
        defer { av_frame_free(&frame) }
        guard let picture = frame else { return nil }
        let format: AVPixelFormat =
            switch layout {
            case .yuv420p: AV_PIX_FMT_YUV420P
            case .yuv422p: AV_PIX_FMT_YUV422P
            case .yuv444p: AV_PIX_FMT_YUV444P
            case .nv12: AV_PIX_FMT_NV12
            case .yuv420p10: AV_PIX_FMT_YUV420P10LE
            case .p010: AV_PIX_FMT_P010LE
            }
        picture.pointee.format = format.rawValue
        picture.pointee.width = Int32(width)
        picture.pointee.height = Int32(height)
        picture.pointee.colorspace = matrix.space
        picture.pointee.color_range = isFullRange ? AVCOL_RANGE_JPEG : AVCOL_RANGE_MPEG
        guard av_frame_get_buffer(picture, 0) >= 0 else { return nil }
        let depth = layout == .yuv420p10 || layout == .p010 ? 10 : 8
        let shift = layout == .p010 ? 6 : 0
        let samples = (0..<4).map { code(colors[($0 + phase) % 4], matrix, isFullRange, depth) }
        let chromaX = layout == .yuv444p ? 1 : 2
        let chromaY = layout == .yuv444p || layout == .yuv422p ? 1 : 2
        let isSemiPlanar = layout == .nv12 || layout == .p010
        let data = [picture.pointee.data.0, picture.pointee.data.1, picture.pointee.data.2]
        let strides = [picture.pointee.linesize.0, picture.pointee.linesize.1, picture.pointee.linesize.2].map(Int.init)
        func put(_ plane: Int, _ x: Int, _ y: Int, _ value: Int) {
            guard let row = data[plane].map({ UnsafeMutableRawPointer($0 + y * strides[plane]) }) else { return }
            if depth > 8 {
                row.storeBytes(of: UInt16(value << shift), toByteOffset: x * 2, as: UInt16.self)
            } else {
                row.storeBytes(of: UInt8(value), toByteOffset: x, as: UInt8.self)
            }
        }
        for y in 0..<height {
            for x in 0..<width { put(0, x, y, samples[(x * 2 >= width ? 1 : 0) + (y * 2 >= height ? 2 : 0)][0]) }
        }
        let w = (width + chromaX - 1) / chromaX
        let h = (height + chromaY - 1) / chromaY
        for y in 0..<h {
            for x in 0..<w {
                let sample = samples[(x * 2 >= w ? 1 : 0) + (y * 2 >= h ? 2 : 0)]
                put(1, isSemiPlanar ? x * 2 : x, y, sample[1])
                put(isSemiPlanar ? 1 : 2, isSemiPlanar ? x * 2 + 1 : x, y, sample[2])
            }
        }
        return VideoFrame(
            retaining: picture, presentationTime: .zero, duration: .invalid,
            orientation: PictureOrientation(rotation: rotation, isMirrored: isMirrored),
            pixelAspectRatio: pixelAspectRatio)
    }

    /// Returns Y′, Cb and Cr as the quantized code values of the standards.
    private static func code(_ rgb: [Int], _ matrix: Matrix, _ isFullRange: Bool, _ depth: Int) -> [Int] {
        let (kr, kb) = matrix.weights
        let (r, g, b) = (Double(rgb[0]) / 255, Double(rgb[1]) / 255, Double(rgb[2]) / 255)
        let y = kr * r + (1 - kr - kb) * g + kb * b
        let cb = (b - y) / (2 * (1 - kb))
        let cr = (r - y) / (2 * (1 - kr))
        let top = Double((1 << depth) - 1)
        let unit = Double(1 << (depth - 8))
        let values =
            isFullRange
            ? [y * top, cb * top + 128 * unit, cr * top + 128 * unit]
            : [(219 * y + 16) * unit, (224 * cb + 128) * unit, (224 * cr + 128) * unit]
        return values.map { Int(min(top, max(0, $0)).rounded()) }
    }
}
