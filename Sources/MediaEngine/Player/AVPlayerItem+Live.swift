import Foundation
import MediaCore

/// Live streams, and streams with dates (`EXT-X-PROGRAM-DATE-TIME`).
extension AVPlayerItem {
    /// Returns the date of the program at `currentTime()`; nil if the item is not a stream with dates.
    ///
    /// As with `currentTime()`, a view that calls this method in its `body` is not updated as time passes.
    public func currentDate() -> Date? {
        guard let now = currentTime().nanoseconds else { return nil }
        return entry.session?.buffer.date(at: now)
    }

    /// Seeks to the position in the program at `date`.
    ///
    /// ```swift
    /// let oneHourAgo = Date(timeIntervalSinceNow: -3600)
    /// if !item.seek(to: oneHourAgo) {
    ///     print("The stream does not contain this time.")
    /// }
    /// ```
    ///
    /// - Parameter completionHandler: Called with true when the frame is displayed. Called with false if a later seek
    ///   or another item replaces this seek, or if this method returns false.
    /// - Returns: Whether the seek has started. False if the stream has no dates, or if that part is no longer or not
    ///   yet available. Also false if the item is not a player's current item.
    @discardableResult
    public func seek(to date: Date, completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil) -> Bool {
        guard let player, player.current === self, let buffer = entry.session?.buffer,
            let time = buffer.time(at: date),
            buffer.seekable.map({ $0.lowerBound <= time && time <= $0.upperBound }) ?? false
        else {
            completionHandler?(false)
            return false
        }
        player.seek(to: CMTime(nanoseconds: time)) { completionHandler?($0) }
        return true
    }

    /// The recommended distance from the live edge of a stream; `.invalid` if the item is not live.
    ///
    /// The playlist sets it (`HOLD-BACK`, else three target durations). `seek(to: .positiveInfinity)` seeks to this
    /// position.
    ///
    /// ```swift
    /// Button("Go Live") { player.seek(to: .positiveInfinity) }
    /// ```
    public var recommendedTimeOffsetFromLive: CMTime {
        guard let hold = entry.session?.buffer.holdBack else { return .invalid }
        return CMTime(nanoseconds: hold)
    }

    /// The distance of `currentTime()` from the live edge of a stream; `.invalid` if the item is not live.
    ///
    /// The value changes with time, so read it in a periodic time observer:
    /// ```swift
    /// let offset = item.timeOffsetFromLive
    /// showsGoLive = offset.isNumeric && offset.seconds > 20
    /// ```
    public var timeOffsetFromLive: CMTime {
        guard let buffer = entry.session?.buffer, let hold = buffer.holdBack, let edge = buffer.seekable?.upperBound,
            let now = currentTime().nanoseconds
        else { return .invalid }
        return CMTime(nanoseconds: max(0, edge.addingSaturating(hold).subtractingSaturating(now)))
    }
}
