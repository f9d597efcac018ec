import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

/// The tests use no threads and a simulated clock.
@Suite("Frame queue")
struct FrameQueueTests {
    private static let frame = TestPicture.quadrants(width: 16, height: 16)
    private func segment(_ index: Int, pass: Int = 0, of entry: PlaybackEntry) -> Segment {
        Segment(
            index: index, entry: entry, pass: pass, loopNumber: 0, mediaStart: 0, description: ItemDescription())
    }
    private static let millisecond: MediaTime = 1_000_000

    /// A queue, the frames put into it, and the rules that hold after any operation.
    private struct Model {
        let frame: VideoFrame
        var queue = FrameQueue()
        var statistics = PlaybackStatistics()
        var now = HostTime(nanoseconds: 1_000_000_000), t = TimelineTime.zero
        var speed: Double? = 1
        var segment: Segment
        var nextOut = TimelineTime.zero
        /// The sequence number of each appended frame, with its segment.
        var appended: [UInt64: Int] = [:]
        var last: FrameQueue.Frame?
        var isFresh = true
        var closed = false

        mutating func append() {
            guard !queue.isFull, !closed else { return }
            queue.append(frame, of: segment, media: nextOut - .zero, out: nextOut)
            if let newest = queue.waiting.last { appended[newest.sequence] = segment.index }
        }

        /// Checks a shown frame.
        /// - Returns: the broken rule, or nil.
        mutating func show(_ picture: FrameQueue.Frame?) -> String? {
            defer { last = picture ?? last }
            if closed { return picture == nil ? nil : "shown after the end" }
            guard let picture else {
                return last == nil || queue.waiting.isEmpty ? nil : "nothing is shown though something waits"
            }
            guard let last else { return nil }
            if picture.sequence < last.sequence { return "\(picture.sequence) after \(last.sequence)" }
            if picture.segment === last.segment, picture.out < last.out { return "time went back" }
            if picture.sequence != last.sequence, picture.segment.index < segment.index {
                return "a picture of before the seek is shown after it"
            }
            return nil
        }
    }

    @Test("the first frame of a preloaded item stays until the item begins")
    func held() throws {
        let frame = try #require(FrameQueueTests.frame)
        let old = segment(0, of: PlaybackEntry(id: 1, url: URL(fileURLWithPath: "/old")))
        let new = segment(1, of: PlaybackEntry(id: 2, url: URL(fileURLWithPath: "/new")))
        var queue = FrameQueue()
        var statistics = PlaybackStatistics()
        func add(_ number: Int, of segment: Segment) {
            let media = FrameQueueTests.millisecond * (number * 40)
            queue.append(frame, of: segment, media: media, out: .zero + media)
        }
        func shown(at number: Int) -> Segment? {
            let time = FrameQueueTests.millisecond * (number * 40)
            return queue.pull(
                at: .zero + time, now: HostTime(nanoseconds: time.nanoseconds), speed: 1, &statistics
            ).frame?.segment
        }
        for number in 0..<2 { add(number, of: old) }
        let present = shown(at: 0)
        #expect(present === old)
        queue.hold(frame, of: new, media: 0, out: .zero)
        // The old item's decoder goes on until the new item is opened.
        add(2, of: old)
        let step = queue.step()
        #expect(queue.nextDue == nil && step == nil && !queue.hasNext(dueAt: .zero + 1_000_000_000))
        let held = shown(at: 2)
        #expect(held === new)
        let isAdvanced = queue.advance(to: .zero + 1_000_000_000)
        #expect(!isAdvanced && queue.current?.segment === new)
        queue.restart()
        let kept = shown(at: 3)
        #expect(kept === new && queue.waiting.isEmpty)
        add(0, of: new)
        let first = shown(at: 3)
        #expect(first === new && queue.waiting.isEmpty)
    }

    @Test("a held frame is not dropped if its item begins unseen")
    func heldUnseen() throws {
        let frame = try #require(FrameQueueTests.frame)
        let new = segment(0, of: PlaybackEntry(id: 1, url: URL(fileURLWithPath: "/new")))
        var queue = FrameQueue()
        var statistics = PlaybackStatistics()
        // Frames count as dropped only after an earlier pull.
        _ = queue.pull(at: .zero, now: HostTime(nanoseconds: 0), speed: 1, &statistics)
        queue.hold(frame, of: new, media: 0, out: .zero)
        queue.restart()
        queue.append(frame, of: new, media: 0, out: .zero)
        let pulled = queue.pull(at: .zero, now: HostTime(nanoseconds: 40_000_000), speed: 1, &statistics)
        #expect(pulled.frame?.segment === new)
        expectEqual(statistics.framesDropped, 0)
    }

