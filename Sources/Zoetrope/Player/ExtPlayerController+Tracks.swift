import Composition
import Foundation
import MediaCore
import MediaEngine

extension ExtPlayerController {
    /// Chooses the option of the current item that answers `language` best. None does: nothing changes.
    /// - Parameter language: nil for none, where the group allows it.
    func choose(_ trait: AVMediaCharacteristic, language: String?) {
        guard let item = player.currentItem else { return }
        choices[trait]?.cancel()
        choices[trait] = Task { [weak self] in
            guard let group = try? await item.asset.loadMediaSelectionGroup(for: trait) else { return }
            guard let self, !Task.isCancelled, !isClosed, player.currentItem === item else { return }
            guard let language else { return item.select(nil, in: group) }
            let playable = trait == .audible ? AVMediaSelectionGroup.playableMediaSelectionOptions(from: group.options) : group.options
            let fitting = AVMediaSelectionGroup.mediaSelectionOptions(from: playable, filteredAndSortedAccordingToPreferredLanguages: [language])
            if let best = fitting.first { item.select(best, in: group) }
        }
    }

    func chooseSubtitles(_ language: String?) {
        subtitles = language.map { .language($0) } ?? .off
        if hasOwnSubtitles { choose(.legible, language: language) }
        showSubtitles()
    }

    /// Those of the video itself, not of a file beside it.
    private var hasOwnSubtitles: Bool { ["", Subtitles.embedded].contains(settings?.subtitles ?? "") }

    /// Brings what lies over the picture in line with the settings and the choice.
    func showSubtitles() {
        titles.style = settings?.subtitleStyle ?? SubtitleStyle()
        let name = settings?.subtitles ?? ""
        guard !isClosed, subtitles != .off, player.currentItem != nil else {
            titleLoading?.cancel()
            titleLoading = nil
            shownTitles = nil
            return titles.show(nil)
        }
        guard !hasOwnSubtitles else {
            shownTitles = nil
            // Most videos have none that show without being asked for.
            return titles.show(player.currentItem?.subtitleSource, isExpected: !name.isEmpty || subtitles != .automatic)
        }
        guard shownTitles != name else { return }
        shownTitles = name
        titleLoading?.cancel()
        titles.show(nil)
        titleLoading = Task { [weak self, resolver] in
            do throws(AVError) {
                guard let url = resolver.subtitlesURL(for: name) else {
                    throw AVError(.fileNotFound, at: name, reason: "no such subtitles in the app's resources, beside the app or in the working directory",
                        suggestion: "Check the name and its extension")
                }
                let document = try await SubtitleDocument.load(from: url)
                guard let self, !Task.isCancelled, !isClosed, shownTitles == name else { return }
                titles.show(document)
            } catch {
                guard let self, !Task.isCancelled, !isClosed, shownTitles == name else { return }
                post(.error(.subtitlesError(error)))
            }
        }
    }
}
