import Zoetrope

/// What a `Playable` says, as metadata of the item that plays it.
enum ItemMetadata {
    /// Of no language: names and words of the app's own.
    static let language = "und"

    /// - Parameter artwork: a picture's bytes.
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
        // What the app adds wins over what comes of the properties: the first of a kind is taken.
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
