import EngineTestSupport
import Foundation
import MediaCore
import MediaEngine
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

    @Test("a queue that wraps counts its rounds")
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
}
