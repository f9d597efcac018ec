// A reload reuses segments of the previous version. Where the text is the same, they are not parsed again. Where a
// delta update skips them, they are found by their numbers.
extension PlaylistParser {
    /// Reuses segments after the first segment has been parsed. If the previous version has that segment too, and the
    /// same keys and other tags apply from there on, then equal text means equal segments.
    mutating func takeOverAfterFirstSegment() throws(PlaylistError) {
        guard let previous, let first = media.segments.first,
            let index = previous.index(ofMediaSequence: first.mediaSequence)
        else { return }
        let old = previous.segments[index]
        alignDiscontinuities(with: old)
        guard media.playlist.skipped == nil, media.memory.isRegular, media.segments[0].uri == old.uri,
            first.byteRange == old.byteRange,
            first.keys == old.keys, first.map == old.map, first.statedBitrate == old.statedBitrate,
            media.segments[0].discontinuitySequence == old.discontinuitySequence
        else { return }
        media.reused = (index + 1)..<(index + 1)
        media.reusedIndex = 1
        try takeOverSameText(after: index)
    }

    /// Numbers the segments if the server does not send `EXT-X-MEDIA-SEQUENCE`, although its live window moves. If the
    /// previous version has the first segment too, the segment keeps its number. Otherwise it follows the previous
    /// version.
    mutating func numberByPrevious() {
        guard let previous, !previous.segments.isEmpty, media.playlist.skipped == nil, media.reused.isEmpty,
            let first = media.segments.first
        else { return }
        let known = previous.segments.first { $0.uri == first.uri && $0.byteRange == first.byteRange }
        renumber(from: known?.mediaSequence ?? previous.incompleteSegment.mediaSequence)
    }

    /// Corrects the discontinuity sequence if the server does not send `EXT-X-DISCONTINUITY-SEQUENCE` and restarts its
    /// count in every window. The known number of a segment shows how many discontinuities have left the window.
    private mutating func alignDiscontinuities(with old: MediaSegment) {
        guard media.playlist.discontinuitySequence == 0 else { return }
        let shift = old.discontinuitySequence - media.segments[0].discontinuitySequence
        guard shift > 0 else { return }
        media.segments[0].discontinuitySequence += shift
        media.next.discontinuitySequence += shift
        media.playlist.discontinuitySequence += shift
    }

    /// Reads `EXT-X-SKIP` (8216bis §4.4.5.2, §6.3.7), and reuses the skipped segments.
    mutating func readSkip(_ value: Bytes) throws(PlaylistError) {
        readAttributes(value)
        guard media.segmentCount == 0, media.playlist.skipped == nil else {
            throw failure("EXT-X-SKIP must come before the first segment")
        }
        guard let count = attributes.integer("SKIPPED-SEGMENTS"),
            count <= largestPlaylistInteger - media.next.mediaSequence
        else {
            throw failure("EXT-X-SKIP has no SKIPPED-SEGMENTS number")
        }
        var skipped = SkippedSegments(count: count)
        skipped.recentlyRemovedDateRanges = try list("RECENTLY-REMOVED-DATERANGES", separator: "\t")
        media.playlist.skipped = skipped
        guard count > 0 else { return }
        guard let previous else {
            media.next.mediaSequence += count
            return
        }
        guard let begin = previous.index(ofMediaSequence: media.next.mediaSequence),
            count <= previous.segments.count - begin
        else {
            media.isDeltaUnusable = true
            return
        }
        media.reused = begin..<(begin + count)
        media.reusedIndex = 0
        media.memory.firstMarked = previous.segments[begin + count - 1].mediaSequence
        media.memory.marks = [PlaylistMemory.Mark(end: lines.position, line: lines.number)]
        try addToTotal(previous.startTime(ofSegmentAt: begin + count) - previous.startTime(ofSegmentAt: begin))
        setState(after: previous.segments[begin + count - 1])
        try takeOverSameText(after: begin + count - 1)
    }

    /// Compares the text from here on with the text after `previous.segments[index]`, and skips all complete segments
    /// that are equal.
    private mutating func takeOverSameText(after index: Int) throws(PlaylistError) {
        guard let previous, previous.memory.isRegular, common.definitions == previous.common.definitions else { return }
        let memory = previous.memory
        let mark = previous.segments[index].mediaSequence - memory.firstMediaSequence
        guard memory.marks.indices.contains(mark), memory.marks[mark].end <= memory.text.count else { return }
        let begin = memory.marks[mark]
        let common = memory.text.withUnsafeBufferPointer {
            Self.commonLength($0.slice(begin.end), lines.text.slice(lines.position))
        }
        var low = mark
        var high = memory.marks.count
        while high - low > 1 {
            let middle = (low + high) / 2
            if memory.marks[middle].end <= begin.end + common { low = middle } else { high = middle }
        }
        guard low > mark, index + low - mark < previous.segments.count,
            media.segmentCount + low - mark <= Self.mostSegments
        else { return }
        let taken = (index + 1)..<(index + 1 + low - mark)
        let numbers =
            previous.segments[taken.lowerBound].mediaSequence...previous.segments[taken.upperBound - 1].mediaSequence
        try addToTotal(
            previous.startTime(ofSegmentAt: taken.upperBound) - previous.startTime(ofSegmentAt: taken.lowerBound))
        media.reused = media.reused.lowerBound..<taken.upperBound
        let byteShift = lines.position - begin.end
        let lineShift = lines.number - begin.line
        media.memory.marks.reserveCapacity(media.memory.marks.count + taken.count + 16)
        for old in memory.marks[(mark + 1)...low] {
            media.memory.marks.append(PlaylistMemory.Mark(end: old.end + byteShift, line: old.line + lineShift))
        }
        for (range, sequence) in zip(previous.dateRanges, memory.dateRangeSequences) where numbers.contains(sequence) {
            media.playlist.dateRanges.append(range)
            media.memory.dateRangeSequences.append(sequence)
        }
        lines.skip(
            to: PlaylistMemory.Mark(end: memory.marks[low].end + byteShift, line: memory.marks[low].line + lineShift))
        setState(after: previous.segments[taken.upperBound - 1])
    }

    /// Sets the state after a segment that was reused instead of parsed.
    private mutating func setState(after segment: MediaSegment) {
        media.hasSegmentTags = true
        media.next = IncompleteSegment()
        media.next.mediaSequence = segment.mediaSequence + 1
        media.next.discontinuitySequence = segment.discontinuitySequence
        media.next.keys = segment.keys
        media.next.map = segment.map
        media.next.statedBitrate = segment.statedBitrate
        media.lastPart = segment.parts.last
    }

    /// Returns the number of equal bytes at the start of both texts. Compares eight bytes at a time.
    private static func commonLength(_ a: Bytes, _ b: Bytes) -> Int {
        let count = min(a.count, b.count)
        let left = UnsafeRawBufferPointer(a)
        let right = UnsafeRawBufferPointer(b)
        var index = 0
        while index + 8 <= count,
            left.loadUnaligned(fromByteOffset: index, as: UInt64.self)
                == right.loadUnaligned(fromByteOffset: index, as: UInt64.self)
        {
            index += 8
        }
        while index < count, left[index] == right[index] { index += 1 }
        return index
    }
}
