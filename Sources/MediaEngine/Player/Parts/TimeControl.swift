/// Whether time advances in a player, and the reason if it does not although a rate is set.
struct TimeControl: Equatable {
    /// The progress of the pipeline or the external device.
    enum Progress {
        case advancing
        /// The item is being opened, a seek is in progress, or the first frame or audio is not decoded yet.
        case preparing
        /// The buffer holds less data than playback needs to start or continue.
        case waitingForData
    }

    var status = AVPlayer.TimeControlStatus.paused
    var reason: AVPlayer.WaitingReason?

    init() {}

    /// Derives the state from the requested rate, the item and the progress.
    /// - Parameters:
    ///   - item: The status of the current item; nil without an item.
    ///   - progress: Evaluated only if the rate and the item allow playback.
    init(rate: Float, item: AVPlayerItem.Status?, progress: @autoclosure () -> Progress) {
        guard rate != 0 else { return }
        status = .waitingToPlayAtSpecifiedRate
        guard let item, item != .failed else {
            reason = .noItemToPlay
            return
        }
        switch progress() {
        case .advancing: status = .playing
        case .preparing: reason = .evaluatingBufferingRate
        case .waitingForData: reason = .toMinimizeStalls
        }
    }
}
