import Zoetrope

/// What keys and wheels do with the player, in steps. Where there is nothing to do it with they return false.
final class PlaybackSteps: Service {
    /// Where a seek under way goes to: the next step begins there, not where the picture still is.
    private var target: (item: ObjectIdentifier, seconds: Double, number: Int)?
    private var seeks = 0

    private var player: AVPlayer? { context?.own(RenderService.self).player }
    /// Seconds; nil: not known, or without an end.
    private func duration(of item: AVPlayerItem) -> Double? {
        let seconds = item.duration.seconds
        return seconds.isFinite && seconds > 0 ? seconds : nil
    }

    func togglePlay() -> Bool {
        guard let player, let item = player.currentItem else { return false }
        if player.timeControlStatus == .paused {
            // At its end there is nothing more to play.
            if let end = duration(of: item), player.currentTime().seconds >= end - 0.05 { seek(item, to: 0) }
            player.play()
        } else {
            player.pause()
        }
        return true
    }

    func toggleMute() -> Bool {
        guard let player else { return false }
        player.isMuted.toggle()
        return true
    }

    /// - Parameter step: of 1. Who makes it louder wants to hear it.
    func changeVolume(by step: Double) -> Bool {
        guard let player, step.isFinite else { return false }
        // In hundredths: many steps up and as many down end where they began.
        let sum = (Double(player.volume) + step) * 1000
        player.volume = Float(min(1000, max(0, sum.rounded())) / 1000)
        if step > 0 { player.isMuted = false }
        return true
    }

    /// - Parameter step: seconds.
    func seek(by step: Double) -> Bool {
        guard let player, let item = player.currentItem, step.isFinite else { return false }
        let pending = target.flatMap { $0.item == ObjectIdentifier(item) ? $0.seconds : nil }
        let from = pending ?? player.currentTime().seconds
        guard from.isFinite else { return false }
        seek(item, to: from + step)
        return true
    }

    /// - Parameter share: of the whole, 0…1.
    func jump(to share: Double) -> Bool {
        guard let item = player?.currentItem, let whole = duration(of: item), share.isFinite else { return false }
        seek(item, to: whole * min(1, max(0, share)))
        return true
    }

    private func seek(_ item: AVPlayerItem, to wanted: Double) {
        // Beyond what any media has, times are no times.
        let seconds = min(max(0, wanted), duration(of: item) ?? 1e9)
        seeks += 1
        let number = seeks
        target = (ObjectIdentifier(item), seconds, number)
        player?.seek(to: CMTime(seconds: seconds, preferredTimescale: 600)) { [weak self] _ in
            if self?.target?.number == number { self?.target = nil }
        }
    }
}
