import CFFmpeg
import Filters
import GTK
import MediaEngine

/// Textures of frames that stay on the graphics device that decoded them: nothing is copied, and where the window
/// allows it, the compositor shows them itself (`GTKGraphicsOffload`).
///
/// Main actor. Nobody has seen this on a GPU yet.
@MainActor
final class DeviceTextures {
    private let display: GDKDisplay
    private var colors: (code: ColorCode, colors: TextureColors?)?
    /// The display did not take such memory, and is not asked again.
    private var isRefused = false

    /// Nil where GTK does not know the colors of YUV, as before 4.20.
    init?(_ display: GDKDisplay?) {
        let video = ColorCode(primaries: 1, transfer: 13, matrix: 1, isFullRange: false)
        guard let display, let colors = video.colors else { return nil }
        self.display = display
        self.colors = (video, colors)
        DeviceFrames.request()
    }

    /// A texture of the whole frame in its own size; the caller owns the reference. Nil when its pixels are needed.
    func texture(for frame: VideoFrame, placement p: VideoPlacement) -> OpaquePointer? {
        guard !isRefused, frame.orientation == .upright, p.cropX == 0, p.cropY == 0, p.cropWidth == 1,
            p.cropHeight == 1, let code = frame.withDescription({ ColorCode(PictureColor($0)) }),
            let memory = frame.deviceMemory()
        else { return nil }
        if colors?.code != code { colors = (code, code.colors) }
        guard let colors = colors?.colors else { return nil }
        let planes = memory.planes
        let texture = display.texture(
            of: GDKDisplay.SharedMemory(
                fourcc: planes.fourcc, modifier: planes.modifier, count: Int(planes.count), files: planes.files,
                offsets: planes.offsets, strides: planes.strides),
            width: frame.width, height: frame.height, colors: colors, keeping: memory)
        isRefused = texture == nil
        return texture
    }
}

/// Colors by the numbers of Rec. ITU-T H.273.
struct ColorCode: Equatable {
    var primaries: UInt32, transfer: UInt32
    /// 0: red, green and blue.
    var matrix: UInt32
    var isFullRange: Bool

    @MainActor var colors: TextureColors? {
        TextureColors(primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: isFullRange)
    }
}

extension ColorCode {
    /// Of a frame's planes; nil when its tones must be mapped.
    init?(_ color: PictureColor) {
        // libswscale's numbers are those of H.273. SDR is shown with its codes as they are.
        let matrix = UInt32(clamping: color.matrix)
        guard let map = color.toneMap else {
            self.init(primaries: 1, transfer: 13, matrix: matrix, isFullRange: color.isFullRange)
            return
        }
        guard let code = ColorCode(hdr: map) else { return nil }
        self.init(
            primaries: code.primaries, transfer: code.transfer, matrix: matrix, isFullRange: color.isFullRange)
    }

    /// Of red, green and blue that the shader has made of HDR without mapping its tones; nil: they are to be mapped.
    init?(hdr map: ToneMap) {
        guard HDROutput.isRequested, map.transfer != .gamma else { return nil }
        let primaries: UInt32 =
            switch map.primaries {
            case .bt709: 1
            case .bt2020: 9
            case .p3: 12
            }
        self.init(primaries: primaries, transfer: map.transfer == .pq ? 16 : 18, matrix: 0, isFullRange: true)
    }
}
