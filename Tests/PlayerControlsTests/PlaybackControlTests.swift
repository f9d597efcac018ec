import EngineTestSupport
import Foundation
import MediaCore
import MediaEngine
import PlayerControls
import TestSupport
import Testing

@Suite("Playback control", .serialized) @MainActor
struct PlaybackControlTests {
    /// Creates a paused player and waits until its item is ready to play.
    private func rig() async throws -> Rig {
        let rig = try Rig("counter.mp4")
        try #require(await rig.wait { rig.player.currentItem?.status == .readyToPlay })
        return rig
    }

    @Test("several relative seeks add up, within the item")
    func seeks() async throws {
        let rig = try await rig()
        let player = rig.player
        let control = PlaybackControl(player)
        let duration = try #require(control.duration)
        #expect(control.seek(to: duration / 2))
        for _ in 0..<4 { #expect(control.seek(by: -0.1)) }
        #expect(await rig.wait { !player.isSeeking })
        #expect(abs(try #require(control.position) - (duration / 2 - 0.4)) < 0.05)
        control.seek(by: -1e9)
        #expect(await rig.wait { !player.isSeeking && control.position == 0 })
        control.seek(by: 1e300)
        #expect(await rig.wait { !player.isSeeking && control.isAtEnd })
        #expect(!control.seek(by: .nan) && !control.seek(to: .infinity) && !control.seek(toFraction: .nan))
    }

    @Test("playing at the end starts over")
    func restarts() async throws {
        let rig = try await rig()
        let player = rig.player
        let control = PlaybackControl(player)
        let duration = try #require(control.duration)
        control.seekToEnd()
        #expect(await rig.wait { !player.isSeeking && control.isAtEnd })
        control.togglePlayback()
        #expect(player.rate == 1)
        // On a busy machine, the position may be some seconds after the start at the first look.
        #expect(await rig.wait { !player.isSeeking && !control.isAtEnd && (control.position ?? 99) < duration / 2 })
        control.pause()
    }

    @Test("increasing the volume unmutes; decreasing it does not")
    func volume() async throws {
        let rig = try await rig()
        let player = rig.player
        let control = PlaybackControl(player)
        player.isMuted = true
        control.changeVolume(by: -0.05)
        #expect(player.isMuted && abs(player.volume - 0.95) < 1e-4)
        control.changeVolume(by: 0.05)
        #expect(!player.isMuted && player.volume == 1)
        for _ in 0..<40 { control.changeVolume(by: -0.05) }
        #expect(player.volume == 0)
        for _ in 0..<7 { control.changeVolume(by: 0.05) }
        #expect(abs(player.volume - 0.35) < 1e-6)
        control.toggleMuted()
        control.setVolume(0.5)
        #expect(!player.isMuted && player.volume == 0.5)
        #expect(!control.setVolume(.nan) && !control.changeVolume(by: .infinity))
    }

    @Test("speeds go through their list and stop at its ends")
    func speeds() async throws {
        let rig = try await rig()
        let player = rig.player
        let control = PlaybackControl(player)
        for _ in 0..<20 { control.changeSpeed(by: 1) }
        #expect(player.defaultRate == 4 && player.rate == 0)
        control.changeSpeed(by: -2)
        #expect(player.defaultRate == 2)
        for _ in 0..<20 { control.changeSpeed(by: -1) }
        #expect(player.defaultRate == 0.25)
        control.perform(.multiplySpeed(1e9))
        #expect(player.defaultRate == 16)
        control.changeSpeed(by: 0)
        #expect(player.defaultRate == 1 && !control.setSpeed(.nan))
        control.changeSpeed(by: .min)
        #expect(player.defaultRate == 0.25)
    }

    @Test("a step beyond the list of speeds keeps the speed", arguments: [(8, 1), (16, .max), (0.05, -1), (0.1, .min)])
    func speedsBeyondList(speed: Float, steps: Int) async throws {
        let rig = try await rig()
        let control = PlaybackControl(rig.player)
        control.setSpeed(speed)
        control.changeSpeed(by: steps)
        #expect(control.speed == speed)
        control.changeSpeed(by: -steps.signum())
        #expect(control.speed == (steps > 0 ? 4 : 0.25))
    }

    @Test("all players of a wall follow the first one")
    func wall() async throws {
        let rigs = (try await rig(), try await rig())
        let (first, second) = (rigs.0.player, rigs.1.player)
        second.play()
        second.isMuted = true
        let control = PlaybackControl([first, second])
        control.togglePlayback()
        #expect(first.rate == 1 && second.rate == 1)
        control.togglePlayback()
        #expect(first.rate == 0 && second.rate == 0)
        control.toggleMuted()
        #expect(first.isMuted && second.isMuted)
    }

    @Test("a very short item is not at its end at the start")
    func short() async throws {
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("zt-\(UUID().uuidString.prefix(8))")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        let file = try SineFile(frequency: 440, seconds: 0.015).write("short.wav", to: folder)
        let rig = Rig()
        rig.player.insert(AVPlayerItem(url: file))
        try #require(await rig.wait { rig.player.currentItem?.status == .readyToPlay })
        let control = PlaybackControl(rig.player)
        #expect(control.position == 0 && !control.isAtEnd)
        control.seekToEnd()
        #expect(await rig.wait { !rig.player.isSeeking && control.isAtEnd })
    }

    @Test("a retry continues at the position of the failure")
    func retry() async throws {
        var rule: FaultRule.ID?
        let stream = try StreamRig("vod-ts/master.m3u8") { server, _ in
            // One broken segment is skipped, but the stream fails if more than a third are broken.
            rule = server.inject(.body(Data(repeating: 7, count: 20_000)), on: "*/seg00[4-9].*")
        }
        let player = stream.player
        defer {
            player.close()
            stream.server.close()
        }
        await stream.rig.seek(7)
        stream.play()
        #expect(await stream.rig.wait { stream.item.status == .failed })
        stream.server.remove(try #require(rule))
        #expect(PlaybackControl(player).retry())
        let item = try #require(player.currentItem)
        #expect(item !== stream.item && item.asset === stream.item.asset)
        #expect(await stream.rig.wait { player.timeControlStatus == .playing && !player.isSeeking })
        #expect(stream.time > 6.5)
    }

    @Test("a retry after a failed opening starts at the requested position")
    func retryOpening() async throws {
        var rule: FaultRule.ID?
        let stream = try StreamRig("vod-ts/master.m3u8") { server, _ in
            rule = server.inject(.status(404), on: "*/master.m3u8")
        }
        let player = stream.player
        defer {
            player.close()
            stream.server.close()
        }
        player.seek(to: CMTime(value: 9, timescale: 1)) { _ in }
        #expect(await stream.rig.wait { stream.item.status == .failed && !player.isSeeking })
        stream.server.remove(try #require(rule))
        #expect(PlaybackControl(player).retry())
        #expect(await stream.rig.wait { player.timeControlStatus == .playing && !player.isSeeking })
        #expect(stream.time >= 9)
    }

    @Test("commands without an item have no effect")
    func nothing() {
        let control = PlaybackControl(AVPlayer())
        #expect(!control.togglePlayback() && !control.seek(by: 5) && !control.seekToEnd() && !control.step(byFrames: 1))
        #expect(
            control.position == nil && !control.seek(by: 0) && !control.isAtEnd && control.duration == nil
                && !control.retry())
        let none = PlaybackControl([])
        #expect(!none.togglePlayback() && !none.changeVolume(by: 0.1) && !none.toggleMuted() && !none.setSpeed(2))
        #expect(none.speed == 1)
        for action in [PlaybackAction.toggleFullScreen, .exitFullScreen, .toggleLoop, .toggleSubtitles, .close] {
            #expect(!control.perform(action))
        }
    }
}
