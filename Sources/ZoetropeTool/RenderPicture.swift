import Composition
import Dispatch
import Foundation
import MediaCore
import MediaEngine
import Synchronization

extension PictureOptions {
    /// Gives them to an export.
    @MainActor func apply(to session: AVAssetExportSession) throws(AVError) {
        session.setPicture(try settings(), subtitles: try document())
    }

    /// For pictures that are written; nil when they stay as they are. Waits until the subtitles are read.
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

    /// The subtitles named on the command line, read.
    func document() throws(AVError) -> SubtitleDocument? {
        guard let subtitles else { return nil }
        let url = subtitles.url
        let done = DispatchSemaphore(value: 0)
        let answer = DocumentAnswer()
        Task.detached {
            do throws(AVError) { answer.set(.success(try await SubtitleDocument.load(from: url))) } catch {
                answer.set(.failure(error))
            }
            done.signal()
        }
        done.wait()
        let document = try answer.get()
        if let summary = document.report.summary { Console.note("\(subtitles.name): \(summary)") }
        return document
    }
}

private final class DocumentAnswer: Sendable {
    private let result = Mutex<Result<SubtitleDocument, AVError>?>(nil)
    func set(_ new: Result<SubtitleDocument, AVError>) { result.withLock { $0 = new } }
    func get() throws(AVError) -> SubtitleDocument {
        guard let result = result.withLock({ $0 }) else {
            throw AVError(.unknown, at: "subtitles", reason: "were not read")
        }
        return try result.get()
    }
}
