import CFFmpeg
import Foundation
import MediaCore
import MediaEngine

/// How four bytes are one pixel. Core Image's type.
public struct CIFormat: Hashable, Sendable {
    let order: [Int]
    /// Bytes red, green, blue, alpha.
    public static let RGBA8 = CIFormat(order: [0, 1, 2, 3])
    /// Bytes blue, green, red, alpha.
    public static let BGRA8 = CIFormat(order: [2, 1, 0, 3])
    /// Bytes alpha, red, green, blue.
    public static let ARGB8 = CIFormat(order: [1, 2, 3, 0])
}

extension CIImage {
    /// One colour everywhere.
    public convenience init(color: CIColor) { self.init(recipe: .color(color.simd), extent: .infinite) }

    /// Nothing anywhere.
    public static func empty() -> CIImage { CIImage(recipe: .empty, extent: .null) }

    /// The picture of the video itself, in a recipe for videos of that size (whole pixels, upright, square).
    package static func source(_ size: CGSize) -> CIImage {
        CIImage(recipe: .source, extent: CGRect(origin: .zero, size: size))
    }

    package convenience init(_ bitmap: ImageBitmap) {
        self.init(
            recipe: bitmap.pixels.isEmpty ? .empty : .bitmap(bitmap),
            extent: bitmap.pixels.isEmpty ? .null : CGRect(x: 0, y: 0, width: bitmap.width, height: bitmap.height))
    }

    /// Pixels in memory.
    ///
    /// - Parameters:
    ///   - data: rows from the top, premultiplied; missing bytes are transparent.
    ///   - bytesPerRow: at least four times the width.
    ///   - size: whole pixels.
    public convenience init(bitmapData data: Data, bytesPerRow: Int, size: CGSize, format: CIFormat) {
        let width = size.width.isFinite ? max(0, Int(min(size.width, 32768))) : 0
        let height = size.height.isFinite ? max(0, Int(min(size.height, 32768))) : 0
        var pixels = [UInt8](repeating: 0, count: width * height * 4)
        let stride = max(bytesPerRow, 0)
        data.withUnsafeBytes { raw in
            for y in 0..<height {
                for x in 0..<width where y * stride + x * 4 + 3 < raw.count && x * 4 + 3 < stride {
                    for channel in 0..<4 {
                        pixels[(y * width + x) * 4 + channel] = raw[y * stride + x * 4 + format.order[channel]]
                    }
                }
            }
        }
        self.init(ImageBitmap(width: width, height: height, pixels: pixels))
    }

    /// A picture file (PNG, JPEG, WebP…), or the first picture of a video, decoded at once.
    ///
    /// - Returns: nil when there is none; `ImageBitmap.init(contentsOf:)` tells why.
    public convenience init?(contentsOf url: URL) {
        guard let bitmap = try? ImageBitmap(contentsOf: url) else { return nil }
        self.init(bitmap)
    }

    /// An encoded picture in memory (PNG, JPEG, WebP…), decoded at once; nil when it is none.
    public convenience init?(data: Data) {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("zoetrope-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        guard (try? data.write(to: file)) != nil else { return nil }
        self.init(contentsOf: file)
    }
}

extension ImageBitmap {
    /// Decodes a picture file with FFmpeg; any thread.
    ///
    /// - Throws: as `StillPicture.decode`: `.fileNotFound`, `.fileFormatNotRecognized`, `.decodeFailed`…
    package convenience init(contentsOf url: URL) throws(AVError) { try self.init(StillPicture.decode(url)) }

    /// The pixels of `frame` as stored, alpha premultiplied.
    package convenience init(_ frame: VideoFrame) throws(AVError) {
        let width = frame.width
        let height = frame.height
        var words = [UInt32](repeating: 0, count: width * height + 16)
        let done = frame.withAVFrame { picture -> Bool in
            let made = sws_getContext(
                picture.pointee.width, picture.pointee.height, AVPixelFormat(picture.pointee.format),
                picture.pointee.width, picture.pointee.height, AV_PIX_FMT_RGBA, Int32(SWS_BILINEAR), nil, nil, nil)
            guard let scaler = Owned<SwsScaler>(made) else { return false }
            let data = picture.pointee.data
            var sources: [UnsafePointer<UInt8>?] = [data.0, data.1, data.2, data.3].map { $0.map { UnsafePointer($0) } }
            return words.withUnsafeMutableBytes { raw in
                var output: [UnsafeMutablePointer<UInt8>?] = [
                    raw.bindMemory(to: UInt8.self).baseAddress, nil, nil, nil,
                ]
                var stride: [Int32] = [Int32(width * 4), 0, 0, 0]
                return withUnsafePointer(to: picture.pointee.linesize) { strides in
                    strides.withMemoryRebound(to: Int32.self, capacity: 8) {
                        sws_scale(scaler.raw, &sources, $0, 0, Int32(height), &output, &stride) > 0
                    }
                }
            }
        }
        guard done else {
            throw AVError(
                .operationNotSupported, at: "", reason: "the image's pixel format can't be converted")
        }
        var pixels = words.withUnsafeBytes { Array($0.prefix(width * height * 4)) }
        for pixel in stride(from: 0, to: pixels.count, by: 4) where !frame.isPremultiplied && pixels[pixel + 3] != 255 {
            for channel in 0..<3 {
                pixels[pixel + channel] = UInt8((Int(pixels[pixel + channel]) * Int(pixels[pixel + 3]) + 127) / 255)
            }
        }
        self.init(width: width, height: height, pixels: pixels)
    }
}
