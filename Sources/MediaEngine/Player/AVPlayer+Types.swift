extension AVPlayer {
    /// The state of playback: paused, waiting or playing.
    public enum TimeControlStatus: Int, Sendable {
        /// The rate is 0.
        case paused = 0
        /// `waitingToPlayAtSpecifiedRate`: a rate is set, and the player waits until the item is ready or enough data
        /// is loaded. `playing`: time advances.
        case waitingToPlayAtSpecifiedRate, playing
    }
    /// The status of a player itself, which is always `.readyToPlay`.
    public enum Status: Int, Sendable {
        /// Never used, because a player is ready immediately.
        case unknown = 0
        /// `readyToPlay`: the player can play. `failed`: never used.
        case readyToPlay, failed
    }
    /// An action that follows the end of an item.
    public enum ActionAtItemEnd: Int, Sendable {
        /// The player continues with the next item of the queue. The default of `AVQueuePlayer`.
        case advance = 0
        /// The player pauses on the last frame. The default of `AVPlayer`.
        case pause
        /// The player keeps its rate, and time stops at the end.
        case none
    }
    /// A reason why time does not advance although a rate is set. Raw values are AVFoundation's.
    public struct WaitingReason: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The stream's buffer is empty, or holds less than playback needs to start or continue.
        public static let toMinimizeStalls = WaitingReason(rawValue: "AVPlayerWaitingToMinimizeStallsReason")
        /// The item is being opened, a seek is in progress, or the first frame or audio is not decoded yet.
        public static let evaluatingBufferingRate = WaitingReason(
            rawValue: "AVPlayerWaitingWhileEvaluatingBufferingRateReason")
        /// Never used, because coordinated playback is not supported.
        public static let waitingForCoordinatedPlayback = WaitingReason(
            rawValue: "AVPlayerWaitingForCoordinatedPlaybackReason")
        /// The player has no item, or the item has failed.
        public static let noItemToPlay = WaitingReason(rawValue: "AVPlayerWaitingWithNoItemToPlayReason")
    }
}
