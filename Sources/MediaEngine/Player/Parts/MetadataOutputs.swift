import MediaCore
import Streaming

/// The metadata outputs of an item, and the metadata that each of them has reported.
@MainActor
final class MetadataOutputs {
    private let entry: PlaybackEntry
    private let didChange: @MainActor () -> Void
    private var all: [Attached] = []
    private var dateRangeList = DateRangeMetadata.List()

    /// An output, and the metadata that it has reported since the last jump.
    private final class Attached {
        let output: AVPlayerItemMetadataOutput
        /// The number of the delegate that receives the reports.
        var delegateNumber: Int?
        /// The times of the first and the last check.
        var begin: MediaTime?
        var last: MediaTime?
        var events: Set<Int> = []
        var dateRanges: Set<String> = []

        init(_ output: AVPlayerItemMetadataOutput) { self.output = output }

        func restart() { (begin, last, events, dateRanges) = (nil, nil, [], []) }
    }

    /// - Parameter didChange: Called when there may be something new to report.
    init(_ entry: PlaybackEntry, didChange: @escaping @MainActor () -> Void) {
        self.entry = entry
        self.didChange = didChange
    }

    var isEmpty: Bool { all.isEmpty }

    /// Adds `output`. Ignores an output that has been added before.
    func add(_ output: AVPlayerItemMetadataOutput) {
        guard !all.contains(where: { $0.output === output }) else { return }
        all.append(Attached(output))
        let notify: @Sendable () -> Void = { [weak self] in Task { @MainActor in self?.didChange() } }
        output.setOnChange(notify)
        if all.count == 1 { entry.metadata.setOnChange(notify) }
        didChange()
    }

    /// Removes `output`. Ignores an output that is not attached.
    func remove(_ output: AVPlayerItemMetadataOutput) {
        guard all.contains(where: { $0.output === output }) else { return }
        all.removeAll { $0.output === output }
        output.setOnChange(nil)
        if all.isEmpty { entry.metadata.setOnChange(nil) }
    }

    /// Checks the date ranges again, because the playlist of a stream may have new ones.
    func bufferChanged() { if !all.isEmpty, entry.session?.buffer.dateRanges.isEmpty == false { didChange() } }

    /// Begins again after a jump. Everything that applies at the new time is reported again.
    func flush() {
        for attached in all {
            attached.restart()
            if attached.output.delegateNumber != nil { attached.output.flush() }
        }
    }

    /// Begins again, because no player plays the item any more.
    func leave() { for attached in all { attached.restart() } }

    /// Returns the next time after `time` at which something has to be reported; nil without outputs or metadata.
    func nextDue(after time: MediaTime) -> MediaTime? {
        guard !all.isEmpty else { return nil }
        let starts = entry.metadata.events.map(\.time) + dateRanges.map(\.start)
        return all.compactMap { attached -> MediaTime? in
            let advance = attached.output.advance
            return starts.lazy.map { $0 - advance }.filter { $0 > time }.min()
        }.min()
    }

    /// Reports the metadata that playback has reached at `time`.
    func deliver(at time: CMTime) {
        guard !all.isEmpty, let now = MediaTime(time) else { return }
        let (events, ranges) = (entry.metadata.events, dateRanges)
        for attached in all {
            guard let number = attached.output.delegateNumber else { continue }
            // A new pass of a loop begins without a jump.
            let isEarlier = attached.last.map { now < $0 } ?? false
            if isEarlier || attached.delegateNumber != number { attached.restart() }
            attached.delegateNumber = number
            let groups = due(events, for: attached, at: now) + due(ranges, for: attached, at: now)
            attached.last = now
            if !groups.isEmpty {
                attached.output.report(groups.sorted { $0.timeRange.start < $1.timeRange.start })
            }
        }
    }

    /// Returns the events that have begun since the first check, and the newest one before it.
    private func due(_ events: [TimedMetadata.Event], for attached: Attached, at now: MediaTime)
        -> [AVTimedMetadataGroup]
    {
        let begin = attached.begin ?? now
        attached.begin = begin
        let first = events.last { $0.time <= begin }?.time ?? begin
        let limit = now + attached.output.advance
        let checked = attached.last ?? now
        let due = events.filter { event in
            guard event.time >= first, event.time <= limit, !attached.events.contains(event.number) else {
                return false
            }
            guard let duration = event.duration else { return true }
            return event.time + duration > checked
        }
        attached.events.formUnion(due.map(\.number))
        return due.map(\.group)
    }

    /// Returns the date ranges that have begun and had not ended at the last check.
    private func due(_ ranges: [DateRangeMetadata], for attached: Attached, at now: MediaTime)
        -> [AVTimedMetadataGroup]
    {
        let limit = now + attached.output.advance
        let checked = attached.last ?? now
        let due = ranges.filter { range in
            range.start <= limit && range.end ?? .max > checked && !attached.dateRanges.contains(range.id)
        }
        attached.dateRanges.formUnion(due.map(\.id))
        return due.map(\.group)
    }

    private var dateRanges: [DateRangeMetadata] {
        guard let session = entry.session else { return [] }
        dateRangeList.update(session.buffer)
        return dateRangeList.all
    }
}
