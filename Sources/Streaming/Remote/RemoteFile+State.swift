import MediaCore

/// What a player's buffer is told from.
extension RemoteFile {
    /// From the reader on, without a hole.
    package var bytesAhead: Int64 { monitor.withLock { cache.contiguousEnd(from: position) - position } }
    /// All that lies ahead of the reader has come.
    package var isAtEnd: Bool {
        monitor.withLock { plan.facts.length.map { cache.contiguousEnd(from: position) >= $0 } ?? false }
    }
    /// As much has come as is wanted for now.
    package var isResting: Bool {
        monitor.withLock { transfer?.isPaused ?? (plan.isKnown && failure == nil && retryTimer == nil) }
    }
    /// What comes next has failed, or has been tried for as long as anybody would wait for it: who reads on is told.
    package var breaksOff: Bool { monitor.withLock { failure != nil || retryTimer != nil && triesAreUsedUp } }
}
