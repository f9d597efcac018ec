import DeclarativeUI
import Foundation
import MediaCore
import MediaEngine
import Observation

/// What a player's item has to choose from, and what is said of it. Main actor.
@MainActor @Observable
package final class PlayerOptions {
    package struct Chapter: Hashable {
        package let title: String
        /// Seconds.
        package let start: Double
    }
    /// A quality of a stream.
    struct Rung: Hashable {
        let name: String
        let size: CGSize
        /// bit/s.
        let bitRate: Double
        static func == (a: Rung, b: Rung) -> Bool { a.name == b.name && a.bitRate == b.bitRate }
        func hash(into hasher: inout Hasher) {
            hasher.combine(name)
            hasher.combine(bitRate)
        }
    }
    package private(set) var audios: AVMediaSelectionGroup?
    package private(set) var subtitles: AVMediaSelectionGroup?
    package private(set) var audio: AVMediaSelectionOption?
    package private(set) var subtitle: AVMediaSelectionOption?
    private(set) var rungs: [Rung] = []
    /// Nil: automatic.
    private(set) var rung: Rung?
    package private(set) var chapters: [Chapter] = []
    package private(set) var loops = false
    /// The part that goes round, and where one begins whose end is not set yet; seconds.
    package private(set) var part: ClosedRange<Double>?
    package private(set) var start: Double?
    /// What has come over the network, seconds.
    package private(set) var loaded: [ClosedRange<Double>] = []
    package private(set) var title = ""
    package private(set) var byline = ""
    private(set) var artwork: UIImage?

    @ObservationIgnored private weak var player: AVPlayer?
    @ObservationIgnored private weak var item: AVPlayerItem?
    @ObservationIgnored private var reading: Task<Void, Never>?
    @ObservationIgnored private var observations: [NSKeyValueObservation] = []
    @ObservationIgnored private var file: [AVMetadataItem] = []
    @ObservationIgnored private var lastSubtitle: AVMediaSelectionOption?
    @ObservationIgnored private var shownArtwork: Data?

    package nonisolated init() {}

    /// Called with every change of the player that may be one of its item.
    package func follow(_ player: AVPlayer?) {
        self.player = player
        let new = player?.currentItem
        if new !== item { begin(new) }
        refresh()
    }

    private func begin(_ new: AVPlayerItem?) {
        reading?.cancel()
        observations = []
        item = new
        (audios, subtitles, audio, subtitle, lastSubtitle, rung, start, artwork, shownArtwork) = (
            nil, nil, nil, nil, nil, nil, nil, nil, nil
        )
        (rungs, chapters, loaded, title, byline, file) = ([], [], [], "", "", [])
        guard let new else { return }
        observations = [
            new.observe(\.currentMediaSelection) { [weak self] _, _ in self?.refresh() },
            new.observe(\.externalMetadata) { [weak self] _, _ in self?.words() },
            new.observe(\.streamTitle) { [weak self] _, _ in self?.words() },
            new.observe(\.loadedTimeRanges) { [weak self] item, _ in self?.ranges(item) },
        ]
        words()
        ranges(new)
        // Not before it is open: reading opens a source a second time otherwise.
        reading = Task { [weak self] in
            while !Task.isCancelled, new.status == .unknown { await PlayerOptions.change(of: new) }
            guard !Task.isCancelled, new.status == .readyToPlay else { return }
            let asset = new.asset
            let (sound, words) = (
                try? await asset.loadMediaSelectionGroup(for: .audible),
                try? await asset.loadMediaSelectionGroup(for: .legible)
            )
            let variants = (try? await asset.load(.variants)) ?? []
            let file = (try? await asset.load(.metadata)) ?? []
            let groups =
                (try? await asset.loadChapterMetadataGroups(bestMatchingPreferredLanguages: Locale.preferredLanguages))
                ?? []
            guard let self, !Task.isCancelled, item === new else { return }
            (audios, subtitles, self.file) = (sound, words, file)
            rungs = PlayerOptions.rungs(variants)
            chapters = groups.prefix(500).enumerated().compactMap { number, group in
                let start = group.timeRange.start.seconds
                guard start.isFinite, start >= 0 else { return nil }
                let title =
                    group.items.first { $0.commonKey == .commonKeyTitle }?.stringValue ?? group.items.first?.stringValue
                    ?? ""
                return Chapter(title: title.isEmpty ? "\(number + 1)" : String(title.prefix(200)), start: start)
            }
            self.words()
            refresh()
        }
    }

    private static func change(of item: AVPlayerItem) async {
        var observation: NSKeyValueObservation?
        await withCheckedContinuation { continuation in
            var waits: CheckedContinuation<Void, Never>? = continuation
            observation = item.observe(\.status) { _, _ in
                waits?.resume()
                waits = nil
            }
        }
        observation?.invalidate()
    }

    private static func rungs(_ variants: [AVAssetVariant]) -> [Rung] {
        var best: [Int: Rung] = [:]
        for variant in variants {
            guard let size = variant.videoAttributes?.presentationSize, size.height > 0, let rate = variant.peakBitRate,
                rate > 0
            else { continue }
            let height = Int(min(size.height, 1e5))
            // Of two that are as large the better one stands for both: it is a limit.
            if best[height].map({ $0.bitRate >= rate }) != true {
                best[height] = Rung(name: "\(height)p", size: size, bitRate: rate)
            }
        }
        return best.values.sorted { $0.size.height > $1.size.height }
    }

    private func refresh() {
        let selection = item?.currentMediaSelection
        set(\.audio, audios.flatMap { selection?.selectedMediaOption(in: $0) })
        set(\.subtitle, subtitles.flatMap { selection?.selectedMediaOption(in: $0) })
        if let subtitle { lastSubtitle = subtitle }
        set(\.loops, player?.loopsCurrentItem == true && player?.loopedRange == nil)
        set(
            \.part,
            player?.loopedRange.flatMap { range in
                let (a, b) = (range.start.seconds, range.end.seconds)
                return a.isFinite && b.isFinite && a <= b ? a...b : nil
            })
    }
    private func ranges(_ item: AVPlayerItem) {
        let ranges = item.loadedTimeRanges.prefix(200).compactMap { value -> ClosedRange<Double>? in
            let range = value.timeRangeValue
            let (a, b) = (range.start.seconds, range.end.seconds)
            return a.isFinite && b.isFinite && a <= b ? a...b : nil
        }
        // A file that lies there has come as a whole: nothing to show.
        set(\.loaded, item.asset.url.isFileURL ? [] : ranges)
    }
    private func words() {
        guard let item else { return }
        let all = item.metadata(over: file)
        func text(_ keys: AVMetadataKey...) -> String {
            for key in keys {
                if let found = all.first(where: { $0.commonKey == key })?.stringValue, !found.isEmpty {
                    return String(found.prefix(500))
                }
            }
            return ""
        }
        set(\.title, text(.commonKeyTitle))
        let own = all.first { $0.identifier == .iTunesMetadataTrackSubTitle }?.stringValue ?? ""
        set(
            \.byline,
            own.isEmpty ? text(.commonKeyArtist, .commonKeyAuthor, .commonKeyCreator) : String(own.prefix(500)))
        let data = all.first { $0.commonKey == .commonKeyArtwork }?.dataValue
        guard data != shownArtwork else { return }
        shownArtwork = data
        artwork = data.flatMap { $0.count <= 32 << 20 ? UIImage(data: $0) : nil }
    }
    /// What is the same makes no view look again.
    private func set<V: Equatable>(_ path: ReferenceWritableKeyPath<PlayerOptions, V>, _ value: V) {
        if self[keyPath: path] != value { self[keyPath: path] = value }
    }

    // MARK: what is chosen

    package func select(_ option: AVMediaSelectionOption?, in group: AVMediaSelectionGroup) {
        item?.select(option, in: group)
    }
    /// None, or those that were shown last.
    package func toggleSubtitles() {
        guard let subtitles else { return }
        select(subtitle == nil ? lastSubtitle ?? subtitles.options.first : nil, in: subtitles)
    }
    func limit(to rung: Rung?) {
        self.rung = rung
        item?.preferredPeakBitRate = rung.map { $0.bitRate } ?? 0
        item?.preferredMaximumResolution = rung?.size ?? .zero
    }
    package func setLoops(_ loops: Bool) {
        player?.loopedRange = nil
        player?.loopsCurrentItem = loops
        refresh()
    }
    package func setStart(_ seconds: Double) {
        start = seconds
        if let part, seconds < part.upperBound { loop(seconds, part.upperBound) }
    }
    package func setEnd(_ seconds: Double) { loop(start ?? part?.lowerBound ?? 0, seconds) }
    package func clearPart() {
        start = nil
        player?.loopedRange = nil
        refresh()
    }
    /// At least a tenth of a second.
    private func loop(_ from: Double, _ to: Double) {
        guard to - from >= 0.1 else { return }
        player?.loopedRange = CMTimeRange(
            start: CMTime(seconds: from, preferredTimescale: 600), end: CMTime(seconds: to, preferredTimescale: 600))
        start = nil
        refresh()
    }

    /// The chapter that stands there.
    package func chapter(at seconds: Double) -> Chapter? { chapters.last { $0.start <= seconds + 0.001 } }
}
