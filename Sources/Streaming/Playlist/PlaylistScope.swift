/// Which kind of playlist the tags read so far make it.
struct PlaylistScope {
    /// `.both` until the first tag that only one kind has.
    private(set) var kind = PlaylistTag.Scope.both
    /// The line that settled `kind`.
    private(set) var line = 0
    /// Whether a decisive tag has settled `kind`.
    private(set) var isCertain = false
    /// Whether some tag is HLS's own; a plain list of media (M3U) has none.
    private(set) var hasOwnTags = false

    mutating func sawOwnTag() { hasOwnTags = true }

    /// A URI without a tag before it is a segment's.
    mutating func sawSegmentURI() { kind = .media }

    /// Whether the tag belongs to the other kind of playlist.
    func excludes(_ tag: PlaylistTag) -> Bool { kind != .both && tag.scope != .both && tag.scope != kind }

    /// Variants and segments decide; of other tags the first.
    mutating func saw(_ tag: PlaylistTag, line: Int) {
        if kind == .both || tag.isDecisive, kind != tag.scope {
            kind = tag.scope
            self.line = line
        }
        if tag.isDecisive { isCertain = true }
    }
}
