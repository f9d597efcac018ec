import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

/// An app's call from a handler must keep its effect: the player calls handlers last and does nothing afterwards that
/// overrides the call.
@Suite("Calls made from handlers", .serialized)
@MainActor
struct HandlerTests {
    /// Calls `body` each time `item` has played to its end, at most `limit` times.
    @MainActor
    private final class AtEnd {
        private(set) var count = 0
        private var token: (any NSObjectProtocol)?
        init(_ item: AVPlayerItem? = nil, limit: Int = .max, _ body: @escaping @MainActor () -> Void) {
            token = NotificationCenter.default.addObserver(
                forName: AVPlayerItem.didPlayToEndTimeNotification, object: item, queue: nil
            ) { [weak self] _ in
                MainActor.assumeIsolated {
                    guard let self else { return }
                    self.count += 1
                    if self.count <= limit { body() }
                }
            }
        }
        func end() {
            if let token { NotificationCenter.default.removeObserver(token) }
            token = nil
        }
    }

    private func item(_ name: String) throws -> AVPlayerItem { AVPlayerItem(url: try TestMedia.url(name)) }

    // These functions are synchronous, so that the seek is not awaited, as in a handler.
    private func sendBack(_ player: AVPlayer) { player.seek(to: .zero) }
    private func ask(_ player: AVPlayer, _ time: CMTime, _ tolerance: CMTime) {
        player.seek(to: time, toleranceBefore: tolerance, toleranceAfter: tolerance)
    }

    /// Returns whether the player plays and its time advances.
    private func playsOn(_ rig: Rig) async -> Bool {
        guard await rig.wait(until: { rig.player.timeControlStatus == .playing }) else { return false }
        let now = rig.player.currentTime().seconds
        return await rig.wait { rig.player.rate > 0 && rig.player.currentTime().seconds > now + 0.1 }
    }

    // MARK: end of an item

    @Test("restarting at the end plays the item again each time", arguments: [true, false])
    func again(playsInAnswer: Bool) async throws {
        let rig = try Rig("loop-pcm.mov")
        let player = rig.player
        let end = AtEnd(player.currentItem, limit: 3) {
            if playsInAnswer {
                player.seek(to: .zero) { _ in player.play() }
            } else {
                player.seek(to: .zero)
                player.play()
            }
        }
        defer { end.end() }
        player.play()
        #expect(await rig.wait { end.count == 4 })
        // The handler did nothing at the fourth end.
        #expect(await rig.wait { player.rate == 0 && player.timeControlStatus == .paused })
        #expect(player.isAtEnd)
    }

    @Test("restarting when the rate falls to 0 posts each end")
    func whenPaused() async throws {
        let rig = try Rig("loop-pcm.mov")
        let player = rig.player
        let end = AtEnd(player.currentItem) {}
        defer { end.end() }
        var falls = 0
        let observation = player.observe(\.rate) { player, _ in
            guard player.rate == 0 else { return }
            falls += 1
            guard falls < 3 else { return }
            player.seek(to: .zero)
            player.play()
        }
        defer { observation.invalidate() }
        player.play()
        #expect(await rig.wait { falls == 3 })
        #expect(await rig.wait { player.timeControlStatus == .paused })
        #expect(end.count == 3)
    }

    @Test("restarting when the status becomes paused plays again")
    func whenStatusChanges() async throws {
        let rig = try Rig("loop-pcm.mov")
        let player = rig.player
        var pauses = 0
        let observation = player.observe(\.timeControlStatus) { player, _ in
            guard player.timeControlStatus == .paused else { return }
            pauses += 1
            guard pauses < 3 else { return }
            player.seek(to: .zero)
            player.rate = 2
        }
        defer { observation.invalidate() }
        player.play()
        #expect(await rig.wait { pauses == 3 })
    }

    @Test("an item set at the end plays, twenty times in a row")
    func replaces() async throws {
        let rig = try Rig("loop-pcm.mov")
        let player = rig.player
        var items: [AVPlayerItem] = []
        let end = AtEnd(limit: 20) {
            guard let next = try? self.item(items.count % 2 == 0 ? "loop-flac.mkv" : "loop-pcm.mov") else { return }
            items.append(next)
            player.replaceCurrentItem(with: next)
            player.play()
        }
        defer { end.end() }
        player.play()
        #expect(await rig.wait { end.count == 21 }, "\(end.count) ends")
        #expect(items.count == 20 && player.currentItem === items.last)
        #expect(await rig.wait { player.timeControlStatus == .paused })
    }

