import Foundation

/// What a new version of a playlist brought.
package struct PlaylistReload: Sendable, Equatable {
    package enum Verdict: Sendable, Equatable {
        /// It says the same as before.
        case unchanged
        /// It went on as it should: further segments or parts, older ones gone, the end announced.
        case advanced
        /// It went on, but that many segments came and went unseen between the two versions.
        case missed(Int)
        /// It begins or ends before the version that we have: a stale copy from a cache, or the stream began anew.
        /// Ours is kept, this is the other.
        case wentBack(MediaPlaylist)
        /// Under this media sequence number stands another resource than before (RFC 8216 §6.2.2 forbids it).
        /// Ours is kept, this is the other.
        case changed(mediaSequence: Int, MediaPlaylist)
        /// A delta update leaves out segments that we do not have. Ours is kept; load the whole playlist.
        case deltaUnusable
    }

    package var verdict: Verdict
    /// Segments whose text was read; the others were taken over.
    package var segmentsParsed = 0
    /// Segments at the end that were not there before.
    package var segmentsAdded = 0
    /// Segments at the beginning that are no longer there.
    package var segmentsRemoved = 0

    package init(verdict: Verdict, segmentsParsed: Int = 0, segmentsAdded: Int = 0, segmentsRemoved: Int = 0) {
        self.verdict = verdict
        self.segmentsParsed = segmentsParsed
        self.segmentsAdded = segmentsAdded
        self.segmentsRemoved = segmentsRemoved
    }
}

extension MediaPlaylist {
    /// Takes in a newly loaded version of this playlist, whole or a delta update. Any thread.
    ///
    /// Costs comparing the texts and reading the segments that are new, if nobody else holds a copy of this value.
    /// A playlist that has ended keeps no text to compare with and is read anew.
    /// - Throws: as `Playlist.parse`; the playlist is what it was.
    package mutating func reload(
        with bytes: some ContiguousBytes, url: URL? = nil, importing variables: [String: String] = [:]
    ) throws(PlaylistError) -> PlaylistReload {
        let url = url ?? self.url
        guard !isSameText(bytes, url: url, variables) else { return PlaylistReload(verdict: .unchanged) }
        var version = try newVersion(bytes, url: url, variables)
        let parsed = version.playlist.segments.count
        if version.isDeltaUnusable { return PlaylistReload(verdict: .deltaUnusable, segmentsParsed: parsed) }

        let end = trailing.mediaSequence
        let newEnd = version.playlist.trailing.mediaSequence
        let isShorter = newEnd < end || (newEnd == end && version.playlist.trailing.parts.count < trailing.parts.count)
        if version.playlist.mediaSequence < mediaSequence || isShorter {
            return PlaylistReload(verdict: .wentBack(joined(version)), segmentsParsed: parsed)
        }
        if let number = firstChange(in: version.playlist.segments) {
            return PlaylistReload(verdict: .changed(mediaSequence: number, joined(version)), segmentsParsed: parsed)
        }
        var reload = PlaylistReload(verdict: .advanced, segmentsParsed: parsed)
        let oldCount = segments.count
        let kept = max(0, end - max(version.playlist.mediaSequence, end - oldCount))
        reload.segmentsAdded = newEnd - max(end, version.playlist.mediaSequence)
        reload.segmentsRemoved = oldCount - kept
        if version.playlist.mediaSequence > end, oldCount > 0 {
            reload.verdict = .missed(version.playlist.mediaSequence - end)
        }
        if reload.segmentsAdded == 0, reload.segmentsRemoved == 0, saysTheSame(version) { reload.verdict = .unchanged }
        join(&version)
        return reload
    }

    /// A version in the making: its own segments are those that were read.
    private struct Version {
        var playlist: MediaPlaylist
        /// Indices of our segments that stand in it, too, and before which of its own.
        var reused: Range<Int>
        var place: Int
        var isDeltaUnusable: Bool
    }

    private func isSameText(_ bytes: some ContiguousBytes, url: URL, _ variables: [String: String]) -> Bool {
        guard !memory.text.isEmpty, url == self.url else { return false }
        for definition in common.definitions
        where definition.origin == .imported && variables[definition.name] != definition.value { return false }
        return bytes.withUnsafeBytes { text in
            memory.text.withUnsafeBufferPointer { $0.equals(text.bindMemory(to: UInt8.self)) }
        }
    }

