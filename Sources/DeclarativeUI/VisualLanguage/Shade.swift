/// The colors other than the accent color. They are part of the visual language (docs/design.md).
///
/// Most of them are lighter or darker than the background, so that each one works in both appearances.
package enum Shade {
    /// The background under the pointer.
    package static let hover = Color.primary.opacity(0.06)
    /// The background of a box around a group of views.
    package static let ground = Color.primary.opacity(0.06)
    /// A line between rows, or at the edge of a bar.
    package static let line = Color.primary.opacity(0.12)
    /// The empty part of a track or ring.
    package static let track = Color.primary.opacity(0.15)
    /// The dot of the shown page, and the dots of the other pages.
    package static let currentDot = Color.primary.opacity(0.9), otherDot = Color.primary.opacity(0.3)
    /// The background of a selected row.
    package static let selection = Color.accentColor.opacity(0.35)

    /// The background of controls over a video or image, in both appearances.
    package static let panel = Color.black.opacity(0.6)
    /// The background of text over a video or image.
    package static let label = Color.black.opacity(0.75)
    /// The cover of a video that is shown elsewhere.
    package static let cover = Color.black.opacity(0.85)
    /// The color of text and symbols over a video or image.
    package static let ink = Color.white
    /// The color of less important text and symbols over a video or image.
    package static let faintInk = Color.white.opacity(0.8)
    /// A track over a video, and the loaded part of it.
    package static let pictureTrack = Color.white.opacity(0.25), pictureLoaded = Color.white.opacity(0.3)

    /// The brightness of a window behind a modal window, as a fraction of its normal brightness.
    package static let behindModal = 0.7
}
