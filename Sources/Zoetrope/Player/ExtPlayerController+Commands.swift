import Foundation
import MediaCore
import MediaEngine
import PlayerControls

extension ExtPlayerController {
    /// Carries `command` out, unless it equals the last one and no `.idle` came between.
    public func perform(_ command: PlaybackCommand) {
        guard !isClosed else { return }
        if command == .idle {
            lastCommand = nil
            return
        }
        guard command != lastCommand else { return }
        // It is meant for what plays, which may be what waited. Whoever is told of it may do anything.
        player.noticeSeam()
        guard !isClosed else { return }
        lastCommand = command.snapshot
        execute(command)
    }

    private func execute(_ command: PlaybackCommand) {
        switch command {
        case .idle: break
        case .play: play()
        case .pause: pause()
        case .seek(let seconds, let plays):
            seek(to: CMTime(seconds: seconds, preferredTimescale: 1_000_000_000), thenPlay: plays)
        case .begin: seek(to: start, thenPlay: false)
        case .end: seek(to: end, thenPlay: false)
        case .mute: player.isMuted = true
        case .unmute: player.isMuted = false
        case .volume(let volume): player.volume = volume
        case .playbackSpeed(let speed): setSpeed(speed)
        case .loop: setLooping(true)
        case .unloop: setLooping(false)
        case .startPiP: startPictureInPicture()
        case .stopPiP: if settings?.pictureInPicture == true { onPictureInPicture?(false) }
        case .enterFullScreen: if settings?.fullScreen == true, !isFullScreenActive { onFullScreen?(true) }
        case .exitFullScreen: if settings?.fullScreen == true { onFullScreen?(false) }
        case .brightness(let value): picture.brightness = value
        case .contrast(let value): picture.contrast = value
        case .filter(let filter, let clear): picture.add(filter, clear: clear)
        case .removeAllFilters: picture.removeAllFilters()
        case .addVector(let builder, let clear): if settings?.vector == true { picture.add(builder, clear: clear) }
        case .removeAllVectors: picture.removeAllVectors()
        case .audioTrack(let language): choose(.audible, language: language)
        case .subtitles(let language): chooseSubtitles(language)
        case .next: step(by: 1)
        case .previous: step(by: -1)
        case .jump(let index): jump(to: index)
        case .batch(let commands): for command in commands { execute(command) }
        }
    }

    // MARK: playing and standing

    func play() {
        if player.rate == 0, PlaybackControl(player).isAtEnd { return seek(to: start, thenPlay: true) }
        transport += 1
        player.play()
    }

    func pause() {
        transport += 1
        player.pause()
    }

    /// As `AVPlayer.rate`: 0 pauses, anything else plays.
    private func setSpeed(_ speed: Float) {
        guard !speed.isNaN else { return }
        guard speed > 0 else { return pause() }
        player.defaultRate = speed
        play()
    }

    // MARK: seeking

    /// Of the part that is looped, where one is.
    private var start: CMTime { looper == nil ? .zero : carriedOut?.loopRange?.start ?? .zero }

    private var end: CMTime {
        guard let length = player.currentItem?.duration, length.isNumeric else { return .positiveInfinity }
        return length
    }

    /// - Parameter plays: whether it plays from there on; else it pauses, at once.
    private func seek(to time: CMTime, thenPlay plays: Bool) {
        transport += 1
        let mine = transport
        if !plays {
            player.pause()
        }
        player.seek(to: time) { [weak self] done in
            guard let self, !isClosed else { return }
            post(.seek(done, currentTime: player.currentTime().seconds))
            // Not before the picture is there, and only if nobody has said otherwise meanwhile.
            guard done, plays, transport == mine else { return }
            player.play()
        }
    }
}