    @Test("a frame of the next pass that is not due changes nothing")
    func waitingPass() throws {
        let frame = try #require(FrameQueueTests.frame)
        let entry = PlaybackEntry(id: 1, url: URL(fileURLWithPath: "/none"))
        var queue = FrameQueue()
        var statistics = PlaybackStatistics()
        #expect(!queue.hasNext(dueAt: .zero))
        queue.append(frame, of: segment(0, of: entry), media: 460 * Self.millisecond, out: .zero)
        // The first frame is displayed even before it is due.
        #expect(queue.hasNext(dueAt: .zero - Self.millisecond))
        _ = queue.pull(at: .zero, now: HostTime(nanoseconds: 0), speed: nil, &statistics)
        queue.append(frame, of: segment(1, pass: 1, of: entry), media: 0, out: .zero + 40 * Self.millisecond)
        #expect(!queue.hasNext(dueAt: .zero + 39 * Self.millisecond))
        #expect(queue.hasNext(dueAt: .zero + 40 * Self.millisecond))
    }

    // Also, no frame from before a seek follows the seek's first frame, and no frame follows closing.
    @Test("random operations never show a frame early, twice or out of order", arguments: SeededRuns.of(40))
    func interleavings(hundred: Int) throws {
        let frame = try #require(FrameQueueTests.frame)
        for seed in hundred * 100..<hundred * 100 + 100 {
            var numbers = SeededNumbers(seed: UInt64(seed))
            var wrong: String?
            let entry = PlaybackEntry(id: 1, url: URL(fileURLWithPath: "/none"))
            var model = Model(frame: frame, segment: segment(0, of: entry))
            var isOutOfTurn = false
            for step in 0..<80 {
                let what = numbers.below(100)
                switch what {
                case 0..<35:
                    model.append()
                    model.nextOut = model.nextOut + FrameQueueTests.millisecond * Int(numbers.below(50) as UInt64)
                case 35..<60:
                    let before = model.queue.current
                    let isFresh = model.isFresh
                    let (picture, _) = model.queue.pull(
                        at: model.t, now: model.now, speed: model.speed, &model.statistics)
                    if let picture, picture.sequence != before?.sequence {
                        if !isFresh, before != nil, picture.out > model.t {
                            wrong = "shown \(picture.out - model.t) before its time"
                        }
                        model.isFresh = false
                    }
                    wrong = wrong ?? model.show(picture)
                    if let picture, numbers.below(3) > 0 {
                        _ = model.queue.presented(picture.sequence, &model.statistics)
                    }
                case 60..<80:
                    let passed = numbers.below(60_000_000) as Int64
                    model.now = model.now + passed
                    if let speed = model.speed {
                        model.t = model.t + MediaTime(nanoseconds: Int64(Double(passed) * speed))
                    }
                case 80..<85:
                    if model.queue.advance(to: model.t) { model.isFresh = false }
                    wrong = model.show(model.queue.current)
                case 85..<89:
                    model.speed = model.speed == nil ? [0.5, 1, 8][Int(numbers.below(3) as UInt64)] : nil
                case 89..<93:
                    // A seek starts another segment at the current position.
                    model.queue.restart()
                    model.segment = segment(model.segment.index + 1, of: entry)
                    model.nextOut = model.t
                    model.isFresh = true
                case 93..<95:
                    let was = model.queue.current
                    if let picture = model.queue.step() {
                        if was == nil { wrong = "a step from nothing" }
                        isOutOfTurn = true
                        wrong = wrong ?? model.show(picture)
                    }
                case 95..<97:
                    model.queue.cut(at: model.t, before: model.segment)
                    if model.queue.waiting.contains(where: { $0.segment !== model.segment && $0.out >= model.t }) {
                        wrong = "not cut"
                    }
                case 97..<99:
                    let (arrival, isFarBehind) = model.queue.arrival(
                        due: model.nextOut, now: model.t, isRunning: model.speed != nil)
                    if model.speed == nil, arrival != .inTime { wrong = "late though time stands" }
                    if arrival == .inTime, isFarBehind { wrong = "in time and far behind" }
                    if arrival == .tooLate { model.queue.didSkip() }
                default:
                    if step > 60 {
                        model.queue.close()
                        model.closed = true
                    }
                }
                if model.queue.waiting.count > FrameQueue.capacity { wrong = "\(model.queue.waiting.count) wait" }
                if model.statistics.framesShown > model.appended.count { wrong = "more shown than there were" }
                if let wrong {
                    Issue.record("seed \(seed), step \(step), order \(what)\(isOutOfTurn ? ", stepped" : ""): \(wrong)")
                    break
                }
            }
        }
    }

