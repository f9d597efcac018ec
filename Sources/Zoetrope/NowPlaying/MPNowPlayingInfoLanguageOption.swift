import Foundation

/// MediaPlayer's kinds of languages.
public enum MPNowPlayingInfoLanguageOptionType: UInt, Sendable {
    case audible = 0
    case legible
}

/// A language that can be heard or read. MediaPlayer's class.
public final class MPNowPlayingInfoLanguageOption: Sendable {
    public let languageOptionType: MPNowPlayingInfoLanguageOptionType
    /// BCP 47; nil where it is unknown.
    public let languageTag: String?
    public let languageOptionCharacteristics: [String]?
    public let displayName: String?
    /// As the app has it.
    public let identifier: String?

    public init(
        type languageOptionType: MPNowPlayingInfoLanguageOptionType, languageTag: String, characteristics: [String]?,
        displayName: String, identifier: String
    ) {
        self.languageOptionType = languageOptionType
        (self.languageTag, languageOptionCharacteristics, self.displayName, self.identifier) = (
            languageTag, characteristics, displayName, identifier
        )
    }
}

/// Languages of which one is chosen. MediaPlayer's class.
public final class MPNowPlayingInfoLanguageOptionGroup: Sendable {
    public let languageOptions: [MPNowPlayingInfoLanguageOption]
    public let defaultLanguageOption: MPNowPlayingInfoLanguageOption?
    public let allowEmptySelection: Bool

    public init(
        languageOptions: [MPNowPlayingInfoLanguageOption], defaultLanguageOption: MPNowPlayingInfoLanguageOption?,
        allowEmptySelection: Bool
    ) {
        (self.languageOptions, self.defaultLanguageOption, self.allowEmptySelection) = (
            languageOptions, defaultLanguageOption, allowEmptySelection
        )
    }
}
