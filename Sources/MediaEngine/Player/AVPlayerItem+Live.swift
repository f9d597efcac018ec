import Foundation
import MediaCore

/// Live streams, and dates in streams that have them (`EXT-X-PROGRAM-DATE-TIME`).
extension AVPlayerItem {
    /// The wall clock's date of the programme at `currentTime()`; nil where the stream names none.
    public func currentDate() -> Date? {
        guard let now = currentTime().nanoseconds else { return nil }
        return entry.session?.buffer.date(at: now)
    }

    /// Goes to where the programme was at `date`. Answered false, and false is returned, where the stream names no
    /// dates or that date is not to be had any more (or not yet).
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

    /// How far behind the newest moment of a live stream playing should keep, as the playlist asks (`HOLD-BACK`, or
    /// three target durations); `.invalid` for what is not live. `seek(to: .positiveInfinity)` goes there.
    public var recommendedTimeOffsetFromLive: CMTime {
        guard let hold = entry.session?.buffer.holdBack else { return .invalid }
        return CMTime(nanoseconds: hold)
    }

    /// How far `currentTime()` is behind the newest moment of a live stream; `.invalid` for what is not live.
    public var timeOffsetFromLive: CMTime {
        guard let buffer = entry.session?.buffer, let hold = buffer.holdBack, let edge = buffer.seekable?.upperBound,
            let now = currentTime().nanoseconds
        else { return .invalid }
        return CMTime(nanoseconds: max(0, edge.addingSaturating(hold).subtractingSaturating(now)))
    }
}
