/// Keys of single formats. Metadata in files has common keys where there are such keys; `AVAsset.loadMetadata(for:)`
/// returns the keys of a format.
extension AVMetadataKey {
    // MARK: iTunes

    /// The title of the song or video.
    public static let iTunesMetadataKeySongName = AVMetadataKey(rawValue: "@nam")
    /// The performer.
    public static let iTunesMetadataKeyArtist = AVMetadataKey(rawValue: "@ART")
    /// The performer of the whole album.
    public static let iTunesMetadataKeyAlbumArtist = AVMetadataKey(rawValue: "aART")
    /// The album or series.
    public static let iTunesMetadataKeyAlbum = AVMetadataKey(rawValue: "@alb")
    /// The subtitle, shown below the title.
    public static let iTunesMetadataKeyTrackSubTitle = AVMetadataKey(rawValue: "@st3")
    /// The content rating, as the rating organization writes it.
    public static let iTunesMetadataKeyContentRating = AVMetadataKey(rawValue: "rtng")
    /// The genre, as free text.
    public static let iTunesMetadataKeyUserGenre = AVMetadataKey(rawValue: "@gen")
    /// The genre, as a number of ID3v1.
    public static let iTunesMetadataKeyPredefinedGenre = AVMetadataKey(rawValue: "gnre")
    /// The release date in ISO 8601, or only a year.
    public static let iTunesMetadataKeyReleaseDate = AVMetadataKey(rawValue: "@day")
    /// The description, in a few sentences.
    public static let iTunesMetadataKeyDescription = AVMetadataKey(rawValue: "@des")
    /// A comment.
    public static let iTunesMetadataKeyUserComment = AVMetadataKey(rawValue: "@cmt")
    /// The artwork, as the bytes of an image file.
    public static let iTunesMetadataKeyCoverArt = AVMetadataKey(rawValue: "covr")
    /// The author.
    public static let iTunesMetadataKeyAuthor = AVMetadataKey(rawValue: "@aut")
    /// The composer.
    public static let iTunesMetadataKeyComposer = AVMetadataKey(rawValue: "@wrt")
    /// The director.
    public static let iTunesMetadataKeyDirector = AVMetadataKey(rawValue: "@dir")
    /// The producer.
    public static let iTunesMetadataKeyProducer = AVMetadataKey(rawValue: "@prd")
    /// A performer.
    public static let iTunesMetadataKeyPerformer = AVMetadataKey(rawValue: "@prf")
    /// The conductor.
    public static let iTunesMetadataKeyConductor = AVMetadataKey(rawValue: "@con")
    /// The publisher.
    public static let iTunesMetadataKeyPublisher = AVMetadataKey(rawValue: "@pub")
    /// The record company.
    public static let iTunesMetadataKeyRecordCompany = AVMetadataKey(rawValue: "@mak")
    /// The owner of the rights.
    public static let iTunesMetadataKeyCopyright = AVMetadataKey(rawValue: "cprt")
    /// The lyrics.
    public static let iTunesMetadataKeyLyrics = AVMetadataKey(rawValue: "@lyr")
    /// The group to which the item belongs.
    public static let iTunesMetadataKeyGrouping = AVMetadataKey(rawValue: "grup")
    /// The number of the track on the disc.
    public static let iTunesMetadataKeyTrackNumber = AVMetadataKey(rawValue: "trkn")
    /// The number of the disc.
    public static let iTunesMetadataKeyDiscNumber = AVMetadataKey(rawValue: "disk")
    /// The tempo in beats per minute.
    public static let iTunesMetadataKeyBeatsPerMin = AVMetadataKey(rawValue: "tmpo")
    /// Whether the disc is a compilation.
    public static let iTunesMetadataKeyDiscCompilation = AVMetadataKey(rawValue: "cpil")
    /// The person or organization that encoded the file.
    public static let iTunesMetadataKeyEncodedBy = AVMetadataKey(rawValue: "@enc")
    /// The software that encoded the file.
    public static let iTunesMetadataKeyEncodingTool = AVMetadataKey(rawValue: "@too")

    // MARK: ID3

