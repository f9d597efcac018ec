import Foundation

/// What to play: an `http(s)` URL, a `file` URL, a path (absolute, relative or from `~`), or the name of a
/// resource of the app with or without its extension. Blanks around it do not count. How a name is looked up:
/// `SourceResolver`.
public struct SourceName: SettingsConvertible {
    private let name: String
    /// - Parameter name: a URL, a path or a resource's name.
    public init(_ name: String) { self.name = name }
    /// `Setting.name`.
    public func asSettings() -> [Setting] { [.name(name)] }
}

/// Several sources, one after the other without a gap; each named as `SourceName` names one. With `Loop()` the list
/// begins anew. The commands `next`, `previous` and `jump(to:)` go about in it. A source that is not found, or cannot
/// be played, is told as an error and passed over. A `SourceName` beside it says with which one to begin; one that is
/// not in the list is put before it.
public struct Playlist: SettingsConvertible {
    private let names: [String]
    /// - Parameter names: in the order they play.
    public init(_ names: [String]) { self.names = names }
    /// `Setting.playlist`.
    public func asSettings() -> [Setting] { [.playlist(names)] }
}

/// What is seen until a source that is opened has a first picture, in place of nothing. It fits its space as the
/// picture does.
public struct Poster: SettingsConvertible, Equatable, Sendable {
    enum Content: Equatable, Sendable {
        case url(URL)
        case image(Image)
    }
    let content: Content
    /// - Parameter url: `file`, `http` or `https`.
    public init(_ url: URL) { content = .url(url) }
    /// - Parameter image: a picture of the app's.
    public init(_ image: Image) { content = .image(image) }
    /// `Setting.poster`.
    public func asSettings() -> [Setting] { [.poster(self)] }
}

/// The extension of a source whose name has none, without or with its dot. Default: `mp4`. Blanks around it do not
/// count.
public struct Ext: SettingsConvertible {
    private let ext: String
    /// - Parameter ext: `mp4` or `.mp4`.
    public init(_ ext: String) { self.ext = ext }
    /// `Setting.ext`.
    public func asSettings() -> [Setting] { [.ext(ext)] }
}

/// Subtitles over the picture: those of a file, named as a source is (WebVTT, SRT, ASS and what else FFmpeg reads; a
/// name without extension is looked for with `vtt`, `srt`, `ass`, `ssa`), or, without a name or with an empty one,
/// those of the video itself: those that `PreferredLanguages` asks for, else, as without this setting, what their
/// author marked as the default or forced. Blanks around the name do not count. The command `subtitles` says otherwise.
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
    /// `Setting.subtitles`, with the style where one was given.
    public func asSettings() -> [Setting] { [.subtitles(name)] + (style.map { [.subtitleStyle($0)] } ?? []) }
}
