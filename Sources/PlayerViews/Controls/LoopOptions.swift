import MediaCore
import MediaEngine
import Observation

/// The loop of a player's item, and its A–B loop. Main actor.
@MainActor @Observable
package final class LoopOptions: SetsChanges {
    /// Whether the whole item loops.
    package private(set) var isOn = false
    /// The A–B loop, in seconds.
    package private(set) var part: ClosedRange<Double>?
    /// The start of an A–B loop whose end is not set yet, in seconds.
    package private(set) var start: Double?
    @ObservationIgnored private weak var player: AVPlayer?

    nonisolated init() {}

    func access<Member>(keyPath: KeyPath<LoopOptions, Member>) {
        ObservationScope.access(_$observationRegistrar, self, keyPath)
    }

    func follow(_ player: AVPlayer?) { self.player = player }
    func begin() { start = nil }

    func refresh() {
        set(\.isOn, player?.loopsCurrentItem == true && player?.loopedRange == nil)
        set(\.part, player?.loopedRange.flatMap { ClosedRange($0) })
    }

    package func set(_ isOn: Bool) {
        player?.loopedRange = nil
        player?.loopsCurrentItem = isOn
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

    /// Sets the A–B loop if it is at least a tenth of a second long.
    private func loop(_ from: Double, _ to: Double) {
        guard to - from >= 0.1 else { return }
        player?.loopedRange = CMTimeRange(
            start: CMTime(seconds: from, preferredTimescale: 600), end: CMTime(seconds: to, preferredTimescale: 600))
        start = nil
        refresh()
    }
}

extension ClosedRange<Double> {
    /// Creates a range in seconds from a time range; nil if the time range has no start or end.
    init?(_ range: CMTimeRange) {
        let (start, end) = (range.start.seconds, range.end.seconds)
        guard start.isFinite, end.isFinite, start <= end else { return nil }
        self = start...end
    }
}