    @Test("play() at the end without a seek does not end again")
    func playsAtEnd() async throws {
        let rig = try Rig("loop-pcm.mov")
        let player = rig.player
        let end = AtEnd(player.currentItem) { player.play() }
        defer { end.end() }
        player.play()
        #expect(await rig.wait { end.count == 1 && player.timeControlStatus == .paused })
        await rig.settle()
        #expect(end.count == 1 && player.timeControlStatus == .paused)
        // Playback from the beginning reaches a new end.
        sendBack(player)
        player.play()
        #expect(await rig.wait { end.count == 2 })
    }

    @Test("with actionAtItemEnd .none, a seek at the end plays on")
    func none() async throws {
        let rig = try Rig("loop-pcm.mov")
        let player = rig.player
        player.actionAtItemEnd = .none
        let end = AtEnd(player.currentItem, limit: 2) { player.seek(to: .zero) }
        defer { end.end() }
        player.play()
        #expect(await rig.wait { end.count == 3 })
        #expect(player.rate == 1)
        sendBack(player)
        #expect(await rig.wait { end.count == 4 })
    }

    @Test("actionAtItemEnd and close() take effect from an end handler")
    func actionAndClose() async throws {
        let rig = try Rig("loop-pcm.mov")
        let player = rig.player
        let end = AtEnd(player.currentItem) {
            player.actionAtItemEnd = .none
            player.seek(to: .zero)
            player.play()
        }
        player.play()
        #expect(await rig.wait { end.count >= 2 })
        #expect(player.rate == 1)
        end.end()
        let closing = AtEnd(player.currentItem) { player.close() }
        defer { closing.end() }
        sendBack(player)
        #expect(await rig.wait { closing.count == 1 })
        #expect(player.rate == 0)
    }

    // MARK: queues

    /// A short item, followed by a longer one.
    private func queue() throws -> (Rig, AVPlayerItem, AVPlayerItem) {
        let rig = Rig()
        rig.player.actionAtItemEnd = .advance
        let (first, second) = (try item("loop-pcm.mov"), try item("counter.mp4"))
        rig.player.insert(first)
        rig.player.insert(second)
        return (rig, first, second)
    }

    @Test("a pause at a queue transition stops at the next item's start")
    func pausesAtSeam() async throws {
        let (rig, first, second) = try queue()
        let player = rig.player
        var paused = Int64.max
        let end = AtEnd(first) {
            player.pause()
            paused = HostClock.now()
        }
        defer { end.end() }
        let begin = HostClock.now()
        player.play()
        #expect(await rig.wait { end.count == 1 })
        #expect(player.rate == 0)
        #expect(await rig.wait { player.currentItem === second && player.timeControlStatus == .paused })
        // On a busy machine the handler runs late. The position may have advanced by the time that passed before it
        // paused.
        let beyond = Double(paused - begin) / 1e9 - first.duration.seconds
        #expect(player.currentTime().seconds < max(0.5, beyond))
        let time = player.currentTime()
        await rig.settle()
        #expect(player.currentTime() == time)
    }

    @Test("an ended item plays again when its handler seeks it back")
    func seeksBackAtSeam() async throws {
        let (rig, first, second) = try queue()
        let player = rig.player
        let end = AtEnd(first, limit: 2) { first.seek(to: .zero) }
        defer { end.end() }
        player.play()
        #expect(await rig.wait { end.count >= 1 })
        // On a busy machine, the item may already have ended for the last time.
        #expect(player.currentItem === first || end.count == 3)
        #expect(await rig.wait { end.count == 3 })
        #expect(await rig.wait { player.currentItem === second })
        #expect(await playsOn(rig))
    }

    @Test("an end handler can replace the item or empty the queue")
    func replacesAtSeam() async throws {
        let (rig, first, second) = try queue()
        let player = rig.player
        let other = try item("counter-video.mp4")
        let end = AtEnd(first) { player.replaceCurrentItem(with: other) }
        player.play()
        #expect(await rig.wait { end.count == 1 })
        end.end()
        #expect(player.currentItem === other && player.items() == [other, second])
        #expect(await playsOn(rig))
        #expect(player.currentItem === other)

        let last = try item("loop-pcm.mov")
        player.removeAllItems()
        player.insert(last)
        player.insert(try item("counter.mp4"))
        let emptying = AtEnd(last) { player.removeAllItems() }
        defer { emptying.end() }
        #expect(await rig.wait { emptying.count == 1 })
        #expect(player.currentItem == nil && player.items().isEmpty)
        #expect(await rig.wait { player.timeControlStatus == .waitingToPlayAtSpecifiedRate })
    }

