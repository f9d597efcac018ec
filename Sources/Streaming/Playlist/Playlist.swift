import Foundation
import MediaCore

/// An HLS playlist (RFC 8216, and its successor draft-pantos-hls-rfc8216bis as deployed).
package enum Playlist: Sendable, Equatable {
    case multivariant(MultivariantPlaylist)
    case media(MediaPlaylist)

    package var url: URL {
        switch self {
        case .multivariant(let playlist): playlist.url
        case .media(let playlist): playlist.url
        }
    }
}

/// What a playlist names by a URI: a segment, a key, another playlist.
package protocol PlaylistResource {
    /// As written, variables substituted: relative, absolute or `data:`. Nil: there is none.
    var resourceURI: String? { get }
}

extension PlaylistResource {
    /// The URI resolved against the playlist's URL (RFC 3986 §5); nil if there is none, it is no URI, or a playlist from
    /// a server names a file on this computer by it. Not cached.
    package func url(relativeTo base: URL) -> URL? {
        resourceURI.flatMap { try? ResourceReference.resolve($0, in: base) }
    }
}

/// Where to begin playing, `EXT-X-START` (RFC 8216 §4.3.5.2).
package struct StartOffset: Sendable, Equatable {
    /// Seconds from the playlist's beginning; negative: from its end.
    package var timeOffset: Double
    /// Show nothing before the offset, although decoding begins at its segment's start.
    package var isPrecise: Bool

    package init(timeOffset: Double, isPrecise: Bool = false) {
        self.timeOffset = timeOffset
        self.isPrecise = isPrecise
    }
}

/// `EXT-X-DEFINE` (8216bis §4.4.2.3).
package struct VariableDefinition: Sendable, Equatable {
    package enum Origin: Sendable, Equatable {
        /// `NAME` and `VALUE`.
        case value
        /// `IMPORT`: from the multivariant playlist.
        case imported
        /// `QUERYPARAM`: from the playlist's own URL.
        case queryParameter
    }
    package var name: String
    package var value: String
    package var origin: Origin

    package init(name: String, value: String, origin: Origin = .value) {
        self.name = name
        self.value = value
        self.origin = origin
    }
}

/// An attribute that this parser does not know, kept to be written again.
package struct PlaylistAttribute: Sendable, Hashable {
    package var name: String
    /// Without its quotes.
    package var value: String
    package var isQuoted: Bool

    package init(name: String, value: String, isQuoted: Bool) {
        self.name = name
        self.value = value
        self.isQuoted = isQuoted
    }
}
