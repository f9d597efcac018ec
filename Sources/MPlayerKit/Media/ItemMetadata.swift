import Zoetrope

/// A conversion of a `Playable` to the metadata of the item that plays it.
enum ItemMetadata {
    /// The language tag for “undetermined”, because the texts are the app's own.
    static let language = "und"

    /// Returns the metadata of an item.
    /// - Parameters:
    ///   - item: The item.
    ///   - artwork: The data of an image; nil without artwork.
    static func items(of item: any Playable, artwork: Data?) -> [AVMetadataItem] {
        let own: [(AVMetadataIdentifier, Any?)] = [
            (.commonIdentifierTitle, item.title),
            (.iTunesMetadataTrackSubTitle, item.subtitle),
            (.commonIdentifierDescription, item.synopsis),
            (.commonIdentifierCreationDate, item.releaseYear.map { String($0) }),
            (.iTunesMetadataContentRating, item.contentRating),
            (.quickTimeMetadataGenre, item.genres.flatMap { $0.isEmpty ? nil : $0.joined(separator: ", ") }),
            (.commonIdentifierArtwork, artwork),
        ]
        // The app's additional metadata comes first, because the first item of a kind is used.
        return item.extraExternalMetadata()
            + own.compactMap { identifier, value in
                guard let value else { return nil }
                let made = AVMutableMetadataItem()
                made.identifier = identifier
                made.value = value
                made.extendedLanguageTag = language
                return made
            }
    }
}
