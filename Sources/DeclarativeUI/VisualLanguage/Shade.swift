/// Colours by what they are for, beside the accent: of the visual language (docs/design.md). Lighter or darker ink on
/// whatever is behind, so that each holds in both appearances.
package enum Shade {
    /// Under the pointer.
    package static let hover = Color.primary.opacity(0.06)
    /// A box around what belongs together.
    package static let ground = Color.primary.opacity(0.06)
    /// A line between rows, at a bar's edge.
    package static let line = Color.primary.opacity(0.12)
    /// What a measure has not reached: a ring, a track.
    package static let track = Color.primary.opacity(0.15)
    /// Behind a chosen row.
    package static let selection = Color.accentColor.opacity(0.35)

    /// Behind controls over a picture, whatever the appearance.
    package static let panel = Color.black.opacity(0.6)
    /// Behind words over a picture.
    package static let label = Color.black.opacity(0.75)
    /// Over a picture that is seen elsewhere.
    package static let cover = Color.black.opacity(0.85)
    /// Words and symbols over a picture.
    package static let ink = Color.white
    /// Words and symbols over a picture that matter less.
    package static let faintInk = Color.white.opacity(0.8)
    /// A track over a picture, and what of it has come.
    package static let pictureTrack = Color.white.opacity(0.25), pictureLoaded = Color.white.opacity(0.3)

    /// How bright a window is behind one that has to be answered: 0…1 of its own.
    package static let behindModal = 0.7
}
