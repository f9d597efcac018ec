import DesktopServices
import Testing

@testable import Zoetrope

/// Tests of the metadata and commands that an app publishes, in virtual time and without a session bus.
@Suite("Now playing information of an app")
@MainActor
struct NowPlayingInfoTests {
    @MainActor private final class HostTime { var seconds = 100.0 }

    @Test("the elapsed time stands still while the published state is paused")
    func pauses() {
        let time = HostTime()
        let center = MPNowPlayingInfoCenter { time.seconds }
        #expect(center.elapsed == nil)
        center.playbackState = .playing
        center.nowPlayingInfo = [
            MPNowPlayingInfoPropertyElapsedPlaybackTime: 10.0, MPMediaItemPropertyPlaybackDuration: 60.0,
            MPNowPlayingInfoPropertyPlaybackRate: 2.0,
        ]
        time.seconds += 5
        #expect(center.elapsed == 20)
        center.playbackState = .paused
        #expect(center.elapsed == 20)
        time.seconds += 30
        #expect(center.elapsed == 20)
        center.playbackState = .interrupted
        center.playbackState = .playing
        #expect(center.elapsed == 20)
        time.seconds += 5
        #expect(center.elapsed == 30)
        time.seconds += 100
        #expect(center.elapsed == 60)
        center.nowPlayingInfo = nil
        #expect(center.elapsed == nil)
    }

    @Test("only a published time other than the expected one is a jump")
    func jumps() {
        let time = HostTime()
        let center = MPNowPlayingInfoCenter { time.seconds }
        var jumps: [Bool] = []
        center.changed = { jumps.append($0) }
        func publish(_ seconds: Double) {
            center.nowPlayingInfo = [MPNowPlayingInfoPropertyElapsedPlaybackTime: seconds]
        }
        publish(0)
        time.seconds += 10
        publish(10)
        center.playbackState = .paused
        time.seconds += 10
        publish(10)
        publish(30)
        #expect(jumps == [false, false, false, false, true])
    }

    @Test("disabling the toggle command leaves play and pause to the player")
    func disabledToggle() {
        let center = MPRemoteCommandCenter()
        center.togglePlayPauseCommand.isEnabled = false
        var playback = MPRISPlayback()
        (playback.canPlay, playback.canPause) = (true, true)
        center.amend(&playback)
        #expect(playback.canPlay && playback.canPause)
        // Without a result, the player carries out the command.
        #expect(center.perform(.play, isPlaying: false) == nil && center.perform(.pause, isPlaying: true) == nil)
        #expect(center.perform(.playPause, isPlaying: true) != nil)
        center.pauseCommand.isEnabled = false
        center.amend(&playback)
        #expect(playback.canPlay && !playback.canPause)
        #expect(center.perform(.pause, isPlaying: true) != nil)
    }
}
