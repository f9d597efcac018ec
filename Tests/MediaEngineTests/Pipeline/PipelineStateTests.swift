import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

/// The tests use no threads and a simulated clock. See `PipelineModel`.
@Suite("Pipeline state")
struct PipelineStateTests {
    /// The requests made to a model, and the rules that hold after any of them.
    private struct Watch {
        let model: PipelineModel
        var nextSeek: UInt64 = 1
        var open: Set<UInt64> = []
        var newestTime = TimelineTime.min
        var position: (segment: Int, media: MediaTime)?
        var shown: (sequence: UInt64, segment: Int)?
        var serial = 0
        var closed = false
        /// The serial in which a failure was reported.
        var failedSerial: Int?

        init(_ model: PipelineModel) { self.model = model }

        mutating func seek(_ entry: PlaybackEntry, to target: MediaTime, within tolerance: MediaTime) {
            open.insert(nextSeek)
            let seek = SeekRequest(
                id: nextSeek, target: target, toleranceBefore: tolerance, toleranceAfter: tolerance, entry: entry)
            nextSeek += 1
            model.state.withLock { $0.seek(seek) }
        }

        /// Checks the rules.
        /// - Returns: the broken rule, or nil.
        mutating func look() -> String? {
            for event in model.events {
                if case .failed = event { failedSerial = model.state.withLock { $0.serial } }
                guard case .seekFinished(let id, _) = event else { continue }
                guard open.remove(id) != nil else { return "seek \(id) was answered twice, or never asked" }
            }
            model.clearEvents()
            let now = model.state.withLock { $0.now }
            if now < newestTime { return "time went back from \(newestTime) to \(now)" }
            newestTime = now
            return model.state.withLock { state in
                if state.serial < serial { return "serial \(state.serial) after \(serial)" }
                serial = state.serial
                // Until the feeder has opened the next entry, the previous content continues to play.
                if state.clock.isRunning, !state.isPrimed, !state.playlist.pendingOpen {
                    return "time runs, and nothing is there to be played"
                }
                if state.clock.isRunning, state.settings.rate == 0 { return "time runs in a pause" }
                if let place = state.playing, let at = state.position() {
                    // A position that ran past the end before the end was known goes back to the end.
                    if let position, position.segment == place.segment.index, at.media < position.media,
                        place.end.map({ at.media < place.mediaTime(at: $0) }) ?? true
                    {
                        return "\(at.media) after \(position.media) in one segment"
                    }
                    position = (place.segment.index, at.media)
                    for (a, b) in zip(state.timeline.slots, state.timeline.slots.dropFirst()) {
                        if let start = b.start, let end = a.videoEnd ?? a.end, start != end { return "a seam" }
                        if b.start != nil, a.end == nil { return "what follows begins before this one's end is known" }
                    }
                }
                if state.isClosed, state.frames.current != nil, closed { return "a picture stands after the end" }
                return nil
            }
        }

        /// Simulates a display refresh and checks the shown frame.
        /// - Returns: the broken rule, or nil.
        mutating func pull() -> String? {
            let picture = model.state.withLock { state -> (UInt64, Int)? in
                guard state.pull(at: model.time.value) != nil, let current = state.frames.current else { return nil }
                return (current.sequence, current.segment.index)
            }
            guard let picture else { return nil }
            if closed { return "a picture is shown after the end" }
            if let shown, picture.0 < shown.sequence { return "picture \(picture.0) after \(shown.sequence)" }
            // Frames prepared ahead have a negative segment index until they are due.
            if let shown, picture.1 >= 0, picture.1 < shown.segment { return "a picture of before the seek" }
            shown = picture
            return nil
        }
    }

    private static let frame = TestPicture.quadrants(width: 16, height: 16)

