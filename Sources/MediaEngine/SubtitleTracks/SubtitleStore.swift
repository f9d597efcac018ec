import MediaCore
import Synchronization

/// The cues of a track that have been read so far. Each cue is stored once, however often it is read. Thread-safe.
package final class SubtitleStore: SubtitleSource {
    private struct State {
        /// The cues, sorted by start and then by id.
        var cues: [SubtitleCue] = []
        /// The latest end of all cues up to and including each one, which shows where a backward search can stop.
        var reach: [Int64] = []
        var known: Set<Key> = []
        var nextID = 1
        var version: UInt64 = 1
        var header = SubtitleHeader()
        var headerVersion: UInt64 = 1
        var listeners: [ObjectIdentifier: @Sendable () -> Void] = [:]
        /// The assumed ends of contents, by start. A content has one until an event that ends it is read.
        var assumedEnds: [Int64: Int64] = [:]
        /// The start of the content that the newest event shows, if its end is only assumed.
        var open: Int64?
        /// The media time up to which the track has been read without a jump; `nil` if the reader does not report it.
        var readEnd: Int64?
    }
    private struct Key: Hashable {
        var start: Int64
        var body: SubtitleCue.Body
    }
    private let state = Mutex(State())

    package init() {}

    package var version: UInt64 { state.withLock { $0.version } }
    package var header: (version: UInt64, header: SubtitleHeader) { state.withLock { ($0.headerVersion, $0.header) } }
    /// All cues, sorted by start.
    package var cues: [SubtitleCue] { state.withLock { $0.cues } }

    package func setHeader(_ header: SubtitleHeader) {
        change { state in
            guard state.header != header else { return false }
            state.header = header
            state.headerVersion += 1
            return true
        }
    }

    /// Adds text cues. Ignores cues that are already stored, which are read again after a seek or in the next pass.
    ///
    /// - Returns: The number of cues whose text was cut.
    @discardableResult
    package func add(_ fresh: [SubtitleCue]) -> Int {
        var shortened = 0
        change { state in
            let before = state.cues.count
            var least = Int64.max
            for var cue in fresh where cue.end > cue.start {
                if cue.body.shorten() { shortened += 1 }
                guard state.known.insert(Key(start: cue.start, body: cue.body)).inserted else { continue }
                cue.id = state.nextID
                state.nextID += 1
                state.cues.append(cue)
                least = min(least, cue.start)
            }
            guard state.cues.count > before else { return false }
            // Cues usually arrive in order, so that nothing has to be sorted.
            let index = SubtitleStore.upperBound(state.cues[..<before], least)
            if index < before || !(state.cues[before...].isSorted) {
                state.cues[index...].sort { ($0.start, $0.id) < ($1.start, $1.id) }
            }
            SubtitleStore.measure(&state, from: index)
            return true
        }
        return shortened
    }

    /// Adds the content that a track shows from `start` on. It ends the previous content, and ends when the next
    /// begins.
    ///
    /// - Parameters:
    ///   - body: The content; `nil` if nothing is shown from then on.
    ///   - isEndKnown: Whether the track states `end`. If not, `end` is the latest possible end, and a jump to another
    ///     position ends the content where reading stopped (`endReading()`).
    package func show(_ body: SubtitleCue.Body?, from start: Int64, until end: Int64, isEndKnown: Bool = true) {
        var body = body
        _ = body?.shorten()
        let kept = body
        let assumedEnd = isEndKnown ? nil : end
        change { state in
            state.open = nil
            // The index of the first cue that changes. If content arrives in order, only the last cues change.
            var first = Int.max
            let known = SubtitleStore.upperBound(state.cues[...], start.subtractingSaturating(1_000_000))
            if known < state.cues.count, state.cues[known].start < start.addingSaturating(1_000_000) {
                // The content was read again.
                if let kept, state.cues[known].body == kept { return SubtitleStore.reopen(&state, at: known) }
                SubtitleStore.remove(&state, at: known)
                first = known
            }
            first = min(first, SubtitleStore.end(&state, at: start))
            let place = SubtitleStore.upperBound(state.cues[...], start)
            let end = place < state.cues.count ? min(end, state.cues[place].start) : end
            if let kept, end > start {
                state.cues.insert(SubtitleCue(id: state.nextID, start: start, end: end, body: kept), at: place)
                state.nextID += 1
                state.assumedEnds[start] = assumedEnd
                if !isEndKnown { state.open = start }
                first = min(first, place)
            }
            guard first < Int.max else { return false }
            SubtitleStore.measure(&state, from: first)
            return true
        }
    }

    /// Ends all contents that began before `time` at `time`.
    ///
    /// - Returns: The index of the first changed cue; `Int.max` if there is none.
    private static func end(_ state: inout State, at time: Int64) -> Int {
        var first = Int.max
        var index = upperBound(state.cues[...], time.subtractingSaturating(1))
        while index > 0, state.reach[index - 1] > time {
            index -= 1
            guard state.cues[index].end > time else { continue }
            state.cues[index].end = time
            state.assumedEnds[state.cues[index].start] = nil
            first = index
        }
        return first
    }

    private static func remove(_ state: inout State, at index: Int) {
        state.assumedEnds[state.cues.remove(at: index).start] = nil
        measure(&state, from: index)
    }

    private static func measure(_ state: inout State, from index: Int) {
        state.reach.removeLast(max(0, state.reach.count - index))
        for cue in state.cues[index...] { state.reach.append(max(state.reach.last ?? .min, cue.end)) }
    }

    /// Returns the number of cues that begin at or before `time`.
    private static func upperBound(_ cues: ArraySlice<SubtitleCue>, _ time: Int64) -> Int {
        var low = 0
        var high = cues.endIndex
        while low < high {
            let middle = (low + high) / 2
            if cues[middle].start <= time { low = middle + 1 } else { high = middle }
        }
        return low
    }

    package func cues(at time: Int64) -> [SubtitleCue] {
        state.withLock { state in
            var found: [SubtitleCue] = []
            var index = SubtitleStore.upperBound(state.cues[...], time)
            while index > 0, state.reach[index - 1] > time, found.count < SubtitleCue.mostAtOnce {
                index -= 1
                if state.cues[index].end > time { found.append(state.cues[index]) }
            }
            return found.reversed()
        }
    }

    // MARK: jumps

    /// Begins to read at `time`, after a jump or with a new reader. Content that had been read up to `time` is shown
    /// until its assumed end again.
    package func beginReading(at time: Int64) {
        change { state in
            let isCut = SubtitleStore.cutOpenContent(&state)
            let index = SubtitleStore.upperBound(state.cues[...], time) - 1
            guard index >= 0, state.cues[index].end >= time else { return isCut }
            return SubtitleStore.reopen(&state, at: index) || isCut
        }
    }

    /// Records that the track has been read up to `time`.
    package func didRead(to time: Int64) { state.withLock { $0.readEnd = max($0.readEnd ?? time, time) } }

    /// Ends reading at the current position. The event that ends the newest content may follow there, so the content is
    /// not shown after the time that has been read.
    package func endReading() { change { SubtitleStore.cutOpenContent(&$0) } }

    private static func cutOpenContent(_ state: inout State) -> Bool {
        defer { (state.open, state.readEnd) = (nil, nil) }
        guard let start = state.open, let readEnd = state.readEnd else { return false }
        let index = upperBound(state.cues[...], start) - 1
        guard index >= 0, state.cues[index].start == start, state.cues[index].end > readEnd else { return false }
        guard readEnd > start else {
            remove(&state, at: index)
            return true
        }
        state.cues[index].end = readEnd
        measure(&state, from: index)
        return true
    }

    /// Makes the cue at `index` last until its assumed end or the next content, because it is being read again. Does
    /// nothing if its end is known.
    ///
    /// - Returns: Whether the cue has changed.
    private static func reopen(_ state: inout State, at index: Int) -> Bool {
        let start = state.cues[index].start
        guard let assumed = state.assumedEnds[start] else { return false }
        state.open = start
        let end = index + 1 < state.cues.count ? min(assumed, state.cues[index + 1].start) : assumed
        guard end > state.cues[index].end else { return false }
        state.cues[index].end = end
        measure(&state, from: index)
        return true
    }

    package func setOnChange(_ call: (@Sendable () -> Void)?, for owner: AnyObject) {
        state.withLock { $0.listeners[ObjectIdentifier(owner)] = call }
    }

    private func change(_ body: (inout State) -> Bool) {
        let calls = state.withLock { state -> [@Sendable () -> Void] in
            guard body(&state) else { return [] }
            state.version += 1
            return Array(state.listeners.values)
        }
        for call in calls { call() }
    }
}

extension ArraySlice<SubtitleCue> {
    fileprivate var isSorted: Bool { zip(self, dropFirst()).allSatisfy { ($0.start, $0.id) <= ($1.start, $1.id) } }
}
