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

/// A part of a playlist that refers to a resource by URI, such as a segment, a key or another playlist.
package protocol PlaylistResource {
    /// The URI as written, with variables substituted. It may be relative, absolute or a `data:` URI; nil means that
    /// there is none.
    var resourceURI: String? { get }
}

extension PlaylistResource {
    /// Returns the URI resolved against the playlist's URL (RFC 3986 §5). The result is not cached.
    ///
    /// The result is nil if there is no URI or it is not valid. It is also nil if a playlist from a server names a file
    /// on this computer.
    package func url(relativeTo base: URL) -> URL? {
        resourceURI.flatMap { try? ResourceReference.resolve($0, in: base) }
    }
}

/// The position at which playback begins, from `EXT-X-START` (RFC 8216 §4.3.5.2).
package struct StartOffset: Sendable, Equatable {
    /// The offset in seconds from the start of the playlist, or from its end if negative.
    package var timeOffset: Double
    /// The value of `PRECISE`: whether playback should begin exactly at the offset, not at the start of its segment.
    package var isPrecise: Bool

    package init(timeOffset: Double, isPrecise: Bool = false) {
        self.timeOffset = timeOffset
        self.isPrecise = isPrecise
    }
}

/// A variable from `EXT-X-DEFINE` (8216bis §4.4.2.3).
package struct VariableDefinition: Sendable, Equatable {
    /// The source of a variable's value.
    package enum Origin: Sendable, Equatable {
        /// The playlist states `NAME` and `VALUE`.
        case value
        /// The value is imported from the multivariant playlist (`IMPORT`).
        case imported
        /// The value comes from the query of the playlist's own URL (`QUERYPARAM`).
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

/// An attribute that this parser does not know. It is kept so that it can be written again.
package struct PlaylistAttribute: Sendable, Hashable {
    package var name: String
    /// The value without its quotes.
    package var value: String
    package var isQuoted: Bool

    package init(name: String, value: String, isQuoted: Bool) {
        self.name = name
        self.value = value
        self.isQuoted = isQuoted
    }
}
