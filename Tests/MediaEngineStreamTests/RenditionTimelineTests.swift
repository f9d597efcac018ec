import CFFmpeg
import Foundation
import MediaCore
import Testing

@testable import MediaEngine
@testable import Streaming

@Suite("Timeline of a rendition")
struct RenditionTimelineTests {
    private typealias Found = RenditionTimeline.Found

    private func seconds(_ count: Int64) -> MediaTime { MediaTime(nanoseconds: count * 1_000_000_000) }
    private func segment(_ start: Int64, lasting duration: Int64 = 4) -> StreamSegment {
        StreamSegment(
            run: .init(source: "s", discontinuity: 0, map: ""), variant: 0, mediaSequence: 0,
            start: start * 1_000_000_000, duration: duration * 1_000_000_000, discontinuity: 0, initialization: nil,
            buffer: SegmentBuffer(gate: StreamGate()), name: "s", sampleKey: nil)
    }
    private func times(_ timestamp: MediaTime, isVideo: Bool = true) -> RenditionTimeline.Times {
        RenditionTimeline.Times(timestamp: timestamp, length: 40_000_000, isVideo: isVideo)
    }
    private func ends(_ end: Int64) -> ReadEnds {
        var ends = ReadEnds()
        ends.didReturn(isVideo: true, until: seconds(end))
        return ends
    }

    /// A timeline with its shared offsets, for containers of video and audio.
    private struct Rendition {
        var timeline = RenditionTimeline()
        var shared: RenditionTimeline.Offsets = [:]

        mutating func offset(
            _ packet: RenditionTimeline.Times, _ segment: StreamSegment, after ends: ReadEnds = ReadEnds(),
            isOverdue: Bool = false
        ) -> Found? {
            timeline.offset(
                for: packet, in: segment, after: ends, hasVideo: true, isOverdue: isOverdue, shared: &shared)
        }
        mutating func bridge(
            _ offset: MediaTime, _ packet: RenditionTimeline.Times, _ segment: StreamSegment, after end: MediaTime
        ) -> MediaTime {
            timeline.bridge(offset, for: packet, in: segment, after: end, shared: &shared)
        }
    }

    @Test("the offset of the first frame applies to the segments that follow")
    func continuous() {
        var rendition = Rendition()
        let first = rendition.offset(times(seconds(100)), segment(0))
        let second = rendition.offset(times(seconds(104)), segment(4), after: ends(4))
        #expect(first == Found(offset: seconds(-100), origin: .first))
        #expect(second == Found(offset: seconds(-100), origin: .known))
    }

    @Test("audio waits for the first frame until it is overdue")
    func audio() {
        var rendition = Rendition()
        let packet = times(seconds(100), isVideo: false)
        let waiting = rendition.offset(packet, segment(0))
        let overdue = rendition.offset(packet, segment(0), isOverdue: true)
        #expect(waiting == nil && overdue == Found(offset: seconds(-100), origin: .first))
    }

    @Test("timestamps that restart continue at the end of the segment before")
    func restart() {
        var rendition = Rendition()
        let (first, second) = (segment(0), segment(4))
        _ = rendition.offset(times(seconds(100)), first)
        let restarted = rendition.offset(times(0), second, after: ends(5))
        #expect(restarted == Found(offset: seconds(5), origin: .restart))
        let late = rendition.offset(times(seconds(103)), first, after: ends(5))
        #expect(late == Found(offset: seconds(-100), origin: .known))
        #expect(rendition.timeline.restarts(in: second) && !rendition.timeline.restarts(in: first))
    }

    @Test("timestamps of a transport stream wrap around")
    func wrapAround() throws {
        let period = try #require(MediaTime(stamp: 1 << 33, base: RenditionTimeline.ticks))
        var rendition = Rendition()
        rendition.timeline.beginContainer(isTransportStream: true, isPacked: false)
        _ = rendition.offset(times(period - seconds(2)), segment(0, lasting: 2))
        let next = rendition.offset(times(0), segment(2), after: ends(2))
        #expect(next == Found(offset: seconds(2), origin: .known))
    }

    @Test("another rendition uses the offset of its discontinuity")
    func shared() {
        var (video, audio) = (Rendition(), Rendition())
        _ = video.offset(times(seconds(100)), segment(0))
        audio.shared = video.shared
        let found = audio.offset(times(seconds(100), isVideo: false), segment(0))
        #expect(found == Found(offset: seconds(-100), origin: .known))
        let metadata = audio.timeline.mediaTime(of: seconds(102), in: segment(0), shared: audio.shared)
        let unknown = audio.timeline.mediaTime(of: seconds(102), in: segment(0), shared: [:])
        #expect(metadata == seconds(2) && unknown == nil)
    }

    @Test("a jump within a container gets its own offset")
    func jump() {
        var rendition = Rendition()
        let segment = segment(0, lasting: 60)
        let old = seconds(-100)
        _ = rendition.offset(times(seconds(100)), segment)
        let before = rendition.bridge(old, times(seconds(100)), segment, after: seconds(8))
        let after = rendition.bridge(old, times(seconds(5)), segment, after: seconds(8))
        #expect(before == old && after == seconds(3) && rendition.timeline.restarts(in: segment))
        let known = rendition.offset(times(seconds(6)), segment)
        #expect(known?.offset == seconds(3))
        // A packet from before the jump.
        let interleaved = rendition.bridge(seconds(3), times(seconds(101)), segment, after: seconds(8))
        #expect(interleaved == old)
    }
}
