import Foundation

/// The variants, renditions and session tags of a presentation (RFC 8216 §4.3.4).
package struct MultivariantPlaylist: Sendable, Equatable {
    /// The URL after redirects, against which relative URIs are resolved.
    package var url: URL
    package var common = PlaylistCommon()
    /// The variants in the playlist's order. Redundant streams are further variants with the same attributes.
    package var variants: [Variant] = []
    /// The variants from `EXT-X-I-FRAME-STREAM-INF` (§4.3.4.3).
    package var iFrameVariants: [Variant] = []
    /// The renditions from `EXT-X-MEDIA` (§4.3.4.1).
    package var renditions: [Rendition] = []
    package var sessionData: [SessionDatum] = []
    /// The keys from `EXT-X-SESSION-KEY` (§4.3.4.5), which can be loaded before any media playlist.
    package var sessionKeys: [EncryptionKey] = []
    package var contentSteering: ContentSteering?

    package init(url: URL) { self.url = url }

    /// The variables that media playlists may import (8216bis §4.4.2.3).
    package var variables: [String: String] {
        Dictionary(common.definitions.map { ($0.name, $0.value) }, uniquingKeysWith: { first, _ in first })
    }

    /// Returns the members of a rendition group, in the playlist's order.
    package func renditions(_ kind: Rendition.Kind, inGroup group: String) -> [Rendition] {
        renditions.filter { $0.kind == kind && $0.groupID == group }
    }

    /// Returns the URL of a resource, resolved against this playlist's URL.
    package func url(of resource: some PlaylistResource) -> URL? { resource.url(relativeTo: url) }
}

/// A datum from `EXT-X-SESSION-DATA` (RFC 8216 §4.3.4.4).
package struct SessionDatum: Sendable, Equatable, PlaylistResource {
    package enum Format: Sendable, Equatable { case json, raw }
    package var dataID: String
    package var value: String?
    package var uri: String?
    /// The format of the resource at `uri`.
    package var format = Format.json
    package var language: String?

    package init(dataID: String, value: String? = nil, uri: String? = nil) {
        self.dataID = dataID
        self.value = value
        self.uri = uri
    }

    package var resourceURI: String? { uri }
}

/// The steering server from `EXT-X-CONTENT-STEERING` (8216bis §4.4.6.6).
package struct ContentSteering: Sendable, Equatable, PlaylistResource {
    package var serverURI: String
    /// The initial pathway, or nil for any.
    package var pathwayID: String?

    package init(serverURI: String, pathwayID: String? = nil) {
        self.serverURI = serverURI
        self.pathwayID = pathwayID
    }

    package var resourceURI: String? { serverURI }
}
