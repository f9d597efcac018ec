import Foundation

/// A part of a resource, bytes. `end` never overflows in what the parser makes.
package struct ByteRange: Sendable, Hashable {
    package var offset: Int64
    package var length: Int64

    package init(offset: Int64, length: Int64) {
        self.offset = offset
        self.length = length
    }

    /// One past the last byte.
    package var end: Int64 { offset + length }
}

/// One segment of a media playlist and all that was said about it (RFC 8216 §4.3.2).
package struct MediaSegment: Sendable, Equatable, PlaylistResource {
    /// As written, variables substituted.
    package var uri: String
    /// Seconds.
    package var duration: Double
    /// `EXTINF`'s title; empty if none.
    package var title = ""
    /// §3: its number in the stream.
    package var mediaSequence: Int
    /// §6.2.1: segments with different ones may differ in timestamps, codecs and tracks.
    package var discontinuitySequence = 0
    /// `EXT-X-DISCONTINUITY` stands before it.
    package var isDiscontinuity = false
    /// Nil: the whole resource.
    package var byteRange: ByteRange?
    /// Empty: not encrypted. More than one: the same key in several key formats, take one that you have.
    package var keys: [EncryptionKey] = []
    package var map: InitializationSection?
    /// As stated for this very segment; `MediaPlaylist.date(ofSegmentAt:)` reckons it for the others.
    package var programDateTime: Date?
    /// `EXT-X-GAP`: must not be loaded.
    package var isGap = false
    /// `EXT-X-BITRATE` in force here, bits a second, even where a byte range keeps it from applying.
    package var statedBitrate: Int?
    /// Partial segments (8216bis §4.4.4.9), only near the live edge.
    package var parts: [PartialSegment] = []
    /// Tags before it that this parser does not know, as written.
    package var otherTags: [String] = []

    package init(uri: String, duration: Double, mediaSequence: Int) {
        self.uri = uri
        self.duration = duration
        self.mediaSequence = mediaSequence
    }

    package var resourceURI: String? { uri }
    /// Approximate, bits a second (8216bis §4.4.4.8: not for byte ranges).
    package var bitrate: Int? { byteRange == nil ? statedBitrate : nil }
}

/// `EXT-X-MAP` (RFC 8216 §4.3.2.5). Shared by all segments it applies to; equal by value.
package final class InitializationSection: Sendable, Equatable, PlaylistResource {
    package let uri: String
    package let byteRange: ByteRange?
    /// The keys in force where it was declared; empty: not encrypted.
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

/// `EXT-X-PART` (8216bis §4.4.4.9).
package struct PartialSegment: Sendable, Equatable, PlaylistResource {
    package var uri: String
    /// Seconds.
    package var duration: Double
    package var byteRange: ByteRange?
    /// Contains a picture that can be decoded without another.
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

/// What stands after the last segment: its parts already there, and what will apply to it.
package struct IncompleteSegment: Sendable, Equatable {
    /// The number that it will have.
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
