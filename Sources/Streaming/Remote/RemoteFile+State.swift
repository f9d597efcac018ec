import MediaCore

/// What a player's buffer is told from.
extension RemoteFile {
    /// From the reader on, without a hole.
    package var bytesAhead: Int64 { state.read { $0.goal - $0.window.position } }
    /// All that lies ahead of the reader has come.
    package var isAtEnd: Bool {
        state.read { state in state.plan.facts.length.map { state.goal >= $0 } ?? false }
    }
    /// As much has come as is wanted for now.
    package var isResting: Bool {
        state.read { $0.transfer?.isPaused ?? ($0.plan.isKnown && $0.failure == nil && $0.retryTimer == nil) }
    }
    /// What comes next has failed, or has been tried for as long as anybody would wait for it: who reads on is told.
    package var breaksOff: Bool {
        state.read { $0.failure != nil || $0.retryTimer != nil && triesAreUsedUp($0) }
    }
}
