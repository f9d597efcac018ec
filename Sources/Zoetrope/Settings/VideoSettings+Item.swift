import Foundation
import MediaEngine

/// The settings that concern a player's item.
extension VideoSettings {
    /// Makes the item of a source.
    @MainActor func makeItem(_ url: URL) -> AVPlayerItem {
        let item = AVPlayerItem(asset: AVURLAsset(url: url, options: assetOptions))
        prefer(item)
        return item
    }

    /// How remote sources are requested.
    var assetOptions: [String: any Sendable] {
        var options: [String: any Sendable] = [:]
        if !headers.isEmpty { options[AVURLAssetHTTPHeaderFieldsKey] = headers }
        if !cookies.isEmpty { options[AVURLAssetHTTPCookiesKey] = cookies }
        return options
    }

    /// Sets an item's preferences.
    @MainActor func prefer(_ item: AVPlayerItem) {
        if item.preferredPeakBitRate != preferredPeakBitRate { item.preferredPeakBitRate = preferredPeakBitRate }
        if item.preferredAudioLanguages != preferredLanguages { item.preferredAudioLanguages = preferredLanguages }
        // Without a request for subtitles, those for everybody are shown; the languages decide which of several.
        let requested = subtitles == Subtitles.embedded ? preferredLanguages : []
        if item.preferredSubtitleLanguages != requested { item.preferredSubtitleLanguages = requested }
        if item.rankedSubtitleLanguages != preferredLanguages { item.rankedSubtitleLanguages = preferredLanguages }
    }
}
