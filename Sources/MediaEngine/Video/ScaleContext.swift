import CFFmpeg
import MediaCore

/// A scaler, set up with the color properties of a frame: matrix, range and position of chroma. It uses
/// `YUVToRGBScaler` for the setups that it accepts, and libswscale for all others. It must be used by one thread at a
/// time; `SharedScaler` ensures this where several threads need one.
package final class ScaleContext: Sendable {
    package struct Setup: Hashable, Sendable {
        package var sourceWidth: Int32, sourceHeight: Int32
        package var sourceFormat: AVPixelFormat
        package var width: Int32, height: Int32
        package var format: AVPixelFormat
        package var color: PictureColor
        /// The flags of libswscale, such as SWS_AREA.
        package var flags: Int32

        package init(
            sourceWidth: Int32, sourceHeight: Int32, sourceFormat: AVPixelFormat, width: Int32, height: Int32,
            format: AVPixelFormat, color: PictureColor, flags: Int32
        ) {
            (self.sourceWidth, self.sourceHeight, self.sourceFormat) = (sourceWidth, sourceHeight, sourceFormat)
            (self.width, self.height, self.format) = (width, height, format)
            (self.color, self.flags) = (color, flags)
        }
    }
    package let setup: Setup
    private let work: Work
    private enum Work: ~Copyable {
        case planar(YUVToRGBScaler)
        case library(Owned<SwsScaler>)
    }

    /// Creates a scaler. Returns `nil` if libswscale does not support the formats or sizes, or memory is exhausted.
    package init?(_ setup: Setup) {
        self.setup = setup
        if let planar = YUVToRGBScaler(setup) {
            work = .planar(planar)
            return
        }
        guard let scaler = Owned<SwsScaler>(sws_alloc_context()) else { return nil }
        let context = scaler.raw
        let raw = UnsafeMutableRawPointer(context)
        for (name, value) in [
            ("srcw", setup.sourceWidth), ("srch", setup.sourceHeight), ("src_format", setup.sourceFormat.rawValue),
            ("dstw", setup.width), ("dsth", setup.height), ("dst_format", setup.format.rawValue),
            ("sws_flags", setup.flags),
            ("src_h_chr_pos", Int32(setup.color.chromaX)), ("src_v_chr_pos", Int32(setup.color.chromaY)),
        ] { av_opt_set_int(raw, name, Int64(value), 0) }
        guard sws_init_context(context, nil, nil) >= 0 else { return nil }
        let source = sws_getCoefficients(setup.color.matrix)
        let target = sws_getCoefficients(Int32(SWS_CS_DEFAULT))
        _ = sws_setColorspaceDetails(context, source, setup.color.isFullRange ? 1 : 0, target, 1, 0, 1 << 16, 1 << 16)
        work = .library(scaler)
    }

    /// Scales a frame.
    ///
    /// - Parameters:
    ///   - planes, strides: The four planes of the source; unused ones are `nil` and 0.
    ///   - target, targetStrides: The four planes of the target.
    /// - Returns: Whether the frame was scaled.
    package func run(
        _ planes: [UnsafePointer<UInt8>?], _ strides: [Int32], to target: [UnsafeMutablePointer<UInt8>?],
        _ targetStrides: [Int32]
    ) -> Bool {
        switch work {
        case .planar(let scaler): scaler.run(planes, strides, to: target.first ?? nil, targetStrides.first ?? 0)
        case .library(let scaler):
            sws_scale(scaler.raw, planes, strides, 0, setup.sourceHeight, target, targetStrides) > 0
        }
    }

    /// Scales a frame in bands of rows, so that `done` can process each band while it is in the processor's cache.
    ///
    /// - Parameter done: Called with the rows of the target that are ready, from top to bottom.
    package func run(
        _ planes: [UnsafePointer<UInt8>?], _ strides: [Int32], to target: [UnsafeMutablePointer<UInt8>?],
        _ targetStrides: [Int32],
        done: (Range<Int>) -> Void
    ) -> Bool {
        switch work {
        case .planar(let scaler):
            scaler.run(planes, strides, to: target.first ?? nil, targetStrides.first ?? 0, done: done)
        case .library(let scaler):
            runInBands(scaler.raw, planes, strides, to: target, targetStrides, done: done)
        }
    }

    private func runInBands(
        _ context: OpaquePointer, _ planes: [UnsafePointer<UInt8>?], _ strides: [Int32],
        to target: [UnsafeMutablePointer<UInt8>?], _ targetStrides: [Int32], done: (Range<Int>) -> Void
    ) -> Bool {
        guard let descriptor = av_pix_fmt_desc_get(setup.sourceFormat) else { return false }
        // A palette is stored as a plane, but it has no rows.
        let isBanded = descriptor.pointee.flags & UInt64(AV_PIX_FMT_FLAG_PAL) == 0
        let band = isBanded ? ScaleContext.bandRows : setup.sourceHeight
        var ready = 0
        for row in Swift.stride(from: 0, to: setup.sourceHeight, by: Int(band)) {
            let part = planes.indices.map { plane in
                planes[plane].map {
                    $0 + Int(plane == 1 || plane == 2 ? row >> Int32(descriptor.pointee.log2_chroma_h) : row)
                        * Int(strides[plane])
                }
            }
            let rows = sws_scale(
                context, part, strides, row, min(band, setup.sourceHeight - row), target, targetStrides)
            guard rows >= 0 else { return false }
            if rows > 0 { done(ready..<ready + Int(rows)) }
            ready += Int(rows)
        }
        return ready > 0
    }

    /// The rows of a band in the source: a multiple of every chroma subsampling and of the vector size.
    private static let bandRows: Int32 = 64
}
