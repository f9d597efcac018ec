import Overlays
import Foundation
import MediaCore
import MediaEngine

/// The requested subtitles of a video, and the overlay that shows them. Main actor.
@MainActor
final class SubtitleChoice {
    let overlay = SubtitleOverlay()
    /// Called after each change of `selection`.
    var onChange: ((SubtitleSelection) -> Void)?
    /// Called when a subtitle file can't be shown.
    var onError: (VPErrors) -> Void = { _ in }
    /// The requested subtitles; `.automatic` again with each new source.
    private(set) var selection = SubtitleSelection.automatic {
        didSet { if selection != oldValue { onChange?(selection) } }
    }
    private let player: AVPlayer
    private let tracks: TrackChoice
    private let resolver: SourceResolver
    private var settings: VideoSettings?
    /// The name of the subtitle file that is shown or loading, as in the settings.
    private var shownName: String?
    /// The subtitle file with that name; nil while it loads, and if it is not a local file.
    private var shownFile: URL?
    /// Whether the subtitles of the video itself were requested and exist, although there is a subtitle file beside it.
    private var prefersOwn = false
    private var loading: Task<Void, Never>?
    private var isClosed = false

    init(_ player: AVPlayer, _ tracks: TrackChoice, _ resolver: SourceResolver) {
        self.player = player
        self.tracks = tracks
        self.resolver = resolver
    }

    /// Sets the settings, which take effect with the next `show()`.
    func use(_ settings: VideoSettings) { self.settings = settings }

    /// Returns to the automatic choice.
    func reset() {
        tracks.cancel(.legible)
        (selection, prefersOwn) = (.automatic, false)
    }

    /// Makes the next `show()` load the subtitle file again, because headers or cookies have changed.
    func forgetFile() { shownName = nil }

    func close() {
        isClosed = true
        loading?.cancel()
    }

    /// Selects the subtitles in a language, a BCP 47 tag; nil for none.
    func choose(_ language: String?) {
        // Loading the video's tracks takes time. An earlier request must not be fulfilled after this one.
        tracks.cancel(.legible)
        selection = language.map { .language($0) } ?? .off
        // The language of a subtitle file is unknown. The file is shown until the video turns out to have the requested
        // language.
        if language != nil || hasOwn {
            tracks.choose(.legible, language: language) { [weak self] in
                guard let self, language != nil, !namesNoFile else { return }
                prefersOwn = true
                show()
            }
        }
        if language == nil { prefersOwn = false }
        show()
    }

    /// Whether the subtitles of the video itself are shown, not those of a file beside it.
    private var hasOwn: Bool { namesNoFile || prefersOwn }
    private var namesNoFile: Bool { ["", Subtitles.embedded].contains(settings?.subtitles ?? "") }

    /// Updates the overlay from the settings and the choice.
    func show() {
        overlay.style = settings?.subtitleStyle ?? SubtitleStyle()
        let name = settings?.subtitles ?? ""
        guard !isClosed, selection != .off, let item = player.currentItem else { return show(nil) }
        // Most videos have no subtitles that are shown without a request.
        guard !hasOwn else {
            return show(item.subtitleSource, isExpected: !name.isEmpty || selection != .automatic)
        }
        // The current item may have followed the one for which the file was loaded.
        guard shownName != name else { return addFileToItem() }
        (shownName, shownFile) = (name, nil)
        loading?.cancel()
        overlay.show(nil)
        loading = Task { [weak self, resolver, settings] in
            let result: Result<(URL, SubtitleDocument), AVError>
            do throws(AVError) {
                result = .success(try await Self.load(name, resolver, settings, video: item.asset.url))
            } catch {
                result = .failure(error)
            }
            guard let self, !Task.isCancelled, !isClosed, shownName == name else { return }
            switch result {
            case .success((let url, let document)):
                overlay.show(document)
                shownFile = url.isFileURL ? url : nil
                addFileToItem()
            case .failure(let error): onError(.subtitlesError(error))
            }
        }
    }

    private func addFileToItem() {
        if let shownFile { player.currentItem?.subtitleFile = shownFile }
    }

    private func show(_ source: (any SubtitleSource)?, isExpected: Bool = true) {
        loading?.cancel()
        loading = nil
        shownName = nil
        overlay.show(source, isExpected: isExpected)
    }

    private static func load(_ name: String, _ resolver: SourceResolver, _ settings: VideoSettings?, video: URL)
        async throws(AVError) -> (URL, SubtitleDocument)
    {
        guard let url = resolver.subtitlesURL(for: name) else {
            throw AVError(
                .fileNotFound, at: name,
                reason:
                    "the subtitles were not found in the app's resources, next to the app or in the working directory",
                suggestion: "Check the name and its extension")
        }
        // Headers and cookies are sent to the video's server only.
        let options = AVURLAsset(url: video, options: settings?.assetOptions ?? [:]).httpOptions
        return (url, try await SubtitleDocument.load(from: url, options: options))
    }
}