    @Test("an item inserted at the end of the last item plays")
    func insertsAtEnd() async throws {
        let rig = Rig()
        let player = rig.player
        player.actionAtItemEnd = .advance
        player.insert(try item("loop-pcm.mov"))
        var added = 0
        let end = AtEnd(limit: 20) {
            guard let next = try? self.item("loop-flac.mkv") else { return }
            added += 1
            player.insert(next)
        }
        defer { end.end() }
        player.play()
        #expect(await rig.wait { end.count == 21 }, "\(end.count) ends")
        #expect(added == 20)
        #expect(await rig.wait { player.currentItem == nil })
    }

    // MARK: calls from observers during a change

    @Test("an observer that resets the rate prevents playback")
    func takesRateBack() async throws {
        let rig = try Rig("counter.mp4")
        try await rig.ready()
        let player = rig.player
        let observation = player.observe(\.rate) { player, _ in if player.rate > 0 { player.pause() } }
        defer { observation.invalidate() }
        player.play()
        #expect(player.rate == 0 && player.timeControlStatus == .paused)
        let time = player.currentTime()
        await rig.settle()
        #expect(player.currentTime() == time && !player.pipeline.isRunning)
    }

    @Test("a seek requested when the item changes is performed")
    func seeksOnChange() async throws {
        let rig = try Rig("loop-pcm.mov")
        try await rig.ready()
        let player = rig.player
        var answer: Bool?
        let observation = player.observe(\.currentItem) { player, _ in
            player.seek(to: CMTime(seconds: 5, preferredTimescale: 600)) { answer = $0 }
        }
        defer { observation.invalidate() }
        player.replaceCurrentItem(with: try item("counter.mp4"))
        #expect(await rig.wait { answer != nil })
        #expect(answer == true && player.currentTime().seconds == 5)
    }

    @Test("time observers can seek, replace the item and pause")
    func timeObservers() async throws {
        let rig = try Rig("counter.mp4")
        let player = rig.player
        var passed: [String] = []
        var pausedAt = CMTime.invalid
        let next = try item("counter-video.mp4")
        func at(_ seconds: Double, _ body: @escaping @MainActor () -> Void) {
            _ = player.addBoundaryTimeObserver(forTimes: [CMTime(seconds: seconds, preferredTimescale: 600)]) {
                MainActor.assumeIsolated(body)
            }
        }
        at(0.2) {
            passed.append("0.2")
            guard player.currentItem === next else { return player.seek(to: CMTime(value: 5, timescale: 1)) }
            player.pause()
            pausedAt = player.currentTime()
        }
        at(5.2) {
            passed.append("5.2")
            player.replaceCurrentItem(with: next)
        }
        player.play()
        #expect(await rig.wait { passed.count == 3 })
        #expect(passed == ["0.2", "5.2", "0.2"])
        #expect(player.rate == 0 && player.currentItem === next)
        // On a busy machine the observer is called late, but never early. The position stays where the observer pauses.
        #expect(pausedAt.seconds >= 0.2)
        await rig.settle()
        #expect(player.currentTime() == pausedAt)
    }

    @Test("a loop passes a boundary at its end, but none beyond")
    func boundariesAtSeam() async throws {
        let rig = Rig()
        let player = rig.player
        let looped = try item("loop-pcm.mov")
        let looper = AVPlayerLooper(player: player, templateItem: looped)
        var passed: [Double] = []
        for seconds in [0.25, 0.5, 3] {
            _ = player.addBoundaryTimeObserver(forTimes: [CMTime(seconds: seconds, preferredTimescale: 600)]) {
                MainActor.assumeIsolated { passed.append(seconds) }
            }
        }
        player.play()
        #expect(await rig.wait { looper.loopCount >= 3 })
        player.pause()
        #expect(!passed.contains(3), "\(passed)")
        #expect(passed.count { $0 == 0.25 } >= 3 && passed.count { $0 == 0.5 } >= 3, "\(passed)")
    }

    @Test("a boundary exactly at the item's end is passed")
    func boundaryAtEnd() async throws {
        for name in ["loop-pcm.mov", "sine-flac.mkv"] {
            let rig = try Rig(name)
            try await rig.ready()
            let player = rig.player
            let length = try #require(player.currentItem?.duration)
            var count = 0
            _ = player.addBoundaryTimeObserver(forTimes: [length]) { MainActor.assumeIsolated { count += 1 } }
            player.play()
            #expect(await rig.wait { player.timeControlStatus == .paused })
            #expect(count == 1, "\(name)")
        }
    }

