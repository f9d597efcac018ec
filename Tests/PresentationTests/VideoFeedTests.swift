import Filters
import Foundation
import MediaCore
import MediaEngine
import Overlays
import Synchronization
import TestSupport
import Testing

@testable import Presentation

/// Tests of the reports about displayed frames that a view sends to its frame source.
@MainActor
@Suite("Video feed")
struct VideoFeedTests {
    /// A source without frames that records the reports.
    private final class Source: VideoFrameSource {
        private let state = Mutex<(presented: [UInt64], handlers: Set<Int>)>(([], []))
        var presented: [UInt64] { state.withLock { $0.presented } }
        var handlers: Int { state.withLock { $0.handlers.count } }
        let isMoving = true

        func pull(forHostTime hostTime: HostTime) -> PulledFrame? { nil }
        func didPresent(sequence: UInt64, atHostTime hostTime: HostTime) {
            state.withLock { $0.presented.append(sequence) }
        }
        func addWakeHandler(_ wake: @escaping @Sendable () -> Void) -> Int {
            state.withLock { state in
                state.handlers.insert(state.handlers.count)
                return state.handlers.count - 1
            }
        }
        func removeWakeHandler(_ token: Int) { state.withLock { _ = $0.handlers.remove(token) } }
    }

    private let time = HostTime.zero
    private func frame(_ sequence: UInt64) -> PresentedFrame { PresentedFrame(sequence: sequence, at: time) }

    @Test("a shown frame is reported with the next tick, once")
    func reportedWithTick() {
        let (feed, source) = (VideoFeed(), Source())
        feed.follow(source) {}
        feed.presented(frame(1), isSeenLater: false)
        #expect(source.presented == [])
        #expect(feed.tick(at: time).isMoving)
        _ = feed.tick(at: time)
        #expect(source.presented == [1])
    }

    @Test("a frame shown between ticks reports the previous one")
    func betweenTicks() {
        let (feed, source) = (VideoFeed(), Source())
        feed.follow(source) {}
        feed.presented(frame(1), isSeenLater: false)
        feed.presented(frame(2), isSeenLater: false)
        #expect(source.presented == [1])
        feed.report(isLast: true)
        #expect(source.presented == [1, 2])
    }

    @Test("frames on a surface are reported when they are displayed")
    func seenLater() {
        let (feed, source) = (VideoFeed(), Source())
        feed.follow(source) {}
        for sequence in 1...4 { feed.presented(frame(UInt64(sequence)), isSeenLater: true) }
        feed.report()
        #expect(source.presented == [])
        feed.wasSeen(1, at: time)
        feed.wasSeen(2, at: nil)
        feed.wasSeen(9, at: time)
        feed.wasSeen(3, at: time)
        #expect(source.presented == [1])
        feed.report(isLast: true)
        #expect(source.presented == [1, 3, 4])
    }

    @Test("a new source gets no reports about the old one's frames")
    func anotherSource() {
        let (feed, old, new) = (VideoFeed(), Source(), Source())
        feed.follow(old) {}
        feed.presented(frame(1), isSeenLater: false)
        feed.presented(frame(2), isSeenLater: true)
        feed.follow(new) {}
        #expect(old.presented == [1, 2])
        #expect(new.presented == [])
        #expect(old.handlers == 0 && new.handlers == 1)
        feed.close()
        #expect(new.handlers == 0)
    }

    @Test("without a source nothing moves")
    func noSource() {
        let tick = VideoFeed().tick(at: time)
        #expect(!tick.isMoving && !tick.isChanging && tick.pulled == nil)
    }

    /// The source frames of the file have 320×180 pixels.
    @Test("a view without filters applies the video composition of its item")
    func itemComposition() async throws {
        let player = AVPlayer(title: "test", audioServer: "unix:/nonexistent/zoetrope")
        let feed = VideoFeed()
        defer {
            feed.close()
            player.close()
        }
        let item = AVPlayerItem(url: try TestMedia.url("quad-709.mp4"))
        func composition(width: Double) -> AVVideoComposition {
            let composition = AVMutableVideoComposition(asset: item.asset) { request in
                request.finish(with: request.sourceImage, context: nil)
            }
            composition.renderSize = CGSize(width: width, height: 90)
            return composition
        }
        var redraws = 0
        feed.onItemFrame = { redraws += 1 }
        feed.follow(player.videoFrameSource) {}
        item.videoComposition = composition(width: 100)
        player.replaceCurrentItem(with: item)
        var widths: [Int] = []
        func shows(_ width: Int) async {
            await eventually("a frame with the width \(width)", seen: { "\(widths)" }) {
                let tick = feed.tick(at: .now())
                if let frame = tick.pulled?.frame, frame.width != widths.last { widths.append(frame.width) }
                return widths.last == width
            }
        }
        await shows(100)
        #expect(widths == [100] && redraws > 0 && feed.chosen == nil, "the frame of the file was never shown")
        item.videoComposition = composition(width: 120)
        await shows(120)
        item.videoComposition = nil
        await shows(320)
        #expect(feed.pull(at: .now()).map { $0.sequence >> 63 } == 0)
        // A composition that the app sets replaces the view's own one, and applies the item's composition too.
        item.videoComposition = composition(width: 140)
        let chosen = PictureComposition()
        defer { chosen.close() }
        feed.compose(with: chosen) {}
        await shows(140)
        #expect(feed.composition === chosen)
    }
}
