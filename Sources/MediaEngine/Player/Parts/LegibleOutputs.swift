import MediaCore
import Synchronization

/// The taps on an item's subtitles, and the times at which what they show changes.
@MainActor
final class LegibleOutputs {
    /// Called on the main actor when other cues are at hand, while there are outputs.
    var cuesDidChange: @MainActor () -> Void = {}
    private let subtitles: ItemSubtitles
    private var outputs: [AVPlayerItemLegibleOutput] = []

    init(_ subtitles: ItemSubtitles) { self.subtitles = subtitles }

    /// - Returns: false when it has been added before.
    func add(_ output: AVPlayerItemLegibleOutput) -> Bool {
        guard !outputs.contains(where: { $0 === output }) else { return false }
        outputs.append(output)
        follow()
        return true
    }

    /// - Returns: false when it is none of these.
    func remove(_ output: AVPlayerItemLegibleOutput) -> Bool {
        guard outputs.contains(where: { $0 === output }) else { return false }
        outputs.removeAll { $0 === output }
        follow()
        return true
    }

    /// The next time after `time` at which a cue begins or ends; nil without outputs, and where none does.
    func nextChange(after time: MediaTime) -> MediaTime? {
        guard !outputs.isEmpty else { return nil }
        let media = time.nanoseconds
        var next: Int64?
        for cue in subtitles.cues {
            if cue.start > media {
                next = min(next ?? .max, cue.start)
                // Those that follow begin, and so end, later.
                break
            }
            if cue.end > media { next = min(next ?? .max, cue.end) }
        }
        return next.map { MediaTime(nanoseconds: $0) }
    }

    /// Shows the cues that are in force at `time`.
    func show(at time: CMTime) {
        guard !outputs.isEmpty, let media = time.nanoseconds else { return }
        let standing = subtitles.cues.filter { $0.isInForce(at: media) }
        for output in outputs { output.show(standing, at: time) }
    }

    func flush() { for output in outputs { output.flush() } }

    /// Shows nothing: no player plays the item any more.
    func hide() { for output in outputs { output.show([], at: .zero) } }

    /// Listens to the subtitles while there are outputs. Many cues come at a time; one turn of the main loop handles
    /// all that have come before it.
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

/// Up or down, on any thread.
private final class Flag: Sendable {
    private let isUp = Atomic<Bool>(false)
    /// False when it was up already.
    func raise() -> Bool { !isUp.exchange(true, ordering: .acquiringAndReleasing) }
    func lower() { isUp.store(false, ordering: .releasing) }
}
