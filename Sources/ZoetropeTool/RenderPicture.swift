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

    /// Creates the composer for frames that are written to a file. Waits for the subtitles.
    /// - Returns: Nil if the options leave frames unchanged.
    func offline() throws(AVError) -> OfflineComposer? {
        let settings = try settings()
        let document = try document()
        guard !settings.isNeutral || document != nil else { return nil }
        var overlays: [any FrameOverlay] = []
        if let document {
            let subtitleOverlay = SubtitleOverlay()
            subtitleOverlay.show(document)
            overlays.append(subtitleOverlay)
        }
        return OfflineComposer(settings: settings, overlays: overlays)
    }

    /// Loads the subtitles of `--subtitles` and waits until they are loaded; nil if the option is not set.
    func document() throws(AVError) -> SubtitleDocument? {
        guard let subtitles else { return nil }
        let document = try SubtitleDocument.read(subtitles.url)
        if let summary = document.report.summary { Console.note("\(subtitles.name): \(summary)") }
        return document
    }
}
