import MediaCore

/// A device that plays a player's items instead of the player.
///
/// The device carries out its commands one after the other. It reports changes by calling the player's `external…`
/// methods.
@MainActor
package protocol ExternalPlayback: AnyObject, Sendable {
    /// The display name of the device.
    var name: String { get }
    /// Plays `item` from `position` at `rate`, and stops the former item. At rate 0, the item stays paused at
    /// `position`.
    func load(_ item: AVPlayerItem, at position: MediaTime, rate: Float)
    func setRate(_ rate: Float)
    /// Seeks to `position`. Calls `completion` once: with false if the seek fails or another command replaces it.
    func seek(to position: MediaTime, completion: @escaping @MainActor (Bool) -> Void)
    func setVolume(_ volume: Float, isMuted: Bool)
    /// Returns the estimated position at `host`, in media time.
    func media(atHostTime host: HostTime) -> MediaTime
    /// Returns the host time at which the device reaches `media`; nil while it is paused.
    func hostTime(media: MediaTime) -> HostTime?
    /// Whether time advances.
    var isPlaying: Bool { get }
    var isAtEnd: Bool { get }
    /// Ends playback on the device.
    func end()
}

/// Playback on an external device. This player keeps the item, the time and the rate; the device outputs video and
/// audio.
extension AVPlayer {
    /// Continues playback on `other` from the current time. Does nothing if external playback is not allowed, or
    /// without an item.
    package func beginExternalPlayback(_ other: any ExternalPlayback) {
        guard settings.allowsExternalPlayback, other !== external.device else { return }
        followPipeline()
        let position = MediaTime(currentTime()) ?? 0
        guard let item = current, item.opening.status != .failed else { return }
        keyPathObservers.performChanges {
            external.device?.end()
            // The device does not carry out the seeks of the local pipeline, so these seeks end with false.
            abandonSeeks()
            prerolls.finish(false)
            changeExternal { external.begin(other, volume: settings.volume, isMuted: settings.isMuted) }
            pipeline.setRate(0)
            other.load(item, at: max(0, position), rate: desiredRate)
            refreshStatus()
        }
        notifyTimeJumped()
    }

    /// Ends external playback and continues locally at the position of the device.
    /// - Parameters:
    ///   - plays: False pauses the player; nil or true keeps its rate.
    ///   - error: The reason, if the app did not request the end.
    package func endExternalPlayback(plays: Bool? = nil, error: (any Error)? = nil) {
        guard let other = external.device else { return }
        let position = currentTime()
        let isAtEnd = other.isAtEnd
        keyPathObservers.performChanges {
            let localVolume = changeExternal { external.remove(error: error) }
            abandonSeeks()
            other.end()
            if let localVolume { (volume, isMuted) = localVolume }
            if current != nil {
                seek(to: position)
                if isAtEnd { playhead.endIsKnown() }
            }
            if plays == false { rate = 0 } else { pipeline.setRate(Double(desiredRate)) }
            refreshStatus()
        }
        reschedule()
    }

    /// Updates the player's state after a change of the device's state.
    package func externalChanged() {
        guard external.device != nil else { return }
        refreshStatus()
        timePassed()
    }
    /// Adopts the rate of the device if it differs from the requested rate. For example, a remote control paused the
    /// device, or it supports no other rate.
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

    // MARK: Position, local or external

    var position: PlaybackPosition? {
        guard let device = external.device else { return pipeline.position() }
        guard let item = current else { return nil }
        let media = device.media(atHostTime: .now())
        let last = item.entry.loops ? item.entry.loopRange?.upperBound : nil
        return PlaybackPosition(
            entry: item.entry, media: media, pass: playhead.pass, loopNumber: playhead.loopNumber,
            isAtEnd: device.isAtEnd || last.map { media >= $0 } ?? false)
    }
    func hostTime(media: MediaTime) -> HostTime? {
        if let device = external.device { device.hostTime(media: media) } else { pipeline.hostTime(media: media) }
    }

    /// Loads the new current item into the device. Without an item, external playback ends.
    func externalFollows() {
        guard let device = external.device else { return }
        if let current { device.load(current, at: 0, rate: desiredRate) } else { endExternalPlayback() }
    }

    /// Starts the next pass of a loop after the device has reached the end of the item.
    func externalDidReachLoopEnd(_ item: AVPlayerItem) {
        item.beganPass()
        playhead.beginAgain()
        let start = item.entry.loopRange?.lowerBound ?? 0
        // The paused pipeline follows, because it counts the passes.
        pipeline.seek(.exact(start, in: item.entry, loopNumber: playhead.loopNumber))
        external.device?.load(item, at: start, rate: desiredRate)
    }
}
