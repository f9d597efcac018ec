import Filters
import Foundation
import MediaCore
import MediaEngine
import Overlays

/// A composer that draws frames as a player with the same settings shows them.
final class SettingsComposer: ExportComposer, @unchecked Sendable {
    // Unchecked because filters are classes that an app can write. They are made on the main actor and then used only
    // by the export's thread. `setPicture` requires that an app does not use its own filters elsewhere until the export
    // has ended.
    private let composer: OfflineComposer
    /// The width, in points, of the view that overlays are laid out for. If nil, a point is a pixel of the file.
    private let viewWidth: Double?

    init(_ composer: OfflineComposer, viewWidth: Double?) {
        self.composer = composer
        self.viewWidth = viewWidth
    }

    func compose(_ frame: VideoFrame, at itemTime: CMTime, size: (width: Int, height: Int)) throws -> VideoFrame? {
        try composer.composeOrDrop(
            frame, at: itemTime, size: size, scale: viewWidth.map { Double(size.width) / $0 } ?? 1)
    }

    func update(at itemTime: CMTime) throws -> VideoFrame? { try composer.update(at: itemTime) }
}

extension AVAssetExportSession {
    /// Sets the export to write frames as a player with these settings shows them. Call it before the export begins.
    ///
    /// ```swift
    /// var settings = PictureSettings()
    /// settings.add(CIFilter.sepiaTone())
    /// session.setPicture(settings, subtitles: try await SubtitleDocument.load(from: subtitles))
    /// try await session.export(to: URL(fileURLWithPath: "sepia.mp4"))
    /// ```
    ///
    /// - Parameters:
    ///   - settings: The settings, copied now. A filter that the app wrote must not be used elsewhere until the export
    ///     has ended.
    ///   - subtitles: The subtitles to draw over the frames. Nil draws none.
    ///   - style: The style of the subtitles.
    ///   - viewSize: The size, in points, of the view that vector layers and subtitles are laid out for. They are
    ///     scaled with the frame. If nil or without a finite area, no vector layers are drawn, and a point in the style
    ///     of the subtitles is a pixel of the file. Animations begin with the source.
    @MainActor @preconcurrency
    public func setPicture(
        _ settings: PictureSettings, subtitles: SubtitleDocument? = nil, style: SubtitleStyle = SubtitleStyle(),
        viewSize: CGSize? = nil
    ) {
        let viewSize = viewSize.flatMap { size in
            [size.width, size.height].allSatisfy { $0 > 0 && $0.isFinite } ? size : nil
        }
        var overlays: [any FrameOverlay] = []
        if let subtitles {
            let subtitleOverlay = SubtitleOverlay()
            subtitleOverlay.style = style
            subtitleOverlay.show(subtitles)
            overlays.append(subtitleOverlay)
        }
        if let viewSize, !settings.vectors.isEmpty {
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
                OfflineComposer(settings: settings.independentCopy, overlays: overlays),
                viewWidth: viewSize.map { Double($0.width) })
    }
}

extension PictureSettings {
    /// A copy of the settings that shares no `VideoShader` filters. Filters of other types can't be copied.
    package var independentCopy: PictureSettings {
        var copy = self
        copy.removeAllFilters()
        for filter in filters { copy.add((filter as? VideoShader)?.independentCopy ?? filter) }
        return copy
    }
}
