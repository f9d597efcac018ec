import EngineTestSupport
import Foundation
import MediaCore
import MediaEngine
import Observation
import PlayerControls
import TestSupport
import Testing

@Suite("Play queue", .serialized) @MainActor
struct PlayQueueTests {
    private func url(_ name: String) -> URL {
        (try? TestMedia.url(name)) ?? URL(fileURLWithPath: "/nonexistent/\(name)")
    }
    private func queue(_ names: [String], _ rig: Rig) -> PlayQueue<String> {
        PlayQueue(names, player: rig.player) { AVPlayerItem(url: url($0)) }
    }

    @Test("entries play in order, and the end is reported once")
    func order() async {
        let rig = Rig()
        let queue = queue(["loop-flac.mkv", "loop-aac.mp4", "loop-pcm.mov"], rig)
        var (indices, ends) = ([Int](), 0)
        queue.onMove = { indices.append(queue.index) }
        queue.onEnd = { ends += 1 }
        queue.begin()
        rig.player.play()
        #expect(await rig.wait { ends == 1 })
        #expect(indices == [0, 1, 2] && queue.rounds == 0 && rig.player.currentItem == nil)
        #expect(!queue.canGo(by: 1) && queue.canGo(by: -2) && !queue.go(by: 1) && !queue.canGo(by: .max))
    }

    @Test("a change of the current entry is observed")
    func observed() async {
        let rig = Rig()
        let queue = queue(["loop-flac.mkv", "loop-aac.mp4"], rig)
        await confirmation { changed in
            withObservationTracking {
                _ = queue.entry
            } onChange: {
                changed()
            }
            queue.begin(at: 1)
        }
        #expect(queue.entry == "loop-aac.mp4")
    }

    @Test("a view does not depend on what a queue's handlers read")
    func handlers() async {
        let rig = Rig()
        let queue = queue(["loop-flac.mkv", "loop-aac.mp4"], rig)
        queue.onItem = { [weak queue] _, _ in _ = queue?.entries }
        queue.onMove = { [weak queue] in _ = queue?.index }
        await confirmation(expectedCount: 0) { changed in
            withObservationTracking {
                ObservationScope.evaluating(isBody: true) { queue.begin() }
            } onChange: {
                changed()
            }
            // Changes only the queue, not the player.
            queue.setRounds(wraps: true, left: nil)
        }
        #expect(queue.wraps)
    }

    @Test("a repeating queue counts its rounds")
    func rounds() async {
        let rig = Rig()
        let queue = queue(["loop-flac.mkv", "loop-aac.mp4"], rig)
        queue.wraps = true
        queue.begin()
        rig.player.play()
        #expect(await rig.wait { queue.rounds >= 2 })
        #expect(queue.canGo(by: 1) && queue.canGo(by: -1))
        rig.player.pause()
    }

    @Test("many entries that can't be played are skipped")
    func skips() async {
        let rig = Rig()
        let broken = (0..<12).map { "missing\($0).mp4" }
        let queue = queue(["loop-flac.mkv"] + broken + ["loop-aac.mp4"], rig)
        queue.begin()
        rig.player.play()
        #expect(await rig.wait { queue.entry == "loop-aac.mp4" && rig.player.currentTime().seconds > 0.1 })
        rig.player.pause()
    }

    @Test("a queue in which nothing can be played ends")
    func nothing() async {
        let rig = Rig()
        let queue = queue((0..<20).map { "missing\($0).mp4" }, rig)
        var ends = 0
        queue.onEnd = { ends += 1 }
        queue.begin()
        rig.player.play()
        #expect(await rig.wait { ends == 1 })
    }

    @Test("jumps and replacements keep a player playing or paused")
    func jumps() async {
        let rig = Rig()
        let queue = queue(["counter.mp4", "loop-aac.mp4"], rig)
        queue.begin()
        queue.jump(to: 1)
        #expect(queue.entry == "loop-aac.mp4" && rig.player.rate == 0)
        queue.jump(to: 7)
        #expect(queue.index == 1)
        rig.player.play()
        queue.jump(to: 0)
        #expect(queue.entry == "counter.mp4" && rig.player.rate == 1)
        queue.replace(with: ["loop-pcm.mov", "counter-video.mp4"], at: 1)
        #expect(queue.entry == "counter-video.mp4" && rig.player.rate == 1)
        #expect(await rig.wait { rig.player.currentTime().seconds > 0.1 })
        queue.replace(with: [])
        #expect(queue.entry == nil && !queue.canGo(by: 1))
        rig.player.pause()
    }

    @Test("the next items are those of the replaced list, in its order")
    func order() {
        let rig = Rig()
        let queue = queue(["counter.mp4", "list", "loop-aac.mp4"], rig)
        queue.begin()
        func names() -> [String] { rig.player.items().map(\.asset.url.lastPathComponent) }
        #expect(names() == ["counter.mp4", "list", "loop-aac.mp4"])
        let first = queue.current
        // The entry that follows turns out to be a list.
        let entries = ["counter.mp4", "loop-flac.mkv", "counter.ts", "loop-aac.mp4"]
        queue.rearrange(entries, index: 0)
        #expect(names() == entries && queue.current === first && queue.following(9) == [1, 2, 3])
        // The current entry turns out to be a list.
        queue.replace(with: entries, at: 1)
        #expect(names() == Array(entries.dropFirst()) && queue.index == 1 && queue.following(9) == [2, 3])
        rig.player.pause()
    }

