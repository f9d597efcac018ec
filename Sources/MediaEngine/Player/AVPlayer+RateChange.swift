import Foundation
import MediaCore

/// The notification of rate changes.
extension AVPlayer {
    /// A notification that `rate` has changed. Posted on the main thread; its object is the player.
    ///
    /// ```swift
    /// for await change in NotificationCenter.default.notifications(
    ///     named: AVPlayer.rateDidChangeNotification, object: player)
    /// {
    ///     let reason = change.userInfo?[AVPlayer.rateDidChangeReasonKey] as? AVPlayer.RateDidChangeReason
    ///     isInterrupted = reason == .audioSessionInterrupted
    /// }
    /// ```
    /// `userInfo` contains `rateDidChangeReasonKey`.
    nonisolated public static let rateDidChangeNotification = Notification.Name("AVPlayerRateDidChangeNotification")
    /// The key of the reason for a rate change in `userInfo`: an `AVPlayer.RateDidChangeReason`.
    nonisolated public static let rateDidChangeReasonKey = "AVPlayerRateDidChangeReasonKey"

    /// The reason for a rate change. Raw values are AVFoundation's.
    public struct RateDidChangeReason: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The app or its user has set the rate, or the item has ended.
        public static let setRateCalled = RateDidChangeReason(rawValue: "AVPlayerRateDidChangeReasonSetRateCalled")
        /// The rate could not be set. Never reported.
        public static let setRateFailed = RateDidChangeReason(rawValue: "AVPlayerRateDidChangeReasonSetRateFailed")
        /// The audio server has interrupted the player.
        public static let audioSessionInterrupted = RateDidChangeReason(
            rawValue: "AVPlayerRateDidChangeReasonAudioSessionInterrupted")
        /// The app is in the background. Never reported.
        public static let appBackgrounded = RateDidChangeReason(
            rawValue: "AVPlayerRateDidChangeReasonAppBackgrounded")
    }

    func notifyRateChanged(_ reason: RateDidChangeReason) {
        withoutObservationTracking {
            NotificationCenter.default.post(
                name: AVPlayer.rateDidChangeNotification, object: self,
                userInfo: [AVPlayer.rateDidChangeReasonKey: reason])
        }
    }
}
