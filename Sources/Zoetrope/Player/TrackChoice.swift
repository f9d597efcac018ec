import MediaEngine

/// The choice of tracks of a player's current item by language. Main actor.
@MainActor
final class TrackChoice {
    private let player: AVPlayer
    private var choices: [AVMediaCharacteristic: Task<Void, Never>] = [:]

    init(_ player: AVPlayer) { self.player = player }

    /// Selects the option of the current item that matches a language best. If none matches, nothing changes.
    /// - Parameters:
    ///   - trait: The kind of track.
    ///   - language: A BCP 47 tag; nil for none, if the group allows it.
    ///   - chosen: Called when an option has been selected.
    func choose(_ trait: AVMediaCharacteristic, language: String?, chosen: @escaping @MainActor () -> Void = {}) {
        guard let item = player.currentItem else { return }
        choices[trait]?.cancel()
        choices[trait] = Task { [weak self] in
            guard let group = try? await item.asset.loadMediaSelectionGroup(for: trait) else { return }
            guard let self, !Task.isCancelled, player.currentItem === item else { return }
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

    /// Waits until a pending choice is made.
    func finish(_ trait: AVMediaCharacteristic) async { await choices[trait]?.value }

    /// Cancels a pending choice of a kind of track.
    func cancel(_ trait: AVMediaCharacteristic) { choices.removeValue(forKey: trait)?.cancel() }

    /// Cancels all pending choices.
    func cancel() {
        for choice in choices.values { choice.cancel() }
        choices = [:]
    }
}
