import Foundation
import TestSupport
import Testing

@testable import MediaEngine
@testable import Zoetrope

@Suite("Position in a playlist")
@MainActor
struct PlaceInListTests {
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
    /// Makes a file that is not a video.
    private func broken() throws -> (path: String, folder: Folder) {
        let folder = try Folder(["text.mp4"])
        try Data("not a video".utf8).write(to: URL(fileURLWithPath: folder.path("text.mp4")))
        return (folder.path("text.mp4"), folder)
    }

    @Test("each source of a playlist publishes readiness, duration and buffered position")
    func told() async throws {
        let list = try paths(["loop-flac.mkv", "loop-aac.mp4", "loop-pcm.mov"])
        let stage = stage(VideoSettings { Playlist(list) })
        defer { stage.controller.close() }
        #expect(
            await stage.wait { stage.player.rate == 0 && stage.player.isAtEnd && stage.controller.currentIndex == 2 })
        let places = stage.events.indices.filter {
            if case .currentItemChanged = stage.events[$0] { true } else { false }
        }
        #expect(places.count == 3)
        for (place, next) in zip(places, places.dropFirst() + [stage.events.count]) {
            guard case .currentItemChanged(let item?) = stage.events[place] else { continue }
            let told = stage.events[place..<next]
            #expect(told.count { $0 == .itemStatusChanged(.readyToPlay) } == 1, "\(told)")
            #expect(
                told.count { $0 == .duration(item.duration) } == 1
                    && told.contains(.bufferChanged(loadedTo: item.duration.seconds)), "\(told)")
        }
    }

    @Test("an unplayable source of a playlist is skipped in every pass")
    func everyPass() async throws {
        let (path, folder) = try broken()
        defer { folder.remove() }
        let list = try paths(["loop-flac.mkv"]) + [path]
        let stage = stage(
            VideoSettings {
                Playlist(list)
                Loop()
            })
        defer { stage.controller.close() }
        #expect(await stage.wait { items(stage).count >= 5 })
        #expect(!stage.events.contains(.paused))
    }

    @Test("an earlier failure does not count against a playlist")
    func failedBefore() async throws {
        let (path, folder) = try broken()
        defer { folder.remove() }
        let stage = stage(VideoSettings { SourceName(path) })
        defer { stage.controller.close() }
        #expect(await stage.wait { stage.controller.error != nil })
        let list = try [path] + paths(["loop-flac.mkv"])
        stage.change { ($0.name, $0.playlist) = ("", list) }
        #expect(
            await stage.wait { stage.controller.currentIndex == 1 && stage.player.isAtEnd && stage.player.rate == 0 })
        #expect(items(stage).last == "loop-flac.mkv" && stage.controller.error == nil)
    }

    @Test("next and previous skip and report missing sources")
    func missing() async throws {
        let list = try paths(["counter.mp4"]) + ["nowhere-at-all", "nowhere-either"] + paths(["counter.ts"])
        let stage = stage(
            VideoSettings {
                Playlist(list)
                NotAutoPlay()
            })
        defer { stage.controller.close() }
        stage.controller.perform(.next)
        #expect(stage.controller.currentIndex == 3)
        #expect(await stage.isTold(.error(.sourceNotFound("nowhere-at-all"))))
        #expect(stage.events.contains(.error(.sourceNotFound("nowhere-either"))))
        stage.controller.perform(.previous)
        #expect(stage.controller.currentIndex == 0 && stage.controller.sourceURL?.lastPathComponent == "counter.mp4")
        stage.controller.perform(.batch([.jump(to: 1)]))
        #expect(stage.controller.currentIndex == 0, "a place that was named stays")
        // All later sources are missing.
        let end = self.stage(
            VideoSettings {
                Playlist(Array(list.prefix(3)))
                Loop()
                NotAutoPlay()
            })
        defer { end.controller.close() }
        end.controller.perform(.next)
        #expect(end.controller.currentIndex == 0)
    }

    @Test("previous skips an unplayable source")
    func backOverBroken() async throws {
        let (path, folder) = try broken()
        defer { folder.remove() }
        let (first, last) = (try TestMedia.url("counter.mp4").path, try TestMedia.url("counter.ts").path)
        let stage = stage(
            VideoSettings {
                SourceName(last)
                Playlist([first, path, last])
                NotAutoPlay()
            })
        defer { stage.controller.close() }
        #expect(await stage.ready())
        stage.controller.perform(.previous)
        #expect(stage.controller.currentIndex == 1)
        #expect(
            await stage.wait { stage.controller.currentIndex != 1 && stage.player.currentItem?.status == .readyToPlay })
        #expect(stage.controller.currentIndex == 0 && stage.controller.sourceURL?.lastPathComponent == "counter.mp4")
    }

    @Test("a source that occurs twice keeps its position when the list grows")
    func twice() throws {
        let list = try paths(["counter.mp4", "counter.ts", "counter.mp4"])
        let more = try TestMedia.url("sine-flac.mkv").path
        let stage = stage(
            VideoSettings {
                Playlist(list)
                NotAutoPlay()
            })
        defer { stage.controller.close() }
        stage.controller.perform(.jump(to: 2))
        let item = stage.player.currentItem
        stage.change { $0.playlist = list + [more] }
        #expect(stage.controller.currentIndex == 2 && stage.player.currentItem === item)
        #expect(stage.controller.list.next?.asset.url.lastPathComponent == "sine-flac.mkv")
    }

    /// The command arrives when the pipeline already plays the next source, but the controller has not noticed yet.
    @Test("a command during an item change applies to the next source", arguments: ["loop", "unloop", "apply", "next"])
    func heldUp(_ order: String) async throws {
        // The first source lasts two seconds, because a busy machine opens the second one late.
        let list = try paths(["sine-flac.mkv", "counter-video.mp4", "loop-aac.mp4"])
        let stage = stage(
            VideoSettings {
                Playlist(list)
                if order == "unloop" { Loop() }
            })
        defer { stage.controller.close() }
        #expect(await stage.wait { stage.player.items().count == 2 && stage.player.items()[1].status == .readyToPlay })
        let second = stage.player.items()[1]
        // Block the main actor until the pipeline plays the second source.
        blockUntil("the second source plays", seen: { stage.state }) {
            stage.player.pipeline.position()?.entry === second.entry
        }
        #expect(
            stage.player.currentItem !== second && stage.controller.currentIndex == 0, "the change is not noticed yet")
        switch order {
        case "loop": stage.controller.perform(.loop)
        case "unloop": stage.controller.perform(.unloop)
        case "next": stage.controller.perform(.next)
        default: stage.change { $0.mute = true }
        }
        let place = order == "next" ? 2 : 1
        #expect(
            stage.controller.currentIndex == place && (stage.player.currentItem === second) == (place == 1)
                && stage.player.rate == 1)
        if place == 1 { #expect(stage.player.items().count == 2) }
        #expect(await stage.wait { stage.controller.currentIndex == place && stage.player.currentTime().seconds > 0.2 })
    }
}
