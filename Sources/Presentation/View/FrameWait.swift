import MediaCore

/// The wait of a view for the next frame, if frames reach the screen without GTK.
struct FrameWait {
    /// The time when the last requested frame becomes visible.
    let due: HostTime
    /// The time between two refreshes of the display, in nanoseconds.
    let interval: Int64

    /// The longest wait for a frame, in nanoseconds. Subtitles, the position of the view and the state of the window
    /// are checked this often.
    static let longest: Int64 = 50_000_000
    /// The time that is added to the time of a frame, in nanoseconds, because the predictions of an audio clock differ
    /// by less. Without it, many frames would be requested too early, and then again.
    static let slack: Int64 = 1_000_000
    /// The wait after a frame that was not due yet, in nanoseconds.
    static let shortest: Int64 = 4_000_000

    /// Returns the time when the next frame must be visible.
    ///
    /// A display can't show more frames than it refreshes. If the last frame is late, the next one follows earlier.
    /// - Parameters:
    ///   - nextDue: The time of the next frame.
    ///   - isNew: Whether the last request returned another frame than the request before.
    ///   - now: The time when a frame that is drawn now becomes visible.
    func next(_ nextDue: HostTime, isNew: Bool, now: HostTime) -> HostTime {
        let earliest = isNew ? max(due + interval / 10 * 9, now + interval / 2) : now + FrameWait.shortest
        return min(max(nextDue + FrameWait.slack, earliest), now + FrameWait.longest)
    }
}
