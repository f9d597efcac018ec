import Export
import Foundation
import MediaCore
import MediaEngine
import Overlays

extension PictureOptions {
    /// Applies the options to an export.
    @MainActor func apply(to session: AVAssetExportSession) throws(AVError) {
        session.setPicture(try settings(), subtitles: try document())
    }

    /// The composer for frames that are written to a file; nil if they stay unchanged. Waits for the subtitles.
    func offline() throws(AVError) -> OfflineComposer? {
        let settings = try settings()
        let document = try document()
        guard !settings.isNeutral || document != nil else { return nil }
        var overlays: [any PictureOverlay] = []
        if let document {
            let subtitleOverlay = SubtitleOverlay()
            subtitleOverlay.show(document)
            overlays.append(subtitleOverlay)
        }
        return OfflineComposer(settings: settings, overlays: overlays)
    }

    /// The subtitles of `--subtitles`.
    func document() throws(AVError) -> SubtitleDocument? {
        guard let subtitles else { return nil }
        let document = try SubtitleDocument.read(subtitles.url)
        if let summary = document.report.summary { Console.note("\(subtitles.name): \(summary)") }
        return document
    }
}
