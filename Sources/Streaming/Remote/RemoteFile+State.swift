import MediaCore

// The state that a player's buffering depends on.
extension RemoteFile {
    /// The number of contiguous bytes in the cache from the reader's position on.
    package var bytesAhead: Int64 { state.read { $0.nextMissingByte - $0.window.position } }
    /// Whether all bytes from the reader's position to the end of the file are in the cache.
    package var isAtEnd: Bool {
        state.read { state in state.plan.facts.length.map { state.nextMissingByte >= $0 } ?? false }
    }
    /// Whether loading is paused because enough bytes are buffered.
    package var isResting: Bool {
        state.read { $0.transfer?.isPaused ?? ($0.plan.isKnown && $0.failure == nil && $0.retryTimer == nil) }
    }
    /// Whether the next read will fail: loading has failed, or its retries are used up.
    package var willFail: Bool {
        state.read { $0.failure != nil || $0.retryTimer != nil && triesAreUsedUp($0) }
    }
}
