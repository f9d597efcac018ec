import MediaCore
import Synchronization

/// The use of an entry by the thread that prepares it and by the pipelines that play it: only one of them reads a
/// stream at a time. Thread-safe.
struct EntryOpening: ~Copyable, Sendable {
    private struct State {
        /// The newest preparation, even if it was cancelled.
        var preparation: ItemPreparation?
        /// The number of pipelines that have opened the entry or are about to.
        var pipelines = 0
    }
    private let state = Locked(State())
    /// A lock held by the thread that prepares the entry, until it has released everything that it opened. All readers
    /// of a stream share one session, which has one reader at a time.
    private let preparing = Mutex(())
    /// The longest wait for another pipeline that still reads a stream, in nanoseconds. The pipeline is interrupted when
    /// the item is removed from it, so it releases the stream soon.
    private static let handOverLimit: Int64 = 2_000_000_000

    // MARK: preparing

    /// The newest preparation; `nil` if there is none, or if a pipeline took it.
    var preparation: ItemPreparation? { state.read { $0.preparation } }

    /// Adds `fresh`, unless the entry was prepared, is being prepared or is open.
    ///
    /// - Returns: `fresh`, or the existing preparation; `nil` if the entry is open.
    func add(_ fresh: ItemPreparation) -> ItemPreparation? {
        state.withLock { state -> ItemPreparation? in
            if state.pipelines > 0 { return nil }
            if let existing = state.preparation, !existing.wasGivenUp { return existing }
            state.preparation = fresh
            return fresh
        }
    }

    /// Runs `body`, which prepares the entry. Waits for an earlier preparation.
    func prepare(_ body: () -> Void) { preparing.withLock { _ in body() } }

    /// Cancels the preparation. Holds the lock, so that a prepared item is released before the entry is opened again.
    func cancel() { state.withLock { $0.preparation?.cancel() } }

    // MARK: playing

    /// Takes the prepared item for a pipeline. Waits until no other thread prepares the entry, and until the pipeline
    /// that played a stream before has released it. Call `release` when the pipeline no longer reads the entry.
    ///
    /// - Parameters:
    ///   - isStream: Whether the entry is a stream.
    ///   - isInterrupted: Returns whether the pipeline no longer needs the entry.
    /// - Returns: The item; `nil` if none is prepared for the selection.
    func take(
        _ selection: TrackSelection, isStream: @autoclosure () -> Bool, isInterrupted: () -> Bool
    ) -> PreparedItem? {
        let preparation = state.withLock { state in
            state.pipelines += 1
            defer { state.preparation = nil }
            return state.preparation
        }
        if let item = preparation?.take(for: selection) { return item }
        // A cancelled preparation may not have released its session yet.
        preparing.withLock { _ in }
        let limit = HostTime.now() + EntryOpening.handOverLimit
        while isStream(), state.read({ $0.pipelines > 1 }), !isInterrupted(), HostTime.now() < limit {
            _ = state.wait(until: .now() + 50_000_000) { $0.pipelines > 1 ? nil : true }
        }
        return nil
    }

    /// Records that a pipeline no longer reads the entry.
    func release() { state.withLock { $0.pipelines = max(0, $0.pipelines - 1) } }
}
