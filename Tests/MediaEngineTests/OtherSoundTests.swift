import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Playback beside other audio", .serialized) @MainActor
struct OtherSoundTests {
    /// Returns the peak of the last quarter of a second of the recording.
    private func peak(_ recording: PrivateSoundServer.Recording) throws -> Float {
        try recording.samples().suffix(12_000).map(abs).max() ?? 0
    }

    @Test("a phone call ducks the audio without changing the player's volume")
    func ducking() async throws {
        let server = try await PrivateSoundServer.launch()
        defer { server.stop() }
        _ = try server.pactl([
            "load-module", "module-role-ducking", "trigger_roles=phone", "ducking_roles=video", "volume=10%",
        ])
        let rig = Rig(server: server.address)
        // The audio must not end before the call has.
        let looper = AVPlayerLooper(
            player: rig.player, templateItem: AVPlayerItem(url: try TestMedia.url("counter.mp4")))
        defer { looper.disableLooping() }
        let recording = try await server.record()
        rig.player.play()
        #expect(try await rig.waitThrowing { try peak(recording) > 0.05 })
        let before = try peak(recording)
        let call = try ChildProcess("pacat", ["-s", server.address, "--property=media.role=phone", "/dev/zero"])
        #expect(
            try await rig.waitThrowing {
                let now = try peak(recording)
                return now < before / 4 && now > 0
            })
        #expect(rig.player.volume == 1 && !rig.player.isInterrupted && rig.player.timeControlStatus != .paused)
        call.send(SIGTERM)
        call.wait()
        #expect(try await rig.waitThrowing { try peak(recording) > before * 0.8 })
        #expect(rig.player.volume == 1 && rig.player.timeControlStatus != .paused)
        _ = try await recording.finish()
    }

    @Test("playing pauses other audible players only when enabled")
    func others() async throws {
        defer { AVPlayer.pausesOtherPlayers = false }
        let url = try TestMedia.url("counter.mp4")
        let (a, b, muted) = (AVPlayer(url: url), AVPlayer(url: url), AVPlayer(url: url))
        muted.isMuted = true
        a.play()
        b.play()
        #expect(a.rate == 1 && b.rate == 1)
        b.pause()
        AVPlayer.pausesOtherPlayers = true
        // A muted player neither pauses others nor is paused.
        muted.play()
        #expect(a.rate == 1 && muted.rate == 1)
        b.play()
        #expect(a.rate == 0 && b.rate == 1 && muted.rate == 1)
        a.rate = 2
        #expect(a.rate == 2 && b.rate == 0)
        // A new rate of a playing player does not count as a start, so nothing else changes.
        a.rate = 1
        #expect(a.rate == 1)
        for player in [a, b, muted] { player.pause() }
    }
}

extension Rig {
    /// Waits like `wait`, for a condition that may throw.
    func waitThrowing(_ seconds: Double = Deadline.seconds, until condition: @MainActor () throws -> Bool) async throws
        -> Bool
    {
        var problem: (any Error)?
        let came = await wait(seconds) {
            do { return try condition() } catch {
                problem = error
                return true
            }
        }
        if let problem { throw problem }
        return came
    }
}
