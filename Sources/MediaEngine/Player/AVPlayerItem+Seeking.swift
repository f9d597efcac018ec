import Foundation
import MediaCore

/// Seeks with tolerances, and their cancellation.
extension AVPlayerItem {
    /// Seeks to a time between `time − toleranceBefore` and `time + toleranceAfter`, as
    /// `AVPlayer.seek(to:toleranceBefore:toleranceAfter:completionHandler:)` does. If the item is not the current item
    /// of a player, calls `completionHandler` with false.
    ///
    /// ```swift
    /// item.seek(to: chapter.timeRange.start, toleranceBefore: .zero, toleranceAfter: .zero)
    /// ```
    public func seek(
        to time: CMTime, toleranceBefore: CMTime, toleranceAfter: CMTime,
        completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) {
        guard let player, player.current === self else {
            completionHandler?(false)
            return
        }
        player.seek(to: time, toleranceBefore: toleranceBefore, toleranceAfter: toleranceAfter) {
            completionHandler?($0)
        }
    }

    /// Calls the completion handlers of all pending seeks with false. Does nothing if the item is not the current item
    /// of a player.
    ///
    /// ```swift
    /// item.cancelPendingSeeks()
    /// player.seek(to: position)
    /// ```
    /// A seek that is already in progress still displays its frame, as in AVFoundation.
    public func cancelPendingSeeks() {
        guard let player, player.current === self else { return }
        let completions = player.seeks.cancel()
        ObservationScope.callOut { for completion in completions { completion(false) } }
    }
}

extension AVPlayer {
    /// Seeks to the position in the current item's program at `date`, as `AVPlayerItem.seek(to:completionHandler:)`
    /// does.
    ///
    /// - Parameter completionHandler: Called with true when the frame is displayed. Called with false if the item has
    ///   no dates or does not contain the date, if a later seek or another item replaces this seek, or without an item.
    public func seek(to date: Date, completionHandler: (@MainActor @Sendable (Bool) -> Void)? = nil) {
        guard let current else {
            completionHandler?(false)
            return
        }
        current.seek(to: date, completionHandler: completionHandler)
    }
}
