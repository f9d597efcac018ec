import EngineTestSupport
import Foundation
import MediaCore
import MediaEngine
import TestSupport
import Testing

@Suite("Prerolls", .serialized)
@MainActor
struct PrerollTests {
    /// The answers of the prerolls that a test has requested, in order.
    @MainActor
    private final class Answers {
        var all: [Bool] = []
        func request(of player: AVPlayer, rate: Float = 1) {
            player.preroll(atRate: rate) { [weak self] in self?.all.append($0) }
        }
    }

    @Test("a preroll ends when the first frame can be shown")
    func ready() async throws {
        let rig = try Rig("counter.mp4")
        let answers = Answers()
        answers.request(of: rig.player)
        answers.request(of: rig.player, rate: 2)
        #expect(answers.all.isEmpty)
        #expect(await rig.wait { answers.all.count == 2 })
        #expect(answers.all == [true, true] && rig.player.rate == 0 && rig.number() == 0)
        // Everything is loaded now, and also after a seek.
        #expect(await rig.player.preroll(atRate: 1))
        await rig.seek(5)
        #expect(await rig.player.preroll(atRate: 1))
        #expect(rig.number() == 150)
        rig.player.play()
        #expect(await rig.player.preroll(atRate: 1))
        rig.stopDisplay()
        rig.player.close()
    }

    @Test("a preroll ends also after a frame step")
    func afterStep() async throws {
        let rig = try Rig("counter.mp4")
        #expect(await rig.player.preroll(atRate: 1))
        rig.player.currentItem?.step(byCount: 1)
        #expect(await rig.wait { rig.number() == 1 })
        let answers = Answers()
        answers.request(of: rig.player)
        #expect(await rig.wait { answers.all == [true] })
        #expect(rig.number() == 1)
        rig.stopDisplay()
        rig.player.close()
    }

    @Test("a seek, another item or a cancellation ends pending prerolls")
    func cancelled() async throws {
        let rig = try Rig("counter.mp4")
        let answers = Answers()
        answers.request(of: rig.player)
        rig.player.cancelPendingPrerolls()
        #expect(answers.all == [false])
        answers.request(of: rig.player)
        rig.player.seek(to: CMTime(value: 2, timescale: 1)) { _ in }
        #expect(answers.all == [false, false])
        answers.request(of: rig.player)
        rig.player.replaceCurrentItem(with: AVPlayerItem(url: try TestMedia.url("counter.mp4")))
        #expect(answers.all == [false, false, false])
        await rig.settle()
        #expect(answers.all.count == 3)
        rig.stopDisplay()
        rig.player.close()
    }

    @Test("a preroll without a playable item or rate fails")
    func impossible() async throws {
        let rig = Rig()
        let answers = Answers()
        answers.request(of: rig.player)
        #expect(answers.all == [false])
        rig.player.insert(AVPlayerItem(url: try TestMedia.url("counter.mp4")))
        answers.request(of: rig.player, rate: 0)
        answers.request(of: rig.player, rate: .nan)
        #expect(answers.all == [false, false, false])
        rig.player.replaceCurrentItem(with: AVPlayerItem(url: URL(fileURLWithPath: "/nonexistent/film.mp4")))
        answers.request(of: rig.player)
        #expect(await rig.wait { answers.all.count == 4 })
        #expect(answers.all.last == false)
        rig.stopDisplay()
        rig.player.close()
    }
}
