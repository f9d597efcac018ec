/// The information in a media playlist for low-latency playback (8216bis §4.4.3, §4.4.5).
package struct LowLatency: Sendable, Equatable {
    package var serverControl: ServerControl?
    /// The target duration of parts from `EXT-X-PART-INF`, in seconds.
    package var partTargetDuration: Double?
    package var preloadHints: [PreloadHint] = []
    package var renditionReports: [RenditionReport] = []

    package init() {}
}

/// The server's capabilities from `EXT-X-SERVER-CONTROL` (8216bis §4.4.3.8). Durations are in seconds.
package struct ServerControl: Sendable, Equatable {
    /// Whether the server can delay its response to a request with `_HLS_msn` and `_HLS_part` until that segment or
    /// part is available.
    package var canBlockReload = false
    /// The distance from the playlist's end beyond which delta updates skip segments. nil means no delta updates.
    package var canSkipUntil: Double?
    /// Whether delta updates may also skip date ranges.
    package var canSkipDateRanges = false
    /// The minimum distance of playback from the playlist's end. nil means three target durations.
    package var holdBack: Double?
    /// The minimum distance of playback from the playlist's end in low-latency mode. nil means three part durations.
    package var partHoldBack: Double?

    package init() {}
}

/// A resource that the server will soon publish, from `EXT-X-PRELOAD-HINT` (8216bis §4.4.5.3).
package struct PreloadHint: Sendable, Equatable, PlaylistResource {
    package enum Kind: String, Sendable, Equatable {
        case part = "PART"
        case map = "MAP"
    }
    package var kind: Kind
    package var uri: String
    /// The offset of the first byte.
    package var byteRangeStart: Int64 = 0
    /// The length in bytes, or nil for the rest of the resource.
    package var byteRangeLength: Int64?

    package init(kind: Kind, uri: String) {
        self.kind = kind
        self.uri = uri
    }

    package var resourceURI: String? { uri }
}

/// The progress of another rendition's playlist, from `EXT-X-RENDITION-REPORT` (8216bis §4.4.5.4).
package struct RenditionReport: Sendable, Equatable, PlaylistResource {
    package var uri: String
    /// The media sequence number of its last segment.
    package var lastMediaSequence: Int?
    /// The index, from 0, of its last part in that segment.
    package var lastPart: Int?

    package init(uri: String) { self.uri = uri }

    package var resourceURI: String? { uri }
}

/// The segments that a delta update skips, from `EXT-X-SKIP` (8216bis §4.4.5.2).
package struct SkippedSegments: Sendable, Equatable {
    package var count: Int
    package var recentlyRemovedDateRanges: [String] = []

    package init(count: Int) { self.count = count }
}