    private func newVersion(_ bytes: some ContiguousBytes, url: URL, _ variables: [String: String])
        throws(PlaylistError) -> Version
    {
        let result: Result<Version, PlaylistError> = bytes.withUnsafeBytes { bytes in
            let text = bytes.bindMemory(to: UInt8.self)
            do throws(PlaylistError) {
                return .success(try Self.version(text, url, variables, after: self))
            } catch {
                // A range may go on from something that a segment taken over no longer shows: read from the beginning
                // it says what it says. What leaves segments out cannot be read alone.
                if let whole = try? Self.version(text, url, variables, after: nil), whole.playlist.skipped == nil {
                    return .success(whole)
                }
                return .failure(error)
            }
        }
        return try result.get()
    }

    private static func version(
        _ text: Bytes, _ url: URL, _ variables: [String: String], after previous: MediaPlaylist?
    ) throws(PlaylistError) -> Version {
        var parser = PlaylistParser(text: text, url: url, imports: variables, previous: previous)
        guard case .media(let playlist) = try parser.parse() else { throw .notMedia(url) }
        return Version(
            playlist: playlist, reused: parser.media.reused, place: parser.media.reusedPlace,
            isDeltaUnusable: parser.media.isDeltaUnusable)
    }

    /// The first segment that was read and is another one than ours of that number. Queries are left out of the
    /// comparison: servers renew the tokens in them.
    private func firstChange(in read: [MediaSegment]) -> Int? {
        for segment in read {
            guard let index = index(ofMediaSequence: segment.mediaSequence) else { continue }
            let old = segments[index]
            if segment.uri == old.uri ? segment.byteRange != old.byteRange : !Self.isSameResource(segment, old) {
                return segment.mediaSequence
            }
        }
        return nil
    }

    private static func isSameResource(_ a: MediaSegment, _ b: MediaSegment) -> Bool {
        func path(_ uri: String) -> Substring { uri.prefix { $0 != "?" && $0 != "#" } }
        return a.byteRange == b.byteRange && path(a.uri) == path(b.uri)
    }

    /// Asked only where both have the same numbers.
    private func saysTheSame(_ version: Version) -> Bool {
        guard version.playlist.skipped == nil else { return false }
        for segment in version.playlist.segments {
            guard let index = index(ofMediaSequence: segment.mediaSequence), segments[index] == segment else {
                return false
            }
        }
        var old = self
        var new = version.playlist
        old.segments = []
        new.segments = []
        return old == new
    }

    private func joined(_ version: Version) -> MediaPlaylist {
        var version = version
        var result = self
        result.join(&version)
        return result
    }

    /// Becomes that version; moves as few segments as it can.
    private mutating func join(_ version: inout Version) {
        if version.playlist.skipped != nil { mergeDateRanges(into: &version.playlist) }
        let read = version.playlist.segments
        let keepsBegins = keepsBegins(version)
        // Taken out of ourselves so that nobody shares them and they are changed where they are.
        var segments: [MediaSegment] = []
        var timeline = SegmentTimeline()
        swap(&segments, &self.segments)
        swap(&timeline, &self.timeline)
        self = version.playlist
        segments.removeSubrange(version.reused.upperBound...)
        segments.replaceSubrange(..<version.reused.lowerBound, with: read[..<version.place])
        segments.append(contentsOf: read[version.place...])
        timeline.truncate(to: keepsBegins ? version.reused.upperBound : 0)
        timeline.append(segments[timeline.count...])
        self.segments = segments
        self.timeline = timeline
        skipped = nil
    }

    /// No segment is gone or inserted before those taken over, and what was read before them lasts as long as it did.
    private func keepsBegins(_ version: Version) -> Bool {
        guard version.reused.lowerBound == version.place else { return false }
        return zip(segments, version.playlist.segments[..<version.place]).allSatisfy {
            $0.duration == $1.duration && ($0.programDateTime == nil) == ($1.programDateTime == nil)
        }
    }

    /// A delta update may leave out date ranges as well; those it gives replace ours of the same identifier.
    private func mergeDateRanges(into new: inout MediaPlaylist) {
        let gone = Set((new.skipped?.recentlyRemovedDateRanges ?? []) + new.dateRanges.map(\.id))
        let kept = dateRanges.filter { !gone.contains($0.id) }
        // Where the old ones stand in a text is no longer known.
        new.memory.dateRangePlaces.insert(contentsOf: repeatElement(-1, count: kept.count), at: 0)
        new.dateRanges.insert(contentsOf: kept, at: 0)
    }
}