    /// The title.
    public static let id3MetadataKeyTitleDescription = AVMetadataKey(rawValue: "TIT2")
    /// The subtitle.
    public static let id3MetadataKeySubTitle = AVMetadataKey(rawValue: "TIT3")
    /// The group to which the item belongs.
    public static let id3MetadataKeyContentGroupDescription = AVMetadataKey(rawValue: "TIT1")
    /// The performer.
    public static let id3MetadataKeyLeadPerformer = AVMetadataKey(rawValue: "TPE1")
    /// The performer of the whole album.
    public static let id3MetadataKeyBand = AVMetadataKey(rawValue: "TPE2")
    /// The conductor.
    public static let id3MetadataKeyConductor = AVMetadataKey(rawValue: "TPE3")
    /// The album.
    public static let id3MetadataKeyAlbumTitle = AVMetadataKey(rawValue: "TALB")
    /// The composer.
    public static let id3MetadataKeyComposer = AVMetadataKey(rawValue: "TCOM")
    /// The author of the lyrics.
    public static let id3MetadataKeyLyricist = AVMetadataKey(rawValue: "TEXT")
    /// The original performer.
    public static let id3MetadataKeyOriginalArtist = AVMetadataKey(rawValue: "TOPE")
    /// The genre.
    public static let id3MetadataKeyContentType = AVMetadataKey(rawValue: "TCON")
    /// The year, in ID3v2.3.
    public static let id3MetadataKeyYear = AVMetadataKey(rawValue: "TYER")
    /// The time of the recording, in ID3v2.4.
    public static let id3MetadataKeyRecordingTime = AVMetadataKey(rawValue: "TDRC")
    /// The time of the release, in ID3v2.4.
    public static let id3MetadataKeyReleaseTime = AVMetadataKey(rawValue: "TDRL")
    /// The number of the track on the disc.
    public static let id3MetadataKeyTrackNumber = AVMetadataKey(rawValue: "TRCK")
    /// The number of the disc.
    public static let id3MetadataKeyPartOfASet = AVMetadataKey(rawValue: "TPOS")
    /// The publisher.
    public static let id3MetadataKeyPublisher = AVMetadataKey(rawValue: "TPUB")
    /// The owner of the rights.
    public static let id3MetadataKeyCopyright = AVMetadataKey(rawValue: "TCOP")
    /// A comment.
    public static let id3MetadataKeyComments = AVMetadataKey(rawValue: "COMM")
    /// The artwork, as the bytes of an image file.
    public static let id3MetadataKeyAttachedPicture = AVMetadataKey(rawValue: "APIC")
    /// The lyrics.
    public static let id3MetadataKeyUnsynchronizedLyric = AVMetadataKey(rawValue: "USLT")
    /// The tempo in beats per minute.
    public static let id3MetadataKeyBeatsPerMinute = AVMetadataKey(rawValue: "TBPM")
    /// The languages of the item.
    public static let id3MetadataKeyLanguage = AVMetadataKey(rawValue: "TLAN")
    /// The person or organization that encoded the file.
    public static let id3MetadataKeyEncodedBy = AVMetadataKey(rawValue: "TENC")
    /// The software that encoded the file.
    public static let id3MetadataKeyEncodedWith = AVMetadataKey(rawValue: "TSSE")
    /// A text of the app that wrote the file.
    public static let id3MetadataKeyUserText = AVMetadataKey(rawValue: "TXXX")
    /// A URL of the app that wrote the file.
    public static let id3MetadataKeyUserURL = AVMetadataKey(rawValue: "WXXX")

    // MARK: QuickTime metadata

