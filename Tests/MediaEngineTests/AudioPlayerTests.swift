import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

/// A delegate that stores the calls it receives.
@MainActor
private final class Calls: AVAudioPlayerDelegate {
    private(set) var ends: [Bool] = []
    private(set) var errors: [AVError.Code?] = []
    var onEnd: (@MainActor (AVAudioPlayer) -> Void)?

    func audioPlayerDidFinishPlaying(_ player: AVAudioPlayer, successfully flag: Bool) {
        ends.append(flag)
        onEnd?(player)
    }
    func audioPlayerDecodeErrorDidOccur(_ player: AVAudioPlayer, error: (any Error)?) {
        errors.append((error as? AVError)?.code)
    }
}

@Suite("Audio players")
@MainActor
struct AudioPlayerTests {
    private let calls = Calls()

    private func player(_ name: String, server: String = Rig.nowhere) throws -> AVAudioPlayer {
        let player = try AVAudioPlayer(contentsOf: try TestMedia.url(name), audioServer: server)
        player.delegate = calls
        return player
    }
    private func waitForEnds(_ count: Int) async {
        await eventually("\(count) ends", seen: { "\(calls.ends)" }) { calls.ends.count >= count }
    }

    @Test(
        "duration and format are known after the initializer",
        arguments: [
            ("audio-mono.wav", 2.0, 1, 48000.0), ("audio-stereo.wav", 1, 2, 48000), ("audio.mp3", 2, 1, 44100),
            ("audio-51.m4a", 2, 6, 48000), ("audio-71.flac", 2, 8, 48000), ("sine-flac.mkv", 2, 1, 48000),
        ])
    func format(name: String, seconds: Double, channels: Int, rate: Double) throws {
        let player = try player(name)
        // An encoder can add a frame at each end.
        #expect(abs(player.duration - seconds) < 0.1)
        #expect(player.numberOfChannels == channels)
        #expect(player.settings[AVNumberOfChannelsKey] as? Int == channels)
        #expect(player.settings[AVSampleRateKey] as? Double == rate)
        #expect(player.url?.lastPathComponent == name && player.data == nil)
        #expect(!player.isPlaying && player.currentTime == 0 && player.volume == 1 && player.rate == 1)
    }

    @Test("a player of data plays it, and removes its temporary file")
    func data() async throws {
        let bytes = try Data(contentsOf: try TestMedia.url("audio-stereo.wav"))
        var player: AVAudioPlayer? = try AVAudioPlayer(data: bytes, audioServer: Rig.nowhere)
        player?.delegate = calls
        #expect(player?.data == bytes && player?.url == nil && player?.numberOfChannels == 2)
        #expect(player?.play() == true)
        let file = try #require(player?.player.currentItem?.asset.url.path)
        #expect(FileManager.default.fileExists(atPath: file))
        await waitForEnds(1)
        #expect(calls.ends == [true] && calls.errors.isEmpty)
        player = nil
        await eventually("the file is removed") { !FileManager.default.fileExists(atPath: file) }
    }

    @Test("a player without audio does not play")
    func empty() {
        let player = AVAudioPlayer()
        player.delegate = calls
        player.numberOfLoops = -1
        player.currentTime = 5
        #expect(!player.prepareToPlay() && !player.play())
        #expect(!player.play(atTime: player.deviceCurrentTime + 60) && !player.isPlaying)
        player.stop()
        #expect(player.duration == 0 && player.currentTime == 0 && player.numberOfChannels == 0)
        #expect(player.url == nil && player.data == nil && player.settings.isEmpty)
        #expect(player.volume == 1 && calls.ends.isEmpty && calls.errors.isEmpty)
    }

    @Test("files and data without audio are refused")
    func refused() throws {
        func code(_ body: () throws -> AVAudioPlayer) -> AVError.Code? {
            #expect(throws: AVError.self) { _ = try body() }?.code
        }
        #expect(code { try AVAudioPlayer(contentsOf: URL(fileURLWithPath: "/nonexistent/rain.mp3")) } == .fileNotFound)
        let silent = try TestMedia.url("quad-videoonly.mkv")
        #expect(code { try AVAudioPlayer(contentsOf: silent, fileTypeHint: "public.mp3") } == .noPlayableTracks)
        let remote = try #require(URL(string: "http://127.0.0.1:9/rain.mp3"))
        #expect(code { try AVAudioPlayer(contentsOf: remote) } == .operationNotSupported)
        #expect(code { try AVAudioPlayer(data: Data()) } == .fileEmpty)
        let text = Data(String(repeating: "Once upon a time.\n", count: 500).utf8)
        #expect(code { try AVAudioPlayer(data: text, fileTypeHint: nil) } != nil)
    }

    @Test("after the end, the player is at the beginning and plays again")
    func end() async throws {
        let player = try player("audio-stereo.wav")
        #expect(player.prepareToPlay() && !player.isPlaying)
        for count in 1...2 {
            #expect(player.play() && player.isPlaying)
            await waitForEnds(count)
            #expect(!player.isPlaying && player.currentTime == 0)
        }
        #expect(calls.ends == [true, true] && calls.errors.isEmpty)
    }

