import Foundation

/// The result of loading a new version of a playlist.
package struct PlaylistReload: Sendable, Equatable {
    /// The relation of the new version to the previous one.
    package enum Verdict: Sendable, Equatable {
        /// The new version has the same content.
        case unchanged
        /// The new version continues the previous one: it adds segments or parts, removes older ones, or ends the
        /// stream.
        case advanced
        /// The new version continues the previous one, but this number of segments appeared and disappeared between the
        /// two loads.
        case missed(Int)
        /// The new version begins or ends before the previous one: it is a stale copy from a cache, or the stream has
        /// restarted. The playlist is not changed; the value is the new version.
        case isOlder(MediaPlaylist)
        /// The segment with this media sequence number is now another resource, which RFC 8216 §6.2.2 forbids. The
        /// playlist is not changed; the value is the new version.
        case changed(mediaSequence: Int, MediaPlaylist)
        /// The delta update skips segments that the previous version does not have. The playlist is not changed; the
        /// whole playlist must be loaded.
        case deltaUnusable
    }

    /// The number of versions in a row that must contradict the known one before the stream counts as restarted. Fewer
    /// contradictions are stale copies from a cache.
    package static let contradictionsOfRestart = 3

    package var verdict: Verdict
    /// The number of segments that were parsed. The others were reused.
    package var segmentsParsed = 0
    /// The number of segments added at the end.
    package var segmentsAdded = 0
    /// The number of segments removed at the beginning.
    package var segmentsRemoved = 0

    package init(verdict: Verdict, segmentsParsed: Int = 0, segmentsAdded: Int = 0, segmentsRemoved: Int = 0) {
        self.verdict = verdict
        self.segmentsParsed = segmentsParsed
        self.segmentsAdded = segmentsAdded
        self.segmentsRemoved = segmentsRemoved
    }
}

extension MediaPlaylist {
    /// Updates this playlist with a newly loaded version, either whole or a delta update. Any thread.
    ///
    /// The cost is that of comparing the texts and parsing the new segments, unless another copy of this value exists.
    /// A playlist that has ended keeps no text to compare with, so the new version is parsed completely.
    /// - Parameters:
    ///   - bytes: The new text, in UTF-8.
    ///   - url: The new text's URL after redirects; nil means that the URL has not changed.
    ///   - variables: The variables of the multivariant playlist, for `IMPORT`.
    /// - Throws: The errors of `Playlist.parse`. The playlist is then not changed.
    package mutating func reload(
        with bytes: some ContiguousBytes, url: URL? = nil, importing variables: [String: String] = [:]
    ) throws(PlaylistError) -> PlaylistReload {
        let url = url ?? self.url
        guard !isSameText(bytes, url: url, variables) else { return PlaylistReload(verdict: .unchanged) }
        var version = try newVersion(bytes, url: url, variables)
        let parsed = version.playlist.segments.count
        if version.isDeltaUnusable { return PlaylistReload(verdict: .deltaUnusable, segmentsParsed: parsed) }

        let end = incompleteSegment.mediaSequence
        let newEnd = version.playlist.incompleteSegment.mediaSequence
        let isShorter =
            newEnd < end
            || (newEnd == end && version.playlist.incompleteSegment.parts.count < incompleteSegment.parts.count)
        if version.playlist.mediaSequence < mediaSequence || isShorter {
            return PlaylistReload(verdict: .isOlder(joined(version)), segmentsParsed: parsed)
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
        if reload.segmentsAdded == 0, reload.segmentsRemoved == 0, hasSameContent(version) {
            reload.verdict = .unchanged
        }
        join(&version)
        return reload
    }

    /// A new version while it is being merged. Its `playlist` contains only the segments that were parsed.
    private struct Version {
        var playlist: MediaPlaylist
        /// The indices of the previous segments that are reused.
        var reused: Range<Int>
        /// The index in the new version's parsed segments before which the reused segments are inserted.
        var reusedIndex: Int
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
                // A byte range may depend on a segment that was reused and not parsed, so the text is parsed again from
                // its beginning. A delta update cannot be parsed alone.
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
            playlist: playlist, reused: parser.media.reused, reusedIndex: parser.media.reusedIndex,
            isDeltaUnusable: parser.media.isDeltaUnusable)
    }

    /// Returns the media sequence number of the first parsed segment that differs from the known one of that number.
    /// Query strings are not compared, because servers renew the tokens in them.
    private func firstChange(in parsed: [MediaSegment]) -> Int? {
        for segment in parsed {
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

    /// Returns whether the new version has the same content. Only called if both have the same media sequence numbers.
    private func hasSameContent(_ version: Version) -> Bool {
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

    /// Replaces this playlist with the new version, and moves as few segments as possible.
    private mutating func join(_ version: inout Version) {
        if version.playlist.skipped != nil { mergeDateRanges(into: &version.playlist) }
        let parsed = version.playlist.segments
        let keepsTimes = keepsStartTimes(version)
        // The arrays are moved out of `self`, so that they are not shared and are modified in place.
        var segments: [MediaSegment] = []
        var timeline = SegmentTimeline()
        swap(&segments, &self.segments)
        swap(&timeline, &self.timeline)
        self = version.playlist
        segments.removeSubrange(version.reused.upperBound...)
        segments.replaceSubrange(..<version.reused.lowerBound, with: parsed[..<version.reusedIndex])
        segments.append(contentsOf: parsed[version.reusedIndex...])
        timeline.truncate(to: keepsTimes ? version.reused.upperBound : 0)
        timeline.append(segments[timeline.count...])
        self.segments = segments
        self.timeline = timeline
        skipped = nil
    }

    /// Returns whether the start times of the reused segments stay valid: no segment before them was removed or
    /// inserted, and the parsed segments before them have the same durations.
    private func keepsStartTimes(_ version: Version) -> Bool {
        guard version.reused.lowerBound == version.reusedIndex else { return false }
        return zip(segments, version.playlist.segments[..<version.reusedIndex]).allSatisfy {
            $0.duration == $1.duration && ($0.programDateTime == nil) == ($1.programDateTime == nil)
        }
    }

    /// Adds the known date ranges that a delta update neither repeats nor removes. The update's own date ranges replace
    /// known ones with the same identifier.
    private func mergeDateRanges(into new: inout MediaPlaylist) {
        let replacedIDs = Set((new.skipped?.recentlyRemovedDateRanges ?? []) + new.dateRanges.map(\.id))
        let kept = dateRanges.filter { !replacedIDs.contains($0.id) }
        // The positions of the older date ranges in a text are no longer known.
        new.memory.dateRangeSequences.insert(contentsOf: repeatElement(-1, count: kept.count), at: 0)
        new.dateRanges.insert(contentsOf: kept, at: 0)
    }
}