    /// The title.
    public static let quickTimeMetadataKeyTitle = AVMetadataKey(rawValue: "com.apple.quicktime.title")
    /// The name for display.
    public static let quickTimeMetadataKeyDisplayName = AVMetadataKey(rawValue: "com.apple.quicktime.displayname")
    /// The performer.
    public static let quickTimeMetadataKeyArtist = AVMetadataKey(rawValue: "com.apple.quicktime.artist")
    /// The original performer.
    public static let quickTimeMetadataKeyOriginalArtist = AVMetadataKey(rawValue: "com.apple.quicktime.originalartist")
    /// The album or series.
    public static let quickTimeMetadataKeyAlbum = AVMetadataKey(rawValue: "com.apple.quicktime.album")
    /// The genre, as free text.
    public static let quickTimeMetadataKeyGenre = AVMetadataKey(rawValue: "com.apple.quicktime.genre")
    /// The author.
    public static let quickTimeMetadataKeyAuthor = AVMetadataKey(rawValue: "com.apple.quicktime.author")
    /// The composer.
    public static let quickTimeMetadataKeyComposer = AVMetadataKey(rawValue: "com.apple.quicktime.composer")
    /// The director.
    public static let quickTimeMetadataKeyDirector = AVMetadataKey(rawValue: "com.apple.quicktime.director")
    /// The producer.
    public static let quickTimeMetadataKeyProducer = AVMetadataKey(rawValue: "com.apple.quicktime.producer")
    /// A performer.
    public static let quickTimeMetadataKeyPerformer = AVMetadataKey(rawValue: "com.apple.quicktime.performer")
    /// The publisher.
    public static let quickTimeMetadataKeyPublisher = AVMetadataKey(rawValue: "com.apple.quicktime.publisher")
    /// The owner of the rights.
    public static let quickTimeMetadataKeyCopyright = AVMetadataKey(rawValue: "com.apple.quicktime.copyright")
    /// A comment.
    public static let quickTimeMetadataKeyComment = AVMetadataKey(rawValue: "com.apple.quicktime.comment")
    /// The description.
    public static let quickTimeMetadataKeyDescription = AVMetadataKey(rawValue: "com.apple.quicktime.description")
    /// Information about the item.
    public static let quickTimeMetadataKeyInformation = AVMetadataKey(rawValue: "com.apple.quicktime.information")
    /// The keywords.
    public static let quickTimeMetadataKeyKeywords = AVMetadataKey(rawValue: "com.apple.quicktime.keywords")
    /// The credits.
    public static let quickTimeMetadataKeyCredits = AVMetadataKey(rawValue: "com.apple.quicktime.credits")
    /// The year of the recording.
    public static let quickTimeMetadataKeyYear = AVMetadataKey(rawValue: "com.apple.quicktime.year")
    /// The creation date in ISO 8601.
    public static let quickTimeMetadataKeyCreationDate = AVMetadataKey(rawValue: "com.apple.quicktime.creationdate")
    /// The artwork, as the bytes of an image file.
    public static let quickTimeMetadataKeyArtwork = AVMetadataKey(rawValue: "com.apple.quicktime.artwork")
    /// The manufacturer of the camera.
    public static let quickTimeMetadataKeyMake = AVMetadataKey(rawValue: "com.apple.quicktime.make")
    /// The model of the camera.
    public static let quickTimeMetadataKeyModel = AVMetadataKey(rawValue: "com.apple.quicktime.model")
    /// The software that wrote the file.
    public static let quickTimeMetadataKeySoftware = AVMetadataKey(rawValue: "com.apple.quicktime.software")
    /// The person or organization that encoded the file.
    public static let quickTimeMetadataKeyEncodedBy = AVMetadataKey(rawValue: "com.apple.quicktime.encodedby")
    /// The location of the recording in ISO 6709.
    public static let quickTimeMetadataKeyLocationISO6709 =
        AVMetadataKey(rawValue: "com.apple.quicktime.location.ISO6709")
    /// The name of the location.
    public static let quickTimeMetadataKeyLocationName = AVMetadataKey(rawValue: "com.apple.quicktime.location.name")
    /// The identifier that the parts of one item have in common.
    public static let quickTimeMetadataKeyContentIdentifier =
        AVMetadataKey(rawValue: "com.apple.quicktime.content.identifier")

    // MARK: QuickTime user data

    /// The title.
    public static let quickTimeUserDataKeyFullName = AVMetadataKey(rawValue: "@nam")
    /// The performer.
    public static let quickTimeUserDataKeyArtist = AVMetadataKey(rawValue: "@ART")
    /// The album or series.
    public static let quickTimeUserDataKeyAlbum = AVMetadataKey(rawValue: "@alb")
    /// The genre, as free text.
    public static let quickTimeUserDataKeyGenre = AVMetadataKey(rawValue: "@gen")
    /// The author.
    public static let quickTimeUserDataKeyAuthor = AVMetadataKey(rawValue: "@aut")
    /// The owner of the rights.
    public static let quickTimeUserDataKeyCopyright = AVMetadataKey(rawValue: "@cpy")
    /// The creation date.
    public static let quickTimeUserDataKeyCreationDate = AVMetadataKey(rawValue: "@day")
    /// The description.
    public static let quickTimeUserDataKeyDescription = AVMetadataKey(rawValue: "@des")
    /// A comment.
    public static let quickTimeUserDataKeyComment = AVMetadataKey(rawValue: "@cmt")
    /// The manufacturer of the camera.
    public static let quickTimeUserDataKeyMake = AVMetadataKey(rawValue: "@mak")
    /// The model of the camera.
    public static let quickTimeUserDataKeyModel = AVMetadataKey(rawValue: "@mod")
    /// The software that wrote the file.
    public static let quickTimeUserDataKeySoftware = AVMetadataKey(rawValue: "@swr")
    /// The location of the recording in ISO 6709.
    public static let quickTimeUserDataKeyLocationISO6709 = AVMetadataKey(rawValue: "@xyz")

    // MARK: Internet radio

    /// The title of what the station plays.
    public static let icyMetadataKeyStreamTitle = AVMetadataKey(rawValue: "StreamTitle")
    /// The URL that belongs to what the station plays.
    public static let icyMetadataKeyStreamURL = AVMetadataKey(rawValue: "StreamUrl")
}
