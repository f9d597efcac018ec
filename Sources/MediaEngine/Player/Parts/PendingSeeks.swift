import MediaCore

/// The seeks of one player that are not answered yet, and the frame steps that depend on them.
@MainActor
final class PendingSeeks {
    typealias Answer = @MainActor @Sendable (Bool) -> Void

    /// More frames than any item has.
    private static let mostSteps = 1_000_000_000

    /// The target of the newest seek until that seek is answered.
    private(set) var target: MediaTime?
    /// The time of the frame that a step of a paused player has reached. Nil once something else moves the player.
    private(set) var steppedTime: MediaTime?
    /// Frames to step when the seek under way is finished: the frame to count from is known only then.
    private var waitingSteps = 0
    private var answers: [UInt64: Answer] = [:]
    private var newest: UInt64 = 0

    /// Returns `count`, limited to what can be added without an overflow.
    static func limited(_ count: Int) -> Int { min(max(count, -mostSteps), mostSteps) }

    /// Adds a seek, which becomes the newest.
    /// - Returns: the number by which the seek is finished.
    func begin(to target: MediaTime, answer: @escaping Answer) -> UInt64 {
        endSteps()
        newest += 1
        answers[newest] = answer
        self.target = target
        return newest
    }

    func isNewest(_ id: UInt64) -> Bool { id == newest }

    /// Removes a seek.
    /// - Returns: who waits for its answer; nil: the seek has been answered already.
    func finish(_ id: UInt64) -> Answer? {
        if isNewest(id) { target = nil }
        return answers.removeValue(forKey: id)
    }

    /// Adds frames to step after the seek under way.
    /// - Returns: false when no seek is under way, and the step can be taken now.
    func wait(toStep count: Int) -> Bool {
        guard target != nil else { return false }
        waitingSteps = PendingSeeks.limited(waitingSteps + count)
        return true
    }

    /// Returns the frames to step now, and forgets them. 0 while a seek is under way.
    func takeSteps() -> Int {
        guard target == nil else { return 0 }
        defer { waitingSteps = 0 }
        return waitingSteps
    }

    /// A step has been taken.
    /// - Parameter time: the time of its frame; nil when the player knows that time itself.
    func didStep(to time: MediaTime?) { steppedTime = time }

    /// The player plays on from the frame reached.
    func endSteps() { (steppedTime, waitingSteps) = (nil, 0) }

    /// Another item is the current one. Seeks of the item before are still answered.
    func itemDidChange() {
        target = nil
        endSteps()
    }

    /// Removes all seeks.
    /// - Returns: who waits for their answers.
    func abandon() -> [Answer] {
        itemDidChange()
        defer { answers = [:] }
        return Array(answers.values)
    }
}
