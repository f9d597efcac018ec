import MediaCore
import MediaEngine
import Observation

/// The audio tracks and subtitles of a player's item. Main actor.
@MainActor @Observable
package final class TrackOptions: SetsChanges {
    package private(set) var audios: AVMediaSelectionGroup?
    package private(set) var subtitles: AVMediaSelectionGroup?
    package private(set) var audio: AVMediaSelectionOption?
    package private(set) var subtitle: AVMediaSelectionOption?
    /// The subtitles that are shown: the selected ones or, if none was selected, forced ones.
    package private(set) var shownSubtitle: AVMediaSelectionOption?
    @ObservationIgnored private weak var item: AVPlayerItem?
    @ObservationIgnored private var lastSubtitle: AVMediaSelectionOption?

    nonisolated init() {}

    func access<Member>(keyPath: KeyPath<TrackOptions, Member>) {
        ObservationScope.access(_$observationRegistrar, self, keyPath)
    }

    func begin(_ item: AVPlayerItem?) {
        self.item = item
        (audios, subtitles, audio, subtitle, shownSubtitle, lastSubtitle) = (nil, nil, nil, nil, nil, nil)
    }

    func offer(audios: AVMediaSelectionGroup?, subtitles: AVMediaSelectionGroup?) {
        (self.audios, self.subtitles) = (audios, subtitles)
    }

    func refresh() {
        let selection = item?.currentMediaSelection
        set(\.audio, audios.flatMap { selection?.selectedMediaOption(in: $0) })
        set(\.subtitle, subtitles.flatMap { selection?.selectedMediaOption(in: $0) })
        set(\.shownSubtitle, subtitle ?? subtitles.flatMap { automaticSubtitle(in: $0, selection) })
        if let subtitle { lastSubtitle = subtitle }
    }

    private func automaticSubtitle(
        in group: AVMediaSelectionGroup, _ selection: AVMediaSelection?
    ) -> AVMediaSelectionOption? {
        guard selection?.mediaSelectionCriteriaCanBeAppliedAutomatically(to: group) == true else { return nil }
        return item?.shownSubtitles(in: group)
    }

    package func select(_ option: AVMediaSelectionOption?, in group: AVMediaSelectionGroup) {
        item?.select(option, in: group)
    }

    /// Hides the subtitles, or shows the ones that were shown last.
    package func toggleSubtitles() {
        guard let subtitles else { return }
        select(subtitle == nil ? lastSubtitle ?? subtitles.options.first : nil, in: subtitles)
    }
}
