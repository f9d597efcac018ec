import Foundation

/// A media playlist while it is being parsed.
struct MediaReading {
    /// The playlist without its segments, which are added at the end.
    var playlist: MediaPlaylist
    var hasTargetDuration = false
    var hasMediaSequence = false
    /// The placeholder for a segment's missing duration until all segments have been parsed.
    static let unknownDuration = -1.0
    /// The duration, in seconds, of a segment if the playlist states no duration at all.
    static let usualDuration = 10.0
    /// The segments that were parsed. Reused ones are not included.
    var segments: [MediaSegment] = []
    /// The tags of the segment whose URI has not been read yet, and the tags that apply to all further segments.
    var next = IncompleteSegment()
    var tags = SegmentTags()
    var lastPart: PartialSegment?
    /// Whether a tag of a segment was read. From then on, unknown tags belong to segments too.
    var hasSegmentTags = false
    /// The duration of all segments so far, in seconds.
    var total = 0.0

    /// The indices of the previous playlist's segments that are reused.
    var reused = 0..<0
    /// The index in `segments` before which the reused segments are inserted.
    var reusedIndex = 0
    /// Whether the delta update skips segments that are not known.
    var isDeltaUnusable = false

    var memory = MemoryReading()

    init(url: URL) { playlist = MediaPlaylist(url: url, targetDuration: 0) }

    var segmentCount: Int { segments.count + reused.count }
}

/// The tags before a URI that apply to that segment only.
struct SegmentTags {
    /// The duration, in seconds.
    var duration: Double?
    var title = ""
    var byteRange: (length: Int, offset: Int?)?
}

extension PlaylistParser {
    mutating func readMediaTag(_ tag: PlaylistTag, _ content: Bytes, _ value: Bytes) throws(PlaylistError) {
        switch tag {
        case .extinf, .byteRange, .part, .programDateTime, .key, .map, .discontinuity, .gap, .bitrate:
            media.hasSegmentTags = true
            try readSegmentTag(tag, content, value)
        case .dateRange: try readDateRange(content, value)
        case .endList: media.playlist.isEnded = true
        case .preloadHint, .renditionReport:
            if media.segmentCount > 0 { media.memory.hasTailTags = true }
            try readTailTag(tag, content, value)
        default:
            if media.segmentCount > 0 { media.memory.isRegular = false }
            try readHeadTag(tag, value)
        }
    }

    private mutating func readHeadTag(_ tag: PlaylistTag, _ value: Bytes) throws(PlaylistError) {
        switch tag {
        case .targetDuration:
            guard let duration = value.trimmed.amount else {
                return warn("EXT-X-TARGETDURATION is “\(excerpt(value))”, not a valid number of seconds")
            }
            media.playlist.targetDuration = duration
            media.hasTargetDuration = true
        case .mediaSequence, .discontinuitySequence:
            let name = tag == .mediaSequence ? "EXT-X-MEDIA-SEQUENCE" : "EXT-X-DISCONTINUITY-SEQUENCE"
            guard media.playlist.skipped == nil else { throw failure("\(name) must come before EXT-X-SKIP") }
            guard let number = value.trimmed.integer ?? value.trimmed.wrappedInteger else {
                throw failure("\(name) is “\(excerpt(value))”, not a number")
            }
            if media.segmentCount > 0 {
                // Reused segments already have their numbers, so the text must be parsed again from its beginning.
                guard previous == nil else { throw failure("\(name) must come before the first segment") }
                warn("\(name) must come before the first segment")
                if tag == .mediaSequence, media.hasMediaSequence { return }
            }
            if tag == .mediaSequence {
                media.hasMediaSequence = true
                renumber(from: number)
            } else {
                // Segments with discontinuities may already have been parsed.
                let step = number - media.playlist.discontinuitySequence
                for index in media.segments.indices { media.segments[index].discontinuitySequence += step }
                media.next.discontinuitySequence += step
                media.playlist.discontinuitySequence = number
            }
        case .playlistType: media.playlist.kind = MediaPlaylist.Kind(rawValue: value.trimmed.string.uppercased())
        case .iFramesOnly: media.playlist.isIFramesOnly = true
        case .serverControl:
            readAttributes(value)
            var control = ServerControl()
            control.canBlockReload = attributes.isYes("CAN-BLOCK-RELOAD")
            control.canSkipUntil = attributes.amount("CAN-SKIP-UNTIL")
            control.canSkipDateRanges = attributes.isYes("CAN-SKIP-DATERANGES")
            control.holdBack = attributes.amount("HOLD-BACK")
            control.partHoldBack = attributes.amount("PART-HOLD-BACK")
            media.playlist.lowLatency.serverControl = control
        case .partInf:
            readAttributes(value)
            guard let duration = attributes.amount("PART-TARGET") else {
                return warn("EXT-X-PART-INF has no PART-TARGET in seconds")
            }
            media.playlist.lowLatency.partTargetDuration = duration
        case .skip: try readSkip(value)
        default: break
        }
    }

