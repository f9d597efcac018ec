/// The preferred languages of a player for one kind of media. Immutable and safe to use from any thread.
///
/// ```swift
/// player.setMediaSelectionCriteria(
///     AVPlayerMediaSelectionCriteria(preferredLanguages: ["fr", "en"], preferredMediaCharacteristics: nil),
///     forMediaCharacteristic: .audible)
/// ```
public final class AVPlayerMediaSelectionCriteria: Sendable {
    /// The languages as BCP 47 tags, best first; nil without a preference.
    public let preferredLanguages: [String]?
    /// The preferred characteristics. They are stored, but have no effect: only the languages choose.
    public let preferredMediaCharacteristics: [AVMediaCharacteristic]?

    /// Creates criteria.
    public init(preferredLanguages: [String]?, preferredMediaCharacteristics: [AVMediaCharacteristic]?) {
        self.preferredLanguages = preferredLanguages
        self.preferredMediaCharacteristics = preferredMediaCharacteristics
    }
}