    @Test("a replacement without entries empties the player")
    func emptied() {
        let rig = Rig()
        let queue = queue(["counter.mp4", "loop-aac.mp4", "loop-pcm.mov"], rig)
        queue.begin(at: 1)
        queue.replace(with: [])
        #expect(queue.index == 0 && queue.entry == nil && queue.current == nil && rig.player.items().isEmpty)
        // An entry that does not exist is the first one.
        queue.replace(with: ["loop-flac.mkv", "loop-aac.mp4"], at: 2)
        #expect(queue.index == 0 && queue.entry == "loop-flac.mkv" && rig.player.rate == 1)
        rig.player.pause()
    }

    @Test("an opened item is released when another list replaces it")
    func released() async throws {
        let rig = Rig()
        weak var opened: AVPlayerItem?
        let queue = PlayQueue<String>(player: rig.player) { name in
            let item = AVPlayerItem(url: url(name))
            if name == "counter.ts" { opened = item }
            return item
        }
        expectEqual(await queue.problem(of: ["missing.mp4", "counter.ts"]) { _ in true }, nil)
        #expect(opened != nil)
        queue.replace(with: ["loop-flac.mkv"])
        rig.player.pause()
        #expect(await rig.wait { opened == nil })
    }

    @Test("an opened item is used when its entry is in the list")
    func used() async throws {
        let rig = Rig()
        var made: [String: Int] = [:]
        let queue = PlayQueue<String>(player: rig.player) { name in
            made[name, default: 0] += 1
            return AVPlayerItem(url: url(name))
        }
        expectEqual(await queue.problem(of: ["counter.ts"]) { _ in true }, nil)
        queue.replace(with: ["loop-flac.mkv", "counter.ts"])
        rig.player.pause()
        #expect(made == ["loop-flac.mkv": 1, "counter.ts": 1])
    }

    @Test("an opened item is kept while an empty list precedes its own")
    func kept() async throws {
        let rig = Rig()
        var made = 0
        let queue = PlayQueue<String>(["loop-flac.mkv"], player: rig.player) { name in
            if name == "counter.ts" { made += 1 }
            return AVPlayerItem(url: url(name))
        }
        queue.begin()
        expectEqual(await queue.problem(of: ["counter.ts"]) { _ in true }, nil)
        queue.replace(with: [])
        queue.replace(with: ["counter.ts"])
        rig.player.pause()
        #expect(made == 1)
    }

    /// Creates a queue whose entries named `missing…` have no item.
    private func sparse(_ names: [String], _ rig: Rig) -> PlayQueue<String> {
        let queue = PlayQueue<String>(names, player: rig.player, lookahead: 1) { name in
            name.hasPrefix("missing") ? nil : AVPlayerItem(url: url(name))
        }
        queue.keepsLastFrame = true
        queue.begin()
        return queue
    }

    @Test("missing entries are skipped forwards and backwards, and reported")
    func missing() {
        let rig = Rig()
        let queue = sparse(["counter.mp4", "missing", "counter.ts", "missing"], rig)
        var missing: [Int] = []
        queue.onMissing = { missing.append($0) }
        #expect(queue.upcoming.map(\.asset.url.lastPathComponent) == ["counter.ts"])
        #expect(queue.go(by: 1) && queue.index == 2 && queue.upcoming.isEmpty && missing == [1])
        #expect(!queue.go(by: 1) && queue.index == 2 && missing == [1, 3])
        #expect(queue.go(by: -1) && queue.index == 0 && missing == [1, 3, 1])
        queue.jump(to: 1)
        #expect(queue.index == 0 && queue.upcoming.count == 1 && rig.player.actionAtItemEnd == .advance)
    }

    @Test("a replacement skips missing entries and keeps no old item")
    func replacedByMissing() {
        let rig = Rig()
        let queue = sparse(["counter.mp4", "loop-aac.mp4"], rig)
        var (missing, ends) = ([Int](), 0)
        queue.onMissing = { missing.append($0) }
        queue.onEnd = { ends += 1 }
        queue.replace(with: ["loop-flac.mkv", "missing", "counter.ts"], at: 1)
        #expect(queue.index == 2 && missing == [1] && ends == 0)
        #expect(rig.player.items().map(\.asset.url.lastPathComponent) == ["counter.ts"])
        queue.replace(with: ["missing", "missing 2"])
        #expect(queue.index == 0 && queue.current == nil && rig.player.items().isEmpty && ends == 1)
        rig.player.pause()
    }

    @Test("a queue wraps as often as its limit allows")
    func limited() {
        let rig = Rig()
        let queue = sparse(["counter.mp4", "counter.ts"], rig)
        queue.setRounds(wraps: true, left: 1)
        queue.jump(to: 1)
        #expect(queue.upcoming.count == 1 && queue.following(9) == [0])
        #expect(queue.go(by: 1) && queue.index == 0 && queue.roundsLeft == 0)
        queue.jump(to: 1)
        #expect(queue.upcoming.isEmpty && !queue.go(by: 1) && queue.go(by: -2 + 1))
    }

    @Test("an upcoming item that is skipped or withdrawn leaves the player")
    func withdrawn() throws {
        let rig = Rig()
        let queue = sparse(["counter.mp4", "loop-aac.mp4", "counter.ts"], rig)
        var withdrawn: [AVPlayerItem] = []
        queue.onWithdraw = { withdrawn.append($0) }
        let first = try #require(queue.upcoming.first)
        queue.skip(first)
        #expect(withdrawn == [first] && queue.upcoming.first?.asset.url.lastPathComponent == "counter.ts")
        queue.withdrawUpcoming()
        #expect(withdrawn.count == 2 && rig.player.items().count == 1 && rig.player.actionAtItemEnd == .pause)
        queue.clear()
        #expect(rig.player.items().isEmpty && queue.entries.isEmpty && queue.current == nil)
    }
}
