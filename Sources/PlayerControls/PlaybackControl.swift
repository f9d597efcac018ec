import MediaCore
import MediaEngine

/// The playback commands of a player, with the rules that all controls share.
///
/// A key, a button, a menu and a remote control with the same command should do the same thing in the same way. They
/// must agree on where an item ends, on how several seeks add up, and on when a change of volume unmutes. A control is
/// a value without state of its own; create one where you need it.
///
/// ```swift
/// let control = PlaybackControl(player)
/// control.togglePlayback()
/// control.seek(by: -10)
/// ```
///
/// Methods return false if a number is not finite or the first player has no item, so that the next responder can
/// handle the key. ``pause()`` and the methods for the volume and the speed need no item, only a player. Main actor.
@MainActor
public struct PlaybackControl {
    /// The players that are controlled. The state of the first one decides what the others do.
    public let players: [AVPlayer]
    /// The speeds between which ``changeSpeed(by:)`` steps, in ascending order.
    public nonisolated static let speeds: [Float] = [0.25, 0.5, 0.75, 1, 1.25, 1.5, 2, 3, 4]
    /// The longest remaining time at which a position counts as the end, in seconds. It is shorter than two frames of
    /// most videos.
    ///
    /// In items of less than half a second, a tenth of the duration is used instead.
    public nonisolated static let endTolerance = 0.05

    /// Creates a control of one player.
    public init(_ player: AVPlayer) { players = [player] }
    /// Creates a control of several players together, such as players that show the same video, or a wall of videos.
    ///
    /// ```swift
    /// let wall = PlaybackControl(players)
    /// wall.seek(to: 0)
    /// wall.togglePlayback()
    /// ```
    public init(_ players: [AVPlayer]) { self.players = players }

    // MARK: state

    /// The duration of the current item, in seconds; nil while it is unknown, and for live streams.
    public var duration: Double? {
        guard let seconds = players.first?.currentItem?.duration.seconds, seconds.isFinite, seconds > 0 else {
            return nil
        }
        return seconds
    }

    /// The current position, or the target of a pending seek, in seconds; nil if there is no item.
    public var position: Double? {
        guard let player = players.first, player.currentItem != nil, case let seconds = player.currentTime().seconds,
            seconds.isFinite
        else { return nil }
        return seconds
    }

    /// Whether the current item has ended or is paused at its end (``endTolerance``), so that playing starts again from
    /// the start.
    public var isAtEnd: Bool {
        guard let player = players.first, player.currentItem != nil else { return false }
        if player.isAtEnd { return true }
        guard let duration, let position else { return false }
        return player.rate == 0 && position >= duration - min(PlaybackControl.endTolerance, duration / 10)
    }

    /// The speed at which the player plays, or would play; 1 without a player.
    public var speed: Float {
        guard let player = players.first else { return 1 }
        return player.rate > 0 ? player.rate : player.defaultRate
    }

    // MARK: playing

    /// Plays, from the start if the item is at its end.
    @discardableResult
    public func play() -> Bool {
        withoutObservationTracking {
            guard players.first?.currentItem != nil else { return false }
            let isAtEnd = isAtEnd
            for player in players {
                if isAtEnd { player.seek(to: .zero) }
                player.play()
            }
            return true
        }
    }

    /// Pauses.
    @discardableResult
    public func pause() -> Bool {
        withoutObservationTracking {
            for player in players { player.pause() }
            return !players.isEmpty
        }
    }

    /// Plays if the player is paused, and pauses otherwise.
    @discardableResult
    public func togglePlayback() -> Bool {
        withoutObservationTracking {
            guard let player = players.first, player.currentItem != nil else { return false }
            return player.timeControlStatus == .paused ? play() : pause()
        }
    }

    /// If the current item has failed, replaces it with a new item of the same asset, and plays that item from the
    /// position at which the old one failed.
    ///
    /// An item that failed before it was open plays from the requested position, and a live stream from its live edge.
    /// The new item keeps `externalMetadata`. Other settings and the observers of the old item are not copied.
    ///
    /// ```swift
    /// Button("Retry") { PlaybackControl(player).retry() }
    ///     .disabled(player.currentItem?.status != .failed)
    /// ```
    /// - Returns: False if no player has a current item that has failed.
    @discardableResult
    public func retry() -> Bool {
        withoutObservationTracking {
            var hasFailed = false
            for player in players {
                let isRetried = player.retryCurrentItem { failed in
                    let fresh = AVPlayerItem(asset: failed.asset)
                    fresh.externalMetadata = failed.externalMetadata
                    player.replaceCurrentItem(with: fresh)
                }
                hasFailed = hasFailed || isRetried
            }
            return hasFailed
        }
    }

    // MARK: seeking

    /// Seeks exactly to a position in seconds, which is clamped to the item. A value that is not finite is ignored.
    /// Only the newest of several pending seeks is carried out.
    @discardableResult
    public func seek(to seconds: Double) -> Bool {
        withoutObservationTracking {
            guard seconds.isFinite, players.first?.currentItem != nil else { return false }
            let target = clamped(seconds)
            for player in players { player.seek(to: CMTime(seconds: target, preferredTimescale: 1_000_000)) }
            return true
        }
    }

    /// Seeks by a number of seconds relative to the current position, or to the target of a pending seek, so that
    /// several seeks add up. The target is clamped to the item.
    @discardableResult
    public func seek(by seconds: Double) -> Bool {
        withoutObservationTracking {
            guard let position else { return false }
            return seek(to: position + seconds)
        }
    }

