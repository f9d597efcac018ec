/// The kind of playlist, as far as the tags read so far determine it.
struct PlaylistScope {
    /// The kind, or `.both` until the first URI or the first tag that only one kind has.
    private(set) var kind = PlaylistTag.Scope.both
    /// The line that determined `kind`.
    private(set) var line = 0
    /// Whether a decisive tag has determined `kind`.
    private(set) var isCertain = false
    /// Whether the text has any tag that is specific to HLS. A plain list of media (M3U) has none.
    private(set) var hasOwnTags = false

    mutating func sawOwnTag() { hasOwnTags = true }

    /// Records a URI in a playlist that is not multivariant. The URI belongs to a segment.
    mutating func sawSegmentURI(line: Int) { if kind == .both { decide(.media, line: line) } }

    /// Returns whether the tag belongs to the other kind of playlist.
    func excludes(_ tag: PlaylistTag) -> Bool { kind != .both && tag.scope != .both && tag.scope != kind }

    /// Records a tag. Tags of variants and segments determine the kind; of the other tags, the first one does.
    mutating func saw(_ tag: PlaylistTag, line: Int) {
        if kind == .both || tag.isDecisive, kind != tag.scope { decide(tag.scope, line: line) }
        if tag.isDecisive { isCertain = true }
    }

    private mutating func decide(_ kind: PlaylistTag.Scope, line: Int) {
        self.kind = kind
        self.line = line
    }
}
