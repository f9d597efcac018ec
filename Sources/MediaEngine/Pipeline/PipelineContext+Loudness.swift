import Foundation
import MediaCore

/// Every item as loud as the others: what is known of each, and its gain. How it is measured stands in `Loudness/`.
extension PipelineContext {
    /// How far ahead of its turn an item is measured: the one that plays and as many behind it.
    private static let measuredAhead = 2

    /// Has measured what plays and what follows, as far as nobody knows it yet.
    func measureLoudness() {
        let wanted = state.withLock { state -> [PlaybackEntry] in
            guard state.settings.loudnessTarget != nil, !state.isClosed else { return [] }
            let playing = state.playing?.segment.entry
            let first = state.playlist.entries.firstIndex { $0 === playing } ?? 0
            return Array(state.playlist.entries.dropFirst(first).prefix(1 + PipelineContext.measuredAhead))
        }
        for entry in wanted where entry.loudness.withLock({ $0.measured == nil }) { measureLoudness(of: entry) }
    }

    private func measureLoudness(of entry: PlaybackEntry) {
        let choice = entry.selection.audio
        guard entry.loudness.withLock({ $0.asks(for: choice) }), entry.url.isReadAgain else { return }
        LoudnessScanner.shared.measure(
            entry.url, choice,
            while: { [weak self, weak entry] in entry != nil && self.map { !$0.isClosed } ?? false }
        ) { [weak self, weak entry] track, measure in
            guard let self, let entry else { return }
            learn(measure, ofTrack: track, entry)
        }
    }

    private var isClosed: Bool { state.withLock { $0.isClosed } }

    /// `entry` is open: what its tags and the cache say is there before its first sample.
    func loudnessOpened(_ entry: PlaybackEntry, _ description: ItemDescription) {
        entry.loudness.withLock { $0.opened(track: description.audio) }
        guard let track = description.audio?.streamIndex else { return }
        let wants = state.withLock { $0.settings.loudnessTarget != nil }
        if wants, entry.url.isReadAgain, let known = LoudnessScanner.shared.known(entry.url, track: track) {
            learn(known.measure, ofTrack: track, entry)
        } else if let tagged = description.audio?.tagged {
            tell(.loudness(entry, tagged))
        }
        measureLoudness()
    }

    private func learn(_ measure: LoudnessMeasure?, ofTrack track: Int, _ entry: PlaybackEntry) {
        let isOurs = entry.loudness.withLock { $0.learn(measure, ofTrack: track) }
        if isOurs, let measure { tell(.loudness(entry, measure)) }
    }

    /// By how much the sound of `entry` is multiplied.
    func loudnessGain(of entry: PlaybackEntry) -> Float {
        guard let target = state.withLock({ $0.settings.loudnessTarget }),
            let measure = entry.loudness.withLock({ $0.known })
        else { return 1 }
        return measure.gain(to: target)
    }
}
