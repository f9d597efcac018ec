import MediaEngine

/// Headers for requests for the source and its subtitles; one named `User-Agent` or `Cookie` replaces ours. Other servers
/// than the source's (another scheme, host or port) get only those that are no secret, such as `Referer`.
public struct Headers: SettingsConvertible {
    private let headers: [String: String]
    /// - Parameter headers: values by name.
    public init(_ headers: [String: String]) { self.headers = headers }
    /// `Setting.headers`.
    public func asSettings() -> [Setting] { [.headers(headers)] }
}

/// Cookies to begin with, for the source's own server; those with another domain join the cookies of the process, which
/// are kept in memory.
public struct Cookies: SettingsConvertible {
    private let cookies: [AVURLAssetHTTPCookie]
    /// - Parameter cookies: each is sent where its domain and path allow.
    public init(_ cookies: [AVURLAssetHTTPCookie]) { self.cookies = cookies }
    /// `Setting.cookies`.
    public func asSettings() -> [Setting] { [.cookies(cookies)] }
}

/// Of a stream, no rung that needs more: `AVPlayerItem.preferredPeakBitRate`.
public struct PreferredPeakBitRate: SettingsConvertible {
    private let bitRate: Double
    /// - Parameter bitRate: bit/s; 0, less or NaN: no limit.
    public init(_ bitRate: Double) { self.bitRate = bitRate > 0 ? bitRate : 0 }
    /// `Setting.preferredPeakBitRate`.
    public func asSettings() -> [Setting] { [.preferredPeakBitRate(bitRate)] }
}

/// The languages in which sound is wanted, and, with the setting `Subtitles()`, subtitles: BCP 47 tags, the best first.
/// Without that setting no subtitles are shown for their sake; of several that are marked as the default they choose
/// one.
public struct PreferredLanguages: SettingsConvertible {
    private let languages: [String]
    /// - Parameter languages: BCP 47 tags, the best first; none: as the source has it.
    public init(_ languages: [String]) { self.languages = languages }
    /// The same, written one after the other.
    public init(_ languages: String...) { self.languages = languages }
    /// `Setting.preferredLanguages`.
    public func asSettings() -> [Setting] { [.preferredLanguages(languages)] }
}
