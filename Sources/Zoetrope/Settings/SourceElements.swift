/// What to play: an `http(s)` URL, a `file` URL, a path (absolute, relative or from `~`), or the name of a
/// resource of the app with or without its extension. How a name is looked up: `SourceResolver`.
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

/// The file with the subtitles, named as a source is. Only with it does the command `subtitles` do anything.
public struct Subtitles: SettingsConvertible {
    private let name: String
    public init(_ name: String) { self.name = name }
    public func asSettings() -> [Setting] { [.subtitles(name)] }
}
