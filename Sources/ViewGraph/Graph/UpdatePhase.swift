/// Whether an update of a graph is scheduled or running, and whether it runs actions or evaluates views now.
struct UpdatePhase {
    private var isScheduled = false
    private(set) var isUpdating = false
    /// Whether an update runs actions now, between two evaluations.
    private(set) var isActing = false

    /// Returns whether the caller must schedule an update. False if one is scheduled or running.
    mutating func schedule() -> Bool {
        guard !isScheduled, !isUpdating else { return false }
        isScheduled = true
        return true
    }

    /// Records that the scheduled update is carried out now.
    mutating func flush() { isScheduled = false }

    /// Begins an update. Returns false if one is running.
    mutating func begin() -> Bool {
        guard !isUpdating else { return false }
        isUpdating = true
        return true
    }
    mutating func end() { isUpdating = false }

    mutating func beginActions() { isActing = true }
    mutating func endActions() { isActing = false }

    /// Interrupts running actions while views are created or evaluated.
    /// - Returns: A value for `resumeActions(_:)`.
    mutating func pauseActions() -> Bool {
        defer { isActing = false }
        return isActing
    }
    mutating func resumeActions(_ wasActing: Bool) { isActing = wasActing }
}
