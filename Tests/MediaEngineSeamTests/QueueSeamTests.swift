import EngineTestSupport
import Foundation
import MediaCore
import Synchronization
import TestSupport
import Testing

@testable import MediaEngine

/// The pipeline advances from item to item by itself. The player, on the main actor, is notified when the main actor is
/// free.
@Suite("Queue transitions while the app is busy", .serialized)
@MainActor
struct QueueSeamTests {
    @MainActor
    private final class Ends {
        private(set) var told: [String] = []
        private var observers: [any NSObjectProtocol] = []
        init(_ items: [AVPlayerItem]) {
            for item in items {
                observers.append(
                    NotificationCenter.default.addObserver(
                        forName: AVPlayerItem.didPlayToEndTimeNotification, object: item, queue: nil
                    ) { [weak self] _ in
                        MainActor.assumeIsolated { self?.told.append(item.asset.url.lastPathComponent) }
                    })
            }
        }
        func stop() { for observer in observers { NotificationCenter.default.removeObserver(observer) } }
    }

    private final class Count: Sendable { let value = Mutex(0) }

    private func queue(_ names: [String]) throws -> (Rig, [AVPlayerItem], Ends) {
        let rig = Rig()
        let items = try names.map { AVPlayerItem(url: try TestMedia.url($0)) }
        rig.player.actionAtItemEnd = .advance
        for item in items { rig.player.insert(item) }
        return (rig, items, Ends(items))
    }

    /// Blocks the main actor until the pipeline plays `item`.
    private func hold(
        _ rig: Rig, until item: AVPlayerItem, sourceLocation: SourceLocation = #_sourceLocation
    ) -> Bool {
        let name = item.asset.url.lastPathComponent
        return blockUntil("\(name) plays", seen: { rig.state }, sourceLocation: sourceLocation) {
            rig.player.pipeline.position()?.entry === item.entry
        }
    }

    @Test(
        "queue changes during a transition do not interrupt the current item",
        arguments: ["insert", "insert after", "remove", "action", "advance"])
    func changed(_ change: String) async throws {
        let (rig, items, ends) = try queue(["loop-flac.mkv", "counter-video.mp4", "loop-aac.mp4"])
        let player = rig.player
        defer { ends.stop() }
        try await rig.ready()
        player.play()
        #expect(hold(rig, until: items[1]))
        #expect(player.currentItem === items[0], "the change is not noticed yet")
        let other = AVPlayerItem(url: try TestMedia.url("loop-pcm.mov"))
        switch change {
        case "insert": player.insert(other)
        case "insert after": player.insert(other, after: items[1])
        case "remove": player.remove(items[2])
        case "action": player.actionAtItemEnd = .none
        default: player.advanceToNextItem()
        }
        #expect(await rig.wait { player.currentItem === items[1] && player.currentTime().seconds > 0.5 })
        let wanted: [AVPlayerItem] =
            switch change {
            case "insert": [items[1], items[2], other]
            case "insert after": [items[1], other, items[2]]
            case "remove": [items[1]]
            default: [items[1], items[2]]
            }
        #expect(player.items() == wanted)
        // The numbers of the first item's frames differ from those of the second's, which increase.
        #expect(ends.told == ["loop-flac.mkv"])
        player.close()
    }

    @Test("a playing queue that is rebuilt plays in its new order")
    func rebuilt() async throws {
        let (rig, items, ends) = try queue(["counter-video.mp4"])
        let player = rig.player
        let others = try ["loop-flac.mkv", "loop-aac.mp4"].map { AVPlayerItem(url: try TestMedia.url($0)) }
        let otherEnds = Ends(others)
        defer {
            ends.stop()
            otherEnds.stop()
        }
        try await rig.ready()
        player.play()
        #expect(await rig.wait { player.currentTime().seconds > 0.2 })
        let ended = ends.told
        player.removeAllItems()
        let new = [others[0], items[0], others[1]]
        for item in new { player.insert(item) }
        #expect(player.items() == new && player.currentItem === new[0])
        #expect(ends.told == ended && otherEnds.told.isEmpty)
        #expect(await rig.wait { player.currentItem === items[0] && player.currentTime().seconds > 0.2 })
        #expect(otherEnds.told == ["loop-flac.mkv"] && player.items() == [items[0], others[1]])
        player.close()
    }

