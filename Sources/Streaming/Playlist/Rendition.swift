import Foundation

/// `EXT-X-MEDIA`: an alternative of a variant's audio, video, subtitles or captions (RFC 8216 §4.3.4.1).
package struct Rendition: Sendable, Equatable, PlaylistResource {
    package enum Kind: String, Sendable, Equatable {
        case audio = "AUDIO"
        case video = "VIDEO"
        case subtitles = "SUBTITLES"
        case closedCaptions = "CLOSED-CAPTIONS"
    }

    /// What the rendition says about its audio.
    package struct Audio: Sendable, Equatable {
        /// As written: `2`, `6`, `16/JOC`.
        package var channels: String?
        package var bitDepth: Int?
        /// Hertz.
        package var sampleRate: Int?
    }

    package var kind: Kind
    /// As written, variables substituted. Nil: the media are in the variant itself.
    package var uri: String?
    /// The playlist's URL.
    package var base: URL
    package var groupID: String
    /// RFC 5646.
    package var language: String?
    package var assocLanguage: String?
    /// For people. Empty if the author forgot it.
    package var name: String
    package var isDefault = false
    package var isAutoselect = false
    package var isForced = false
    /// `CC1`…`CC4`, `SERVICE1`…`SERVICE63`.
    package var instreamID: String?
    /// Uniform type identifiers, such as `public.accessibility.describes-video`.
    package var characteristics: [String] = []
    package var audio = Audio()
    package var stableRenditionID: String?
    package var otherAttributes: [PlaylistAttribute] = []

    package init(kind: Kind, groupID: String, name: String, uri: String? = nil, base: URL) {
        self.kind = kind
        self.groupID = groupID
        self.name = name
        self.uri = uri
        self.base = base
    }

    package var resourceURI: String? { uri }
    /// Resolved at each call.
    package var url: URL? { url(relativeTo: base) }
    /// How many channels `audio` says it has.
    package var channelCount: Int? {
        audio.channels?.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).first.flatMap { Int($0) }
    }
}
