/// Which subtitles are wanted.
public enum SubtitleSelection: Equatable, Sendable {
    /// What the setting `Subtitles(…)` names; else what the file itself marks as its default.
    case automatic
    /// None.
    case off
    /// Those in this language, a BCP 47 tag.
    case language(String)
}
