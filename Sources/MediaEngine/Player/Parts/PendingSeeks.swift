import MediaCore

/// The seeks of one player whose completion handlers have not been called yet, and the frame steps that wait for them.
@MainActor
final class PendingSeeks {
    typealias Completion = @MainActor @Sendable (Bool) -> Void

    /// The maximum number of frames to step, which is more than any item has.
    private static let mostSteps = 1_000_000_000

    /// The target of the newest seek; nil after that seek has finished.
    private(set) var target: MediaTime?
    /// The time of the frame that a step of a paused player has reached. Nil after a seek, a start of playback or a new
    /// item.
    private(set) var steppedTime: MediaTime?
    /// The number of frames to step after the seek in progress. Before that, the starting frame is unknown.
    private var waitingSteps = 0
    private var completions: [UInt64: Completion] = [:]
    private var newest: UInt64 = 0

    /// Returns `count`, limited so that additions cannot overflow.
    static func limited(_ count: Int) -> Int { min(max(count, -mostSteps), mostSteps) }

    /// Adds a seek, which becomes the newest.
    /// - Returns: The identifier of the seek, for `finish(_:)`.
    func begin(to target: MediaTime, completion: @escaping Completion) -> UInt64 {
        endSteps()
        newest += 1
        completions[newest] = completion
        self.target = target
        return newest
    }

    func isNewest(_ id: UInt64) -> Bool { id == newest }

    /// Removes a seek.
    /// - Returns: The completion handler of the seek; nil if it has already been taken.
    func finish(_ id: UInt64) -> Completion? {
        if isNewest(id) { target = nil }
        return completions.removeValue(forKey: id)
    }

    /// Adds frames to step after the seek in progress.
    /// - Returns: False if no seek is in progress, so that the step can be taken now.
    func wait(toStep count: Int) -> Bool {
        guard target != nil else { return false }
        waitingSteps = PendingSeeks.limited(waitingSteps + count)
        return true
    }

    /// Returns and resets the number of frames to step now. Returns 0 while a seek is in progress.
    func takeSteps() -> Int {
        guard target == nil else { return 0 }
        defer { waitingSteps = 0 }
        return waitingSteps
    }

    /// Records the time of the frame that a step has reached.
    /// - Parameter time: The time of the frame; nil if the pipeline's own position gives that time.
    func didStep(to time: MediaTime?) { steppedTime = time }

    /// Discards the waiting steps and the time of the last step, because a seek or playback moves the player.
    func endSteps() { (steppedTime, waitingSteps) = (nil, 0) }

    /// Discards the target and the steps, because the current item has changed. Completion handlers of seeks in the
    /// former item are still called.
    func itemDidChange() {
        target = nil
        endSteps()
    }

    /// Discards the waiting steps. The seek in progress continues without a completion handler.
    /// - Returns: The completion handlers of the seeks.
    func cancel() -> [Completion] {
        waitingSteps = 0
        let none: Completion = { _ in }
        defer { completions = completions.mapValues { _ in none } }
        return Array(completions.values)
    }

    /// Removes all seeks.
    /// - Returns: The completion handlers of the seeks.
    func abandon() -> [Completion] {
        itemDidChange()
        defer { completions = [:] }
        return Array(completions.values)
    }
}
