import Foundation
import TestSupport
import Testing
import Zoetrope

@testable import MPlayerKit

@Suite("A player's model", .serialized) @MainActor
struct PlayerModelTests {
    @Test("a new model has no item, and its methods do no harm")
    func fresh() async {
        let model = PlayerModel()
        #expect(
            model.state.words == "userInitiated" && model.presentation == .none && model.currentItem == nil
                && model.duration == nil && model.currentTime == nil)
        #expect(
            model.aspectRatio == 16.0 / 9 && !model.isPiPActive && !model.isPiPPossible
                && model.availableLanguages == nil && model.languages == nil)
        model.seek(.zero)
        model.skip(10)
        model.togglePiP()
        model.subtitle = nil
        // Playback is requested, but there is no item.
        model.play()
        #expect(await eventually { model.state.words == "buffering noItemToPlay" }, "\(model.state)")
        model.pause()
        #expect(await eventually { model.state.words == "userInitiated" })
    }

    @Test("load returns with duration, groups and selections, which then change the item")
    func load() async throws {
        let model = PlayerModel()
        await model.load(try Clip("languages.mkv"))
        #expect(model.currentItem?.title == "A Title")
        #expect(abs((model.duration?.seconds ?? 0) - 2) < 0.2)
        #expect(model.state.words == "userInitiated")
        let group = try #require(model.availableAudios)
        #expect(group.options.map(\.extendedLanguageTag) == ["en-US", "de", "fr"])
        #expect(model.audio == group.options.first && model.availableSubtitles == nil && model.subtitle == nil)
        #expect(model.availableLanguages?.count == 1 && model.languages == [group.options[0]])
        let item = try #require(model.player.currentItem)
        model.audio = group.options[1]
        #expect(item.currentMediaSelection.selectedMediaOption(in: group) == group.options[1])
        #expect(await eventually { model.languages == [group.options[1]] })
        // Audio cannot be deselected, so the property returns to the selected option.
        model.audio = nil
        #expect(await eventually { model.audio == group.options[1] })
        // There are no subtitles to select.
        model.subtitle = group.options[0]
        #expect(model.subtitle == nil)
    }

    @Test(
        "the aspect ratio respects the video's rotation",
        arguments: [("quad-rot90.mp4", 9.0 / 16), ("quad-709.mp4", 16.0 / 9)])
    func aspect(_ name: String, _ ratio: Double) async throws {
        let model = PlayerModel()
        await model.load(try Clip(name))
        #expect(abs(model.aspectRatio - ratio) < 0.01, "\(model.aspectRatio)")
    }

    @Test("a player plays, pauses, ends and restarts; each state is published once")
    func states() async throws {
        let model = PlayerModel()
        let told = Told(model.$state)
        await model.load(try Clip("loop-aac.mp4"))
        // Slowly, so that the clip does not end before a check.
        model.player.defaultRate = 0.1
        model.play()
        #expect(await eventually { model.state.isPlaying })
        #expect(
            AVAudioSession.sharedInstance().category == .playback
                && AVAudioSession.sharedInstance().mode == .moviePlayback)
        model.pause()
        #expect(await eventually { model.state.words == "userInitiated" })
        #expect(AVAudioSession.sharedInstance().category == .soloAmbient)
        // So slowly that the playing state is published before the end.
        model.player.rate = 0.1
        #expect(await eventually { model.state.words == "endOfMedia" }, "\(model.state)")
        // The time is published during playback, and no state is published twice in a row.
        #expect(model.currentTime != nil)
        let words = told.values.map(\.words)
        #expect(zip(words, words.dropFirst()).allSatisfy { $0 != $1 }, "\(words)")
        #expect(
            zip(words, words.dropFirst()).allSatisfy { $1 != "endOfMedia" || $0 != "userInitiated" },
            "ended, not paused by its user first: \(words)")
        model.play()
        #expect(await eventually { model.state.isPlaying && model.player.currentTime().seconds < 1 })
        // After a seek the player is not at the end any more.
        model.player.rate = 8
        #expect(await eventually { model.state.words == "endOfMedia" })
        model.seek(.zero)
        #expect(await eventually { model.state.words == "userInitiated" })
    }

    @Test("a pause in a loop's later pass is not the end")
    func loops() async throws {
        let model = PlayerModel()
        await model.load(try Clip("loop-aac.mp4"))
        let item = try #require(model.player.currentItem)
        model.player.loopsCurrentItem = true
        model.play()
        #expect(await eventually { item.loopCount > 0 })
        model.pause()
        #expect(await eventually { model.state.words == "userInitiated" }, "\(model.state)")
        model.player.loopsCurrentItem = false
        model.play()
        #expect(await eventually { model.state.words == "endOfMedia" }, "\(model.state)")
    }

    @Test("the end of another player's item has no effect")
    func otherEnds() async throws {
        let model = PlayerModel()
        let other = AVPlayer(url: try TestMedia.url("loop-aac.mp4"))
        await model.load(try Clip("counter.mp4"))
        let ended = Told(
            NotificationCenter.default.publisher(for: AVPlayerItem.didPlayToEndTimeNotification).map { _ in 1 })
        other.playImmediately(atRate: 8)
        #expect(await eventually { !ended.values.isEmpty })
        #expect(model.state.words == "userInitiated")
    }

    @Test("an item that cannot open reports its error; the next plays")
    func failure() async throws {
        let model = PlayerModel()
        await model.load(Clip(at: URL(fileURLWithPath: "/nonexistent.mp4")))
        guard case .paused(reason: .error(let error as AVError)) = model.state else {
            Issue.record("\(model.state)")
            return
        }
        #expect(
            error.code == .fileNotFound && model.duration == nil && model.availableAudios == nil
                && model.aspectRatio == 16.0 / 9)
        // A request to play does not change the error.
        model.play()
        #expect(model.state.words == "error")
        await model.load(try Clip("counter.mp4"))
        #expect(await eventually { model.state.isPlaying })
    }

    @Test("a video item without a video track reports an error, but plays")
    func noVideo() async throws {
        let model = PlayerModel()
        await model.load(try Clip("audio-stereo.wav"))
        guard case .paused(reason: .error(AVPlayerItemError.missingVideoTrack)) = model.state else {
            Issue.record("\(model.state)")
            return
        }
        model.play()
        #expect(await eventually { model.state.isPlaying })
        // For an item declared as audio, a missing video track is not an error.
        var sound = try Clip("audio-stereo.wav")
        sound.mediaType = .audio
        let second = PlayerModel()
        await second.load(sound)
        #expect(second.state.words == "userInitiated")
    }

    @Test("a playing model plays without a video track, and pauses without error")
    func noVideoWhilePlaying() async throws {
        let model = PlayerModel()
        await model.load(try Clip("counter.mp4"))
        // Slowly, so that the audio does not end before the pause.
        model.player.rate = 0.05
        #expect(await eventually { model.state.isPlaying })
        await model.load(try Clip("audio-stereo.wav"))
        #expect(model.player.rate > 0)
        model.pause()
        #expect(await eventually { model.state.words == "userInitiated" }, "\(model.state)")
    }

    @Test("a stalled network sets the buffering state; playback then resumes")
    func stall() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let rule = server.inject(.stall(after: 0), on: "*/seg002.*")
        let model = PlayerModel()
        var clip = Clip(at: server.url(for: "vod-ts/master.m3u8"))
        clip.mediaType = .video
        await model.load(clip)
        model.player.currentItem?.preferredForwardBufferDuration = 3
        model.play()
        #expect(
            await eventually {
                model.state.words == "buffering toMinimizeStalls" && model.player.currentTime().seconds > 2
            }, "\(model.state)")
        server.remove(rule)
        #expect(await eventually { model.state.isPlaying })
    }

    @Test("each waiting reason has a buffering reason, and unknown ones are unknown")
    func reasons() {
        let reasons: [AVPlayer.WaitingReason?] = [
            .toMinimizeStalls, .evaluatingBufferingRate, .noItemToPlay, .waitingForCoordinatedPlayback, nil,
            AVPlayer.WaitingReason(rawValue: "other"),
        ]
        #expect(
            reasons.map { PlayerBufferingReason($0) } == [
                .toMinimizeStalls, .evaluatingBufferRate, .noItemToPlay, .waitingForCoorindatedPlayback, .unknown,
                .unknown,
            ])
    }

    @Test("a slow server sets the buffering state until playback starts")
    func opening() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let rule = server.inject(.stall(after: 0), on: "*master.m3u8")
        let model = PlayerModel()
        let clip = Clip(at: server.url(for: "vod-ts/master.m3u8"))
        let loading = Task { await model.load(clip) }
        #expect(await eventually { model.player.currentItem != nil })
        model.play()
        #expect(await server.waitForRequests(1, "*master.m3u8"))
        #expect(await eventually { model.state.words == "buffering evaluatingBufferRate" }, "\(model.state)")
        server.remove(rule)
        await loading.value
        #expect(await eventually { model.state.isPlaying }, "\(model.state)")
    }

    @Test("a canceled load shows groups and selections once the item opens")
    func canceledLoad() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let rule = server.inject(.stall(after: 0), on: "vod-fmp4/master.m3u8")
        let model = PlayerModel()
        let clip = Clip(at: server.url(for: "vod-fmp4/master.m3u8"))
        let loading = Task { await model.load(clip) }
        #expect(await server.waitForRequests(1, "vod-fmp4/master.m3u8"))
        loading.cancel()
        await loading.value
        #expect(model.currentItem?.asset == clip.asset && model.availableAudios == nil)
        server.remove(rule)
        #expect(await eventually { (model.availableAudios?.options.count ?? 0) > 1 && model.audio != nil })
        #expect(model.languages?.isEmpty == false)
    }

    @Test("a stream that fails midway reports an error, not its end")
    func failsLater() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        // One broken segment is skipped, but the stream fails if more than a third are broken.
        server.inject(.body(Data(repeating: 7, count: 20_000)), on: "*/seg00[2-9].*")
        let model = PlayerModel()
        let told = Told(model.$state)
        await model.load(Clip(at: server.url(for: "vod-ts/master.m3u8")))
        #expect(model.state.words == "userInitiated")
        model.play()
        #expect(await eventually { model.state.words == "error" }, "\(model.state)")
        guard case .paused(reason: .error(let error)) = model.state else { return }
        #expect(
            error is AVError && told.values.contains { $0.isPlaying }
                && !told.values.contains { $0.words == "endOfMedia" }, "\(error)")
    }

    @Test("a retry shows the groups and selections of the new item")
    func retriedSelections() async throws {
        let folder = try Folder()
        let url = folder.url.appendingPathComponent("late.mkv")
        let model = PlayerModel()
        await model.load(Clip(at: url))
        #expect(model.state.words == "error")
        try FileManager.default.copyItem(at: TestMedia.url("languages.mkv"), to: url)
        #expect(PlaybackControl(model.player).retry())
        #expect(await eventually { model.availableAudios?.options.count == 3 && model.audio != nil })
        let group = try #require(model.availableAudios)
        let item = try #require(model.player.currentItem)
        model.audio = group.options[1]
        #expect(item.currentMediaSelection.selectedMediaOption(in: group) == group.options[1])
        item.select(group.options[2], in: group)
        #expect(await eventually { model.audio == group.options[2] })
    }

    @Test("seeks are clamped, skips accumulate and invalid times are ignored")
    func seeking() async throws {
        let model = PlayerModel()
        await model.load(try Clip("counter.mp4"))
        let end = try #require(model.duration).seconds
        model.seek(CMTime(seconds: 1, preferredTimescale: 600))
        model.skip(2)
        model.skip(3)
        #expect(await eventually { model.currentTime?.seconds == 6 && !model.player.isSeeking })
        model.skip(-100)
        #expect(await eventually { model.player.currentTime() == .zero && model.currentTime == .zero })
        model.skip(.nan)
        model.skip(.infinity)
        model.seek(.indefinite)
        model.seek(.positiveInfinity)
        #expect(model.currentTime == .zero)
        model.skip(1e300)
        #expect(await eventually { abs((model.currentTime?.seconds ?? 0) - end) < 0.1 })
        model.seek(CMTime(seconds: -5, preferredTimescale: 600))
        #expect(await eventually { model.currentTime == .zero })
    }

    @Test("the newest of several loads plays")
    func loads() async throws {
        let model = PlayerModel()
        let first = try Clip("counter.mp4")
        let second = try Clip("languages.mkv")
        async let one: Void = model.load(first)
        async let two: Void = model.load(second)
        _ = await (one, two)
        let last = model.player.currentItem?.asset.url
        #expect(model.currentItem?.asset == last)
        #expect(
            await eventually { model.duration.map { abs($0.seconds - (last == second.asset ? 2 : 20)) < 0.5 } == true })
    }

    @Test("a released model releases its player and its now playing information")
    func lifetime() async throws {
        weak var player: AVPlayer?
        weak var gone: PlayerModel?
        do {
            let model = PlayerModel()
            (player, gone) = (model.player, model)
            await model.load(try Clip("counter.mp4"))
            model.play()
            #expect(await eventually { model.state.isPlaying })
        }
        #expect(await eventually { player == nil && gone == nil })
        #expect(MPNowPlayingInfoCenter.default().nowPlayingInfo == nil)
    }
}
