extension AVPlayer {
    /// Whether time passes.
    public enum TimeControlStatus: Int, Sendable {
        /// The rate is 0.
        case paused = 0
        /// A rate is set, and time stands until there is something to play or enough has been loaded; or time passes.
        case waitingToPlayAtSpecifiedRate, playing
    }
    /// Whether the player itself is of use.
    public enum Status: Int, Sendable {
        /// Never given here: a player is ready at once.
        case unknown = 0
        /// It can play; or it is itself beyond use.
        case readyToPlay, failed
    }
    /// What follows an item's end.
    public enum ActionAtItemEnd: Int, Sendable {
        /// Go on to the next item of the queue. The default of `AVQueuePlayer`.
        case advance = 0
        /// Pause on the last picture. The default of `AVPlayer`.
        case pause
        /// Leave the rate as it is; time stands at the end.
        case none
    }
    /// Why time stands though a rate is set. Raw values are AVFoundation's.
    public struct WaitingReason: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        /// A stream's buffer ran empty, or holds less than is wanted to go on.
        public static let toMinimizeStalls = WaitingReason(rawValue: "AVPlayerWaitingToMinimizeStallsReason")
        /// The item is being opened, or its first pictures are on their way.
        public static let evaluatingBufferingRate = WaitingReason(
            rawValue: "AVPlayerWaitingWhileEvaluatingBufferingRateReason")
        /// Never given: nobody coordinates playback here.
        public static let waitingForCoordinatedPlayback = WaitingReason(
            rawValue: "AVPlayerWaitingForCoordinatedPlaybackReason")
        /// There is no item.
        public static let noItemToPlay = WaitingReason(rawValue: "AVPlayerWaitingWithNoItemToPlayReason")
    }
}