    @Test("a slow decoder drops late frames but still shows some")
    func slowMachine() throws {
        let frame = try #require(FrameQueueTests.frame)
        let segment = segment(0, of: PlaybackEntry(id: 1, url: URL(fileURLWithPath: "/none")))
        var queue = FrameQueue()
        var statistics = PlaybackStatistics()
        var shown: [TimelineTime] = []
        // Decoding takes twice as long as playback, so each frame is as late as its own time.
        for number in 0..<300 {
            let out = TimelineTime(nanoseconds: Int64(number) * 40_000_000)
            let now = TimelineTime(nanoseconds: Int64(number) * 80_000_000)
            switch queue.arrival(due: out, now: now, isRunning: true).0 {
            case .tooLate: queue.didSkip()
            case .inTime, .late: queue.append(frame, of: segment, media: 0, out: out)
            }
            let pulled = queue.pull(at: now, now: HostTime(nanoseconds: now.nanoseconds), speed: 1, &statistics).frame
            if let pulled, shown.last != pulled.out { shown.append(pulled.out) }
        }
        #expect(shown.count > 2 && shown.count < 300 && zip(shown, shown.dropFirst()).allSatisfy { $0 < $1 })
        #expect(shown.count + statistics.framesDropped + queue.unseen >= 299)
    }

    @Test("a late display skips no frame; an absent one counts no drops")
    func lateDisplay() throws {
        let frame = try #require(FrameQueueTests.frame)
        let segment = segment(0, of: PlaybackEntry(id: 1, url: URL(fileURLWithPath: "/none")))
        for isAway in [false, true] {
            var queue = FrameQueue()
            var statistics = PlaybackStatistics()
            var next: Int64 = 0
            var numbers: [UInt64] = []
            func pull(at milliseconds: Int64) -> UInt64? {
                while !queue.isFull {
                    queue.append(frame, of: segment, media: 0, out: TimelineTime(nanoseconds: next))
                    next += 40_000_000
                }
                return queue.pull(
                    at: TimelineTime(nanoseconds: milliseconds * 1_000_000),
                    now: HostTime(nanoseconds: milliseconds * 1_000_000), speed: 1, &statistics
                ).frame?.sequence
            }
            for turn in 0..<30 { numbers += [pull(at: Int64(turn) * 16)].compactMap { $0 } }
            // Frame 13 begins at 480 ms and frame 14 at 520 ms. A refresh at 530 ms still shows 13 first.
            numbers += [pull(at: isAway ? 5_000 : 530)].compactMap { $0 }
            // The decoder has caught up with the display.
            if isAway { next = 5_000_000_000 }
            numbers += [pull(at: isAway ? 5_016 : 546)].compactMap { $0 }
            if isAway {
                #expect(statistics.framesDropped == 0)
            } else {
                #expect(Array(numbers.suffix(2)) == [13, 14] || Array(numbers.suffix(2)) == [14, 15], "\(numbers)")
                #expect(zip(numbers, numbers.dropFirst()).allSatisfy { $1 - $0 <= 1 }, "\(numbers)")
                #expect(statistics.framesDropped == 0)
            }
        }
    }

    @Test("a display that waits for frames shows a missed frame too")
    func waitingDisplay() throws {
        let frame = try #require(FrameQueueTests.frame)
        let segment = segment(0, of: PlaybackEntry(id: 1, url: URL(fileURLWithPath: "/none")))
        var queue = FrameQueue()
        var statistics = PlaybackStatistics()
        var next: Int64 = 0
        var numbers: [UInt64] = []
        queue.displayRefreshes(every: 16_666_667)
        // One pull per frame, except that the display is late at 440 ms, when frame 11 (400 ms) was due.
        for milliseconds in [0, 40, 80, 120, 160, 200, 240, 280, 320, 360, 445, 460, 480] as [Int64] {
            while !queue.isFull {
                queue.append(frame, of: segment, media: 0, out: TimelineTime(nanoseconds: next))
                next += 40_000_000
            }
            let pulled = queue.pull(
                at: TimelineTime(nanoseconds: milliseconds * 1_000_000),
                now: HostTime(nanoseconds: milliseconds * 1_000_000), speed: 1, &statistics)
            numbers += [pulled.frame?.sequence].compactMap { $0 }
        }
        #expect(numbers == Array(1...13))
        expectEqual(statistics.framesDropped, 0)
    }
}
