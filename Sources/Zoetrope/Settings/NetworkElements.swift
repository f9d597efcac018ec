import MediaEngine

/// The HTTP headers of requests for the source and its subtitles.
///
/// ```swift
/// VideoSettings {
///     SourceName("https://example.com/film.mp4")
///     Headers(["Authorization": "Bearer \(token)"])
/// }
/// ```
/// A `User-Agent` or `Cookie` header replaces the default one. Servers other than the source's server (another scheme,
/// host or port) receive only headers that are not secret, such as `Referer`. If the headers change, the source is
/// opened again from its start.
public struct Headers: SettingsConvertible {
    private let headers: [String: String]
    /// Creates the setting.
    /// - Parameter headers: The values of the headers, by name.
    public init(_ headers: [String: String]) { self.headers = headers }
    /// Returns `Setting.headers`.
    public func asSettings() -> [Setting] { [.headers(headers)] }
}

/// The initial cookies for the server of the source.
///
/// Cookies for other domains are added to the cookies of the process, which are kept in memory. If the setting changes,
/// the source is opened again from its start.
public struct Cookies: SettingsConvertible {
    private let cookies: [AVURLAssetHTTPCookie]
    /// Creates the setting.
    /// - Parameter cookies: The cookies. Each one is sent to the servers that its domain and path allow.
    public init(_ cookies: [AVURLAssetHTTPCookie]) { self.cookies = cookies }
    /// Returns `Setting.cookies`.
    public func asSettings() -> [Setting] { [.cookies(cookies)] }
}

/// The maximum bit rate of a stream's variant. See `AVPlayerItem.preferredPeakBitRate`.
public struct PreferredPeakBitRate: SettingsConvertible {
    private let bitRate: Double
    /// Creates the setting.
    /// - Parameter bitRate: The bit rate in bit/s. A value of 0 or less, or NaN, means no limit.
    public init(_ bitRate: Double) { self.bitRate = bitRate > 0 ? bitRate : 0 }
    /// Returns `Setting.preferredPeakBitRate`.
    public func asSettings() -> [Setting] { [.preferredPeakBitRate(bitRate)] }
}

/// The preferred languages of the audio and, with the setting `Subtitles()`, of the subtitles.
///
/// ```swift
/// VideoSettings {
///     SourceName("film.mkv")
///     PreferredLanguages("de", "en")
///     Subtitles()
/// }
/// ```
/// Without `Subtitles()`, the languages do not turn subtitles on. They only choose among several subtitles that are
/// marked as default.
public struct PreferredLanguages: SettingsConvertible {
    private let languages: [String]
    /// Creates the setting.
    /// - Parameter languages: BCP 47 tags, the most preferred one first. If it is empty, the source decides.
    public init(_ languages: [String]) { self.languages = languages }
    /// Creates the setting from a list of arguments.
    /// - Parameter languages: BCP 47 tags, the most preferred one first. If it is empty, the source decides.
    public init(_ languages: String...) { self.languages = languages }
    /// Returns `Setting.preferredLanguages`.
    public func asSettings() -> [Setting] { [.preferredLanguages(languages)] }
}
