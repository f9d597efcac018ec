/// The observer of a remote file's changes, and whether a notification is already scheduled.
struct ChangeNotices {
    enum Urgency { case soon, later }

    var onChange: (@Sendable () -> Void)?
    private var due: Urgency?

    /// Schedules a notification.
    /// - Returns: Whether the caller must arrange a call of `take`.
    mutating func isNew(_ urgency: Urgency) -> Bool {
        guard onChange != nil, due != .soon, due == nil || urgency == .soon else { return false }
        due = urgency
        return true
    }

    /// Returns the observer to notify, or nil if there is none or an earlier call has already notified it.
    mutating func take() -> (@Sendable () -> Void)? {
        guard due != nil else { return nil }
        due = nil
        return onChange
    }
}
