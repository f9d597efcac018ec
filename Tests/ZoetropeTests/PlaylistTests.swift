import Foundation
import TestSupport
import Testing

@testable import Zoetrope

@Suite("Playlists, loops and request settings")
@MainActor
struct PlaylistTests {
    private let clips = ["loop-flac.mkv", "loop-aac.mp4", "loop-pcm.mov"]
    private func paths(_ names: [String]) throws -> [String] { try names.map { try TestMedia.url($0).path } }

    private func stage(_ settings: VideoSettings) -> Stage {
        let stage = Stage()
        var settings = settings
        settings.events = []
        stage.controller.apply(settings: settings)
        return stage
    }
    private func items(_ stage: Stage) -> [String] {
        stage.events.compactMap {
            if case .currentItemChanged(let item?) = $0 { item.asset.url.lastPathComponent } else { nil }
        }
    }

    @Test("a playlist plays its sources in order and ends with the last")
    func plays() async throws {
        let list = try paths(clips)
        let stage = stage(VideoSettings { Playlist(list) })
        defer { stage.controller.close() }
        #expect(stage.controller.sources == list && stage.controller.currentIndex == 0)
        #expect(
            await stage.wait { stage.player.rate == 0 && stage.player.isAtEnd && stage.controller.currentIndex == 2 })
        #expect(items(stage) == clips)
        #expect(stage.controller.sourceURL?.lastPathComponent == clips[2] && stage.controller.error == nil)
        #expect(stage.events.suffix(2) == [.paused, .ended])
    }

    @Test("next, previous and jump(to:) navigate and ignore invalid positions")
    func goesAbout() async throws {
        let list = try paths(["counter.mp4", "sine-flac.mkv", "counter.ts"])
        let stage = stage(
            VideoSettings {
                Playlist(list)
                NotAutoPlay()
            })
        defer { stage.controller.close() }
        func place(_ command: PlaybackCommand) -> Int {
            stage.controller.perform(.idle)
            stage.controller.perform(command)
            return stage.controller.currentIndex
        }
        let places: [Int] = [
            PlaybackCommand.next, .next, .next, .previous, .jump(to: 0), .jump(to: 3), .jump(to: -1), .previous,
        ].map(place)
        let wanted: [Int] = [1, 2, 2, 1, 0, 0, 0, 0]
        #expect(places == wanted)
        #expect(stage.player.items().count == 2, "the next item is already in the queue")
        stage.controller.perform(.loop)
        let round: [Int] = [PlaybackCommand.previous, .next, .next].map(place)
        let around: [Int] = [2, 0, 1]
        #expect(round == around)
        #expect(await stage.ready())
        #expect(stage.player.rate == 0 && stage.controller.sourceURL?.lastPathComponent == "sine-flac.mkv")
        stage.controller.perform(.play)
        _ = place(.next)
        #expect(stage.player.rate == 1)
        #expect(
            await stage.wait {
                stage.time > 0.1 && stage.player.currentItem?.asset.url.lastPathComponent == "counter.ts"
            })
    }

    @Test("Loop() repeats a playlist without a pause; Loop(count:) limits it")
    func loops() async throws {
        let list = try paths(Array(clips.prefix(2)))
        let stage = stage(
            VideoSettings {
                Playlist(list)
                Loop()
            })
        defer { stage.controller.close() }
        #expect(await stage.wait { items(stage).count >= 5 })
        #expect(Array(items(stage).prefix(5)) == [clips[0], clips[1], clips[0], clips[1], clips[0]])
        #expect(!stage.events.contains(.paused))
        let twice = self.stage(
            VideoSettings {
                Playlist(list)
                Loop(count: 2)
            })
        defer { twice.controller.close() }
        #expect(await twice.wait { twice.player.rate == 0 && twice.player.isAtEnd })
        #expect(items(twice) == [clips[0], clips[1], clips[0], clips[1]])
    }

    @Test("missing and unplayable sources are reported and skipped")
    func passesOver() async throws {
        let folder = try Folder(["text.mp4"])
        defer { folder.remove() }
        try Data("not a video".utf8).write(to: URL(fileURLWithPath: folder.path("text.mp4")))
        let list =
            try ["nowhere-at-all"] + paths([clips[0]]) + ["nowhere-either", folder.path("text.mp4")] + paths([clips[1]])
        let stage = stage(VideoSettings { Playlist(list) })
        defer { stage.controller.close() }
        #expect(
            await stage.wait { stage.controller.currentIndex == 4 && stage.player.rate == 0 && stage.player.isAtEnd })
        #expect(items(stage) == [clips[0], clips[1]])
        let errors = stage.events.compactMap { if case .error(let error) = $0 { "\(error)" } else { nil } }
        #expect(
            errors.contains("Source not found: nowhere-at-all")
                && errors.contains { $0.hasPrefix("Failed to load the video: ") }, "\(errors)")
        #expect(stage.controller.error == nil)
        let none = self.stage(VideoSettings { Playlist(["nowhere-at-all", "nowhere-either"]) })
        defer { none.controller.close() }
        #expect(none.controller.error == .sourceNotFound("nowhere-at-all") && none.player.currentItem == nil)
        let broken = self.stage(
            VideoSettings {
                Playlist([folder.path("text.mp4"), folder.path("text.mp4")])
                Loop()
            })
        defer { broken.controller.close() }
        #expect(await broken.wait { broken.controller.error != nil && broken.controller.list.failures == 2 })
    }

    @Test("SourceName selects the first source; list changes keep the current item")
    func changes() async throws {
        let list = try paths(["counter.mp4", "sine-flac.mkv"])
        let second = list[1]
        let stage = stage(
            VideoSettings {
                SourceName(second)
                Playlist(list)
                NotAutoPlay()
            })
        defer { stage.controller.close() }
        #expect(stage.controller.currentIndex == 1)
        let item = stage.player.currentItem
        let third = try TestMedia.url("counter.ts").path
        stage.change { $0.playlist = [second, third] }
        #expect(stage.player.currentItem === item && stage.controller.currentIndex == 0)
        #expect(stage.player.items().map(\.asset.url.lastPathComponent) == ["sine-flac.mkv", "counter.ts"])
    }

    @Test("Loop(count:) plays that many times, but at least once")
    func counted() async throws {
        for (count, passes) in [(3, 3), (1, 1), (-4, 1)] {
            let path = try TestMedia.url(clips[0]).path
            let stage = stage(
                VideoSettings {
                    SourceName(path)
                    Loop(count: count)
                })
            defer { stage.controller.close() }
            #expect(
                await stage.wait { stage.player.rate == 0 && stage.player.isAtEnd && stage.events.contains(.ended) })
            #expect(items(stage).count == passes && stage.controller.loopCount == passes - 1)
        }
    }

    @Test("Loop(from:to:) repeats a part, which can change during playback")
    func part() async throws {
        let path = try TestMedia.url("counter.mp4").path
        let stage = stage(
            VideoSettings {
                SourceName(path)
                Loop(from: 2, to: 2.5)
            })
        defer { stage.controller.close() }
        var range = (least: Double.infinity, most: 0.0)
        func watch() { range = (min(range.least, stage.time), max(range.most, stage.time)) }
        #expect(await stage.wait { stage.time >= 2 })
        #expect(
            await stage.wait {
                watch()
                return stage.controller.loopCount >= 3
            })
        #expect(range.least >= 2 && range.most <= 2.51, "\(range)")
        for (start, end) in [(3.0, 3.0), (.nan, 2), (5, 2), (-3, -1)] {
            #expect(VideoSettings { Loop(from: start, to: end) }.loopRange == nil)
        }
        #expect(VideoSettings { Loop(from: -1, to: 2) }.loopRange?.start == .zero)
        // A new section before the current position: playback restarts at the section's start.
        stage.change {
            $0.loopRange = CMTimeRange(start: CMTime(value: 1, timescale: 1), end: CMTime(value: 3, timescale: 2))
        }
        let count = stage.controller.loopCount
        #expect(await stage.wait { stage.time < 1.6 })
        range = (.infinity, 0)
        #expect(
            await stage.wait {
                watch()
                return stage.controller.loopCount >= count + 3
            })
        #expect(range.least >= 1 && range.most <= 1.51, "\(range)")
    }

    @Test("requests carry headers and cookies, and respect bit rate and language")
    func asks() async throws {
        let server = try TestStreams.server()
        defer { server.close() }
        let url = server.url(for: "vod-fmp4/master.m3u8").absoluteString
        let stage = stage(
            VideoSettings {
                SourceName(url)
                Headers(["X-Token": "7"])
                Cookies([AVURLAssetHTTPCookie(name: "crumb", value: "8")])
                PreferredPeakBitRate(300_000)
                PreferredLanguages("de", "en")
            })
        defer { stage.controller.close() }
        #expect(await stage.wait { stage.time > 1 })
        let requests = server.requests("vod-fmp4/*")
        #expect(
            requests.count > 3
                && requests.allSatisfy {
                    $0.headers["X-Token"] == "7" && $0.headers["Cookie"]?.contains("crumb=8") == true
                })
        #expect(!requests.contains { $0.path.contains("/v3/") || $0.path.contains("/v2/") })
        #expect(
            requests.contains { $0.path.contains("/audio-de/") || $0.path.contains("de/") },
            "\(Set(requests.map(\.path)))")
        let item = try #require(stage.player.currentItem)
        stage.change { $0.preferredPeakBitRate = 0 }
        #expect(stage.player.currentItem === item && item.preferredPeakBitRate == 0)
    }
}
