import Foundation
import MediaCore
import MediaEngine
import Overlays

extension ExtPlayerController {
    /// Chooses the option of the current item that answers `language` best. None does: nothing changes.
    /// - Parameters:
    ///   - language: nil for none, where the group allows it.
    ///   - chosen: called when that is done, not when none answers.
    func choose(_ trait: AVMediaCharacteristic, language: String?, chosen: @escaping @MainActor () -> Void = {}) {
        guard let item = player.currentItem else { return }
        choices[trait]?.cancel()
        choices[trait] = Task { [weak self] in
            guard let group = try? await item.asset.loadMediaSelectionGroup(for: trait) else { return }
            guard let self, !Task.isCancelled, !isClosed, player.currentItem === item else { return }
            guard let language else { return item.select(nil, in: group) }
            let playable =
                trait == .audible
                ? AVMediaSelectionGroup.playableMediaSelectionOptions(from: group.options) : group.options
            let fitting = AVMediaSelectionGroup.mediaSelectionOptions(
                from: playable, filteredAndSortedAccordingToPreferredLanguages: [language])
            guard let best = fitting.first else { return }
            item.select(best, in: group)
            chosen()
        }
    }

    func chooseSubtitles(_ language: String?) {
        subtitles = language.map { .language($0) } ?? .off
        // Of a file beside the video nobody knows the language: it stands until the video turns out to have the one
        // asked for.
        if language != nil || hasOwnSubtitles {
            choose(.legible, language: language) { [weak self] in
                guard let self, language != nil, !namesNoSubtitles else { return }
                prefersOwnSubtitles = true
                showSubtitles()
            }
        }
        if language == nil { prefersOwnSubtitles = false }
        showSubtitles()
    }

    /// Those of the video itself are shown, not of a file beside it.
    private var hasOwnSubtitles: Bool { namesNoSubtitles || prefersOwnSubtitles }
    private var namesNoSubtitles: Bool { ["", Subtitles.embedded].contains(settings?.subtitles ?? "") }

    /// Brings what lies over the picture in line with the settings and the choice.
    func showSubtitles() {
        subtitleOverlay.style = settings?.subtitleStyle ?? SubtitleStyle()
        let name = settings?.subtitles ?? ""
        guard !isClosed, subtitles != .off, player.currentItem != nil else {
            subtitleLoading?.cancel()
            subtitleLoading = nil
            shownSubtitleName = nil
            return subtitleOverlay.show(nil)
        }
        guard !hasOwnSubtitles else {
            subtitleLoading?.cancel()
            subtitleLoading = nil
            shownSubtitleName = nil
            // Most videos have none that show without being asked for.
            return subtitleOverlay.show(
                player.currentItem?.subtitleSource, isExpected: !name.isEmpty || subtitles != .automatic)
        }
        guard shownSubtitleName != name else { return }
        shownSubtitleName = name
        subtitleLoading?.cancel()
        subtitleOverlay.show(nil)
        // Headers and cookies are the video's, whose server alone gets them.
        subtitleLoading = Task {
            [weak self, resolver, headers = settings?.headers, cookies = settings?.cookies, video = sourceURL] in
            do throws(AVError) {
                guard let url = resolver.subtitlesURL(for: name) else {
                    throw AVError(
                        .fileNotFound, at: name,
                        reason:
                            "the subtitles were not found in the app's resources, next to the app or in the working directory",
                        suggestion: "Check the name and its extension")
                }
                let document = try await SubtitleDocument.load(
                    from: url,
                    options: AVURLAsset(url: video ?? url, options: ExtPlayerController.options(headers, cookies))
                        .httpOptions)
                guard let self, !Task.isCancelled, !isClosed, shownSubtitleName == name else { return }
                subtitleOverlay.show(document)
                if url.isFileURL { player.currentItem?.subtitleFile = url }
            } catch {
                guard let self, !Task.isCancelled, !isClosed, shownSubtitleName == name else { return }
                post(.error(.subtitlesError(error)))
            }
        }
    }
}
