import Foundation
import Synchronization
import TestSupport
import Testing
import Zoetrope

/// Tests of Combine publishers for a player's properties, and of both forms of `Logger`.
@Suite @MainActor struct PublisherTests {
    @Test func aPropertysPublisherGivesThePresentValueAndEachChange() {
        let player = AVPlayer()
        var rates: [Float] = []
        var later: [Float] = []
        var kept: Set<AnyCancellable> = []
        player.publisher(for: \.rate).sink { rates.append($0) }.store(in: &kept)
        player.publisher(for: \.rate, options: [.new]).sink { later.append($0) }.store(in: &kept)
        player.rate = 2
        player.volume = 0.5
        player.rate = 0
        #expect(rates == [0, 2, 0] && later == [2, 0])
        kept.removeAll()
        player.rate = 1
        #expect(rates.count == 3)
    }

    @Test func aSubscriberThatAsksForNothingIsGivenTheNewestWhenItAsks() {
        let player = AVPlayer()
        let slow = Slow()
        player.publisher(for: \.rate).subscribe(slow)
        player.rate = 1
        player.rate = 2
        #expect(slow.got.isEmpty)
        slow.subscription?.request(.max(1))
        #expect(slow.got == [2])
        player.rate = 3
        #expect(slow.got == [2])
        slow.subscription?.request(.max(1))
        #expect(slow.got == [2, 3])
        slow.subscription?.cancel()
        player.rate = 4
        slow.subscription?.request(.unlimited)
        #expect(slow.got == [2, 3])
    }

    @Test("a value requested on another thread is delivered on the main actor")
    func requestOnAnotherThread() async throws {
        DispatchQueue.main.setSpecific(key: Slow.isMain, value: true)
        let player = AVPlayer()
        let slow = Slow()
        player.publisher(for: \.rate).subscribe(slow)
        player.rate = 1
        nonisolated(unsafe) let subscription = slow.subscription
        try await offPool { subscription?.request(.max(1)) }
        await eventually("the value") { !slow.got.isEmpty }
        #expect(slow.got == [1] && slow.wereOnMain == [true])
        slow.subscription?.cancel()
    }

    @Test("a change made by a subscriber is delivered when it requests more")
    func changeInSubscriber() {
        let player = AVPlayer()
        let slow = Slow()
        slow.more = .max(1)
        slow.onFirst = { MainActor.assumeIsolated { player.rate = 2 } }
        player.publisher(for: \.rate).subscribe(slow)
        slow.subscription?.request(.max(1))
        #expect(slow.got == [0, 2])
        slow.subscription?.cancel()
    }

    @Test func aPlayerQueuesPublisherFollowsItsCurrentItem() {
        let player = AVQueuePlayer(title: "", audioServer: "unix:/nonexistent/zoetrope")
        var kept: Set<AnyCancellable> = []
        var names: [String?] = []
        player.publisher(for: \.currentItem?.asset.url.lastPathComponent).sink { names.append($0) }.store(in: &kept)
        let items = ["a", "b"].map { AVPlayerItem(url: URL(fileURLWithPath: "/nonexistent/\($0).mp4")) }
        for item in items { player.insert(item, after: nil) }
        player.advanceToNextItem()
        #expect(names == [nil, "a.mp4", "b.mp4"])
    }

    @Test func aLoggerTakesBothSpellingsAndKeepsPrivateValuesToItself() {
        let lines = Lines()
        var logger = Logger(subsystem: "org.example", category: "player")
        #expect(logger.label == "org.example:player")
        logger.handler = lines
        logger.info("opens \("film", privacy: .public) for \("me", privacy: .private)")
        logger.log("plain \(1)")
        logger.log(level: .error, "failed")
        logger.fault("broken")
        logger.warning("swift-log's own", metadata: ["a": "b"])
        #expect(
            lines.all == [
                "info opens film for <private>", "notice plain 1", "error failed", "critical broken",
                "warning swift-log's own",
            ])
    }

    private final class Slow: Subscriber {
        var subscription: (any Subscription)?
        var got: [Float] = []
        static let isMain = DispatchSpecificKey<Bool>()
        /// Whether each value was received on the main queue, which some programs run on any thread.
        var wereOnMain: [Bool] = []
        /// The demand after each value.
        var more = Subscribers.Demand.none
        var onFirst: (() -> Void)?
        func receive(subscription: any Subscription) { self.subscription = subscription }
        func receive(_ input: Float) -> Subscribers.Demand {
            got.append(input)
            wereOnMain.append(DispatchQueue.getSpecific(key: Slow.isMain) == true)
            let first = onFirst
            onFirst = nil
            first?()
            return more
        }
        func receive(completion: Subscribers.Completion<Never>) {}
    }

    private final class Lines: LogHandler {
        private let list = Mutex<[String]>([])
        var all: [String] { list.withLock { $0 } }
        var metadata: Logger.Metadata {
            get { [:] }
            set {}
        }
        var logLevel: Logger.Level {
            get { .trace }
            set {}
        }
        subscript(metadataKey key: String) -> Logger.Metadata.Value? {
            get { nil }
            set {}
        }
        func log(event: LogEvent) {
            list.withLock { $0.append("\(event.level) \(event.message)") }
        }
    }
}

@Suite @MainActor struct NotificationSequenceTests {
    @Test func aSequenceOfNotificationsGivesThoseOfItsNameAndObject() async {
        let name = Notification.Name("NotificationSequenceTests")
        let mine = NSObject()
        let other = NSObject()
        var iterator = NotificationCenter.default.notifications(named: name, object: mine).makeAsyncIterator()
        for (object, number) in [(other, 1), (mine, 2), (other, 3), (mine, 4)] {
            NotificationCenter.default.post(name: name, object: object, userInfo: ["n": number])
        }
        expectEqual(await iterator.next(isolation: #isolation)?.userInfo?["n"] as? Int, 2)
        expectEqual(await iterator.next(isolation: #isolation)?.userInfo?["n"] as? Int, 4)
    }
}