    @Test("items that ended meanwhile are reported once and not replayed")
    func missed() async throws {
        let (rig, items, ends) = try queue(["loop-flac.mkv", "loop-aac.mp4", "loop-pcm.mov", "counter-video.mp4"])
        let player = rig.player
        defer { ends.stop() }
        var seen: [String] = []
        let observation = player.observe(\.currentItem) { player, _ in
            if let item = player.currentItem { seen.append(item.asset.url.lastPathComponent) }
        }
        try await rig.ready()
        player.play()
        #expect(hold(rig, until: items[3]))
        #expect(await rig.wait { player.currentItem === items[3] && player.currentTime().seconds > 0.5 })
        #expect(ends.told == ["loop-flac.mkv", "loop-aac.mp4", "loop-pcm.mov"])
        #expect(player.items() == [items[3]])
        #expect(seen.last == "counter-video.mp4", "\(seen)")
        observation.invalidate()
        player.close()
    }

    @Test("an item that failed meanwhile is reported as failed, not as played")
    func failed() async throws {
        let rig = Rig()
        let player = rig.player
        let urls = [
            try TestMedia.url("loop-flac.mkv"), URL(fileURLWithPath: "/nonexistent/film.mp4"),
            try TestMedia.url("counter-video.mp4"),
        ]
        let items = urls.map { AVPlayerItem(url: $0) }
        player.actionAtItemEnd = .advance
        player.insert(items[0])
        let ends = Ends(items)
        defer { ends.stop() }
        try await rig.ready()
        // The second item fails as soon as it is in the queue, but the main actor has no time to learn that.
        for item in items.dropFirst() { player.insert(item) }
        player.play()
        #expect(hold(rig, until: items[2]))
        #expect(player.currentItem === items[0] && items[1].status == .unknown, "the change is not noticed yet")
        player.followPipeline()
        #expect(items[1].status == .failed && (items[1].error as? AVError)?.code == .fileNotFound)
        #expect(player.currentItem === items[2] && ends.told == ["loop-flac.mkv"], "\(ends.told)")
        player.close()
    }