    /// Seeks to a fraction of the duration, which is clamped to 0…1. Returns false while the duration is unknown.
    @discardableResult
    public func seek(toFraction fraction: Double) -> Bool {
        withoutObservationTracking {
            guard let duration, fraction.isFinite else { return false }
            return seek(to: duration * min(max(0, fraction), 1))
        }
    }

    /// Seeks to the start.
    @discardableResult
    public func seekToStart() -> Bool { seek(to: 0) }

    /// Seeks to the end; in a live stream, to the newest position.
    @discardableResult
    public func seekToEnd() -> Bool {
        withoutObservationTracking {
            guard players.first?.currentItem != nil else { return false }
            for player in players { player.seek(to: .positiveInfinity) }
            return true
        }
    }

    /// Pauses, and steps by frames; negative values step backwards. Steps beyond the start or the end stop there.
    ///
    /// ```swift
    /// HStack {
    ///     Button("Previous frame") { PlaybackControl(player).step(byFrames: -1) }
    ///     Button("Next frame") { PlaybackControl(player).step(byFrames: 1) }
    /// }
    /// ```
    @discardableResult
    public func step(byFrames count: Int) -> Bool {
        withoutObservationTracking {
            guard players.first?.currentItem != nil else { return false }
            for player in players { player.currentItem?.step(byCount: count) }
            return true
        }
    }

    /// Returns a position in seconds, clamped to the current item. While the duration is unknown, the maximum is 1e9 s.
    public func clamped(_ seconds: Double) -> Double {
        // Without a duration, the limit is longer than any media, so that the value fits into a `CMTime`.
        withoutObservationTracking { min(max(0, seconds), duration ?? 1e9) }
    }

    // MARK: volume

    /// Sets the volume, which is clamped to 0…1. A volume above 0 also unmutes. A value that is not finite is ignored.
    ///
    /// ```swift
    /// @State private var volume = 1.0
    ///
    /// var body: some View {
    ///     Slider(value: $volume)
    ///         .onChange(of: volume) { _, new in PlaybackControl(player).setVolume(new) }
    /// }
    /// ```
    @discardableResult
    public func setVolume(_ volume: Double) -> Bool {
        withoutObservationTracking {
            guard volume.isFinite, !players.isEmpty else { return false }
            for player in players {
                player.volume = Float(min(max(0, volume), 1))
                if volume > 0 { player.isMuted = false }
            }
            return true
        }
    }

    /// Changes the volume by a fraction of 1. The result is clamped to 0…1. Increasing the volume also unmutes.
    @discardableResult
    public func changeVolume(by step: Double) -> Bool {
        withoutObservationTracking {
            guard step.isFinite, let player = players.first else { return false }
            // Rounded to thousandths, so that equal numbers of steps up and down return to the same volume.
            let volume = min(max(0, ((Double(player.volume) + step) * 1000).rounded() / 1000), 1)
            for player in players {
                player.volume = Float(volume)
                if step > 0 { player.isMuted = false }
            }
            return true
        }
    }

    /// Mutes or unmutes.
    @discardableResult
    public func toggleMuted() -> Bool {
        withoutObservationTracking {
            guard let muted = players.first?.isMuted else { return false }
            for player in players { player.isMuted = !muted }
            return true
        }
    }

    // MARK: speed

    /// Sets the speed at which the player plays, or will play. It is clamped to 0.05…16. A value that is not finite is
    /// ignored. A paused player stays paused.
    @discardableResult
    public func setSpeed(_ speed: Float) -> Bool {
        withoutObservationTracking {
            guard speed.isFinite, !players.isEmpty else { return false }
            let speed = min(max(0.05, speed), 16)
            for player in players {
                player.defaultRate = speed
                if player.rate != 0 { player.rate = speed }
            }
            return true
        }
    }

    /// Changes by `steps` to a faster (positive) or slower (negative) speed in ``speeds``; 0 resets the speed to 1.
    /// If no speed in the list is faster or slower, the speed stays the same.
    ///
    /// ```swift
    /// HStack {
    ///     Button("Slower") { PlaybackControl(player).changeSpeed(by: -1) }
    ///     Button("Normal") { PlaybackControl(player).changeSpeed(by: 0) }
    ///     Button("Faster") { PlaybackControl(player).changeSpeed(by: 1) }
    /// }
    /// ```
    @discardableResult
    public func changeSpeed(by steps: Int) -> Bool {
        withoutObservationTracking {
            guard steps != 0 else { return setSpeed(1) }
            let now = speed
            let count = Int(clamping: steps.magnitude)
            let next =
                steps > 0
                ? PlaybackControl.speeds.filter { $0 > now + 0.001 }.prefix(count).last
                : PlaybackControl.speeds.filter { $0 < now - 0.001 }.suffix(count).first
            return setSpeed(next ?? now)
        }
    }

    // MARK: actions

    /// Performs an action of the player. Returns false if there is nothing to do, and for actions of the window.
    ///
    /// ```swift
    /// let control = PlaybackControl(player)
    /// if let action = KeyMap.videoPlayer[key], control.perform(action) { return true }
    /// return false
    /// ```
    @discardableResult
    public func perform(_ action: PlaybackAction) -> Bool {
        switch action {
        case .playPause: togglePlayback()
        case .seek(let seconds): seek(by: seconds)
        case .jump(let fraction): seek(toFraction: fraction)
        case .start: seekToStart()
        case .end: seekToEnd()
        case .volume(let step): changeVolume(by: step)
        case .mute: toggleMuted()
        case .speed(let steps): changeSpeed(by: steps)
        case .multiplySpeed(let factor): withoutObservationTracking { setSpeed(speed * Float(factor)) }
        case .step(let frames): step(byFrames: frames)
        case .toggleSubtitles, .toggleFullScreen, .exitFullScreen, .toggleLoop, .close: false
        }
    }
}
