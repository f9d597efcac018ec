import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Timeline")
struct TimelineTests {
    private let entry = PlaybackEntry(id: 1, url: URL(fileURLWithPath: "/none"))
    private func segment(_ index: Int, from media: MediaTime = 0) -> Segment {
        Segment(
            index: index, entry: entry, pass: index, loopNumber: index, mediaStart: media,
            description: ItemDescription())
    }

    @Test("the next segment starts exactly where the previous one ends")
    func seam() throws {
        var timeline = Timeline()
        let (first, second, third) = (segment(0, from: 500), segment(1), segment(2))
        timeline.append(first, at: TimelineTime(nanoseconds: 1_000))
        timeline.append(second, at: nil)
        #expect(timeline[second]?.start == nil)
        let isNews = timeline.resolve(first, mediaEnd: 1_500)
        #expect(isNews)
        #expect(timeline[second]?.start == TimelineTime(nanoseconds: 2_000))
        _ = timeline.resolve(second, mediaEnd: 300)
        timeline.append(third, at: nil)
        #expect(timeline[third]?.start == TimelineTime(nanoseconds: 2_300))
        // An end is decided only once.
        let again = timeline.resolve(first, mediaEnd: 9_000)
        #expect(!again && timeline[first]?.end == TimelineTime(nanoseconds: 2_000))
        #expect(timeline.playing(at: TimelineTime(nanoseconds: 1_999))?.segment === first)
        #expect(timeline.playing(at: TimelineTime(nanoseconds: 2_000))?.segment === second)
        #expect(timeline.playing(at: .min)?.segment === first)
        #expect(timeline[first]?.mediaTime(at: TimelineTime(nanoseconds: 1_200)) == 700)
        #expect(timeline[first]?.mediaTime(at: .max) == 1_500)
    }

    @Test("a fading segment's frames end where the next segment starts")
    func fade() {
        var timeline = Timeline()
        let (first, second) = (segment(0), segment(1))
        timeline.append(first, at: .zero)
        timeline.append(second, at: nil)
        timeline.change(first) { $0.fadesOut = true }
        let isNews = timeline.resolve(first, mediaEnd: 1_000)
        #expect(isNews && timeline[second]?.start == nil)
        timeline.settle(second, at: TimelineTime(nanoseconds: 800))
        #expect(timeline[second]?.start == TimelineTime(nanoseconds: 800))
        #expect(timeline[first]?.videoEnd == TimelineTime(nanoseconds: 800))
        #expect(timeline[first]?.end == TimelineTime(nanoseconds: 1_000))
    }

    @Test("passed segments are kept briefly, and loops stay counted")
    func passed() {
        var timeline = Timeline()
        var all: [Segment] = []
        for index in 0..<40 {
            let next = segment(index)
            all.append(next)
            timeline.append(next, at: index == 0 ? .zero : nil)
            if index < 39 { _ = timeline.resolve(next, mediaEnd: 100) }
            let gone = timeline.removePassed(at: TimelineTime(nanoseconds: Int64(index) * 100))
            #expect(gone.count == (index == 0 ? 0 : 1))
        }
        #expect(timeline.slots.count == 1 && timeline.first?.segment === all[39])
        #expect(timeline[all[38]]?.end == timeline.first?.start)
        #expect(timeline[all[0]] == nil)
        // Loops of removed segments stay counted.
        #expect(timeline.loops(by: .max) == 39)
        timeline.removeAll(at: .max)
        #expect(timeline.loops(by: .max) == 39)
        #expect(timeline.isEmpty && timeline[all[38]] == nil)
    }

    @Test("random operations leave no gap or overlap between segments")
    func interleavings() {
        for seed in SeededRuns.of(4_000) {
            var numbers = SeededNumbers(seed: UInt64(seed))
            var timeline = Timeline()
            var now = TimelineTime.zero
            for index in 0..<30 {
                switch numbers.below(5) as Int {
                case 0, 1:
                    let media = MediaTime(nanoseconds: numbers.below(1_000))
                    timeline.append(segment(index, from: media), at: timeline.isEmpty ? now : nil)
                case 2, 3:
                    guard let place = timeline.slots.first(where: { $0.end == nil }) else { break }
                    let length = MediaTime(nanoseconds: numbers.below(1_000))
                    _ = timeline.resolve(place.segment, mediaEnd: place.segment.mediaStart + length)
                default:
                    now = now + MediaTime(nanoseconds: numbers.below(1_500))
                    _ = timeline.removePassed(at: now)
                }
                for (a, b) in zip(timeline.slots, timeline.slots.dropFirst()) {
                    #expect(b.start == a.end)
                    if let start = a.start, let end = a.end { #expect(end >= start) }
                }
            }
        }
    }
}