    @Test("passes of counted loops are counted across a missed transition")
    func passes() async throws {
        let (rig, items, ends) = try queue(["loop-flac.mkv", "loop-aac.mp4"])
        let player = rig.player
        defer { ends.stop() }
        player.loops(of: items[0], true, passes: 3)
        player.loops(of: items[1], true)
        try await rig.ready()
        player.play()
        blockUntil("the third pass of the second item", seen: { rig.state }) {
            player.pipeline.position().map { $0.entry === items[1].entry && $0.pass >= 2 } == true
        }
        #expect(player.currentItem === items[0] && items[0].loopCount == 0, "the change is not noticed yet")
        #expect(await rig.wait { player.currentItem === items[1] && items[1].loopCount >= 2 })
        #expect(items[0].loopCount == 2)
        #expect(
            ends.told.prefix(5) == ["loop-flac.mkv", "loop-flac.mkv", "loop-flac.mkv", "loop-aac.mp4", "loop-aac.mp4"],
            "\(ends.told)")
        player.close()
    }

    /// The player used to schedule its next wake-up after a missed transition, and so reported it only at the next one.
    @Test("a missed transition is reported at once, not at the next one", arguments: [true, false])
    func lateLook(_ loops: Bool) async throws {
        let (rig, items, ends) = try queue(["counter-video.mp4"] + (loops ? [] : ["counter.mp4"]))
        let player = rig.player
        defer { ends.stop() }
        if loops { player.loops(of: items[0], true) }
        try await rig.ready()
        #expect(await rig.seek(9.5))
        func hasPassed() -> Bool {
            player.pipeline.position().map { loops ? $0.pass == 1 : $0.entry === items[1].entry } == true
        }
        player.play()
        // On a busy machine, the transition can come first.
        #expect(await rig.wait { player.currentTime().seconds > 9.55 || hasPassed() })
        await rig.drainMainQueue()
        // The main actor is blocked during the transition.
        blockUntil("what follows the transition", seen: { rig.state }) { hasPassed() }
        player.reschedule()
        #expect(await rig.wait { loops ? items[0].loopCount == 1 : player.currentItem === items[1] })
        #expect(ends.told.count == 1 && player.currentTime().seconds < 9)
        player.close()
    }

    /// The next item's server does not answer. The pipeline waits for it beyond the end of the current item.
    @Test(
        "changes while the next item opens do not wait for it",
        arguments: ["another", "another late", "none", "none late", "loop", "loop late", "seek", "seek late"],
        ["plain/film.mp4", "vod-ts/master.m3u8"])
    func openingNext(_ change: String, _ path: String) async throws {
        let kind = change.split(separator: " ")[0]
        let isLate = change.hasSuffix("late")
        let server = try TestStreams.server()
        let rule = server.inject(.stall(after: 0))
        let (rig, items, ends) = try queue(["counter-video.mp4"])
        let player = rig.player
        defer { ends.stop() }
        let next = AVPlayerItem(asset: AVURLAsset(url: server.url(for: path), options: [AVURLAssetTimeoutKey: 600.0]))
        player.insert(next)
        try await rig.ready()
        #expect(await rig.seek(9))
        player.play()
        #expect(
            await rig.wait {
                !server.requests.isEmpty && player.pipeline.state.withLock { $0.playlist.joining === next.entry }
            })
        // The position has reached the end of the current item and waits there.
        if isLate {
            #expect(await rig.wait { player.currentTime().seconds >= 9.99 })
            #expect(player.currentItem === items[0])
        }
        switch kind {
        case "another":
            let other = AVPlayerItem(url: try TestMedia.url("counter.mp4"))
            player.remove(next)
            player.insert(other)
            #expect(await rig.wait { player.currentItem === other && player.currentTime().seconds > 0.3 })
        case "none":
            player.remove(next)
            #expect(await rig.wait { player.currentItem == nil || player.isAtEnd && player.rate == 0 })
        case "loop":
            player.loops(of: items[0], true)
            #expect(await rig.wait { items[0].loopCount == 1 && player.currentTime().seconds > 0.1 })
        default:
            #expect(await rig.seek(2))
            #expect(await rig.wait { player.currentTime().seconds > 2.3 })
            #expect(player.currentItem === items[0])
        }
        player.close()
        server.remove(rule)
        server.close()
    }

    @Test("a boundary is reported once for each missed pass")
    func boundaries() async throws {
        let rig = Rig()
        let item = AVPlayerItem(url: try TestMedia.url("loop-flac.mkv"))
        let player = rig.player
        let looper = AVPlayerLooper(player: player, templateItem: item)
        try await rig.ready()
        let count = Count()
        let observer = player.addBoundaryTimeObserver(forTimes: [CMTime(value: 1, timescale: 4)]) {
            count.value.withLock { $0 += 1 }
        }
        var passed: Int { count.value.withLock { $0 } }
        player.play()
        blockUntil("the fourth pass", seen: { rig.state }) { player.pipeline.position()?.pass ?? 0 >= 3 }
        #expect(passed == 0)
        #expect(await rig.wait { looper.loopCount >= 3 })
        player.pause()
        await rig.drainMainQueue()
        let pass = looper.loopCount
        let isBehind = player.currentTime().seconds >= 0.25
        #expect(passed == pass + (isBehind ? 1 : 0), "\(passed) in \(pass) passes")
        player.removeTimeObserver(observer)
        player.close()
    }
}
