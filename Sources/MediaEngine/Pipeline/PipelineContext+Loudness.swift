import Foundation
import MediaCore

/// Loudness normalization: finds the loudness of each item and computes its gain. `Loudness/` contains the measurement.
extension PipelineContext {
    /// The number of items after the playing one that are measured ahead.
    private static let measuredAhead = 2

    /// Starts measuring the playing item and the next ones if a loudness target is set. Skips items that have been
    /// measured, but not items whose loudness is known only from tags.
    func measureLoudness() {
        let entries = state.withLock { state -> [PlaybackEntry] in
            guard state.settings.loudnessTarget != nil, !state.isClosed else { return [] }
            let playing = state.playing?.segment.entry
            let first = state.playlist.entries.firstIndex { $0 === playing } ?? 0
            return Array(state.playlist.entries.dropFirst(first).prefix(1 + PipelineContext.measuredAhead))
        }
        for entry in entries where entry.loudness.withLock({ $0.measured == nil }) { measureLoudness(of: entry) }
    }

    private func measureLoudness(of entry: PlaybackEntry) {
        let choice = entry.selection.audio
        guard entry.loudness.withLock({ $0.requestMeasurement(for: choice, by: self) }), entry.url.isReadAgain else {
            return
        }
        LoudnessScanner.shared.measure(
            entry.url, choice,
            while: { [weak self, weak entry] in entry != nil && self.map { !$0.isClosed } ?? false }
        ) { [weak self, weak entry] track, measure in
            guard let self, let entry else { return }
            learn(measure, ofTrack: track, entry)
        }
    }

    private var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Uses the loudness from the cache or from the tags of the newly opened `entry`, so that it is known before the
    /// first sample plays.
    func loudnessOpened(_ entry: PlaybackEntry, _ description: ItemDescription) {
        entry.loudness.withLock { $0.opened(track: description.audio) }
        guard let track = description.audio?.streamIndex else { return }
        let wants = state.withLock { $0.settings.loudnessTarget != nil }
        if wants, entry.url.isReadAgain, let known = LoudnessScanner.shared.known(entry.url, track: track) {
            learn(known.measure, ofTrack: track, entry)
        } else if let tagged = description.audio?.tagged {
            report(.loudness(entry, tagged))
        }
        measureLoudness()
    }

    private func learn(_ measure: LoudnessMeasure?, ofTrack track: Int, _ entry: PlaybackEntry) {
        let isOurs = entry.loudness.withLock { $0.learn(measure, ofTrack: track) }
        if isOurs, let measure { report(.loudness(entry, measure)) }
    }

    /// Returns the factor by which the samples of `entry` are multiplied: 1 if no target is set or the loudness is
    /// unknown.
    func loudnessGain(of entry: PlaybackEntry) -> Float {
        guard let target = state.withLock({ $0.settings.loudnessTarget }),
            let measure = entry.loudness.withLock({ $0.known })
        else { return 1 }
        return measure.gain(to: target)
    }
}
