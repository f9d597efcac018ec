/// What to play: an `http(s)` URL, a `file` URL, a path (absolute, relative or from `~`), or the name of a
/// resource of the app with or without its extension. Blanks around it do not count. How a name is looked up: `SourceResolver`.
public struct SourceName: SettingsConvertible {
    private let name: String
    public init(_ name: String) { self.name = name }
    public func asSettings() -> [Setting] { [.name(name)] }
}

/// The extension of a source whose name has none, without or with its dot. Default: `mp4`.
public struct Ext: SettingsConvertible {
    private let ext: String
    public init(_ ext: String) { self.ext = ext }
    public func asSettings() -> [Setting] { [.ext(ext)] }
}

/// Subtitles over the picture: those of a file, named as a source is (WebVTT, SRT, ASS and what else FFmpeg reads; a name
/// without extension is looked for with `vtt`, `srt`, `ass`, `ssa`), or, without a name or with an empty one, those of the
/// video itself, as they are shown without this setting: what their author marked as the default or forced, until the
/// command `subtitles` says otherwise.
public struct Subtitles: SettingsConvertible {
    private let name: String
    private let style: SubtitleStyle?
    /// The tracks or renditions of the video itself.
    public static let embedded = "embedded:"
    /// - Parameter style: how they look; nil: as their author has it.
    public init(_ name: String = Subtitles.embedded, style: SubtitleStyle? = nil) {
        self.name = name
        self.style = style
    }
    public func asSettings() -> [Setting] { [.subtitles(name)] + (style.map { [.subtitleStyle($0)] } ?? []) }
}
