import Foundation

/// MediaPlayer's kinds of languages.
public enum MPNowPlayingInfoLanguageOptionType: UInt, Sendable {
    /// Sound.
    case audible = 0
    /// Subtitles.
    case legible
}

/// A language that can be heard or read. MediaPlayer's class.
public final class MPNowPlayingInfoLanguageOption: Sendable {
    /// Whether it is heard or read.
    public let languageOptionType: MPNowPlayingInfoLanguageOptionType
    /// BCP 47; nil where it is unknown.
    public let languageTag: String?
    /// Raw values of `AVMediaCharacteristic`, as the app has them; nil: none are named.
    public let languageOptionCharacteristics: [String]?
    /// For a menu, in the user's language.
    public let displayName: String?
    /// As the app has it.
    public let identifier: String?

    /// Kept as they are: MPRIS tells nobody of languages.
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
    /// What there is to choose among.
    public let languageOptions: [MPNowPlayingInfoLanguageOption]
    /// What plays where nobody has chosen; nil: nothing of the group.
    public let defaultLanguageOption: MPNowPlayingInfoLanguageOption?
    /// None of them may be chosen.
    public let allowEmptySelection: Bool

    /// Kept as they are: MPRIS tells nobody of languages.
    public init(
        languageOptions: [MPNowPlayingInfoLanguageOption], defaultLanguageOption: MPNowPlayingInfoLanguageOption?,
        allowEmptySelection: Bool
    ) {
        (self.languageOptions, self.defaultLanguageOption, self.allowEmptySelection) = (
            languageOptions, defaultLanguageOption, allowEmptySelection
        )
    }
}
