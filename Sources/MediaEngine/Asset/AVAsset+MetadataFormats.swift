import Foundation
import MediaCore

/// A format of metadata. Raw values are AVFoundation's.
public struct AVMetadataFormat: RawRepresentable, Sendable, Hashable {
    public let rawValue: String
    public init(rawValue: String) { self.rawValue = rawValue }
    /// Creates a format from its raw value.
    public init(_ rawValue: String) { self.rawValue = rawValue }

    /// The metadata of iTunes, in MPEG-4 files.
    public static let iTunesMetadata = AVMetadataFormat(rawValue: "com.apple.itunes")
    /// ID3 tags, in MP3 files.
    public static let id3Metadata = AVMetadataFormat(rawValue: "org.id3")
    /// The metadata of QuickTime, with keys such as `com.apple.quicktime.title`.
    public static let quickTimeMetadata = AVMetadataFormat(rawValue: "com.apple.quicktime.mdta")
    /// The user data of QuickTime. Never found here: its keys are read as those of iTunes.
    public static let quickTimeUserData = AVMetadataFormat(rawValue: "com.apple.quicktime.udta")
    /// The user data of MPEG-4. Never found here: its keys are read as those of iTunes.
    public static let isoUserData = AVMetadataFormat(rawValue: "org.mp4ra")
    /// The session data of an HLS stream.
    public static let hlsMetadata = AVMetadataFormat(rawValue: "com.apple.quicktime.HLS")
    /// Any other format, such as the tags of Matroska, FLAC and Ogg.
    public static let unknown = AVMetadataFormat(rawValue: "public.unknown")
}

/// The metadata of single formats.
extension AVAsset {
    /// Returns the metadata in `format`, in the container's order, with the keys of that format.
    ///
    /// ```swift
    /// for format in try await asset.load(.availableMetadataFormats) {
    ///     for item in try await asset.loadMetadata(for: format) {
    ///         print(item.identifier?.rawValue ?? "", item.stringValue ?? "")
    ///     }
    /// }
    /// ```
    /// FFmpeg converts the keys of files to names without a format. They are converted back to the usual key of the
    /// format, so the key can differ from the one in the file: the title of an MP4 file always has the key of iTunes.
    ///
    /// - Throws: The reason why the asset cannot be read.
    public func loadMetadata(for format: AVMetadataFormat) async throws(AVError) -> [AVMetadataItem] {
        try await loader.details().metadata(in: format)
    }

    /// Returns the metadata in `format` as `loadMetadata(for:)` does, and blocks the calling thread if the asset has
    /// not been read yet.
    public func metadata(forFormat format: AVMetadataFormat) -> [AVMetadataItem] {
        loadedDetails?.metadata(in: format) ?? []
    }

    /// The formats of the metadata. Blocks the calling thread if the asset has not been read yet.
    public var availableMetadataFormats: [AVMetadataFormat] { loadedDetails?.metadataFormats ?? [] }
}

extension AVAsyncProperty where Root: AVAsset, Value == [AVMetadataFormat] {
    /// The formats of the asset's metadata; empty without metadata.
    public static var availableMetadataFormats: AVAsyncProperty<AVAsset, [AVMetadataFormat]> {
        .init { $0.metadataFormats }
    }
}

extension AssetDetails {
    /// The formats of the metadata, each once.
    var metadataFormats: [AVMetadataFormat] {
        var formats: [AVMetadataFormat] = []
        for item in metadata {
            let format = named(item).format
            if !formats.contains(format) { formats.append(format) }
        }
        return formats
    }

    /// Returns the metadata in `format`, with the keys of that format.
    func metadata(in format: AVMetadataFormat) -> [AVMetadataItem] {
        metadata.compactMap { item in
            let (found, name) = named(item)
            guard found == format else { return nil }
            guard let name else { return item }
            var content = item.content.withLock { $0 }
            content.name = name
            content.commonKey = content.commonKey ?? name.commonKey
            return AVMetadataItem(content)
        }
    }

    /// Returns the format of `item` and its name there; a nil name if it keeps its own.
    private func named(_ item: AVMetadataItem) -> (format: AVMetadataFormat, name: MetadataName?) {
        if item.keySpace == .hlsSessionData { return (.hlsMetadata, nil) }
        var key = item.keyText
        // libavformat appends the language to a key, such as "lyrics-eng".
        if let dash = key.lastIndex(of: "-"), key.distance(from: dash, to: key.endIndex) == 4 {
            key = String(key[..<dash])
        }
        func native(_ key: String?, _ keySpace: AVMetadataKeySpace) -> MetadataName? {
            key.flatMap { MetadataName.identifier(key: $0, in: keySpace) }.map { MetadataName($0) }
        }
        let formats = formatName.split(separator: ",")
        if formats.contains("mp4") || formats.contains("mov") {
            if key.hasPrefix("com.") { return (.quickTimeMetadata, native(key, .quickTimeMetadata)) }
            if let name = native(MetadataKeyTable.key(ofContainer: key, in: .iTunes), .iTunes) {
                return (.iTunesMetadata, name)
            }
        } else if !AssetDetails.formatsWithID3.isDisjoint(with: formats) {
            if let name = native(MetadataKeyTable.key(ofContainer: key, in: .id3), .id3) {
                return (.id3Metadata, name)
            }
            // libavformat keeps the keys of frames that it does not convert, such as "TSO2".
            let isFrame =
                key.utf8.count == 4 && key.utf8.allSatisfy { (48...57).contains($0) || (65...90).contains($0) }
            if isFrame { return (.id3Metadata, native(key, .id3)) }
        }
        return (.unknown, nil)
    }
    /// The containers whose tags are ID3 tags.
    private static let formatsWithID3: Set<Substring> = ["mp3", "aac", "aiff", "tta"]
}

extension AVMetadataItem {
    /// The key that libavformat's muxers use for the item.
    package var containerKey: String {
        let name = content.withLock { $0.name }
        guard let key = name.key else { return "" }
        guard let keySpace = name.keySpace, keySpace != .common else { return key }
        return MetadataKeyTable.container(of: key, in: keySpace) ?? key
    }
}
