import Filters
import Foundation
import MediaCore
import MediaEngine
import Overlays

/// Composes the frames of an export as a player with the same settings shows them.
final class SettingsComposer: ExportComposer, @unchecked Sendable {
    // Unchecked because filters are classes that an app can write. They are made on the main actor and then only used
    // by the export's thread; `setPicture` requires that an app uses its own nowhere else until the export has ended.
    private let composer: OfflineComposer
    /// The width, points, that overlays are made to measure for; nil: a point is a pixel of the file.
    private let viewWidth: Double?

    init(_ composer: OfflineComposer, viewWidth: Double?) {
        self.composer = composer
        self.viewWidth = viewWidth
    }

    func compose(_ frame: VideoFrame, at itemTime: CMTime, size: (width: Int, height: Int)) throws -> VideoFrame {
        try composer.compose(frame, at: itemTime, size: size, scale: viewWidth.map { Double(size.width) / $0 } ?? 1)
    }
}

extension AVAssetExportSession {
    /// Writes the pictures as a player with these settings shows them. Before the export begins.
    ///
    /// - Parameters:
    ///   - settings: as they are now. A filter of the app's own must not be used elsewhere until the export has ended.
    ///   - subtitles: laid over the pictures.
    ///   - viewSize: points, of the view that vector layers are made to measure for; they are drawn as large in the
    ///     file as they are there. Nil: none are drawn. Animations begin with the source.
    @MainActor @preconcurrency
    public func setPicture(
        _ settings: PictureSettings, subtitles: SubtitleDocument? = nil, style: SubtitleStyle = SubtitleStyle(),
        viewSize: CGSize? = nil
    ) {
        var overlays: [any PictureOverlay] = []
        if let subtitles {
            let subtitleOverlay = SubtitleOverlay()
            subtitleOverlay.style = style
            subtitleOverlay.show(subtitles)
            overlays.append(subtitleOverlay)
        }
        if let viewSize, viewSize.width > 0, viewSize.height > 0, !settings.vectors.isEmpty {
            let vectors = VectorOverlay(beginning: .zero)
            let bounds = CGRect(origin: .zero, size: viewSize)
            vectors.update(vectors: settings.vectors, frame: bounds, bounds: bounds)
            vectors.commit()
            overlays.append(vectors)
        }
        composer =
            settings.isPlain && overlays.isEmpty
            ? nil
            : SettingsComposer(
                OfflineComposer(settings: settings.separate, overlays: overlays),
                viewWidth: viewSize.map { Double($0.width) })
    }
}

extension PictureSettings {
    /// With filters that nobody else uses, as far as they can be copied.
    package var separate: PictureSettings {
        var copy = self
        copy.removeAllFilters()
        for filter in filters { copy.add((filter as? VideoShader)?.separate ?? filter) }
        return copy
    }
}
