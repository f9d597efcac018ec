import MediaCore
import Synchronization

/// The subtitle outputs of an item, and the times at which their cues change.
@MainActor
final class LegibleOutputs {
    /// A closure that is called when the item's cues have changed, if there are outputs.
    var cuesDidChange: @MainActor () -> Void = {}
    private let subtitles: ItemSubtitles
    private var outputs: [AVPlayerItemLegibleOutput] = []

    init(_ subtitles: ItemSubtitles) { self.subtitles = subtitles }

    /// Adds `output`.
    /// - Returns: False if the output has been added before.
    func add(_ output: AVPlayerItemLegibleOutput) -> Bool {
        guard !outputs.contains(where: { $0 === output }) else { return false }
        outputs.append(output)
        follow()
        return true
    }

    /// Removes `output`.
    /// - Returns: False if the output is not attached.
    func remove(_ output: AVPlayerItemLegibleOutput) -> Bool {
        guard outputs.contains(where: { $0 === output }) else { return false }
        outputs.removeAll { $0 === output }
        follow()
        return true
    }

    /// Returns the next time after `time` at which a cue begins or ends; nil without outputs or later changes.
    func nextChange(after time: MediaTime) -> MediaTime? {
        guard !outputs.isEmpty else { return nil }
        let media = time.nanoseconds
        var next: Int64?
        for cue in subtitles.cues {
            if cue.start > media {
                next = min(next ?? .max, cue.start)
                // Cues are sorted, so all later cues begin, and therefore end, after this time.
                break
            }
            if cue.end > media { next = min(next ?? .max, cue.end) }
        }
        return next.map { MediaTime(nanoseconds: $0) }
    }

    func show(at time: CMTime) {
        guard !outputs.isEmpty, let media = time.nanoseconds else { return }
        let visibleCues = subtitles.cues.filter { $0.isInForce(at: media) }
        for output in outputs { output.show(visibleCues, at: time) }
    }

    func flush() { for output in outputs { output.flush() } }

    /// Shows no cues, because no player plays the item any more.
    func hide() { for output in outputs { output.show([], at: .zero) } }

    /// Observes the subtitles while there are outputs. Many cues can arrive together, so one task on the main actor
    /// handles all changes made before it runs.
    private func follow() {
        guard !outputs.isEmpty else { return subtitles.setOnChange(nil, for: self) }
        let isPending = Flag()
        subtitles.setOnChange(
            { [weak self] in
                guard isPending.raise() else { return }
                Task { @MainActor in
                    isPending.lower()
                    self?.cuesDidChange()
                }
            }, for: self)
    }
}

/// A flag that any thread can raise or lower.
private final class Flag: Sendable {
    private let isUp = Atomic<Bool>(false)
    /// Raises the flag. Returns false if it was already raised.
    func raise() -> Bool { !isUp.exchange(true, ordering: .acquiringAndReleasing) }
    func lower() { isUp.store(false, ordering: .releasing) }
}
