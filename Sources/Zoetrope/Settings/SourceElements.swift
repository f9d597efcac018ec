import Foundation

/// The name of the source to play.
///
/// ```swift
/// ExtVideoPlayer { VideoSettings { SourceName("https://example.com/live/main.m3u8") } }
/// ```
/// A name is a URL (`http`, `https` or `file`), a path (absolute, relative or from `~`), or the name of an app's
/// resource. A resource can be named with or without its extension. White space around the name is removed.
/// `SourceResolver` describes how a name is resolved.
public struct SourceName: SettingsConvertible {
    private let name: String
    /// Creates the setting.
    /// - Parameter name: A URL, a path or the name of a resource.
    public init(_ name: String) { self.name = name }
    /// Returns `Setting.name`.
    public func asSettings() -> [Setting] { [.name(name)] }
}

/// Several sources that play one after the other without a gap.
///
/// ```swift
/// @State private var index = 0
/// private let parts = ["part1.mp4", "part2.mp4", "part3.mp4"]
///
/// var body: some View {
///     VStack {
///         ExtVideoPlayer({ VideoSettings { Playlist(parts) } }, command: .constant(.jump(to: index)))
///         Button("Next") { index = (index + 1) % parts.count }
///     }
/// }
/// ```
/// With `Loop()`, the list starts again after its end. The commands `next`, `previous` and `jump(to:)` move in the
/// list. A source that is not found or can't be played is reported as an error and skipped. If there is also a
/// `SourceName`, playback begins with that source. If the list does not contain it, it is inserted at the start.
public struct Playlist: SettingsConvertible {
    private let names: [String]
    /// Creates the setting.
    /// - Parameter names: The names of the sources in the order in which they play, each as in `SourceName`.
    public init(_ names: [String]) { self.names = names }
    /// Returns `Setting.playlist`.
    public func asSettings() -> [Setting] { [.playlist(names)] }
}

/// The image that is shown until the first frame of a source is displayed. It fits its view like the video. While the
/// image is loading, and if it can't be loaded, the view behind the player is visible.
///
/// ```swift
/// VideoSettings {
///     SourceName("https://example.com/film.mp4")
///     Poster(Image("film-poster"))
/// }
/// ```
public struct Poster: SettingsConvertible, Equatable, Sendable {
    enum Content: Equatable, Sendable {
        case url(URL)
        case image(Image)
    }
    let content: Content
    /// Creates the setting from a URL.
    /// - Parameter url: A URL with the scheme `file`, `http` or `https`.
    public init(_ url: URL) { content = .url(url) }
    /// Creates the setting from an image.
    /// - Parameter image: An image of the app.
    public init(_ image: Image) { content = .image(image) }
    /// Returns `Setting.poster`.
    public func asSettings() -> [Setting] { [.poster(self)] }
}

/// The file name extension of a source whose name has none. Default: `mp4`.
public struct Ext: SettingsConvertible {
    private let ext: String
    /// Creates the setting.
    /// - Parameter ext: The extension with or without its dot, such as `mp4` or `.mp4`. White space around it is
    ///   removed.
    public init(_ ext: String) { self.ext = ext }
    /// Returns `Setting.ext`.
    public func asSettings() -> [Setting] { [.ext(ext)] }
}

/// The subtitles over the video: those of a file, or those of the video itself.
///
/// ```swift
/// VideoSettings {
///     SourceName("film.mkv")
///     Subtitles("film.de.srt")
/// }
/// ```
/// A file has a name like a source, and a format that FFmpeg reads, such as WebVTT, SRT or ASS. If there is
/// no file with the name as it is, the extensions `vtt`, `srt`, `ass` and `ssa` are added to the name in turn.
///
/// Without a name, or with an empty one, the subtitles of the video itself are shown, preferably in one of the
/// `PreferredLanguages`. If no language matches, those marked as default or forced are shown, as without this setting.
/// The command `subtitles` selects others.
public struct Subtitles: SettingsConvertible {
    private let name: String
    private let style: SubtitleStyle?
    /// The name that stands for the subtitles of the video itself.
    public static let embedded = "embedded:"
    /// Creates the setting.
    /// - Parameters:
    ///   - name: The name of a file, a path or a URL. White space around it is removed.
    ///   - style: The style of the subtitles; nil for the style that their author chose.
    public init(_ name: String = Subtitles.embedded, style: SubtitleStyle? = nil) {
        self.name = name
        self.style = style
    }
    /// Returns `Setting.subtitles`, with the style if there is one.
    public func asSettings() -> [Setting] { [.subtitles(name)] + (style.map { [.subtitleStyle($0)] } ?? []) }
}
