/// The report that playback could start, for a player that waits for it before it sets a rate.
extension PipelineState {
    /// Returns whether the clock runs or could start now, at any rate, with the entry whose `id` is given.
    mutating func isReadyToRun(_ id: UInt64) -> Bool {
        if clock.isRunning { return playing?.segment.entry.id == id }
        return isPrimed && !isClosed && seeks.pending == nil && position()?.entry.id == id && hasEnoughBuffer()
    }

    /// Requests one event `.readinessChanged` as soon as `isReadyToRun(_:)` returns true for `id`.
    mutating func reportReadiness(of id: UInt64) {
        awaitedEntry = id
        // After a frame step or a scrubbed keyframe, the samples of this position are read only for the start of
        // playback, which waits for this report.
        if run.audioIsStale, seeks.pending == nil, seeks.running == nil { reseek() }
        checkReadiness()
    }

    /// Reports that the clock can start, if the player has requested it.
    mutating func checkReadiness() {
        guard let id = awaitedEntry, isReadyToRun(id) else { return }
        awaitedEntry = nil
        report(.readinessChanged)
    }
}
