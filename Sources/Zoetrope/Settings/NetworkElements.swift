import MediaEngine

/// Headers that are sent with every request for the source and its subtitles; one named `User-Agent` or `Cookie`
/// replaces ours.
public struct Headers: SettingsConvertible {
    private let headers: [String: String]
    /// - Parameter headers: values by name; what has a control character in it makes opening fail.
    public init(_ headers: [String: String]) { self.headers = headers }
    public func asSettings() -> [Setting] { [.headers(headers)] }
}

/// Cookies to begin with. They join those of the process, which are kept in memory.
public struct Cookies: SettingsConvertible {
    private let cookies: [AVURLAssetHTTPCookie]
    /// - Parameter cookies: what has a control character in it makes opening fail.
    public init(_ cookies: [AVURLAssetHTTPCookie]) { self.cookies = cookies }
    public func asSettings() -> [Setting] { [.cookies(cookies)] }
}

/// Of a stream, no rung that needs more: `AVPlayerItem.preferredPeakBitRate`.
public struct PreferredPeakBitRate: SettingsConvertible {
    private let bitRate: Double
    /// - Parameter bitRate: bit/s; 0, less or NaN: no limit.
    public init(_ bitRate: Double) { self.bitRate = bitRate > 0 ? bitRate : 0 }
    public func asSettings() -> [Setting] { [.preferredPeakBitRate(bitRate)] }
}

/// The languages in which sound is wanted, and, with the setting `Subtitles()`, subtitles: BCP 47 tags, the best first.
/// Without that setting no subtitles are shown for their sake; of several that are marked as the default they choose
/// one.
public struct PreferredLanguages: SettingsConvertible {
    private let languages: [String]
    /// - Parameter languages: BCP 47 tags, the best first.
    public init(_ languages: [String]) { self.languages = languages }
    /// - Parameter languages: BCP 47 tags, the best first.
    public init(_ languages: String...) { self.languages = languages }
    public func asSettings() -> [Setting] { [.preferredLanguages(languages)] }
}
