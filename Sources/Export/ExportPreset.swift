import Foundation

// Names of presets, AVFoundation's; each is its own text.

/// The source's own size, hardly to be told from it.
public let AVAssetExportPresetHighestQuality = "AVAssetExportPresetHighestQuality"
/// At most 1280×720, smaller files.
public let AVAssetExportPresetMediumQuality = "AVAssetExportPresetMediumQuality"
/// At most 640×360, to be sent by mail.
public let AVAssetExportPresetLowQuality = "AVAssetExportPresetLowQuality"
/// At most 640×480 pixels, never enlarged (480×640 for upright pictures), in high quality.
public let AVAssetExportPreset640x480 = "AVAssetExportPreset640x480"
/// At most 960×540 pixels, never enlarged (540×960 for upright pictures), in high quality.
public let AVAssetExportPreset960x540 = "AVAssetExportPreset960x540"
/// At most 1280×720 pixels, never enlarged (720×1280 for upright pictures), in high quality.
public let AVAssetExportPreset1280x720 = "AVAssetExportPreset1280x720"
/// At most 1920×1080 pixels, never enlarged (1080×1920 for upright pictures), in high quality.
public let AVAssetExportPreset1920x1080 = "AVAssetExportPreset1920x1080"
/// At most 3840×2160 pixels, never enlarged (2160×3840 for upright pictures), in high quality.
public let AVAssetExportPreset3840x2160 = "AVAssetExportPreset3840x2160"

/// What a preset's name stands for.
struct ExportPreset: Sendable, Equatable {
    /// Pixels, longer side by shorter; nil: the source's own size.
    var box: (long: Int, short: Int)?
    var quality: Quality

    enum Quality: Int, Sendable {
        case high, medium, low

        /// libx264's rate factor.
        var h264: Int { [18, 23, 28][rawValue] }
        /// libvpx's.
        var vp9: Int { [24, 31, 38][rawValue] }
        /// Bits per pixel and picture, for encoders that want a rate.
        var bitsPerPixel: Double { [0.2, 0.1, 0.05][rawValue] }
        /// libavcodec's quantiser of MPEG-4 part 2.
        var mpeg4: Int32 { [2, 4, 8][rawValue] }
        /// Bits a second for each channel of sound.
        var soundRate: Int { [96_000, 64_000, 48_000][rawValue] }
    }

    static func == (a: ExportPreset, b: ExportPreset) -> Bool {
        a.quality == b.quality && a.box?.long == b.box?.long && a.box?.short == b.box?.short
    }

    static let all: [(name: String, preset: ExportPreset)] = [
        (AVAssetExportPresetHighestQuality, ExportPreset(box: nil, quality: .high)),
        (AVAssetExportPresetMediumQuality, ExportPreset(box: (1280, 720), quality: .medium)),
        (AVAssetExportPresetLowQuality, ExportPreset(box: (640, 360), quality: .low)),
        (AVAssetExportPreset640x480, ExportPreset(box: (640, 480), quality: .high)),
        (AVAssetExportPreset960x540, ExportPreset(box: (960, 540), quality: .high)),
        (AVAssetExportPreset1280x720, ExportPreset(box: (1280, 720), quality: .high)),
        (AVAssetExportPreset1920x1080, ExportPreset(box: (1920, 1080), quality: .high)),
        (AVAssetExportPreset3840x2160, ExportPreset(box: (3840, 2160), quality: .high)),
    ]

    init(box: (long: Int, short: Int)?, quality: Quality) {
        self.box = box
        self.quality = quality
    }

    init?(name: String) {
        guard let found = ExportPreset.all.first(where: { $0.name == name })?.preset else { return nil }
        self = found
    }

    /// The size to write for pictures of `source` (square pixels, upright): fitted into the preset's box, which lies as
    /// the picture does, and no wider than `maximumWidth`; never enlarged; even, as 4:2:0 wants it, and at least 2×2.
    func size(for source: CGSize, maximumWidth: Int?) -> (width: Int, height: Int) {
        let width = max(1, Double(source.width))
        let height = max(1, Double(source.height))
        var scale = 1.0
        if let box { scale = min(scale, Double(box.long) / max(width, height), Double(box.short) / min(width, height)) }
        if let maximumWidth { scale = min(scale, Double(maximumWidth) / width) }
        // Encoders and picture formats end here.
        scale = min(scale, 16384 / max(width, height))
        func even(_ x: Double, atMost limit: Int?) -> Int {
            let nearest = max(2, Int((x / 2).rounded()) * 2)
            guard let limit, nearest > limit, nearest > 2 else { return nearest }
            return nearest - 2
        }
        return (even(width * scale, atMost: maximumWidth), even(height * scale, atMost: nil))
    }
}
