import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine
@testable import Zoetrope

@Suite("Loudness, crossfade and preloading")
@MainActor
struct FeedTests {
    private func paths(_ names: [String]) throws -> [String] { try names.map { try TestMedia.url($0).path } }
    private func stage(_ settings: VideoSettings) -> Stage {
        let stage = Stage()
        var settings = settings
        settings.events = []
        stage.controller.apply(settings: settings)
        return stage
    }
    private func ready(_ stage: Stage) -> [String] {
        stage.controller.preloads.items.map { $0.isPreloaded ? $0.asset.url.lastPathComponent : "-" }.sorted()
    }

    @Test("Loudness, Crossfade and Preload have clamped values and defaults")
    func settings() {
        let settings = VideoSettings {
            Loudness(.r128(-16))
            Crossfade(3)
            Preload([URL(fileURLWithPath: "/a.mp4")])
            Preload(ahead: 2)
        }
        #expect(settings.areUnique && settings.loudness == .r128(-16) && settings.crossfade == 3)
        #expect(settings.preload == ["file:///a.mp4"] && settings.preloadAhead == 2)
        for (given, taken) in [(-1.0, 0.0), (13, 12), (.nan, 0)] {
            #expect(VideoSettings { Crossfade(given) }.crossfade == taken)
        }
        for (given, taken) in [(-1, 0), (11, 10)] {
            #expect(VideoSettings { Preload(ahead: given) }.preloadAhead == taken)
        }
        #expect(
            !VideoSettings {
                Loudness(.r128())
                Loudness(.asRecorded)
            }.areUnique)
        let plain = VideoSettings { SourceName("a") }
        #expect(
            plain.loudness == .asRecorded && plain.crossfade == 0 && plain.preload.isEmpty && plain.preloadAhead == 0)
    }

    @Test("Loudness and Crossfade change the player at once, and back")
    func player() throws {
        let stage = stage(
            VideoSettings {
                SourceName("nowhere-at-all")
                Loudness(.r128())
                Crossfade(2)
            })
        defer { stage.controller.close() }
        stage.change { $0.name = (try? TestMedia.url("counter.mp4").path) ?? "" }
        #expect(stage.player.loudness == .r128(-23) && stage.player.crossfadeDuration == 2)
        stage.change {
            $0.loudness = .r128(-14)
            $0.crossfade = 0
        }
        #expect(stage.player.loudness == .r128(-14) && stage.player.crossfadeDuration == 0)
        stage.change { $0.loudness = .asRecorded }
        #expect(stage.player.loudness == .asRecorded)
    }

    @Test("Preload(ahead:) preloads the next sources and follows the playlist's position")
    func ahead() async throws {
        let list = try paths(["counter.mp4", "counter.ts", "sine-flac.mkv", "counter-video.mp4"])
        let stage = stage(
            VideoSettings {
                Playlist(list)
                Preload(ahead: 2)
                NotAutoPlay()
            })
        defer { stage.controller.close() }
        #expect(
            await stage.wait { stage.controller.list.next?.isPreloaded == true && ready(stage) == ["sine-flac.mkv"] })
        stage.controller.perform(.next)
        // A frame is available all the time: the old video's frame stays until the first one of the new video.
        var heights: Set<Int> = []
        let comes = await stage.wait {
            heights.insert(stage.player.videoFrameSource.pull(forHostTime: .now())?.frame.height ?? 0)
            return stage.player.pipeline.shownEntry === stage.player.currentItem?.entry
        }
        #expect(comes && heights == [64])
        #expect(
            await stage.wait {
                stage.controller.list.next?.isPreloaded == true && ready(stage) == ["counter-video.mp4"]
            })
        #expect(stage.controller.sourceURL?.lastPathComponent == "counter.ts")
    }

    @Test("a preloaded source is used when requested, and released when unlisted")
    func source() async throws {
        let list = try paths(["counter.mp4", "counter.ts", "sine-flac.mkv"])
        let stage = stage(
            VideoSettings {
                SourceName(list[0])
                Preload([list[1], list[2], list[1], "nowhere-at-all"])
            })
        defer { stage.controller.close() }
        #expect(await stage.wait { ready(stage) == ["counter.ts", "sine-flac.mkv"] })
        let waiting = stage.controller.preloads.items.first { $0.asset.url.lastPathComponent == "counter.ts" }
        let other = stage.controller.preloads.items.first { $0.asset.url.lastPathComponent == "sine-flac.mkv" }
        stage.change {
            $0.name = list[1]
            $0.preload = [list[0]]
        }
        #expect(stage.player.currentItem === waiting)
        #expect(
            stage.player.pipeline.shownEntry === waiting?.entry)
        #expect(await stage.wait { other?.isPreloaded == false && ready(stage) == ["counter.mp4"] })
        // When memory is low, all preloaded items are dropped until the settings change.
        stage.controller.dropPreloads()
        #expect(stage.controller.preloads.items.isEmpty)
        stage.change { $0.preload = list }
        #expect(await stage.wait { ready(stage) == ["counter.mp4", "sine-flac.mkv"] })
        stage.change { $0.headers = ["X-Token": "1"] }
        #expect(await stage.wait { ready(stage) == ["counter.mp4", "sine-flac.mkv"] })
        stage.change { $0.preload = [] }
        #expect(stage.controller.preloads.items.isEmpty)
    }

    @Test("at most ten sources are preloaded")
    func bounded() throws {
        let path = try TestMedia.url("counter.mp4").path
        let folder = try Folder((0..<14).map { "\($0).mp4" })
        defer { folder.remove() }
        let stage = stage(
            VideoSettings {
                SourceName(path)
                Preload((0..<14).map { folder.path("\($0).mp4") })
            })
        defer { stage.controller.close() }
        #expect(stage.controller.preloads.items.count == 10)
    }

    @Test("Crossfade overlaps consecutive sources of a playlist")
    func fades() async throws {
        let list = try paths(["counter.ts", "counter-23976.mp4"])
        let stage = stage(
            VideoSettings {
                Playlist(list)
                Crossfade(2)
                Mute()
            })
        defer { stage.controller.close() }
        #expect(await stage.ready())
        #expect(await stage.player.seek(to: CMTime(value: 5, timescale: 1)))
        #expect(await stage.wait { stage.controller.currentIndex == 1 })
        // A late command shortens the fade, so its duration is tested only in the engine's tests.
        let pipeline = stage.player.pipeline
        let overlap = pipeline.state.withLock { state -> MediaTime? in
            let (first, second) = (state.timeline.first, state.timeline.last)
            guard first?.segment !== second?.segment, let end = first?.end, let start = second?.start else {
                return nil
            }
            return end - start
        }
        let seconds = try #require(overlap).seconds
        #expect(seconds > 0 && seconds < 2.1, "\(seconds)")
    }
}
