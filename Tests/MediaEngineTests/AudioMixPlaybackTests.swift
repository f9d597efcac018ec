import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Audio mixes of players", .serialized)
@MainActor
struct AudioMixPlaybackTests {
    private let folder: SineFile.Folder
    private let sine = SineFile(frequency: 440, seconds: 3)

    init() throws { folder = try SineFile.Folder() }

    private func time(_ seconds: Int64) -> CMTime { CMTime(value: seconds, timescale: 1) }

    /// Returns an item that plays the sine, as a file or as a composition, and its audio track.
    private func makeItem(composed: Bool) throws -> (item: AVPlayerItem, track: AVAssetTrack) {
        let url = try sine.write("sine.wav", to: folder.url)
        let source = try CompositionRig.track(url, .audio)
        guard composed else { return (AVPlayerItem(url: url), source) }
        let composition = AVMutableComposition()
        let track = try CompositionRig.add(
            [CMTimeRange(start: .zero, duration: time(3))], of: source, to: composition)
        return (AVPlayerItem(asset: composition), track)
    }

    /// Returns a mix whose volume decreases from 1 to 0.2 between 1 s and 2 s.
    private func fade(_ track: AVAssetTrack) -> AVAudioMix {
        let parameters = AVMutableAudioMixInputParameters(track: track)
        parameters.setVolumeRamp(
            fromStartVolume: 1, toEndVolume: 0.2, timeRange: CMTimeRange(start: time(1), end: time(2)))
        let mix = AVMutableAudioMix()
        mix.inputParameters = [parameters]
        return mix
    }
    private func gain(at seconds: Double) -> Double { 1 - 0.8 * min(1, max(0, seconds - 1)) }

    // The mix refers to tracks by these identifiers. The separate audio of the second stream follows its video.
    @Test(
        "readers and assets number a stream's audio alike", arguments: ["vod-ts/master.m3u8", "vod-fmp4/master.m3u8"])
    func streamTrack(_ path: String) async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let url = server.url(for: path)
        let track = try #require(try await AVURLAsset(url: url).loadTracks(withMediaType: .audio).first)
        let reader = try await offPool { try OfflineReader(url: url, interrupt: InterruptToken()).sound?.trackID }
        expectEqual(reader, track.trackID)
    }

    @Test("a ramp plays at its time with every sample in place", arguments: [false, true])
    func ramp(composed: Bool) async throws {
        let recording = try await SoundTake.record { rig in
            let (item, track) = try makeItem(composed: composed)
            item.audioMix = fade(track)
            rig.player.insert(item)
            rig.player.play()
            #expect(await rig.wait { rig.player.isAtEnd })
        }
        let first = try #require(recording.firstIndex { abs($0) > 1e-4 })
        // The recording can end a few milliseconds before the item.
        let wanted = (0..<sine.count - 4_800).map { sine.sample($0) * Float(gain(at: Double($0) / 48_000)) }
        let differences = (0..<6).map { shift -> Float in
            let played = recording[max(0, first - 3)...].dropFirst(shift)
            guard played.count >= wanted.count else { return .infinity }
            return zip(played, wanted).map { abs($0 - $1) }.max() ?? .infinity
        }
        #expect((differences.min() ?? 1) < 0.002, "\(differences)")
    }

    @Test("a seek into a ramp starts at that position's volume", arguments: [false, true])
    func seek(composed: Bool) async throws {
        let recording = try await SoundTake.record { rig in
            let (item, track) = try makeItem(composed: composed)
            item.audioMix = fade(track)
            rig.player.insert(item)
            #expect(await rig.wait { item.status == .readyToPlay })
            await rig.seek(1.5)
            rig.player.play()
            #expect(await rig.wait { rig.player.isAtEnd })
        }
        let first = try #require(recording.firstIndex { abs($0) > 1e-4 })
        let levels = SineFile.levels(of: 440, in: recording[first...], every: 4_800)
        try #require(levels.count >= 14)
        // The first tenth of a second can contain the fade after a pause, and the last one the end.
        for index in 1..<14 {
            let expected = 0.5 * gain(at: 1.55 + Double(index) / 10)
            #expect(abs(levels[index] - expected) < 0.02, "\(levels)")
        }
    }

    @Test("removing the mix restores the volume without a click")
    func removal() async throws {
        let recording = try await SoundTake.record { rig in
            let (item, track) = try makeItem(composed: false)
            let parameters = AVMutableAudioMixInputParameters(track: track)
            parameters.setVolume(0.2, at: .zero)
            let mix = AVMutableAudioMix()
            mix.inputParameters = [parameters]
            item.audioMix = mix
            #expect(item.audioMix?.inputParameters.first?.trackID == track.trackID)
            // The sine is continuous where the loop starts again.
            let looper = AVPlayerLooper(player: rig.player, templateItem: item)
            rig.player.play()
            #expect(await rig.wait { rig.player.currentTime().seconds > 1 })
            item.audioMix = nil
            #expect(item.audioMix == nil)
            let loops = item.loopCount
            #expect(await rig.wait { item.loopCount > loops && rig.player.currentTime().seconds > 1 })
            looper.disableLooping()
            #expect(await rig.wait { rig.player.isAtEnd })
        }
        let first = try #require(recording.firstIndex { abs($0) > 1e-4 })
        let last = try #require(recording.lastIndex { abs($0) > 1e-4 })
        let levels = SineFile.levels(of: 440, in: recording[first...last], every: 4_800)
        try #require(levels.count > 20)
        #expect(abs(levels[2] - 0.1) < 0.01 && abs(levels[levels.count - 3] - 0.5) < 0.01, "\(levels)")
        #expect(largestStep(recording[first...last]) < 2 * Double.pi * 440 / 48_000 * 0.5 * 1.1)
    }
}
