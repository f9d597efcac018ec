import Foundation
import TestSupport
import Testing

@testable import Zoetrope

@Suite("Counted and partial loops")
@MainActor
struct LoopCountTests {
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
    private func isOver(_ stage: Stage) -> Bool {
        stage.player.rate == 0 && stage.player.isAtEnd && stage.events.contains(.ended)
    }
    /// The indices of `.ended` in the events, and the index of the last item change, or -1.
    private func ends(_ stage: Stage) -> (ends: [Int], lastPass: Int) {
        (
            stage.events.indices.filter { stage.events[$0] == .ended },
            stage.events.lastIndex { if case .currentItemChanged = $0 { true } else { false } } ?? -1
        )
    }

    @Test("Loop(count:) publishes the end once, after the last pass", arguments: [2, 3])
    func ended(count: Int) async throws {
        let path = try TestMedia.url(clips[0]).path
        let stage = stage(
            VideoSettings {
                SourceName(path)
                Loop(count: count)
            })
        defer { stage.controller.close() }
        #expect(await stage.wait { isOver(stage) })
        let told = ends(stage)
        #expect(told.ends.count == 1 && told.ends.first ?? -1 > told.lastPass, "\(stage.events)")
        #expect(items(stage).count == count)
    }

    @Test("Loop(count:) with a playlist publishes the end once")
    func listEnded() async throws {
        let list = try paths(Array(clips.prefix(2)))
        let stage = stage(
            VideoSettings {
                Playlist(list)
                Loop(count: 2)
            })
        defer { stage.controller.close() }
        #expect(await stage.wait { isOver(stage) })
        let told = ends(stage)
        #expect(told.ends.count == 1 && told.ends.first ?? -1 > told.lastPass, "\(stage.events)")
        #expect(items(stage) == [clips[0], clips[1], clips[0], clips[1]])
    }

    @Test("a new source starts the loop count again")
    func otherSource() async throws {
        let list = try paths(clips)
        let stage = stage(
            VideoSettings {
                SourceName(list[0])
                Loop(count: 3)
            })
        defer { stage.controller.close() }
        #expect(await stage.wait { stage.controller.loopCount == 2 })
        stage.change { $0.name = list[1] }
        #expect(await stage.wait { isOver(stage) && items(stage).contains(clips[1]) })
        #expect(items(stage).count { $0 == clips[1] } == 3)
    }

    @Test("a new source with a new count uses that count")
    func otherCount() async throws {
        let list = try paths(clips)
        let stage = stage(
            VideoSettings {
                SourceName(list[0])
                Loop(count: 1)
            })
        defer { stage.controller.close() }
        stage.change {
            $0.name = list[1]
            $0.loopCount = 3
        }
        #expect(await stage.wait { isOver(stage) })
        #expect(items(stage).count { $0 == clips[1] } == 3)
    }

    @Test("the loop command repeats despite any count; unloop ends it")
    func command() async throws {
        let path = try TestMedia.url(clips[0]).path
        let stage = stage(
            VideoSettings {
                SourceName(path)
                Loop(count: 1)
                NotAutoPlay()
            })
        defer { stage.controller.close() }
        stage.controller.perform(.batch([.loop, .play]))
        #expect(await stage.wait { stage.controller.loopCount >= 3 })
        stage.controller.perform(.unloop)
        #expect(await stage.wait { isOver(stage) })
        let counted = self.stage(
            VideoSettings {
                SourceName(path)
                Loop(count: 2)
            })
        defer { counted.controller.close() }
        #expect(await counted.wait { isOver(counted) })
        let count = counted.controller.loopCount
        counted.controller.perform(.batch([.loop, .play]))
        #expect(await counted.wait { counted.controller.loopCount >= count + 3 })
    }

    @Test("navigating a counted playlist adds no passes")
    func stepsCount() async throws {
        let list = try paths(["counter.mp4", "sine-flac.mkv", "counter.ts"])
        let stage = stage(
            VideoSettings {
                Playlist(list)
                Loop(count: 2)
                NotAutoPlay()
            })
        defer { stage.controller.close() }
        func place(_ command: PlaybackCommand) -> Int {
            stage.controller.perform(.idle)
            stage.controller.perform(command)
            return stage.controller.currentIndex
        }
        let first: [Int] = [PlaybackCommand.next, .jump(to: 2), .next].map(place)
        let wanted: [Int] = [1, 2, 0]
        #expect(first == wanted && stage.player.items().count == 2)
        // The second pass is the last one.
        #expect(place(.jump(to: 2)) == 2 && stage.player.items().count == 1)
        #expect(place(.next) == 2)
    }

    @Test("the loop command restarts a counted playlist that has ended")
    func loopAfterTheEnd() async throws {
        let list = try paths(Array(clips.prefix(2)))
        let stage = stage(
            VideoSettings {
                Playlist(list)
                Loop(count: 1)
            })
        defer { stage.controller.close() }
        #expect(await stage.wait { isOver(stage) })
        #expect(items(stage).count == 2)
        stage.controller.perform(.batch([.loop, .play]))
        #expect(await stage.wait { items(stage).count >= 6 })
    }

    @Test("begin and play use the start of a looped part")
    func part() async throws {
        let path = try TestMedia.url("counter.mp4").path
        let stage = stage(
            VideoSettings {
                SourceName(path)
                Loop(from: 2, to: 2.5)
                NotAutoPlay()
            })
        defer { stage.controller.close() }
        #expect(await stage.ready())
        stage.controller.perform(.begin)
        #expect(await stage.isTold(.seek(true, currentTime: 2)))
        stage.controller.perform(.end)
        #expect(await stage.wait { stage.seeks.count == 2 && stage.player.isAtEnd })
        stage.controller.perform(.play)
        #expect(await stage.wait { stage.seeks.count == 3 })
        #expect(stage.seeks.last == .seek(true, currentTime: 2))
        stage.controller.perform(.batch([.pause, .unloop, .begin]))
        #expect(await stage.wait { stage.seeks.last == .seek(true, currentTime: 0) })
    }
}
