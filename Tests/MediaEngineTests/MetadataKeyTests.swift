import EngineTestSupport
import Foundation
import MediaCore
import TestSupport
import Testing

@testable import MediaEngine

@Suite("Keys and key spaces of metadata")
@MainActor
struct MetadataKeyTests {
    @Test(
        "an identifier consists of a key space and a key",
        arguments: [
            ("comn/title", "comn", "title"), ("itsk/%A9nam", "itsk", "@nam"), ("itsk/covr", "itsk", "covr"),
            ("id3/TIT2", "org.id3", "TIT2"), ("id3/%00TT2", "org.id3", "TT2"), ("udta/%A9mak", "udta", "@mak"),
            ("mdta/com.apple.quicktime.title", "mdta", "com.apple.quicktime.title"),
            ("icy/StreamTitle", "icy", "StreamTitle"), ("vorb/ALBUM%20ARTIST", "vorb", "ALBUM ARTIST"),
            ("mdta/gr%C3%B6%C3%9Fe%2F1", "mdta", "größe/1"), ("itsk/%A9a%20b", "itsk", "@a b"),
        ])
    func identifiers(identifier: String, space: String, key: String) {
        let whole = AVMetadataIdentifier(identifier)
        let keySpace = AVMetadataKeySpace(space)
        #expect(AVMetadataItem.identifier(forKey: key, keySpace: keySpace) == whole)
        #expect(AVMetadataItem.keySpace(forIdentifier: whole) == keySpace)
        #expect(AVMetadataItem.key(forIdentifier: whole) as? String == key)
    }

    @Test("an identifier without a key space or a key has no parts")
    func incomplete() {
        for text in ["", "title", "/title"] {
            #expect(AVMetadataItem.keySpace(forIdentifier: AVMetadataIdentifier(text)) == nil)
            #expect(AVMetadataItem.key(forIdentifier: AVMetadataIdentifier(text)) == nil)
        }
        #expect(AVMetadataItem.key(forIdentifier: AVMetadataIdentifier("comn/")) == nil)
        #expect(AVMetadataItem.identifier(forKey: "", keySpace: .common) == nil)
        #expect(AVMetadataItem.identifier(forKey: Data(), keySpace: .common) == nil)
    }

    @Test("a key can be a constant, a string or a four-character code")
    func keys() {
        let code: UInt32 = 0xA96E_616D
        let keys: [Any] = [
            AVMetadataKey.iTunesMetadataKeySongName, "@nam", "©nam", NSString(string: "@nam"),
            AVMetadataKey.iTunesMetadataKeySongName as NSString, code, Int32(bitPattern: code),
            NSNumber(value: Int32(bitPattern: code)),
        ]
        for key in keys {
            #expect(AVMetadataItem.identifier(forKey: key, keySpace: .iTunes) == .iTunesMetadataSongName, "\(key)")
        }
    }

    @Test("the identifier follows key and key space, and they follow it")
    func follows() {
        let item = AVMutableMetadataItem()
        #expect(item.identifier == nil && item.key == nil && item.keySpace == nil && item.commonKey == nil)
        item.key = AVMetadataKey.commonKeyTitle as NSString
        #expect(item.identifier == nil && item.key as? String == "title" && item.commonKey == nil)
        item.keySpace = .common
        #expect(item.identifier == .commonIdentifierTitle && item.commonKey == .commonKeyTitle)
        item.identifier = .iTunesMetadataArtist
        #expect(item.keySpace == .iTunes && item.key as? String == "@ART" && item.commonKey == .commonKeyArtist)
        item.keySpace = .quickTimeMetadata
        item.key = AVMetadataKey.quickTimeMetadataKeyGenre
        #expect(item.identifier == .quickTimeMetadataGenre && item.commonKey == .commonKeyType)
        item.keySpace = nil
        #expect(item.identifier == nil && item.commonKey == nil)
        item.keySpace = .common
        item.key = Data()
        #expect(item.key == nil && item.identifier == nil)
    }

    @Test("a copy keeps times, dates and additional attributes")
    func copies() throws {
        let item = AVMutableMetadataItem()
        #expect(!item.time.isValid && !item.duration.isValid && item.startDate == nil && item.extraAttributes == nil)
        let (second, day) = (CMTime(value: 1, timescale: 1), Date(timeIntervalSince1970: 86_400))
        (item.time, item.duration, item.startDate) = (second, second + second, day)
        item.extraAttributes = [.valueURI: "https://example.com/cover.png"]
        item.locale = Locale(identifier: "pt_BR")
        let copy = try #require(item.copy() as? AVMetadataItem)
        item.extraAttributes = nil
        #expect(copy.time == second && copy.duration.seconds == 2 && copy.startDate == day)
        #expect(copy.extraAttributes?[.valueURI] as? String == "https://example.com/cover.png")
        #expect(copy.extendedLanguageTag == "pt-BR" && item.extraAttributes == nil)
    }

