/// What a media playlist says for playing near its end (8216bis §4.4.3, §4.4.5).
package struct LowLatency: Sendable, Equatable {
    package var serverControl: ServerControl?
    /// `EXT-X-PART-INF`, seconds.
    package var partTargetDuration: Double?
    package var preloadHints: [PreloadHint] = []
    package var renditionReports: [RenditionReport] = []

    package init() {}
}

/// `EXT-X-SERVER-CONTROL` (8216bis §4.4.3.8). Durations in seconds.
package struct ServerControl: Sendable, Equatable {
    /// The server answers `_HLS_msn` and `_HLS_part` when that segment or part is there.
    package var canBlockReload = false
    /// Delta updates leave out segments further from the end than this; nil: it makes none.
    package var canSkipUntil: Double?
    /// Delta updates may leave out date ranges, too.
    package var canSkipDateRanges = false
    /// How far from the end playing may come; nil: three target durations.
    package var holdBack: Double?
    /// The same in low-latency mode.
    package var partHoldBack: Double?

    package init() {}
}

/// `EXT-X-PRELOAD-HINT` (8216bis §4.4.5.3).
package struct PreloadHint: Sendable, Equatable, PlaylistResource {
    package enum Kind: String, Sendable, Equatable {
        case part = "PART"
        case map = "MAP"
    }
    package var kind: Kind
    package var uri: String
    /// First byte.
    package var byteRangeStart: Int64 = 0
    /// Bytes; nil: to the end of the resource.
    package var byteRangeLength: Int64?

    package init(kind: Kind, uri: String) {
        self.kind = kind
        self.uri = uri
    }

    package var resourceURI: String? { uri }
}

/// `EXT-X-RENDITION-REPORT` (8216bis §4.4.5.4): how far another rendition's playlist is.
package struct RenditionReport: Sendable, Equatable, PlaylistResource {
    package var uri: String
    /// Media sequence number of its last segment.
    package var lastMediaSequence: Int?
    /// Number, from 0, of its last part in that segment.
    package var lastPart: Int?

    package init(uri: String) { self.uri = uri }

    package var resourceURI: String? { uri }
}

/// `EXT-X-SKIP` (8216bis §4.4.5.2): what a delta update leaves out.
package struct SkippedSegments: Sendable, Equatable {
    package var count: Int
    package var recentlyRemovedDateRanges: [String] = []

    package init(count: Int) { self.count = count }
}
