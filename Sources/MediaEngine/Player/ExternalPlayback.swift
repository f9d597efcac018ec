import Foundation
import MediaCore

/// Another device that plays a player's items in its stead. Told what to do, it does one thing after the other and says
/// what has become of it by the player's `external…` methods. Main actor.
@MainActor
package protocol ExternalPlayback: AnyObject, Sendable {
    /// As people know it.
    var name: String { get }
    /// Plays `item` from `place` on, at `rate`; 0: has it stand there. What it was told to play before is over.
    func load(_ item: AVPlayerItem, at place: MediaTime, rate: Float)
    func setRate(_ rate: Float)
    /// Answered once: false when it could not, or something else was wanted meanwhile.
    func seek(to place: MediaTime, answer: @escaping @MainActor (Bool) -> Void)
    func setVolume(_ volume: Float, isMuted: Bool)
    /// Where it stands, as far as is known.
    func media(atHostTime host: HostTime) -> MediaTime
    /// Host time at which it comes to `media`; nil while it stands.
    func hostTime(media: MediaTime) -> HostTime?
    /// Time passes.
    var isPlaying: Bool { get }
    var isAtEnd: Bool { get }
    /// It is not to play any more.
    func end()
}

/// Playing elsewhere: what plays, when and where is this player's as ever; pictures and sound are the other device's.
extension AVPlayer {
    /// From now on `other` plays what this player does, from where it is. Nothing happens where that is not allowed, or
    /// there is no item.
    package func beginExternalPlayback(_ other: any ExternalPlayback) {
        guard settings.allowsExternalPlayback, other !== external.device else { return }
        noticeSeam()
        let place = MediaTime(currentTime()) ?? 0
        guard let item = current, item.opening.status != .failed else { return }
        keyPathObservers.together {
            external.device?.end()
            // Whoever waits for a seek here waits for nothing any more.
            abandonSeeks()
            changeExternal { external.begin(other, volume: settings.volume, isMuted: settings.isMuted) }
            pipeline.setRate(0)
            other.load(item, at: max(0, place), rate: desiredRate)
            refreshStatus()
        }
        notifyTimeJumped()
    }

    /// Plays here again, where the other device was.
    /// - Parameters:
    ///   - plays: nil: as it did there.
    ///   - error: why, where nobody wished it.
    package func endExternalPlayback(plays: Bool? = nil, error: (any Error)? = nil) {
        guard let other = external.device else { return }
        let place = currentTime()
        let isAtEnd = other.isAtEnd
        keyPathObservers.together {
            let here = changeExternal { external.remove(error: error) }
            abandonSeeks()
            other.end()
            if let here { (volume, isMuted) = here }
            if current != nil, !isAtEnd { seek(to: place) }
            if plays == false { rate = 0 } else { pipeline.setRate(Double(desiredRate)) }
            refreshStatus()
        }
        reschedule()
    }

    /// Something has become different there.
    package func externalChanged() {
        guard external.device != nil else { return }
        refreshStatus()
        timePassed()
    }
    /// It goes at another rate there than was asked for: whoever has its remote control paused it, or it knows no
    /// other.
    package func externalRateChanged(_ rate: Float) {
        guard external.device != nil, rate != desiredRate else { return }
        external.report { self.rate = rate }
    }
    package func externalVolumeChanged(_ volume: Float, isMuted: Bool) {
        guard external.device != nil else { return }
        external.report {
            if abs(volume - settings.volume) > 0.001 { self.volume = volume }
            if isMuted != settings.isMuted { self.isMuted = isMuted }
        }
    }

    // MARK: where it is, here or there

    var place: PlaybackPosition? {
        guard let device = external.device else { return pipeline.position() }
        guard let item = current else { return nil }
        let media = device.media(atHostTime: .now())
        let last = item.entry.loops ? item.entry.loopRange?.upperBound : nil
        return PlaybackPosition(
            entry: item.entry, media: media, pass: playhead.pass, round: playhead.round,
            isAtEnd: device.isAtEnd || last.map { media >= $0 } ?? false)
    }
    func hostTime(media: MediaTime) -> HostTime? {
        if let device = external.device { device.hostTime(media: media) } else { pipeline.hostTime(media: media) }
    }

    /// Another item is the current one.
    func externalFollows() {
        guard let device = external.device else { return }
        if let current { device.load(current, at: 0, rate: desiredRate) } else { endExternalPlayback() }
    }

    /// The item has ended there, and goes round.
    func externalGoesRound(_ item: AVPlayerItem) {
        item.beganPass()
        playhead.beginAgain()
        external.device?.load(item, at: item.entry.loopRange?.lowerBound ?? 0, rate: desiredRate)
    }
}