    /// Numbers the segments from `number` on.
    mutating func renumber(from number: Int) {
        let step = number - media.playlist.mediaSequence
        media.playlist.mediaSequence = number
        media.next.mediaSequence += step
        for index in media.segments.indices { media.segments[index].mediaSequence += step }
        media.memory.renumber(by: step)
    }

    private mutating func readTailTag(_ tag: PlaylistTag, _ content: Bytes, _ value: Bytes) throws(PlaylistError) {
        readAttributes(value)
        guard let uri = try uri("URI") else { return keep(content) }
        if tag == .preloadHint {
            guard let type = try string("TYPE"), let kind = PreloadHint.Kind(rawValue: type) else {
                return keep(content)
            }
            var hint = PreloadHint(kind: kind, uri: uri)
            hint.byteRangeStart = Int64(attributes.integer("BYTERANGE-START") ?? 0)
            hint.byteRangeLength = attributes.integer("BYTERANGE-LENGTH").map { Int64($0) }
            media.playlist.lowLatency.preloadHints.append(hint)
        } else {
            var report = RenditionReport(uri: uri)
            report.lastMediaSequence = attributes.integer("LAST-MSN")
            report.lastPart = attributes.integer("LAST-PART")
            media.playlist.lowLatency.renditionReports.append(report)
        }
    }

    private mutating func readDateRange(_ content: Bytes, _ value: Bytes) throws(PlaylistError) {
        readAttributes(value)
        guard let id = try string("ID") else { return keep(content) }
        var range = DateRange(id: id)
        range.className = try string("CLASS")
        range.startDate = attributes["START-DATE"].flatMap { PlaylistDate.date($0.value.trimmed) }
        range.endDate = attributes["END-DATE"].flatMap { PlaylistDate.date($0.value.trimmed) }
        range.duration = attributes.amount("DURATION")
        range.plannedDuration = attributes.amount("PLANNED-DURATION")
        range.endsOnNext = attributes.isYes("END-ON-NEXT")
        range.cue = try list("CUE")
        range.attributes = try others(than: [
            "ID", "CLASS", "START-DATE", "END-DATE", "DURATION", "PLANNED-DURATION", "END-ON-NEXT", "CUE",
        ])
        media.playlist.dateRanges.append(range)
        media.memory.dateRangeSequences.append(media.next.mediaSequence)
    }

    mutating func finishMedia() throws(PlaylistError) -> MediaPlaylist {
        if !media.isDeltaUnusable { try settleDurations() }
        if !media.hasMediaSequence { numberByPrevious() }
        var playlist = media.playlist
        playlist.common = common
        playlist.incompleteSegment = media.next
        if media.segmentCount == 0 {
            playlist.common.otherTags += playlist.incompleteSegment.otherTags
            playlist.incompleteSegment.otherTags = []
        }
        playlist.segments = media.segments
        // If there is a previous version, the reload computes the start times and keeps those of reused segments.
        if previous == nil { playlist.timeline.append(media.segments[...]) }
        // An ended playlist is not loaded again, so it needs no memory.
        if !playlist.isEnded, !media.isDeltaUnusable {
            playlist.memory = media.memory.finished(lines.text, firstMediaSequence: playlist.mediaSequence)
        }
        return playlist
    }

    /// Derives missing durations from the stated ones: the target duration from the longest segment, and the duration
    /// of a segment from the target duration.
    private mutating func settleDurations() throws(PlaylistError) {
        let allAreZero = media.total == 0
        let hasUnknown = media.segments.contains { $0.duration < 0 || allAreZero }
        guard !media.hasTargetDuration || hasUnknown else { return }
        // The longest segment is known only if all segments have been parsed.
        guard previous == nil else { throw failure("a segment duration or EXT-X-TARGETDURATION is missing") }
        let longest = media.segments.reduce(0) { max($0, $1.duration) }
        if !media.hasTargetDuration {
            guard media.segmentCount > 0 else { throw failure("EXT-X-TARGETDURATION is missing") }
            warn("EXT-X-TARGETDURATION is missing")
            media.playlist.targetDuration = longest > 0 ? longest.rounded(.up) : MediaReading.usualDuration
        }
        // If all durations are zero, they are treated as missing.
        let usual = [media.playlist.targetDuration, longest].first { $0 > 0 } ?? MediaReading.usualDuration
        for index in media.segments.indices
        where media.segments[index].duration < 0 || allAreZero && media.segments[index].duration == 0 {
            media.segments[index].duration = usual
            try addToTotal(usual)
        }
    }
}
