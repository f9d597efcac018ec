/// The tags that media playlists and multivariant playlists have in common (RFC 8216 §4.3.1, §4.3.5).
package struct PlaylistCommon: Sendable, Equatable {
    /// The version from `EXT-X-VERSION`. The default is 1.
    package var version = 1
    /// Whether the playlist has `EXT-X-INDEPENDENT-SEGMENTS`: every segment can be decoded without the others.
    package var isIndependentSegments = false
    package var start: StartOffset?
    package var definitions: [VariableDefinition] = []
    /// The unknown tags of the whole playlist, as written.
    package var otherTags: [String] = []
    /// The warnings about content that contradicts the specification but was accepted.
    package internal(set) var warnings = PlaylistWarnings()

    package init() {}
}