    // MARK: end of a paused loop

    @Test(
        "a paused loop can stop on its last frame and resume",
        arguments: [
            ("loop-pcm.mov", true), ("counter-video.mp4", true), ("counter-video.mp4", false), ("sine-flac.mkv", true),
        ])
    func endOfLoop(name: String, loopsFirst: Bool) async throws {
        let rig = Rig()
        let player = rig.player
        let looped = try item(name)
        var looper: AVPlayerLooper?
        if loopsFirst { looper = AVPlayerLooper(player: player, templateItem: looped) } else { player.insert(looped) }
        try await rig.ready()
        if !loopsFirst { looper = AVPlayerLooper(player: player, templateItem: looped) }
        let length = looped.duration.seconds
        #expect(await player.seek(to: .positiveInfinity))
        #expect(abs(player.currentTime().seconds - length) < 0.001)
        let last = try #require(rig.number())
        #expect(last > 10)
        await rig.settle()
        #expect(rig.number() == last && abs(player.currentTime().seconds - length) < 0.001)
        player.play()
        #expect(await rig.wait { player.currentTime().seconds > 0.05 && player.currentTime().seconds < length - 0.05 })
        #expect(player.rate == 1)
        _ = looper
    }

    // MARK: extreme numbers

    @Test("extreme times, rates and volumes do not crash the player")
    func numbers() async throws {
        let rig = try Rig("counter.mp4")
        try await rig.ready()
        let player = rig.player
        let times: [CMTime] = [
            .invalid, .indefinite, .positiveInfinity, .negativeInfinity, CMTime(value: .max, timescale: 1),
            CMTime(value: .min, timescale: 1),
            CMTime(value: .max, timescale: .max), CMTime(seconds: .nan, preferredTimescale: 600),
            CMTime(seconds: 1e300, preferredTimescale: 600),
            CMTime(seconds: -1e300, preferredTimescale: 600), CMTime(value: 1, timescale: 0),
            CMTime(value: 1, timescale: -5),
        ]
        for time in times {
            _ = player.addBoundaryTimeObserver(forTimes: [time]) {}
            _ = player.addPeriodicTimeObserver(forInterval: time) { _ in }
        }
        for rate in [Float.nan, -.infinity, .infinity, .leastNonzeroMagnitude, 1e-20, 1e20, -0.0, 0.001] {
            player.defaultRate = rate
            #expect(player.defaultRate >= 0.01 && player.defaultRate <= 16)
            player.rate = rate
            #expect(player.rate == 0 || player.rate >= 0.01 && player.rate <= 16)
            player.playImmediately(atRate: rate)
            await rig.drainMainQueue()
        }
        player.pause()
        for time in times {
            for tolerance in [CMTime.zero] + times {
                ask(player, time, tolerance)
            }
            let done = await player.seek(to: time)
            #expect(done == (time.isNumeric || time == .positiveInfinity || time == .negativeInfinity), "\(time)")
            #expect(player.currentTime().seconds >= 0 && player.currentTime().seconds <= 20)
        }
        for count in [Int.max, .min, 1, -1, 1 << 40] {
            player.currentItem?.step(byCount: count)
            #expect(await rig.wait { !player.isSeeking })
        }
        for volume in [Float.nan, .infinity, -.infinity] {
            player.volume = volume
            #expect(player.volume >= 0 && player.volume <= 1)
        }
        for number in [Double.nan, .infinity, -.infinity, 1e300, -1] {
            player.currentItem?.preferredPeakBitRate = number
            player.currentItem?.preferredForwardBufferDuration = number
            player.currentItem?.preferredMaximumResolution = CGSize(width: number, height: number)
        }
        for time in times {
            let queue = AVQueuePlayer(title: "test", audioServer: Rig.nowhere)
            let looped = try item("loop-pcm.mov")
            let looper = AVPlayerLooper(
                player: queue, templateItem: looped,
                timeRange: CMTimeRange(start: time, end: CMTime(value: -3, timescale: 1)))
            let other = AVPlayerLooper(
                player: queue, templateItem: try item("loop-pcm.mov"),
                timeRange: CMTimeRange(start: CMTime(value: -9, timescale: 1), duration: time))
            queue.play()
            #expect(await rig.wait { looped.status == .readyToPlay })
            queue.close()
            _ = (looper, other)
        }
        player.rate = 1
        let now = player.currentTime().seconds
        sendBack(player)
        #expect(await rig.wait { player.currentTime().seconds > 0.1 }, "it plays after all that, from \(now)")
    }
}
