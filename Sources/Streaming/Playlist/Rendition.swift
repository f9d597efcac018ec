import Foundation

/// An alternative of a variant's audio, video, subtitles or captions, from `EXT-X-MEDIA` (RFC 8216 §4.3.4.1).
package struct Rendition: Sendable, Equatable, PlaylistResource {
    package enum Kind: String, Sendable, Equatable {
        case audio = "AUDIO"
        case video = "VIDEO"
        case subtitles = "SUBTITLES"
        case closedCaptions = "CLOSED-CAPTIONS"
    }

    /// The attributes of an audio rendition.
    package struct Audio: Sendable, Equatable {
        /// The channels as written, such as `2`, `6` or `16/JOC`.
        package var channels: String?
        package var bitDepth: Int?
        /// The sample rate, in hertz.
        package var sampleRate: Int?
    }

    package var kind: Kind
    /// The URI as written, with variables substituted. nil means that the media is in the variant itself.
    package var uri: String?
    /// The URL of the playlist.
    package var base: URL
    package var groupID: String
    /// The language tag (RFC 5646).
    package var language: String?
    package var assocLanguage: String?
    /// The name for users, or an empty string if the playlist states none.
    package var name: String
    package var isDefault = false
    package var isAutoselect = false
    package var isForced = false
    /// The caption service: `CC1`…`CC4` or `SERVICE1`…`SERVICE63`.
    package var instreamID: String?
    /// The uniform type identifiers, such as `public.accessibility.describes-video`.
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
    /// The URL, resolved against `base` at each call.
    package var url: URL? { url(relativeTo: base) }
    /// The number of channels that `audio` states, or nil.
    package var channelCount: Int? {
        audio.channels?.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).first.flatMap { Int($0) }
    }
}