    @Test("the delegate can play again at the end")
    func again() async throws {
        let player = try player("audio-stereo.wav")
        calls.onEnd = { [calls] player in if calls.ends.count == 1 { player.play() } }
        player.play()
        await waitForEnds(1)
        // On a busy machine, the second end may have come, too.
        #expect(player.isPlaying || calls.ends.count == 2)
        await waitForEnds(2)
        #expect(calls.ends == [true, true] && !player.isPlaying)
    }

    @Test("numberOfLoops repeats the audio, again after the end", arguments: [1, 3])
    func loops(count: Int) async throws {
        let player = try player("loop-flac.mkv")
        player.numberOfLoops = count
        for round in 1...2 {
            player.play()
            await waitForEnds(round)
            #expect(player.player.currentItem?.loopCount == count * round)
        }
        #expect(calls.ends == [true, true])
    }

    @Test("a negative numberOfLoops repeats until it is changed")
    func endless() async throws {
        let player = try player("loop-flac.mkv")
        player.numberOfLoops = -1
        player.play()
        await eventually("three passes") { (player.player.currentItem?.loopCount ?? 0) >= 3 }
        #expect(calls.ends.isEmpty && player.isPlaying)
        player.numberOfLoops = 0
        await waitForEnds(1)
        #expect(calls.ends == [true] && !player.isPlaying)
    }

    @Test("pause and stop keep the time and report no end", arguments: [true, false])
    func stops(pauses: Bool) async throws {
        let player = try player("audio.flac")
        // Playback must not end before it is stopped.
        player.numberOfLoops = -1
        player.play()
        await eventually("time passes") { player.currentTime > 0.1 }
        if pauses { player.pause() } else { player.stop() }
        #expect(!player.isPlaying && player.currentTime > 0.1 && calls.ends.isEmpty)
        player.numberOfLoops = 0
        player.currentTime = 1.5
        #expect(abs(player.currentTime - 1.5) < 0.001)
        player.currentTime = .nan
        #expect(abs(player.currentTime - 1.5) < 0.001)
        player.play()
        await waitForEnds(1)
        #expect(calls.ends == [true])
    }

    @Test("a scheduled start waits for its time, and pause cancels it")
    func scheduled() async throws {
        let player = try player("audio.flac")
        // Playback must not end before its start is observed.
        player.numberOfLoops = -1
        #expect(player.play(atTime: player.deviceCurrentTime + 1000) && player.isPlaying)
        player.pause()
        #expect(!player.isPlaying)
        let start = player.deviceCurrentTime + 0.5
        #expect(player.play(atTime: start) && player.isPlaying)
        // On a busy machine, the time may already have come.
        #expect(player.player.rate == 0 || player.deviceCurrentTime >= start)
        await eventually("the start") { player.player.rate > 0 }
        #expect(player.deviceCurrentTime >= start)
        #expect(player.play(atTime: start) && player.player.rate == 1)
    }

    @Test("rate has an effect only if it is enabled")
    func rate() throws {
        let player = try player("audio.flac")
        player.rate = 1.5
        player.play()
        #expect(player.player.rate == 1)
        player.enableRate = true
        #expect(player.player.rate == 1.5)
        player.rate = 9
        player.rate = .nan
        #expect(player.rate == 2 && player.player.rate == 2)
        player.pause()
        player.rate = 0
        #expect(player.rate == 0.5 && !player.isPlaying)
    }

    @Test("a fade changes the volume gradually; setting the volume ends it")
    func fades() async throws {
        let player = try player("audio.flac")
        player.setVolume(0.5, fadeDuration: 1000)
        #expect(player.volume > 0.9)
        player.volume = 0.75
        #expect(player.volume == 0.75)
        player.setVolume(0, fadeDuration: 4)
        await eventually("a volume between both") { player.volume < 0.75 && player.volume > 0 }
        await eventually("the volume at the end") { player.volume == 0 }
        player.setVolume(7, fadeDuration: 0)
        player.setVolume(.nan, fadeDuration: 1)
        #expect(player.volume == 1)
    }

    @Test("a truncated file plays to its cut and reports the error")
    func truncated() async throws {
        let url = try TruncatedFileTests.cut("whole.wav", to: 0.3)
        defer { AssetTestMedia.remove(url) }
        let player = try AVAudioPlayer(contentsOf: url, audioServer: Rig.nowhere)
        player.delegate = calls
        player.play()
        await waitForEnds(1)
        #expect(calls.ends == [false] && calls.errors == [.fileTruncated] && !player.isPlaying)
    }

    @Test("the audio of the file is audible")
    func audible() async throws {
        let server = try await PrivateSoundServer.launch()
        defer { server.stop() }
        let recording = try await server.record()
        let player = try player("audio.flac", server: server.address)
        // Audio is lost that plays before the stream is connected.
        player.numberOfLoops = -1
        player.play()
        try await eventually("audio") { try recording.samples().contains { abs($0) > 0.1 } }
        player.numberOfLoops = 0
        await waitForEnds(1)
        let proof = await SineProof.of(try await recording.finish(), frequency: 440)
        #expect(proof.peak > 0.1 && abs(proof.pitch - 440) < 5)
    }
}
