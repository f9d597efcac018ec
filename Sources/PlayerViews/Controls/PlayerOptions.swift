import Foundation
import MediaCore
import MediaEngine
import Observation

/// The options of a player's item, and the information about the item that has been loaded. Main actor.
@MainActor @Observable
package final class PlayerOptions: SetsChanges {
    package struct Chapter: Hashable {
        package let title: String
        /// The start, in seconds.
        package let start: Double
    }
    @ObservationIgnored package let tracks = TrackOptions()
    @ObservationIgnored package let loop = LoopOptions()
    @ObservationIgnored package let info = ItemInfo()
    @ObservationIgnored let quality = QualityOptions()
    package private(set) var chapters: [Chapter] = []
    /// The ranges that have been loaded over the network, in seconds.
    package private(set) var loaded: [ClosedRange<Double>] = []

    @ObservationIgnored private weak var item: AVPlayerItem?
    @ObservationIgnored private var reading: Task<Void, Never>?
    @ObservationIgnored private var observations: [NSKeyValueObservation] = []

    package nonisolated init() {}

    func access<Member>(keyPath: KeyPath<PlayerOptions, Member>) {
        ObservationScope.access(_$observationRegistrar, self, keyPath)
    }

    /// Follows the player to its current item. Called with each change of the player that may change the item.
    package func follow(_ player: AVPlayer?) {
        loop.follow(player)
        let new = player?.currentItem
        if new !== item { begin(new) }
        refresh()
    }

    private func begin(_ new: AVPlayerItem?) {
        reading?.cancel()
        reading = nil
        observations = []
        item = new
        tracks.begin(new)
        quality.begin(new)
        info.begin(new)
        loop.begin()
        (chapters, loaded) = ([], [])
        guard let new else { return }
        observations = [
            new.observeUntracked(\.status) { [weak self] item, _ in self?.read(item) },
            new.observeUntracked(\.currentMediaSelection) { [weak self] _, _ in self?.refresh() },
            new.observeUntracked(\.externalMetadata) { [weak self] _, _ in self?.info.refresh() },
            new.observeUntracked(\.streamTitle) { [weak self] _, _ in self?.info.refresh() },
            new.observeUntracked(\.loadedTimeRanges) { [weak self] item, _ in self?.ranges(item) },
        ]
        info.refresh()
        ranges(new)
        read(new)
    }

    /// Reads the item once it has been opened. Reading it earlier would open its source a second time.
    private func read(_ new: AVPlayerItem) {
        guard reading == nil, new.status == .readyToPlay else { return }
        reading = Task { [weak self] in
            let asset = new.asset
            let (audios, subtitles) = (
                try? await asset.loadMediaSelectionGroup(for: .audible),
                try? await asset.loadMediaSelectionGroup(for: .legible)
            )
            let variants = (try? await asset.load(.variants)) ?? []
            let file = (try? await asset.load(.metadata)) ?? []
            let groups =
                (try? await asset.loadChapterMetadataGroups(bestMatchingPreferredLanguages: Locale.preferredLanguages))
                ?? []
            guard let self, !Task.isCancelled, item === new else { return }
            tracks.offer(audios: audios, subtitles: subtitles)
            quality.offer(variants)
            chapters = PlayerOptions.chapters(groups)
            info.offer(file)
            refresh()
        }
    }

    private static func chapters(_ groups: [AVTimedMetadataGroup]) -> [Chapter] {
        groups.prefix(500).enumerated().compactMap { number, group in
            let start = group.timeRange.start.seconds
            guard start.isFinite, start >= 0 else { return nil }
            let title =
                group.items.first { $0.commonKey == .commonKeyTitle }?.stringValue ?? group.items.first?.stringValue
                ?? ""
            return Chapter(title: title.isEmpty ? "\(number + 1)" : String(title.prefix(200)), start: start)
        }
    }

    private func refresh() {
        tracks.refresh()
        loop.refresh()
    }

    private func ranges(_ item: AVPlayerItem) {
        let ranges = item.loadedTimeRanges.prefix(200).compactMap { ClosedRange($0.timeRangeValue) }
        // A local file is complete, so there is nothing to show.
        set(\.loaded, item.asset.url.isFileURL ? [] : ranges)
    }

    /// Returns the chapter at a position in seconds; nil before the first chapter.
    package func chapter(at seconds: Double) -> Chapter? { chapters.last { $0.start <= seconds + 0.001 } }
}
