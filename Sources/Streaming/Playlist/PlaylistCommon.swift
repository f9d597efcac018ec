/// What media playlists and multivariant playlists both have (RFC 8216 §4.3.1, §4.3.5).
package struct PlaylistCommon: Sendable, Equatable {
    /// `EXT-X-VERSION`; 1 if not stated.
    package var version = 1
    /// `EXT-X-INDEPENDENT-SEGMENTS`: every segment can be decoded without another.
    package var isIndependentSegments = false
    package var start: StartOffset?
    package var definitions: [VariableDefinition] = []
    /// Tags of the whole playlist that this parser does not know, as written.
    package var otherTags: [String] = []
    /// What was read though it contradicts the specification.
    package internal(set) var warnings = PlaylistWarnings()

    package init() {}
}
