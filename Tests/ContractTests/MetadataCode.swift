import Foundation
import Zoetrope

// Metadata by key and key space, and AVFoundation's older names for loading, as public apps use them.

enum MetadataCode {
    /// Items in the forms that apps use: a key converted to Foundation's protocols, to `NSString`, and its raw value.
    static func items(title: String, artist: String, artwork: Data) -> [AVMetadataItem] {
        let titleItem = AVMutableMetadataItem()
        titleItem.locale = Locale.current
        titleItem.key = AVMetadataKey.commonKeyTitle as (NSCopying & NSObjectProtocol)?
        titleItem.keySpace = AVMetadataKeySpace.common
        titleItem.value = title as (NSCopying & NSObjectProtocol)?
        let artistItem = AVMutableMetadataItem()
        artistItem.keySpace = .iTunes
        artistItem.key = AVMetadataKey.iTunesMetadataKeyArtist as NSString
        artistItem.value = artist as NSString
        artistItem.extendedLanguageTag = "und"
        let artworkItem = AVMutableMetadataItem()
        artworkItem.key = AVMetadataKey.commonKeyArtwork.rawValue as NSString
        artworkItem.keySpace = .common
        artworkItem.value = artwork as NSData
        artworkItem.dataType = kCMMetadataBaseDataType_PNG as String
        artworkItem.time = CMTime(value: 1, timescale: 1)
        artworkItem.duration = CMTime(value: 2, timescale: 1)
        artworkItem.startDate = Date(timeIntervalSince1970: 0)
        artworkItem.extraAttributes = [.info: ["source": "app"]]
        return [titleItem, artistItem, artworkItem]
    }

    static func identifiers() -> [AVMetadataIdentifier?] {
        [
            AVMetadataItem.identifier(forKey: AVMetadataKey.commonKeyTitle, keySpace: .common),
            AVMetadataItem.identifier(forKey: "TIT2", keySpace: .id3),
            AVMetadataIdentifier("mdta/com.apple.quicktime.title"),
        ]
    }

    static func names(of items: [AVMetadataItem]) -> [String] {
        items.compactMap { item in
            guard let identifier = item.identifier, let key = item.key as? String else { return nil }
            switch item.keySpace {
            case AVMetadataKeySpace.common?: return "common \(key)"
            case .id3?, .iTunes?: return identifier.rawValue
            default: return nil
            }
        }
    }

    static func formats(of asset: AVAsset) async throws -> [String] {
        var names: [String] = []
        for format in try await asset.load(.availableMetadataFormats) {
            names += try await asset.loadMetadata(for: format).compactMap { $0.identifier?.rawValue }
        }
        return names
    }

    static func older(_ url: URL, _ done: @escaping @Sendable (AVKeyValueStatus) -> Void) {
        let asset = AVURLAsset(url: url, options: [AVURLAssetPreferPreciseDurationAndTimingKey: true])
        asset.loadValuesAsynchronously(forKeys: ["playable", "duration"]) {
            var error: NSError?
            let status = asset.statusOfValue(forKey: "playable", error: &error)
            switch status {
            case .loaded: _ = asset.metadata(forFormat: .iTunesMetadata)
            case .failed, .cancelled: print(error?.localizedDescription ?? "")
            default: break
            }
            done(status)
        }
    }

    @MainActor
    static func play(_ player: AVPlayer, _ item: AVPlayerItem) {
        item.audioTimePitchAlgorithm = .spectral
        item.cancelPendingSeeks()
        item.seek(to: .zero, toleranceBefore: .zero, toleranceAfter: .positiveInfinity) { _ in }
        item.seek(to: .zero, toleranceBefore: .zero, toleranceAfter: .zero, completionHandler: nil)
        player.seek(to: Date()) { _ in }
        player.setMediaSelectionCriteria(
            AVPlayerMediaSelectionCriteria(
                preferredLanguages: ["fr"], preferredMediaCharacteristics: [.describesVideoForAccessibility]),
            forMediaCharacteristic: .audible)
    }

    static let notifications: [Notification.Name] = [
        AVPlayer.rateDidChangeNotification, .AVPlayerItemNewAccessLogEntry, .AVPlayerItemNewErrorLogEntry,
    ]
    static let errorKey = AVPlayerItemFailedToPlayToEndTimeErrorKey
    static let reasons: [AVPlayer.RateDidChangeReason] = [.setRateCalled, .audioSessionInterrupted]
}
