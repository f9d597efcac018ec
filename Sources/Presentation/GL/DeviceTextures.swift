import CFFmpeg
import Filters
import GTK
import MediaEngine

/// The textures of frames that stay on the graphics device that decoded them.
///
/// Nothing is copied. Where the window allows it, the compositor displays them directly (`GTKGraphicsOffload`). Not yet
/// tested on a GPU.
@MainActor
final class DeviceTextures {
    private let display: GDKDisplay
    private var colors: (code: ColorCode, colors: TextureColors?)?
    /// Whether the display has rejected frames in device memory. If true, they are not tried again.
    private var isRefused = false

    /// Creates textures for a display. Returns nil if GTK does not support YUV colors, as before version 4.20.
    init?(_ display: GDKDisplay?) {
        let video = ColorCode(primaries: 1, transfer: 13, matrix: 1, isFullRange: false)
        guard let display, let colors = video.colors else { return nil }
        self.display = display
        self.colors = (video, colors)
        DeviceFrames.request()
    }

    /// Returns a texture of the whole frame in its own size, or nil if the pixels of the frame are needed. The caller
    /// owns the reference.
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

/// A color description with the code points of Rec. ITU-T H.273.
struct ColorCode: Equatable {
    var primaries: UInt32, transfer: UInt32
    /// The matrix coefficients. 0 is red, green and blue.
    var matrix: UInt32
    var isFullRange: Bool

    @MainActor var colors: TextureColors? {
        TextureColors(primaries: primaries, transfer: transfer, matrix: matrix, isFullRange: isFullRange)
    }
}

extension ColorCode {
    /// Creates the color description of a frame's planes. Returns nil if the frame needs tone mapping.
    init?(_ color: PictureColor) {
        // libswscale's numbers are those of H.273. SDR values are shown unchanged.
        let matrix = UInt32(clamping: color.matrix)
        guard let map = color.toneMap else {
            self.init(primaries: 1, transfer: 13, matrix: matrix, isFullRange: color.isFullRange)
            return
        }
        guard let code = ColorCode(hdr: map) else { return nil }
        self.init(
            primaries: code.primaries, transfer: code.transfer, matrix: matrix, isFullRange: color.isFullRange)
    }

    /// Creates the description of RGB that the shader creates from HDR without tone mapping. Returns nil if tone
    /// mapping is needed.
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