    // No frame is shown after closing, and an entry that can play reaches its end.
    @Test("random operations answer every seek once and keep time moving forward", arguments: SeededRuns.of(20))
    func interleavings(hundred: Int) throws {
        let frame = try #require(PipelineStateTests.frame)
        for seed in hundred * 100..<hundred * 100 + 100 {
            guard run(seed: UInt64(seed), frame) != nil else { continue }
            // Repeat the failed run with a log of its operations.
            var story: [String] = []
            let wrong = run(seed: UInt64(seed), frame) { story.append($0) }
            Issue.record("seed \(seed), \(wrong ?? "once only"):\n\(story.suffix(25).joined(separator: "\n"))")
        }
    }

    private func run(seed: UInt64, _ frame: VideoFrame, telling tell: ((String) -> Void)? = nil) -> String? {
        var numbers = SeededNumbers(seed: seed)
        let model = PipelineModel(frame: frame)
        var watch = Watch(model)
        let entries = (0..<4).map { _ in model.add(PipelineStateTests.film(&numbers)) }
        model.state.withLock { $0.setPlaylist(Array(entries.prefix(2)), feedsNext: true) }
        for step in 0..<400 {
            let order = numbers.below(1_000) as Int
            var wrong = doOne(order, model, entries, &watch, &numbers)
            if let tell {
                for event in model.events { tell("    \(String(describing: event).prefix(160))") }
                tell("\(step) order \(order): \(model.story)")
            }
            wrong = wrong ?? watch.look()
            if let wrong { return "step \(step), order \(order): \(wrong)" }
        }
        return settle(model, entries, &watch).map { "at the end: \($0)" }
    }

    @Test("concurrent threads answer every seek once and never show older frames")
    func together() throws {
        let frame = try #require(PipelineStateTests.frame)
        for seed in SeededRuns.of(20) {
            var numbers = SeededNumbers(seed: UInt64(seed))
            let model = PipelineModel(frame: frame)
            let entries = (0..<4).map { _ in model.add(PipelineStateTests.film(&numbers)) }
            model.state.withLock { $0.setPlaylist(Array(entries.prefix(3)), feedsNext: true) }
            // Each thread uses only its own part of the model. The shared part is the state, which has a lock.
            nonisolated(unsafe) let parts = model
            let isOver = Boxed(false)
            let newest = Boxed<UInt64>(0)
            let wentBack = Boxed(false)
            let threads = [
                WorkerThread(name: "test-feeder") { while !isOver.value { parts.stepFeeder() } },
                WorkerThread(name: "test-video") { while !isOver.value { parts.stepVideo() } },
                WorkerThread(name: "test-audio") { while !isOver.value { parts.stepAudio() } },
                WorkerThread(name: "test-display") {
                    while !isOver.value {
                        parts.pass(16_000_000)
                        guard let pulled = parts.state.withLock({ $0.pull(at: parts.time.value) }) else { continue }
                        if pulled.sequence < newest.value { wentBack.change { $0 = true } }
                        newest.change { $0 = pulled.sequence }
                    }
                },
            ]
            var asked: UInt64 = 0
            for _ in 0..<400 {
                let entry = entries[numbers.below(entries.count)]
                switch numbers.below(8) as Int {
                case 0: model.state.withLock { $0.setRate([0, 1, 2][numbers.below(3)]) }
                case 1: model.state.withLock { $0.setLoops(entry, numbers.below(2) == 0) }
                case 2:
                    let list = Array(entries.dropFirst(numbers.below(3)))
                    model.state.withLock { $0.setPlaylist(list, feedsNext: true) }
                case 3: model.arrive(entry, 500_000_000)
                default:
                    asked += 1
                    let seek = SeekRequest(
                        id: asked, target: MediaTime(nanoseconds: numbers.below(4_000_000_000)), toleranceBefore: 0,
                        toleranceAfter: 0, entry: entry)
                    model.state.withLock { $0.seek(seek) }
                }
            }
            _ = model.state.withLock { $0.close() }
            isOver.change { $0 = true }
            for thread in threads { thread.join() }
            model.context.close()
            let answers = model.events.compactMap { event -> UInt64? in
                if case .seekFinished(let id, _) = event { id } else { nil }
            }
            #expect(answers.sorted() == Array(1...max(1, asked)), "seed \(seed)")
            #expect(!wentBack.value, "seed \(seed)")
        }
    }

