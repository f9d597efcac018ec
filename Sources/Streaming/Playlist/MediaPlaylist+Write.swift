extension MediaPlaylist {
    /// The playlist as text, which `Playlist.parse` reads back as the same value.
    package var text: String {
        var writer = PlaylistWriter()
        writer.head(common)
        writer.line("#EXT-X-TARGETDURATION:" + PlaylistWriter.number(targetDuration))
        if let serverControl = lowLatency.serverControl {
            writer.line("#EXT-X-SERVER-CONTROL:" + serverControl.attributes)
        }
        if let partTargetDuration = lowLatency.partTargetDuration {
            writer.line("#EXT-X-PART-INF:PART-TARGET=" + PlaylistWriter.number(partTargetDuration))
        }
        if mediaSequence != 0 { writer.line("#EXT-X-MEDIA-SEQUENCE:\(mediaSequence)") }
        if discontinuitySequence != 0 { writer.line("#EXT-X-DISCONTINUITY-SEQUENCE:\(discontinuitySequence)") }
        if let kind { writer.line("#EXT-X-PLAYLIST-TYPE:" + kind.rawValue) }
        if isIFramesOnly { writer.line("#EXT-X-I-FRAMES-ONLY") }
        for tag in common.otherTags { writer.line(tag) }
        for range in dateRanges { writer.line("#EXT-X-DATERANGE:" + range.tagAttributes) }
        if let skipped {
            var attributes = AttributeWriter()
            attributes.integer("SKIPPED-SEGMENTS", skipped.count)
            attributes.list("RECENTLY-REMOVED-DATERANGES", skipped.recentlyRemovedDateRanges, separator: "\t")
            writer.line("#EXT-X-SKIP:" + attributes.text)
        }
        var state = SegmentWriting(discontinuitySequence: discontinuitySequence)
        for segment in segments { state.write(segment, to: &writer) }
        state.write(incompleteSegment, to: &writer)
        for hint in lowLatency.preloadHints {
            var attributes = AttributeWriter()
            attributes.plain("TYPE", hint.kind.rawValue)
            attributes.quoted("URI", hint.uri)
            if hint.byteRangeStart != 0 { attributes.plain("BYTERANGE-START", String(hint.byteRangeStart)) }
            attributes.integer("BYTERANGE-LENGTH", hint.byteRangeLength.map { Int($0) })
            writer.line("#EXT-X-PRELOAD-HINT:" + attributes.text)
        }
        for report in lowLatency.renditionReports {
            var attributes = AttributeWriter()
            attributes.quoted("URI", report.uri)
            attributes.integer("LAST-MSN", report.lastMediaSequence)
            attributes.integer("LAST-PART", report.lastPart)
            writer.line("#EXT-X-RENDITION-REPORT:" + attributes.text)
        }
        if isEnded { writer.line("#EXT-X-ENDLIST") }
        return writer.text
    }
}

/// The state that a parser of the written text would have, so that only changes are written.
private struct SegmentWriting {
    var discontinuitySequence: Int
    var keys: [EncryptionKey] = []
    var map: InitializationSection?
    var bitrate: Int?

    mutating func write(_ segment: MediaSegment, to writer: inout PlaylistWriter) {
        var next = IncompleteSegment()
        next.discontinuitySequence = segment.discontinuitySequence
        next.isDiscontinuity = segment.isDiscontinuity
        next.keys = segment.keys
        next.map = segment.map
        next.programDateTime = segment.programDateTime
        next.isGap = segment.isGap
        next.statedBitrate = segment.statedBitrate
        next.parts = segment.parts
        write(next, to: &writer)
        writer.line("#EXTINF:\(PlaylistWriter.number(segment.duration)),\(segment.title)")
        if let range = segment.byteRange { writer.line("#EXT-X-BYTERANGE:\(range.length)@\(range.offset)") }
        // A parser assigns unknown tags to a segment only after a tag of that segment.
        for tag in segment.otherTags { writer.line(tag) }
        writer.line(segment.uri)
    }

    mutating func write(_ next: IncompleteSegment, to writer: inout PlaylistWriter) {
        if next.isDiscontinuity {
            // Several discontinuities in a row count up without a segment between them, so all of them are written.
            let count = min(max(1, next.discontinuitySequence &- discontinuitySequence), 1000)
            for _ in 0..<count { writer.line("#EXT-X-DISCONTINUITY") }
            discontinuitySequence = next.discontinuitySequence
        }
        if let map = next.map, map != self.map {
            write(map.keys, to: &writer)
            var attributes = AttributeWriter()
            attributes.quoted("URI", map.uri)
            attributes.byteRange("BYTERANGE", map.byteRange)
            writer.line("#EXT-X-MAP:" + attributes.text)
            self.map = map
        }
        write(next.keys, to: &writer)
        if let date = next.programDateTime { writer.line("#EXT-X-PROGRAM-DATE-TIME:" + PlaylistDate.text(date)) }
        if next.isGap { writer.line("#EXT-X-GAP") }
        if let bitrate = next.statedBitrate, bitrate != self.bitrate {
            writer.line("#EXT-X-BITRATE:\(bitrate / 1000)")
            self.bitrate = bitrate
        }
        for part in next.parts { writer.line("#EXT-X-PART:" + part.attributes) }
        for tag in next.otherTags { writer.line(tag) }
    }

    /// Writes the keys that have changed. A key replaces the previous one of its format. To remove a key or to change
    /// their order, all keys are removed first.
    private mutating func write(_ keys: [EncryptionKey], to writer: inout PlaylistWriter) {
        guard keys != self.keys else { return }
        if !keys.map(\.keyFormat).starts(with: self.keys.map(\.keyFormat)) {
            writer.line("#EXT-X-KEY:METHOD=NONE")
            self.keys = []
        }
        for (index, key) in keys.enumerated() where index >= self.keys.count || self.keys[index] != key {
            writer.key("EXT-X-KEY", key)
        }
        self.keys = keys
    }
}

extension ServerControl {
    fileprivate var attributes: String {
        var attributes = AttributeWriter()
        // Always written, so that the list of attributes is never empty.
        attributes.plain("CAN-BLOCK-RELOAD", canBlockReload ? "YES" : "NO")
        attributes.number("CAN-SKIP-UNTIL", canSkipUntil)
        attributes.flag("CAN-SKIP-DATERANGES", canSkipDateRanges)
        attributes.number("HOLD-BACK", holdBack)
        attributes.number("PART-HOLD-BACK", partHoldBack)
        return attributes.text
    }
}

extension PartialSegment {
    fileprivate var attributes: String {
        var attributes = AttributeWriter()
        attributes.number("DURATION", duration)
        attributes.quoted("URI", uri)
        attributes.byteRange("BYTERANGE", byteRange)
        attributes.flag("INDEPENDENT", isIndependent)
        attributes.flag("GAP", isGap)
        return attributes.text
    }
}

extension DateRange {
    fileprivate var tagAttributes: String {
        var text = AttributeWriter()
        text.quoted("ID", id)
        text.quoted("CLASS", className)
        text.date("START-DATE", startDate)
        text.list("CUE", cue)
        text.date("END-DATE", endDate)
        text.number("DURATION", duration)
        text.number("PLANNED-DURATION", plannedDuration)
        text.flag("END-ON-NEXT", endsOnNext)
        text.others(attributes)
        return text.text
    }
}
