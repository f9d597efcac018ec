import CFFmpeg
import Foundation
import MediaCore
import MediaEngine

/// The order of the four bytes of a pixel. Mirrors Core Image's type of the same name.
public struct CIFormat: Hashable, Sendable {
    let order: [Int]
    /// The byte order red, green, blue, alpha.
    public static let RGBA8 = CIFormat(order: [0, 1, 2, 3])
    /// The byte order blue, green, red, alpha.
    public static let BGRA8 = CIFormat(order: [2, 1, 0, 3])
    /// The byte order alpha, red, green, blue.
    public static let ARGB8 = CIFormat(order: [1, 2, 3, 0])
}

extension CIImage {
    /// Creates an image with the same color everywhere. Its extent is infinite.
    ///
    /// ```swift
    /// let tint = CIImage(color: CIColor(red: 1, green: 0.6, blue: 0, alpha: 0.2))
    /// return tint.cropped(to: image.extent).composited(over: image)
    /// ```
    public convenience init(color: CIColor) { self.init(recipe: .color(color.simd), extent: .infinite) }

    /// Returns an image without pixels.
    public static func empty() -> CIImage { CIImage(recipe: .empty, extent: .null) }

    /// Returns the image that represents the video's frame in a recipe. `size` is the size of the upright frame, in
    /// whole, square pixels.
    package static func source(_ size: CGSize) -> CIImage {
        CIImage(recipe: .source, extent: CGRect(origin: .zero, size: size))
    }

    package convenience init(_ bitmap: ImageBitmap) {
        self.init(
            recipe: bitmap.pixels.isEmpty ? .empty : .bitmap(bitmap),
            extent: bitmap.pixels.isEmpty ? .null : CGRect(x: 0, y: 0, width: bitmap.width, height: bitmap.height))
    }

    /// Creates an image from pixels in memory.
    ///
    /// - Parameters:
    ///   - data: The rows from the top, premultiplied by alpha. Missing bytes are transparent.
    ///   - bytesPerRow: The number of bytes per row, at least four times the width.
    ///   - size: The size in whole pixels. Width and height are clamped to 0…32768.
    ///   - format: The order of the bytes of a pixel.
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

    /// Creates an image from an image file (PNG, JPEG, WebP and others), or from the first frame of a video. Blocks
    /// until the file is decoded. Ignores a rotation in the file's metadata (Exif).
    ///
    /// Returns nil if `url` is not a file URL or the file can't be decoded.
    ///
    /// ```swift
    /// if let logo = CIImage(contentsOf: URL(fileURLWithPath: "logo.png")) {
    ///     let layer = CALayer()
    ///     layer.frame = CGRect(origin: .zero, size: logo.extent.size)
    ///     layer.contents = logo
    /// }
    /// ```
    public convenience init?(contentsOf url: URL) {
        guard let bitmap = try? ImageBitmap(contentsOf: url) else { return nil }
        self.init(bitmap)
    }

    /// Creates an image from an encoded image in memory (PNG, JPEG, WebP and others). Blocks until the data is decoded.
    /// Ignores a rotation in the metadata (Exif).
    ///
    /// Returns nil if the data can't be decoded, or can't be written to a temporary file, which the decoder reads.
    public convenience init?(data: Data) {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("zoetrope-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: file) }
        guard (try? data.write(to: file)) != nil else { return nil }
        self.init(contentsOf: file)
    }
}

extension ImageBitmap {
    /// Decodes an image file with FFmpeg. Callable on any thread.
    ///
    /// - Throws: The errors of `ImageFileDecoder.decode`, such as `.fileNotFound`, `.fileFormatNotRecognized` or
    ///   `.decodeFailed`.
    package convenience init(contentsOf url: URL) throws(AVError) { try self.init(ImageFileDecoder.decode(url)) }

    /// Creates a bitmap from the stored pixels of `frame`, premultiplied by alpha.
    /// - Throws: `.operationNotSupported` for a pixel format that can't be converted.
    package convenience init(_ frame: VideoFrame) throws(AVError) {
        let width = frame.width
        let height = frame.height
        var words = [UInt32](repeating: 0, count: width * height + 16)
        let done = frame.withAVFrame { avFrame -> Bool in
            let context = sws_getContext(
                avFrame.pointee.width, avFrame.pointee.height, AVPixelFormat(avFrame.pointee.format),
                avFrame.pointee.width, avFrame.pointee.height, AV_PIX_FMT_RGBA, Int32(SWS_BILINEAR), nil, nil, nil)
            guard let scaler = Owned<SwsScaler>(context) else { return false }
            let data = avFrame.pointee.data
            var sources: [UnsafePointer<UInt8>?] = [data.0, data.1, data.2, data.3].map { $0.map { UnsafePointer($0) } }
            return words.withUnsafeMutableBytes { raw in
                var output: [UnsafeMutablePointer<UInt8>?] = [
                    raw.bindMemory(to: UInt8.self).baseAddress, nil, nil, nil,
                ]
                var stride: [Int32] = [Int32(width * 4), 0, 0, 0]
                return withUnsafePointer(to: avFrame.pointee.linesize) { strides in
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