    @Test("a file that cannot be read further fails once and stops looping")
    func breaksOff() throws {
        let model = PipelineModel(frame: try #require(PipelineStateTests.frame))
        var film = PipelineModel.Film()
        film.breaksAt = 1_000_000_000
        let entry = model.add(film)
        model.state.withLock {
            $0.setPlaylist([entry], feedsNext: true)
            $0.setLoops(entry, true)
            $0.setRate(1)
        }
        for _ in 0..<300 {
            for _ in 0..<8 where !model.stepFeeder() { break }
            for _ in 0..<6 {
                model.stepVideo()
                model.stepAudio()
            }
            model.pass(40_000_000)
            _ = model.state.withLock { $0.pull(at: model.time.value) }
        }
        let errors = model.events.compactMap { event -> AVError.Code? in
            if case .failed(let failed, let error) = event, failed === entry { error.code } else { nil }
        }
        #expect(errors == [.readFailed], "\(model.story)")
        model.state.withLock { #expect($0.position()?.isAtEnd == true) }
    }

    @Test("whatever interrupts a loop's restart does not fail the item", arguments: [true, false])
    func interruptedRewind(seeks: Bool) throws {
        let model = PipelineModel(frame: try #require(PipelineStateTests.frame))
        let rewinds = Boxed(0)
        let state = model.state
        let pending = Boxed<PlaybackEntry?>(nil)
        var film = PipelineModel.Film()
        film.onRewind = {
            rewinds.change { $0 += 1 }
            guard rewinds.value == 1, let entry = pending.value else { return nil }
            if seeks { state.withLock { $0.seek(.exact(1_500_000_000, in: entry)) } }
            return AVError(.cancelled, at: "none", reason: "given up", suggestion: "Ask again")
        }
        let entry = model.add(film)
        pending.change { $0 = entry }
        model.state.withLock {
            $0.setPlaylist([entry], feedsNext: true)
            $0.setLoops(entry, true)
            $0.setRate(1)
        }
        #expect(advance(model) { _ in rewinds.value > 0 }, "\(model.story)")
        if seeks { #expect(advance(model) { $0.position()?.media == 1_500_000_000 }, "\(model.story)") }
        #expect(advance(model) { _ in rewinds.value > 2 }, "\(model.story)")
        let failures = model.events.filter { if case .failed = $0 { true } else { false } }
        #expect(failures.isEmpty, "\(failures)")
    }

    @Test("a seek's frame is displayed although the next begins at once")
    func scrubbing() throws {
        let model = PipelineModel(frame: try #require(PipelineStateTests.frame))
        let entry = model.add(PipelineModel.Film())
        model.state.withLock { $0.setPlaylist([entry], feedsNext: true) }
        #expect(advance(model) { $0.frames.current != nil }, "\(model.story)")
        let targets: [MediaTime] = [1_500_000_000, 2_500_000_000, 700_000_000]
        model.state.withLock { $0.seek(.exact(targets[0], in: entry)) }
        for (target, next) in zip(targets, targets.dropFirst()) {
            model.stepFeeder()
            model.state.withLock { $0.seek(.exact(next, in: entry)) }
            // No display pulls before the next seek has begun.
            for _ in 0..<200 where model.state.withLock({ $0.seeks.running?.target != next }) {
                model.stepFeeder()
                model.stepVideo()
                model.stepAudio()
            }
            let media = model.state.withLock { state in
                _ = state.pull(at: model.time.value)
                return state.frames.current?.media
            }
            #expect(media == target, "\(model.story)")
        }
    }

    @Test("a seek to the beginning of a live window stays there")
    func windowStart() throws {
        let model = PipelineModel(frame: try #require(PipelineStateTests.frame))
        var film = PipelineModel.Film()
        film.earliest = 300_000_000
        let entry = model.add(film)
        model.state.withLock {
            $0.setPlaylist([entry], feedsNext: true)
            $0.seek(.exact(300_000_000, in: entry))
            $0.setRate(1)
        }
        #expect(advance(model) { $0.position() != nil && $0.seeks.running == nil && $0.seeks.pending == nil })
        model.state.withLock { state in
            let media = state.position()?.media ?? .max
            #expect((300_000_000...1_000_000_000).contains(media.nanoseconds), "\(media)")
        }
    }

    @Test("an item without packets stops looping")
    func emptyLoop() throws {
        let model = PipelineModel(frame: try #require(PipelineStateTests.frame))
        let entry = model.add(PipelineModel.Film(duration: 0))
        model.state.withLock {
            $0.setPlaylist([entry], feedsNext: true)
            $0.setLoops(entry, true)
            $0.setRate(1)
        }
        #expect(advance(model) { !$0.timeline.isEmpty && $0.feed.isDone }, "\(model.story)")
    }

    // With the longer tick, no display refresh comes between the last frame of the first item and its end.
    @Test("an item without frames shows none, and the next begins in time", arguments: [20_000_000, 130_000_000])
    func withoutFrames(tick: Int64) throws {
        let model = PipelineModel(frame: try #require(PipelineStateTests.frame))
        let entries = [
            model.add(PipelineModel.Film(duration: 500_000_000)),
            model.add(PipelineModel.Film(duration: 1_500_000_000, hasVideo: false)),
            model.add(PipelineModel.Film(duration: 500_000_000)),
        ]
        model.state.withLock {
            $0.setPlaylist(entries, feedsNext: true)
            $0.setRate(1)
        }
        var played: [UInt64] = []
        var shown: [UInt64] = []
        var wrong: [String] = []
        let isAtEnd = advance(model, tick: tick) { state in
            guard let position = state.position() else { return false }
            let entry = position.entry
            if played.last != entry.id { played.append(entry.id) }
            if let frame = state.frames.current {
                if shown.last != frame.segment.entry.id { shown.append(frame.segment.entry.id) }
                if frame.segment.entry !== entry {
                    wrong.append("\(frame.segment.entry.id) in \(entry.id) at \(position.media)")
                }
            }
            return position.isAtEnd
        }
        #expect(isAtEnd && wrong.isEmpty, "\(wrong), \(model.story)")
        #expect(played == entries.map(\.id) && shown == [entries[0].id, entries[2].id], "\(model.story)")
    }

    @Test("dropped frames count only for the item that was displayed")
    func drops() throws {
        let model = PipelineModel(frame: try #require(PipelineStateTests.frame))
        let entries = [model.add(PipelineModel.Film()), model.add(PipelineModel.Film())]
        model.state.withLock {
            $0.setPlaylist(entries, feedsNext: true)
            $0.setRate(1)
        }
        var shown: [UInt64] = []
        for turn in 0..<200 {
            for _ in 0..<8 where !model.stepFeeder() { break }
            for _ in 0..<6 {
                model.stepVideo()
                model.stepAudio()
            }
            model.state.withLock { state in
                _ = state.pull(at: model.time.value)
                if let entry = state.frames.current?.segment.entry, shown.last != entry.id { shown.append(entry.id) }
            }
            // One display refresh, long before the end of the first item, is late.
            model.pass(turn == 40 ? 400_000_000 : 20_000_000)
        }
        #expect(shown == entries.map(\.id), "\(model.story)")
        let total = model.state.withLock { $0.statistics.framesDropped }
        #expect(total > 0 && entries.map(\.droppedFrameCount) == [total, 0], "\(model.story)")
    }

    /// Steps all participants until `condition` holds.
    /// - Parameter tick: The time that passes in a round, in nanoseconds.
    /// - Returns: False if it does not hold within 500 rounds.
    private func advance(
        _ model: PipelineModel, tick: Int64 = 20_000_000, until condition: (inout PipelineState) -> Bool
    ) -> Bool {
        for _ in 0..<500 {
            if model.state.withLock({ condition(&$0) }) { return true }
            for _ in 0..<8 where !model.stepFeeder() { break }
            for _ in 0..<6 {
                model.stepVideo()
                model.stepAudio()
            }
            model.pass(tick)
            _ = model.state.withLock { $0.pull(at: model.time.value) }
        }
        return false
    }

    @Test("a replaced item has no position, even if still in the playlist")
    func replaced() throws {
        let model = PipelineModel(frame: try #require(PipelineStateTests.frame))
        let (old, new) = (model.add(PipelineModel.Film()), model.add(PipelineModel.Film()))
        model.state.withLock {
            $0.setPlaylist([old], feedsNext: true)
            $0.setRate(1)
        }
        #expect(advance(model) { $0.position().map { $0.media > 500_000_000 } ?? false }, "\(model.story)")
        model.state.withLock { state in
            state.setPlaylist([new, old], feedsNext: true)
            #expect(state.position() == nil && state.hostTime(media: 2_000_000_000) == nil)
            #expect(state.hostTime(endOfPass: 0, of: new) == nil)
            // A setting of the replaced item must not seek in it.
            state.setSelection(old, TrackSelection(audio: .stream(7)))
            #expect(state.seeks.pending == nil)
        }
        var played: [UInt64] = []
        let isAtEnd = advance(model) {
            if let entry = $0.position()?.entry, played.last != entry.id { played.append(entry.id) }
            return $0.position()?.isAtEnd == true
        }
        #expect(isAtEnd && played == [new.id, old.id], "\(model.story)")
    }

    /// The moment at which an app selects tracks.
    enum Moment: String, CaseIterable { case opening, seeking, joining, fed }

    @Test("tracks that are selected before an item plays are played", arguments: Moment.allCases)
    func selectedEarly(moment: Moment) throws {
        let model = PipelineModel(frame: try #require(PipelineStateTests.frame))
        let (first, second) = (model.add(PipelineModel.Film(duration: 400_000_000)), model.add(PipelineModel.Film()))
        let entry = moment == .opening ? first : second
        let selection = TrackSelection(audio: .stream(7))
        if moment != .fed {
            model.onOpen = { [state = model.state] opened in
                if opened === entry { state.withLock { $0.setSelection(entry, selection) } }
            }
        }
        model.state.withLock { $0.setPlaylist([first, second], feedsNext: true) }
        if moment == .seeking {
            #expect(advance(model) { $0.position()?.entry === first })
            let seek = SeekRequest(
                id: 1, target: 1_500_000_000, toleranceBefore: 0, toleranceAfter: 0, entry: second)
            model.state.withLock { $0.seek(seek) }
        }
        if moment == .fed {
            #expect(advance(model, tick: 0) { $0.timeline.last?.segment.entry === second }, "\(model.story)")
            model.state.withLock { $0.setSelection(second, selection) }
        }
        model.state.withLock { $0.setRate(1) }
        #expect(advance(model) { $0.position()?.entry === entry && $0.clock.isRunning }, "\(model.story)")
        let read = model.openings.last { $0.entry === entry }?.selection
        #expect(read == selection, "\(model.story)")
        let answers = model.events.compactMap { event -> Bool? in
            if case .seekFinished(1, let completed) = event { completed } else { nil }
        }
        #expect(answers == (moment == .seeking ? [true] : []))
        // The item begins where it would have begun.
        let start = model.state.withLock { $0.playing?.segment.mediaStart }
        #expect(start == (moment == .seeking ? 1_500_000_000 : 0))
    }

    @Test(
        "a target that decoding reaches earlier replaces the running seek", arguments: [2_700_000_000, 2_200_000_000])
    func nearer(target: Int64) throws {
        let model = PipelineModel(frame: try #require(PipelineStateTests.frame))
        let entry = model.add(PipelineModel.Film(duration: 10_000_000_000))
        model.state.withLock { $0.setPlaylist([entry], feedsNext: true) }
        #expect(advance(model) { $0.isPrimed })
        func seek(_ id: UInt64, _ target: MediaTime) {
            let seek = SeekRequest(id: id, target: target, toleranceBefore: 0, toleranceAfter: 0, entry: entry)
            model.state.withLock { $0.seek(seek) }
        }
        seek(1, 2_900_000_000)
        // Decode half of the second from the keyframe to the target.
        var steps = 0
        while model.state.withLock({ $0.feed.videoStart ?? 0 < 2_500_000_000 }), steps < 1_000 {
            model.stepFeeder()
            model.stepVideo()
            steps += 1
        }
        let run = model.state.withLock { $0.run.decodeRun }
        model.clearEvents()
        seek(2, MediaTime(nanoseconds: target))
        model.stepFeeder()
        let isNearer = target > 2_500_000_000
        model.state.withLock { state in
            #expect(state.seeks.running?.id == (isNearer ? 2 : 1))
            #expect(state.run.decodeRun == run, "The packets are not read again.")
        }
        #expect(advance(model) { $0.seeks.running == nil && $0.seeks.pending == nil }, "\(model.story)")
        let answers = model.events.compactMap { event -> [Bool]? in
            if case .seekFinished(let id, let completed) = event { [id == 2, completed] } else { nil }
        }
        #expect(answers == [[false, !isNearer], [true, true]])
        #expect(model.state.withLock { $0.position()?.media } == MediaTime(nanoseconds: target))
    }

    @Test("a request for a future frame moves neither time nor display")
    func future() throws {
        let model = PipelineModel(frame: try #require(PipelineStateTests.frame))
        let entry = model.add(PipelineModel.Film(duration: 10_000_000_000, hasAudio: false))
        model.state.withLock {
            $0.setPlaylist([entry], feedsNext: true)
            $0.setRate(1)
        }
        func isBeyond(_ media: MediaTime) -> Bool {
            advance(model) { $0.position().map { $0.media > media } ?? false && $0.frames.isFull }
        }
        #expect(isBeyond(1_000_000_000), "\(model.story)")
        model.state.withLock { state in
            guard let now = state.position()?.media else {
                Issue.record("nothing plays")
                return
            }
            let (shown, newest) = (state.frames.current?.sequence, state.frames.newest?.sequence)
            let host = model.time.value + 3_000_000_000
            #expect(state.position(at: host)?.media == now + 3_000_000_000)
            let pulled = state.pull(at: host, of: entry)
            #expect(pulled?.sequence == newest)
            #expect(state.position(at: model.time.value - 500_000_000)?.media == now - 500_000_000)
            #expect(state.position()?.media == now && state.frames.current?.sequence == shown)
        }
        let dropped = model.state.withLock { $0.statistics.framesDropped }
        #expect(isBeyond(2_000_000_000), "\(model.story)")
        model.state.withLock { #expect($0.statistics.framesDropped == dropped) }
    }

    private static func film(_ numbers: inout SeededNumbers) -> PipelineModel.Film {
        var film = PipelineModel.Film()
        film.duration = MediaTime(nanoseconds: 300_000_000 + numbers.below(4_000_000_000) as Int64)
        switch numbers.below(4) as Int {
        case 0: film.hasAudio = false
        case 1: film.hasVideo = false
        default: break
        }
        if numbers.below(3) == 0 { film.arrived = Boxed(MediaTime(nanoseconds: numbers.below(2_000_000_000))) }
        switch numbers.below(12) as Int {
        case 0: film.isBroken = true
        case 1: film.breaksAt = 1_000_000_000
        case 2: film.jump = (at: 500_000_000, to: 1_200_000_000)
        default: break
        }
        return film
    }

    /// Does one operation of a thread, the app, the network, the display or the clock.
    private func doOne(
        _ order: Int, _ model: PipelineModel, _ entries: [PlaybackEntry], _ watch: inout Watch,
        _ numbers: inout SeededNumbers
    ) -> String? {
        let state = model.state
        func entry() -> PlaybackEntry { entries[numbers.below(entries.count)] }
        switch order {
        case 0..<260: model.stepFeeder()
        case 260..<460: model.stepVideo()
        case 460..<640: model.stepAudio()
        case 640..<720: model.pass(numbers.below(80_000_000))
        case 720..<780: return watch.pull()
        case 780..<820: state.withLock { $0.setRate([0, 0, 0.5, 1, 1, 2, 8][numbers.below(7)]) }
        case 820..<880:
            let target = MediaTime(nanoseconds: numbers.below(5_000_000_000))
            watch.seek(entry(), to: target, within: [0, 0, 400_000_000, .max][numbers.below(4)])
        case 880..<905:
            let range: ClosedRange<MediaTime>? = numbers.below(2) == 0 ? nil : 400_000_000...900_000_000
            let passes: Int? = numbers.below(2) == 0 ? nil : 1 + numbers.below(4)
            state.withLock { $0.setLoops(entry(), numbers.below(3) > 0, in: range, passes: passes) }
        case 905..<930:
            let first = numbers.below(entries.count) as Int
            let list = entries[first...].prefix(numbers.below(4))
            state.withLock { $0.setPlaylist(Array(list), feedsNext: numbers.below(4) > 0) }
        case 930..<945: _ = state.withLock { $0.stepForward() }
        case 945..<955: state.withLock { $0.setCrossfade([0, 300_000_000, 2_000_000_000][numbers.below(3)]) }
        case 955..<965:
            state.withLock {
                $0.setSelection(entry(), TrackSelection(audio: numbers.below(2) == 0 ? .automatic : .none))
            }
        case 965..<985: model.arrive(entry(), MediaTime(nanoseconds: numbers.below(900_000_000)))
        case 985..<988: state.withLock { $0.beginAtOnce() }
        case 988..<990: state.withLock { $0.refuseClip(of: entry()) }
        case 990..<995: state.withLock { $0.setWaitsForBuffer(numbers.below(2) == 0) }
        case 995..<997: state.withLock { $0.abandon(entry()) }
        case 997 where numbers.below(4) == 0:
            _ = state.withLock { $0.close() }
            model.stepFeeder()
            model.context.close()
            watch.closed = true
        default: model.pass(numbers.below(3_000_000_000))
        }
        return nil
    }

    /// Delivers all data, ends all loops and plays. Checks that every seek is answered and that the end is reached.
    private func settle(_ model: PipelineModel, _ entries: [PlaybackEntry], _ watch: inout Watch) -> String? {
        for entry in entries {
            model.state.withLock { $0.setLoops(entry, false) }
            model.arrive(entry, 100_000_000_000)
        }
        model.state.withLock { $0.setRate(1) }
        for _ in 0..<3_000 {
            for _ in 0..<8 where !model.stepFeeder() { break }
            for _ in 0..<6 {
                model.stepVideo()
                model.stepAudio()
            }
            model.pass(40_000_000)
            if let wrong = watch.pull() ?? watch.look() { return wrong }
            if watch.open.isEmpty, hasEnded(model, watch) { return nil }
        }
        return "seeks \(watch.open.sorted()) not answered, or the end not reached: \(model.story)"
    }

    private func hasEnded(_ model: PipelineModel, _ watch: Watch) -> Bool {
        if watch.closed { return true }
        return model.state.withLock { state in
            if state.playlist.entries.isEmpty { return true }
            // An entry whose failure was reported never plays.
            if state.timeline.isEmpty, watch.failedSerial == state.serial { return true }
            return state.position()?.isAtEnd == true
        }
    }
}
