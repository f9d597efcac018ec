/// A tag that this parser reads (RFC 8216 §4.3, 8216bis §4.4).
enum PlaylistTag {
    case extinf, byteRange, part, programDateTime, key, map, discontinuity, gap, bitrate, dateRange
    case targetDuration, mediaSequence, discontinuitySequence, endList, playlistType, iFramesOnly
    case serverControl, partInf, preloadHint, renditionReport, skip
    case media, streamInf, iFrameStreamInf, sessionData, sessionKey, contentSteering
    case version, independentSegments, start, define, extm3u

    enum Scope { case both, media, multivariant }

    /// The kind of playlist in which the tag is allowed. A playlist must not mix both kinds (RFC 8216 §4.1).
    var scope: Scope {
        switch self {
        case .media, .streamInf, .iFrameStreamInf, .sessionData, .sessionKey, .contentSteering: .multivariant
        case .version, .independentSegments, .start, .define, .extm3u: .both
        default: .media
        }
    }

    /// Whether the tag alone determines the kind of playlist, because it describes segments or variants. Other tags
    /// often occur in the wrong kind.
    var isDecisive: Bool {
        switch self {
        case .streamInf, .iFrameStreamInf, .extinf, .part, .skip: true
        default: false
        }
    }

    /// Creates a tag. Returns nil if the name is unknown.
    /// - Parameter name: The name without the number sign.
    init?(_ name: Bytes) {
        for entry in Self.names where name.equals(entry.name) {
            self = entry.tag
            return
        }
        return nil
    }

    // The most frequent tags come first.
    private static let names: [(name: StaticString, tag: PlaylistTag)] = [
        ("EXTINF", .extinf), ("EXT-X-BYTERANGE", .byteRange), ("EXT-X-PART", .part),
        ("EXT-X-PROGRAM-DATE-TIME", .programDateTime), ("EXT-X-KEY", .key), ("EXT-X-DISCONTINUITY", .discontinuity),
        ("EXT-X-STREAM-INF", .streamInf), ("EXT-X-MEDIA", .media), ("EXT-X-I-FRAME-STREAM-INF", .iFrameStreamInf),
        ("EXT-X-MAP", .map), ("EXT-X-GAP", .gap), ("EXT-X-BITRATE", .bitrate), ("EXT-X-DATERANGE", .dateRange),
        ("EXT-X-TARGETDURATION", .targetDuration), ("EXT-X-MEDIA-SEQUENCE", .mediaSequence),
        ("EXT-X-DISCONTINUITY-SEQUENCE", .discontinuitySequence), ("EXT-X-ENDLIST", .endList),
        ("EXT-X-PLAYLIST-TYPE", .playlistType), ("EXT-X-I-FRAMES-ONLY", .iFramesOnly),
        ("EXT-X-SERVER-CONTROL", .serverControl), ("EXT-X-PART-INF", .partInf), ("EXT-X-PRELOAD-HINT", .preloadHint),
        ("EXT-X-RENDITION-REPORT", .renditionReport), ("EXT-X-SKIP", .skip), ("EXT-X-SESSION-DATA", .sessionData),
        ("EXT-X-SESSION-KEY", .sessionKey), ("EXT-X-CONTENT-STEERING", .contentSteering), ("EXT-X-VERSION", .version),
        ("EXT-X-INDEPENDENT-SEGMENTS", .independentSegments), ("EXT-X-START", .start), ("EXT-X-DEFINE", .define),
        ("EXTM3U", .extm3u),
    ]
}
