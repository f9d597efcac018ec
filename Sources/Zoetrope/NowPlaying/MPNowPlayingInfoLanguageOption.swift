/// The type of a language option. MediaPlayer's numbers.
public enum MPNowPlayingInfoLanguageOptionType: UInt, Sendable {
    /// A language of the audio.
    case audible = 0
    /// A language of the subtitles.
    case legible
}

/// A language of the audio or the subtitles. MediaPlayer's class.
public final class MPNowPlayingInfoLanguageOption: Sendable {
    /// Whether the language is one of the audio or of the subtitles.
    public let languageOptionType: MPNowPlayingInfoLanguageOptionType
    /// The BCP 47 tag of the language; nil if it is unknown.
    public let languageTag: String?
    /// The other characteristics of the language option, which the app defines; nil without any.
    public let languageOptionCharacteristics: [String]?
    /// The name of the language for the user.
    public let displayName: String?
    /// The identifier that the app gives the language option.
    public let identifier: String?

    /// Creates a language option. The values are stored as they are.
    /// - Parameters:
    ///   - languageOptionType: Whether the language is one of the audio or of the subtitles.
    ///   - languageTag: The BCP 47 tag of the language.
    ///   - characteristics: The other characteristics of the language option; nil without any.
    ///   - displayName: The name of the language for the user.
    ///   - identifier: An identifier that the app chooses.
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

/// A group of language options of which one is selected. MediaPlayer's class.
public final class MPNowPlayingInfoLanguageOptionGroup: Sendable {
    /// The language options, in the app's order.
    public let languageOptions: [MPNowPlayingInfoLanguageOption]
    /// The language option that is selected by default; nil without one.
    public let defaultLanguageOption: MPNowPlayingInfoLanguageOption?
    /// Whether the user may select none of the language options.
    public let allowEmptySelection: Bool

    /// Creates a group of language options. The values are stored as they are.
    /// - Parameters:
    ///   - languageOptions: The language options, in the app's order.
    ///   - defaultLanguageOption: The language option that is selected by default; nil without one.
    ///   - allowEmptySelection: Whether the user may select none of the language options.
    public init(
        languageOptions: [MPNowPlayingInfoLanguageOption], defaultLanguageOption: MPNowPlayingInfoLanguageOption?,
        allowEmptySelection: Bool
    ) {
        (self.languageOptions, self.defaultLanguageOption, self.allowEmptySelection) = (
            languageOptions, defaultLanguageOption, allowEmptySelection
        )
    }
}
