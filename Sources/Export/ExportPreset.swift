import Foundation

// The names of AVFoundation's presets. The value of each constant is its own name.

/// A preset with the size of the source, in a quality that is hard to distinguish from the source.
public let AVAssetExportPresetHighestQuality = "AVAssetExportPresetHighestQuality"
/// A preset of at most 1280×720 pixels (720×1280 in portrait), never enlarged, in medium quality for smaller files.
public let AVAssetExportPresetMediumQuality = "AVAssetExportPresetMediumQuality"
/// A preset of at most 640×360 pixels (360×640 in portrait), never enlarged, in low quality for small files, such as
/// e-mail attachments.
public let AVAssetExportPresetLowQuality = "AVAssetExportPresetLowQuality"
/// A preset of at most 640×480 pixels (480×640 in portrait), never enlarged, in high quality.
public let AVAssetExportPreset640x480 = "AVAssetExportPreset640x480"
/// A preset of at most 960×540 pixels (540×960 in portrait), never enlarged, in high quality.
public let AVAssetExportPreset960x540 = "AVAssetExportPreset960x540"
/// A preset of at most 1280×720 pixels (720×1280 in portrait), never enlarged, in high quality.
public let AVAssetExportPreset1280x720 = "AVAssetExportPreset1280x720"
/// A preset of at most 1920×1080 pixels (1080×1920 in portrait), never enlarged, in high quality.
public let AVAssetExportPreset1920x1080 = "AVAssetExportPreset1920x1080"
/// A preset of at most 3840×2160 pixels (2160×3840 in portrait), never enlarged, in high quality.
public let AVAssetExportPreset3840x2160 = "AVAssetExportPreset3840x2160"

/// The maximum size and the quality of a preset.
struct ExportPreset: Sendable, Equatable {
    /// The maximum of the longer and of the shorter side, in pixels. Nil for the size of the source.
    var box: (long: Int, short: Int)?
    var quality: Quality

    enum Quality: Int, Sendable {
        case high, medium, low

        /// The constant rate factor (crf) of libx264.
        var h264: Int { [18, 23, 28][rawValue] }
        /// The constant quality (crf) of libvpx.
        var vp9: Int { [24, 31, 38][rawValue] }
        /// Bits per pixel and frame, for encoders that need a bit rate.
        var bitsPerPixel: Double { [0.2, 0.1, 0.05][rawValue] }
        /// The quantizer of MPEG-4 part 2 in libavcodec.
        var mpeg4: Int32 { [2, 4, 8][rawValue] }
        /// Bits per second for each audio channel.
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

    /// Returns the size to write for upright frames of the size `source` with square pixels.
    ///
    /// The size fits into the preset's box, which is rotated to match the frame, and is no wider than `maximumWidth`.
    /// The frame is never enlarged. Both values are at least 2 and even, as 4:2:0 requires.
    func size(for source: CGSize, maximumWidth: Int?) -> (width: Int, height: Int) {
        let width = max(1, Double(source.width))
        let height = max(1, Double(source.height))
        var scale = 1.0
        if let box { scale = min(scale, Double(box.long) / max(width, height), Double(box.short) / min(width, height)) }
        if let maximumWidth { scale = min(scale, Double(maximumWidth) / width) }
        // Encoders and frame formats support at most 16384 pixels per side.
        scale = min(scale, 16384 / max(width, height))
        func even(_ x: Double, atMost limit: Int?) -> Int {
            let nearest = max(2, Int((x / 2).rounded()) * 2)
            guard let limit, nearest > limit, nearest > 2 else { return nearest }
            return nearest - 2
        }
        return (even(width * scale, atMost: maximumWidth), even(height * scale, atMost: nil))
    }
}
