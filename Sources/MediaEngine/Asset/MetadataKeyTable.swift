/// The keys of the same meaning in different formats.
enum MetadataKeyTable {
    /// A meaning, and its keys.
    private struct Row: Sendable {
        /// The key in libavformat (`avformat.h`, and the conversions of `mov.c` and `id3v2.c`).
        let container: String
        let common: AVMetadataKey?
        private let iTunes, id3, quickTime, userData: String?

        init(
            _ container: String, _ common: String?, _ iTunes: String?, _ id3: String?, _ quickTime: String?,
            _ userData: String?
        ) {
            self.container = container
            self.common = common.map { AVMetadataKey(rawValue: $0) }
            (self.iTunes, self.id3, self.userData) = (iTunes, id3, userData)
            self.quickTime = quickTime.map { "com.apple.quicktime." + $0 }
        }

        func key(in keySpace: AVMetadataKeySpace) -> String? {
            switch keySpace {
            case .common: common?.rawValue
            case .iTunes: iTunes
            case .id3: id3
            case .quickTimeMetadata: quickTime
            case .quickTimeUserData: userData
            default: nil
            }
        }
    }

    // The columns: libavformat, common, iTunes, ID3, QuickTime metadata without its prefix, QuickTime user data.
    private static let rows = [
        Row("title", "title", "@nam", "TIT2", "title", "@nam"),
        Row("artist", "artist", "@ART", "TPE1", "artist", "@ART"),
        Row("album", "albumName", "@alb", "TALB", "album", "@alb"),
        Row("album_artist", nil, "aART", "TPE2", nil, nil),
        Row("author", "author", "@aut", nil, "author", "@aut"),
        Row("composer", "creator", "@wrt", "TCOM", "composer", "@com"),
        Row("comment", "description", "@cmt", "COMM", "comment", "@cmt"),
        Row("description", "description", "@des", nil, "description", "@des"),
        Row("date", "creationDate", "@day", "TDRC", "creationdate", "@day"),
        Row("copyright", "copyrights", "cprt", "TCOP", "copyright", "@cpy"),
        Row("genre", "type", "@gen", "TCON", "genre", "@gen"),
        Row("publisher", "publisher", "@pub", "TPUB", "publisher", "@pub"),
        Row("encoder", "software", "@too", "TSSE", "software", "@swr"),
        Row("make", "make", nil, nil, "make", "@mak"),
        Row("model", "model", nil, nil, "model", "@mod"),
        Row("location", "location", nil, nil, "location.ISO6709", "@xyz"),
        Row("attached_pic", "artwork", "covr", "APIC", "artwork", nil),
        Row("lyrics", nil, "@lyr", "USLT", nil, nil),
        Row("track", nil, "trkn", "TRCK", nil, nil),
        Row("disc", nil, "disk", "TPOS", nil, nil),
        Row("grouping", nil, "grup", "TIT1", nil, nil),
        Row("encoded_by", nil, "@enc", "TENC", "encodedby", nil),
        Row("performer", nil, "@prf", "TPE3", "performer", nil),
    ]
    /// Further keys with a common meaning: those of older versions, and of formats with few keys.
    private static let others: [AVMetadataKeySpace: [String: AVMetadataKey]] = [
        .iTunes: ["desc": .commonKeyDescription, "ldes": .commonKeyDescription, "gnre": .commonKeyType],
        .id3: [
            "TYER": .commonKeyCreationDate, "TDRL": .commonKeyCreationDate, "TT2": .commonKeyTitle,
            "TP1": .commonKeyArtist, "TAL": .commonKeyAlbumName, "TCO": .commonKeyType, "TYE": .commonKeyCreationDate,
            "PIC": .commonKeyArtwork,
        ],
        .isoUserData: ["cprt": .commonKeyCopyrights, "date": .commonKeyCreationDate],
        .icy: ["StreamTitle": .commonKeyTitle],
    ]

    /// Returns the common key with the meaning of `key`; nil if there is none.
    static func common(of key: String, in keySpace: AVMetadataKeySpace) -> AVMetadataKey? {
        if let row = rows.first(where: { $0.key(in: keySpace) == key }) { return row.common }
        return others[keySpace]?[key]
    }
    /// Returns the key of a format for a key of libavformat; nil if the format has none.
    static func key(ofContainer name: String, in keySpace: AVMetadataKeySpace) -> String? {
        rows.first { $0.container == name }?.key(in: keySpace)
    }
    /// Returns the key of libavformat with the meaning of `key`; nil if there is none.
    static func container(of key: String, in keySpace: AVMetadataKeySpace) -> String? {
        rows.first { $0.key(in: keySpace) == key }?.container
    }
}
