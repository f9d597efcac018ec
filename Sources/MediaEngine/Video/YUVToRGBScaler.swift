import CFFmpeg
import CPixels

/// A scaler for the frames of most videos, YUV of 8, 10 or 12 bits, to 32-bit BGRX (`zt_scaler`). Must be used by one
/// thread at a time.
///
/// It takes about two thirds of the time of libswscale, or a tenth if the target's width is odd. It is exact within
/// 1/255, while libswscale deviates by up to 5/255 in smooth areas.
final class YUVToRGBScaler: Sendable {
    // The scaler is not thread-safe, but `ScaleContext` requires one thread at a time.
    nonisolated(unsafe) private let scaler: OpaquePointer
    private let height: Int
    /// Whether the second plane has both chroma samples of a pixel, as in NV12.
    private let hasPairs: Bool

    /// Returns nil for setups that libswscale should handle: other formats, those that `zt_scaler_create` rejects, and
    /// most 8-bit frames in their own size. libswscale converts these in a third of the time, because it does not
    /// interpolate chroma.
    init?(_ setup: ScaleContext.Setup) {
        guard setup.format == AV_PIX_FMT_BGR0, YUVToRGBScaler.formats.contains(setup.sourceFormat),
            let descriptor = av_pix_fmt_desc_get(setup.sourceFormat)?.pointee
        else { return nil }
        let isReduction = setup.width < setup.sourceWidth || setup.height < setup.sourceHeight
        guard setup.flags == SWS_AREA || (setup.flags == SWS_BILINEAR && !isReduction) else { return nil }
        // For odd heights and other formats, libswscale scales even without a change of size.
        let depth = descriptor.comp.0.depth
        let isPlain =
            depth == 8 && setup.width == setup.sourceWidth && setup.height == setup.sourceHeight
            && setup.height % 2 == 0
            && descriptor.log2_chroma_w == 1 && setup.sourceFormat != AV_PIX_FMT_NV12
        guard !isPlain else { return nil }
        hasPairs = setup.sourceFormat == AV_PIX_FMT_NV12
        let (red, blue) = setup.color.weights
        var parameters = zt_scaler_setup(
            sourceWidth: setup.sourceWidth, sourceHeight: setup.sourceHeight, width: setup.width, height: setup.height,
            chromaShiftX: Int32(descriptor.log2_chroma_w), chromaShiftY: Int32(descriptor.log2_chroma_h),
            depth: depth, chromaStep: hasPairs ? 2 : 1,
            chromaX: Int32(setup.color.chromaX), chromaY: Int32(setup.color.chromaY),
            redWeight: red, blueWeight: blue, isFullRange: setup.color.isFullRange ? 1 : 0)
        guard let scaler = zt_scaler_create(&parameters) else { return nil }
        self.scaler = scaler
        height = Int(setup.height)
    }

    deinit { zt_scaler_free(scaler) }

    private static let formats: Set<AVPixelFormat> = [
        AV_PIX_FMT_YUV420P, AV_PIX_FMT_YUVJ420P, AV_PIX_FMT_YUV422P, AV_PIX_FMT_YUVJ422P, AV_PIX_FMT_YUV444P,
        AV_PIX_FMT_YUVJ444P, AV_PIX_FMT_NV12, AV_PIX_FMT_YUV420P10LE, AV_PIX_FMT_YUV422P10LE, AV_PIX_FMT_YUV444P10LE,
        AV_PIX_FMT_YUV420P12LE, AV_PIX_FMT_YUV422P12LE, AV_PIX_FMT_YUV444P12LE,
    ]

    /// Scales a frame in bands of rows, which are small enough for the processor's cache.
    ///
    /// - Parameter done: Called with the rows of the target that are ready, from top to bottom.
    /// - Returns: Whether all planes exist.
    func run(
        _ planes: [UnsafePointer<UInt8>?], _ strides: [Int32], to target: UnsafeMutablePointer<UInt8>?, _ stride: Int32,
        done: (Range<Int>) -> Void = { _ in }
    ) -> Bool {
        guard planes.count > 2, strides.count > 2, let target, let luma = planes[0], let blue = planes[1],
            let red = hasPairs ? blue + 1 : planes[2]
        else { return false }
        let sourceStrides = [Int(strides[0]), Int(strides[1]), Int(hasPairs ? strides[1] : strides[2])]
        for first in Swift.stride(from: 0, to: height, by: YUVToRGBScaler.bandRows) {
            let end = min(height, first + YUVToRGBScaler.bandRows)
            let row = UnsafeMutableRawPointer(target + first * Int(stride)).assumingMemoryBound(to: UInt32.self)
            zt_scaler_run(scaler, [luma, blue, red], sourceStrides, row, Int(stride), Int32(first), Int32(end))
            done(first..<end)
        }
        return true
    }

    private static let bandRows = 32
}
