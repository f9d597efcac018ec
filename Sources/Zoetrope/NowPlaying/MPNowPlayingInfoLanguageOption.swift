import Foundation

/// MediaPlayer's kinds of languages.
public enum MPNowPlayingInfoLanguageOptionType: UInt, Sendable {
    /// A language of the sound.
    case audible = 0
    /// A language of subtitles.
    case legible
}

/// A language that can be heard or read. MediaPlayer's class.
public final class MPNowPlayingInfoLanguageOption: Sendable {
    /// Whether it is heard or read.
    public let languageOptionType: MPNowPlayingInfoLanguageOptionType
    /// BCP 47; nil where it is unknown.
    public let languageTag: String?
    /// What else there is to it, as the app has it; nil: nothing.
    public let languageOptionCharacteristics: [String]?
    /// Its name for people.
    public let displayName: String?
    /// As the app has it.
    public let identifier: String?

    /// Keeps what it is given; nothing is checked.
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
    /// The languages there are, in the app's order.
    public let languageOptions: [MPNowPlayingInfoLanguageOption]
    /// The one that is taken if nothing is said; nil: none.
    public let defaultLanguageOption: MPNowPlayingInfoLanguageOption?
    /// None of them may be chosen.
    public let allowEmptySelection: Bool

    /// Keeps what it is given; nothing is checked.
    public init(
        languageOptions: [MPNowPlayingInfoLanguageOption], defaultLanguageOption: MPNowPlayingInfoLanguageOption?,
        allowEmptySelection: Bool
    ) {
        (self.languageOptions, self.defaultLanguageOption, self.allowEmptySelection) = (
            languageOptions, defaultLanguageOption, allowEmptySelection
        )
    }
}
