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
        guard settings?.subtitles.isEmpty == false else { return }
        subtitles = language.map { .language($0) } ?? .off
        choose(.legible, language: language)
    }
}
