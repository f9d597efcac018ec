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
    /// - Parameter body: The content; `nil` if nothing is shown from then on.
    package func show(_ body: SubtitleCue.Body?, from start: Int64, until end: Int64) {
        var body = body
        _ = body?.shorten()
        let kept = body
        change { state in
            // The index of the first cue that changes. If content arrives in order, only the last cues change.
            var first = Int.max
            let known = SubtitleStore.upperBound(state.cues[...], start.subtractingSaturating(1_000_000))
            if known < state.cues.count, state.cues[known].start < start.addingSaturating(1_000_000) {
                // The content was read again.
                if let kept, state.cues[known].body == kept { return false }
                state.cues.remove(at: known)
                SubtitleStore.measure(&state, from: known)
                first = known
            }
            var index = SubtitleStore.upperBound(state.cues[...], start.subtractingSaturating(1))
            while index > 0, state.reach[index - 1] > start {
                index -= 1
                guard state.cues[index].end > start else { continue }
                state.cues[index].end = start
                first = min(first, index)
            }
            let place = SubtitleStore.upperBound(state.cues[...], start)
            let end = place < state.cues.count ? min(end, state.cues[place].start) : end
            if let kept, end > start {
                state.cues.insert(SubtitleCue(id: state.nextID, start: start, end: end, body: kept), at: place)
                state.nextID += 1
                first = min(first, place)
            }
            guard first < Int.max else { return false }
            SubtitleStore.measure(&state, from: first)
            return true
        }
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
