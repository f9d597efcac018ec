/// Whether time passes in a player, and the reason why it does not though a rate is set.
struct TimeControl: Equatable {
    /// What the pipeline, or the external device, does.
    enum Progress {
        case advances
        /// The item is being opened, or its first frames are on their way.
        case prepares
        /// A stream's buffer ran empty.
        case lacksData
    }

    var status = AVPlayer.TimeControlStatus.paused
    var reason: AVPlayer.WaitingReason?

    init() {}

    /// - Parameters:
    ///   - item: the status of the current item; nil without an item.
    ///   - progress: read only when the rate and the item allow playback.
    init(rate: Float, item: AVPlayerItem.Status?, progress: @autoclosure () -> Progress) {
        guard rate != 0 else { return }
        status = .waitingToPlayAtSpecifiedRate
        guard let item, item != .failed else {
            reason = .noItemToPlay
            return
        }
        switch progress() {
        case .advances: status = .playing
        case .prepares: reason = .evaluatingBufferingRate
        case .lacksData: reason = .toMinimizeStalls
        }
    }
}
