/// A choice of subtitles.
public enum SubtitleSelection: Equatable, Sendable {
    /// The subtitles of the setting `Subtitles(…)`, or else those that the video itself marks as default.
    case automatic
    /// No subtitles.
    case off
    /// The subtitles in a language, a BCP 47 tag.
    case language(String)
}
