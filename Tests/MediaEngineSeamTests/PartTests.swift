import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

/// Tests a looped section from A to B, and short loops that follow other items.
@Suite("Loop sections", .serialized)
@MainActor
struct PartTests {
    private func range(_ start: Double, _ end: Double) -> CMTimeRange {
        CMTimeRange(
            start: CMTime(seconds: start, preferredTimescale: 1000), end: CMTime(seconds: end, preferredTimescale: 1000)
        )
    }

    /// Returns the smallest and the largest time until `condition` is true, in seconds.
    private func times(_ rig: Rig, until condition: () -> Bool) async -> ClosedRange<Double>? {
        var least = Double.infinity
        var most = 0.0
        guard
            await rig.wait(until: {
                let time = rig.player.currentTime().seconds
                (least, most) = (min(least, time), max(most, time))
                return condition()
            })
        else { return nil }
        return least...most
    }

    @Test(
        "a looped section repeats without playing anything outside it",
        arguments: ["counter.mp4", "counter-video.mp4", "sine-flac.mkv"])
    func part(_ name: String) async throws {
        let rig = Rig()
        let item = AVPlayerItem(url: try TestMedia.url(name))
        let looper = AVPlayerLooper(player: rig.player, templateItem: item, timeRange: range(1, 1.5))
        #expect(await rig.wait { rig.player.currentTime().seconds >= 1 })
        rig.player.play()
        let seen = try #require(await times(rig) { looper.loopCount >= 4 })
        #expect(seen.lowerBound >= 1 && seen.upperBound <= 1.501, "\(seen)")
        rig.player.pause()
        if name != "sine-flac.mkv" { #expect(rig.shown.allSatisfy { (30..<45).contains($0) }, "\(rig.shown)") }
        rig.player.close()
    }

    @Test("a switch to another section never shows a time before it")
    func soughtPart() async throws {
        let rig = Rig()
        let item = AVPlayerItem(url: try TestMedia.url("counter.mp4"))
        let player = rig.player
        player.insert(item)
        player.loops(of: item, true, in: 2_000_000_000...2_500_000_000)
        #expect(await rig.wait { player.currentTime().seconds >= 2 })
        player.play()
        #expect(await rig.wait { item.loopCount >= 1 })
        player.loops(of: item, true, in: 1_000_000_000...1_500_000_000)
        var least = Double.infinity
        let deadline = Deadline()
        // Polled without a pause, because the seek takes only milliseconds. A delayed thread may see only the finished
        // seek.
        repeat {
            least = min(least, player.currentTime().seconds)
        } while player.pipeline.state.withLock({ $0.seeks.pending != nil || $0.seeks.running != nil })
            && !deadline.isPast
        #expect(least >= 1 && least < 2.5, "\(least)")
        #expect(await rig.wait { (1...1.51).contains(player.currentTime().seconds) })
        player.close()
    }

    @Test(
        "disabling a section loop stops at its end, then allows normal playback",
        arguments: ["counter.mp4", "counter-video.mp4"])
    func lastPass(_ name: String) async throws {
        for delay in [0.1, 0.4] {
            let rig = Rig()
            let item = AVPlayerItem(url: try TestMedia.url(name))
            let looper = AVPlayerLooper(player: rig.player, templateItem: item, timeRange: range(1, 1.5))
            rig.player.play()
            #expect(await rig.wait { looper.loopCount >= 1 && rig.player.currentTime().seconds >= 1 + delay })
            looper.disableLooping()
            #expect(await rig.wait { rig.player.rate == 0 })
            #expect(abs(rig.player.currentTime().seconds - 1.5) < 0.05, "\(rig.player.currentTime().seconds)")
            #expect(rig.shown.allSatisfy { (30..<45).contains($0) }, "\(rig.shown)")
            await rig.seek(1.4)
            rig.player.play()
            #expect(await rig.wait { rig.player.currentTime().seconds > 1.8 })
            rig.player.close()
        }
    }

    @Test(
        "a section is clipped to the item; one beyond it loops everything",
        arguments: ["counter.ts", "counter-video.mp4", "sine-flac.mkv"])
    func beyond(_ name: String) async throws {
        let length = name == "sine-flac.mkv" ? 20.0 : 10
        for part in [
            range(length - 0.5, 999),
            CMTimeRange(
                start: CMTime(seconds: length - 0.5, preferredTimescale: 1000),
                end: CMTime(value: .max / 2, timescale: 1)),
        ] {
            let rig = Rig()
            let item = AVPlayerItem(url: try TestMedia.url(name))
            let looper = AVPlayerLooper(player: rig.player, templateItem: item, timeRange: part)
            rig.player.play()
            #expect(await rig.wait { looper.loopCount >= 2 }, "\(rig.player.currentTime().seconds)")
            rig.player.close()
        }
        let rig = Rig()
        let item = AVPlayerItem(url: try TestMedia.url(name))
        let looper = AVPlayerLooper(player: rig.player, templateItem: item, timeRange: range(500, 600))
        try await rig.ready()
        await rig.seek(length - 0.3)
        rig.player.play()
        #expect(await rig.wait { looper.loopCount >= 1 && rig.player.currentTime().seconds > 0.1 })
        #expect(rig.player.currentTime().seconds < 5)
        rig.player.close()
    }

    @Test("a seek beyond the section returns to the section", arguments: ["counter.mp4", "counter-video.mp4"])
    func soughtBeyond(_ name: String) async throws {
        let rig = Rig()
        let item = AVPlayerItem(url: try TestMedia.url(name))
        let looper = AVPlayerLooper(player: rig.player, templateItem: item, timeRange: range(1, 1.5))
        try await rig.ready()
        rig.player.play()
        #expect(await rig.wait { looper.loopCount >= 1 })
        await rig.player.seek(to: item.duration)
        let count = looper.loopCount
        #expect(
            await rig.wait { looper.loopCount >= count + 3 && (1...1.501).contains(rig.player.currentTime().seconds) })
        rig.player.close()
    }