    @Test(
        "metadata set by key or by identifier replaces the file's",
        arguments: [
            (.common, .commonKeyTitle, .commonIdentifierTitle),
            (.iTunes, .iTunesMetadataKeySongName, .iTunesMetadataSongName),
            (.id3, .id3MetadataKeyTitleDescription, .id3MetadataTitleDescription),
            (.quickTimeMetadata, .quickTimeMetadataKeyTitle, .quickTimeMetadataTitle),
            (.quickTimeUserData, .quickTimeUserDataKeyFullName, .quickTimeUserDataFullName),
        ] as [(AVMetadataKeySpace, AVMetadataKey, AVMetadataIdentifier)])
    func external(keySpace: AVMetadataKeySpace, key: AVMetadataKey, identifier: AVMetadataIdentifier) {
        let (byKey, byIdentifier) = (AVMutableMetadataItem(), AVMutableMetadataItem())
        byKey.key = key
        byKey.keySpace = keySpace
        byIdentifier.identifier = identifier
        let item = AVPlayerItem(url: URL(fileURLWithPath: "/nonexistent/film.mp4"))
        let file = [AVMetadataItem(key: "title", text: "File's"), AVMetadataItem(key: "artist", text: "Artist")]
        for own in [byKey, byIdentifier] {
            own.value = "Mine" as NSString
            item.externalMetadata = [own]
            let all = item.metadata(over: file)
            #expect(all.map(\.stringValue) == ["Mine", "Artist"])
            #expect(all.first { $0.commonKey == .commonKeyTitle } === own && own.identifier == identifier)
        }
    }

    @Test("the common key space finds items of all formats")
    func filter() {
        let (song, subtitle) = (AVMutableMetadataItem(), AVMutableMetadataItem())
        song.identifier = .iTunesMetadataSongName
        song.extendedLanguageTag = "de"
        subtitle.identifier = .iTunesMetadataTrackSubTitle
        subtitle.extendedLanguageTag = "en"
        let items: [AVMetadataItem] = [song, subtitle, AVMetadataItem(key: "com.apple.quicktime.make", text: "Maker")]
        func found(_ key: Any?, _ keySpace: AVMetadataKeySpace?) -> [AVMetadataItem] {
            AVMetadataItem.metadataItems(from: items, withKey: key, keySpace: keySpace)
        }
        #expect(found(AVMetadataKey.commonKeyTitle, .common) == [song])
        #expect(found(AVMetadataKey.commonKeyMake, .common) == [items[2]])
        #expect(found(nil, .common) == [song, items[2]])
        #expect(found(AVMetadataKey.iTunesMetadataKeyTrackSubTitle as NSString, .iTunes) == [subtitle])
        #expect(found("title", nil).isEmpty)
        #expect(
            AVMetadataItem.metadataItems(from: items, filteredAndSortedAccordingToPreferredLanguages: ["en", "de"])
                == [subtitle, song])
    }

    @Test("an export writes an item of any format under the container's key")
    func export() {
        func key(_ identifier: AVMetadataIdentifier) -> String {
            AVMetadataItem(identifier: identifier, stringValue: "").containerKey
        }
        #expect(key(.iTunesMetadataSongName) == "title" && key(.iTunesMetadataAlbumArtist) == "album_artist")
        #expect(key(.id3MetadataPublisher) == "publisher" && key(.quickTimeMetadataMake) == "make")
        #expect(AVMetadataItem(key: "title-eng", text: "").containerKey == "title-eng")
    }

    @Test(
        "the metadata of a format has the keys of that format",
        arguments: [
            ("audio-lyrics.m4a", .iTunesMetadata, .iTunesMetadataSongName),
            ("audio-lyrics.mp3", .id3Metadata, .id3MetadataTitleDescription),
            ("audio-lyrics.flac", .unknown, .commonIdentifierTitle),
        ] as [(String, AVMetadataFormat, AVMetadataIdentifier)])
    func formats(name: String, format: AVMetadataFormat, identifier: AVMetadataIdentifier) async throws {
        let asset = AVAsset(url: try TestMedia.url(name))
        #expect(try await asset.load(.availableMetadataFormats).contains(format))
        let items = try await asset.loadMetadata(for: format)
        let title = try #require(items.first { $0.identifier == identifier })
        #expect(title.stringValue == "Tone" && title.commonKey == .commonKeyTitle)
        #expect(asset.metadata(forFormat: format).count == items.count && asset.readsStarted == 1)
        #expect(try await asset.loadMetadata(for: .hlsMetadata).isEmpty)
    }
}
