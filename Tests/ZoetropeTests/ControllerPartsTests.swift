import Foundation
import MediaCore
import MediaEngine
import TestSupport
import Testing

@testable import Zoetrope

/// Tests of the parts of a player's controller, each by itself.
@Suite("Parts of the player's controller")
@MainActor
struct ControllerPartsTests {
    private let player = AVQueuePlayer(title: "test", audioServer: Stage.nowhere)
    private let clock = ManualClock()
    private func paths(_ names: String...) throws -> [String] { try names.map { try TestMedia.url($0).path } }
    private func queue() -> SourceQueue {
        player.actionAtItemEnd = .pause
        return SourceQueue(player, SourceResolver())
    }

    @Test("a source queue opens its list and skips missing sources")
    func sources() throws {
        defer { player.close() }
        let list = try paths("counter.mp4") + ["nowhere-at-all"] + paths("counter.ts")
        let queue = queue()
        var (moves, errors) = (0, [VPErrors]())
        queue.onMove = { moves += 1 }
        queue.onError = { errors.append($0) }
        let settings = VideoSettings { Playlist(["nowhere-either"] + list) }
        queue.open(try queue.start(of: settings, after: nil), plays: false)
        #expect(queue.index == 1 && queue.url?.lastPathComponent == "counter.mp4" && moves == 1)
        #expect(errors == [.sourceNotFound("nowhere-either")])
        #expect(
            queue.next?.asset.url.lastPathComponent == "counter.ts" && queue.following(5) == Array(list.dropFirst()))
        queue.step(by: 1)
        #expect(queue.index == 3 && queue.next == nil && moves == 2)
        #expect(errors.last == .sourceNotFound("nowhere-at-all"))
        queue.step(by: 1)
        #expect(queue.index == 3 && moves == 2)
        queue.clear()
        #expect(queue.sources.isEmpty && queue.url == nil && player.currentItem == nil)
    }

    @Test("a source queue that fails as often as it has sources stops")
    func failures() throws {
        defer { player.close() }
        let queue = queue()
        queue.setLoop(true, limit: nil, range: nil)
        let list = try paths("counter.mp4", "counter.ts")
        queue.open(try queue.start(of: VideoSettings { Playlist(list) }, after: nil), plays: false)
        queue.didFail()
        #expect(queue.failures == 1 && queue.next != nil && player.actionAtItemEnd == .advance)
        queue.didFail()
        #expect(queue.failures == 2 && queue.next == nil && player.actionAtItemEnd == .pause)
        queue.didOpen()
        #expect(queue.failures == 0)
    }

    @Test(
        "the rounds of a list that loops are limited",
        arguments: [(nil, true), (1, false), (2, true)] as [(Int?, Bool)])
    func rounds(limit: Int?, hasSecond: Bool) throws {
        defer { player.close() }
        let queue = queue()
        queue.setLoop(true, limit: limit, range: nil)
        let list = try paths("counter.mp4", "counter.ts")
        queue.open(try queue.start(of: VideoSettings { Playlist(list) }, after: nil), plays: false)
        queue.jump(to: 1)
        #expect((queue.next != nil) == hasSecond)
        queue.step(by: 1)
        #expect(queue.index == (hasSecond ? 0 : 1))
        queue.jump(to: 1)
        #expect((queue.next != nil) == (limit == nil))
    }

    @Test("the events of a player are gathered, and errors reported once")
    func reports() {
        let reports = EventReports(timer: clock.timer)
        var (batches, errors) = ([[PlayerEvent]](), [VPErrors?]())
        reports.onEvents = { batches.append($0) }
        reports.onErrorChange = { errors.append($0) }
        reports.configure(filters: [], interval: 1)
        reports.fail(.settingsNotUnique)
        reports.fail(.settingsNotUnique)
        #expect(errors == [.settingsNotUnique] && batches.isEmpty)
        clock.advance(1)
        #expect(batches == [[.error(.settingsNotUnique), .error(.settingsNotUnique)]])
        reports.error = nil
        reports.post(.playing)
        reports.close()
        #expect(errors == [.settingsNotUnique, nil] && batches.last == [.playing])
    }

    @Test("Picture in Picture and full screen are carried out by a view")
    func screen() {
        let reports = EventReports(timer: clock.timer)
        var events: [PlayerEvent] = []
        reports.onEvents = { events += $0 }
        reports.configure(filters: [], interval: 1)
        let screen = ScreenState(reports)
        screen.startFloating()
        var floats: [Bool] = []
        screen.onPictureInPicture = { floats.append($0) }
        screen.startFloating()
        screen.floatingChanged(true)
        screen.floatingChanged(true)
        screen.startFloating()
        screen.stopFloating()
        var fills: [Bool] = []
        screen.onFullScreen = { fills.append($0) }
        screen.enterFullScreen()
        screen.fullScreenChanged(true)
        screen.enterFullScreen()
        screen.exitFullScreen()
        clock.advance(1)
        #expect(floats == [true, false] && fills == [true, false] && screen.isFloating && screen.isFullScreen)
        #expect(events == [.error(.notSupportedPiP), .startedPiP, .fullScreenChanged(true)])
    }

    @Test("only another size of the view counts as a change of bounds")
    func pictures() {
        let pictures = FrameState(below: SubtitleOverlay())
        defer { pictures.close() }
        #expect(pictures.resize(to: CGRect(x: 0, y: 0, width: 40, height: 30)))
        #expect(!pictures.resize(to: CGRect(x: 5, y: 0, width: 40, height: 30)) && pictures.bounds?.minX == 5)
        #expect(!pictures.resize(to: CGRect(x: 0, y: 0, width: 0, height: 30)) && pictures.bounds?.minX == 5)
        var changes = 0
        pictures.onChange = { _ in changes += 1 }
        pictures.change { $0.brightness = 0.5 }
        pictures.change { $0.brightness = 0.5 }
        #expect(changes == 1 && pictures.composition.settings.brightness == 0.5)
    }

    @Test("preloaded items are kept while they are requested")
    func preloads() throws {
        let urls = try ["counter.mp4", "counter.ts"].map { try TestMedia.url($0) }
        let preloads = PreloadedItems()
        defer { preloads.close() }
        preloads.update(urls, next: AVPlayerItem(url: urls[0])) { AVPlayerItem(url: $0) }
        #expect(preloads.items.map(\.asset.url) == [urls[1]], "the other one is in the player's queue")
        let kept = AVPlayerItem(url: urls[0])
        preloads.keep(kept)
        preloads.update(urls, next: nil) { AVPlayerItem(url: $0) }
        #expect(preloads.items.count == 2)
        #expect(preloads.take(urls[0]) === kept && preloads.take(urls[0]) == nil)
        preloads.update([], next: nil) { AVPlayerItem(url: $0) }
        #expect(preloads.items.isEmpty)
    }
}