    @Test("a section set while a short clip loops is kept")
    func ofClip() async throws {
        let rig = Rig()
        let item = AVPlayerItem(url: try TestMedia.url("tone-880.mkv"))
        let whole = AVPlayerLooper(player: rig.player, templateItem: item)
        rig.player.play()
        #expect(await rig.wait { whole.loopCount >= 1 && rig.player.currentTime().seconds > 0.2 })
        let part = AVPlayerLooper(player: rig.player, templateItem: item, timeRange: range(1, 1.5))
        let begun = part.loopCount
        // On a busy machine, the position can be outside of the section until the player has moved to it, and pass the
        // section before.
        #expect(
            await rig.wait { part.loopCount > begun && (1...1.501).contains(rig.player.currentTime().seconds) })
        let count = part.loopCount
        let seen = try #require(await times(rig) { part.loopCount >= count + 3 })
        #expect(seen.lowerBound >= 1 && seen.upperBound <= 1.501, "\(seen)")
        rig.player.close()
    }

    @Test("a mono clip loops correctly after a stereo item", arguments: SoundServer.allCases, [false, true])
    func otherFormat(on kind: SoundServer, isHeld: Bool) async throws {
        let server = try await PrivateSoundServer.launch(kind, rate: 48000)
        defer { server.stop() }
        // Another player has already decoded the clip, or not.
        let other = Rig()
        if isHeld {
            let held = AVPlayerLooper(
                player: other.player, templateItem: AVPlayerItem(url: try TestMedia.url("loop-flac.mkv")))
            #expect(await other.wait { held.status == .ready && other.picture() != nil })
        }
        let recording = try await server.record()
        let rig = Rig(server: server.address)
        rig.player.actionAtItemEnd = .advance
        rig.player.insert(AVPlayerItem(url: try TestMedia.url("audio-stereo.wav")))
        let looper = AVPlayerLooper(
            player: rig.player, templateItem: AVPlayerItem(url: try TestMedia.url("loop-flac.mkv")))
        rig.player.play()
        #expect(await rig.wait { looper.loopCount >= 4 })
        rig.player.pause()
        let proof = await SineProof.of(try await recording.finish(), frequency: 440)
        // Half as many frames of two channels would play an octave higher, in half the time.
        #expect(abs(proof.pitch - 440) < 2 && proof.seconds > 2, "\(proof.pitch) Hz for \(proof.seconds) s")
        rig.player.close()
        other.player.close()
    }
}
