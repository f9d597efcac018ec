import Foundation

/// A range of bytes of a resource. For ranges that the parser creates, `end` never overflows.
package struct ByteRange: Sendable, Hashable {
    package var offset: Int64
    package var length: Int64

    package init(offset: Int64, length: Int64) {
        self.offset = offset
        self.length = length
    }

    /// The offset after the last byte.
    package var end: Int64 { offset + length }
}

/// A segment of a media playlist, with its tags (RFC 8216 §4.3.2).
package struct MediaSegment: Sendable, Equatable, PlaylistResource {
    /// The URI as written, with variables substituted.
    package var uri: String
    /// The duration, in seconds.
    package var duration: Double
    /// The title from `EXTINF`, or an empty string if there is none.
    package var title = ""
    /// The number of the segment in the stream (RFC 8216 §3).
    package var mediaSequence: Int
    /// The discontinuity sequence number (RFC 8216 §6.2.1). Segments with different numbers may differ in timestamps,
    /// codecs and tracks.
    package var discontinuitySequence = 0
    /// Whether `EXT-X-DISCONTINUITY` precedes the segment.
    package var isDiscontinuity = false
    /// The byte range of the segment, or nil for the whole resource.
    package var byteRange: ByteRange?
    /// The keys, or an empty array if the segment is not encrypted. Several keys are the same key in several key
    /// formats; any supported one may be used.
    package var keys: [EncryptionKey] = []
    package var map: InitializationSection?
    /// The date that this segment itself states. For other segments, `MediaPlaylist.date(ofSegmentAt:)` computes it.
    package var programDateTime: Date?
    /// Whether the segment has `EXT-X-GAP` and must not be loaded.
    package var isGap = false
    /// The value of `EXT-X-BITRATE` at this segment, in bits per second, even if a byte range means that it does not
    /// apply.
    package var statedBitrate: Int?
    /// The partial segments (8216bis §4.4.4.9), which exist only near the live edge.
    package var parts: [PartialSegment] = []
    /// The unknown tags before the segment, as written.
    package var otherTags: [String] = []

    package init(uri: String, duration: Double, mediaSequence: Int) {
        self.uri = uri
        self.duration = duration
        self.mediaSequence = mediaSequence
    }

    package var resourceURI: String? { uri }
}

/// The initialization section from `EXT-X-MAP` (RFC 8216 §4.3.2.5). All segments that it applies to share one object.
/// Objects are compared by value.
package final class InitializationSection: Sendable, Equatable, PlaylistResource {
    package let uri: String
    package let byteRange: ByteRange?
    /// The keys that applied where the section was declared, or an empty array if it is not encrypted. An AES-128 key has
    /// an IV.
    package let keys: [EncryptionKey]

    package init(uri: String, byteRange: ByteRange? = nil, keys: [EncryptionKey] = []) {
        self.uri = uri
        self.byteRange = byteRange
        self.keys = keys
    }

    package var resourceURI: String? { uri }

    package static func == (a: InitializationSection, b: InitializationSection) -> Bool {
        a === b || (a.uri == b.uri && a.byteRange == b.byteRange && a.keys == b.keys)
    }
}

/// A partial segment from `EXT-X-PART` (8216bis §4.4.4.9).
package struct PartialSegment: Sendable, Equatable, PlaylistResource {
    package var uri: String
    /// The duration, in seconds.
    package var duration: Double
    package var byteRange: ByteRange?
    /// Whether the part contains a frame that can be decoded without other frames.
    package var isIndependent = false
    package var isGap = false

    package init(
        uri: String, duration: Double, byteRange: ByteRange? = nil, isIndependent: Bool = false, isGap: Bool = false
    ) {
        self.uri = uri
        self.duration = duration
        self.byteRange = byteRange
        self.isIndependent = isIndependent
        self.isGap = isGap
    }

    package var resourceURI: String? { uri }
}

/// The segment after the last complete one: its parts so far, and the tags that will apply to it.
package struct IncompleteSegment: Sendable, Equatable {
    /// The media sequence number that the segment will have.
    package var mediaSequence = 0
    package var discontinuitySequence = 0
    package var isDiscontinuity = false
    package var keys: [EncryptionKey] = []
    package var map: InitializationSection?
    package var programDateTime: Date?
    package var isGap = false
    package var statedBitrate: Int?
    package var parts: [PartialSegment] = []
    package var otherTags: [String] = []

    package init() {}
}
