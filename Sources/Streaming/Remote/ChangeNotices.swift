/// Who is notified of a remote file's changes, and whether that is due already.
struct ChangeNotices {
    enum Urgency { case soon, later }

    var onChange: (@Sendable () -> Void)?
    private var due: Urgency?

    /// - Returns: whether `take` has to be called.
    mutating func isNew(_ urgency: Urgency) -> Bool {
        guard onChange != nil, due != .soon, due == nil || urgency == .soon else { return false }
        due = urgency
        return true
    }

    /// Whom to notify; nil: nobody, or that was done by a call that was due sooner.
    mutating func take() -> (@Sendable () -> Void)? {
        guard due != nil else { return nil }
        due = nil
        return onChange
    }
}
