import Foundation
import MediaEngine

/// Settings that apply to a player's item.
extension VideoSettings {
    /// Returns a new item for a source.
    @MainActor func makeItem(_ url: URL) -> AVPlayerItem {
        let item = AVPlayerItem(asset: AVURLAsset(url: url, options: assetOptions))
        prefer(item)
        return item
    }

    /// The options for requests for remote sources.
    var assetOptions: [String: any Sendable] {
        var options: [String: any Sendable] = [:]
        if !headers.isEmpty { options[AVURLAssetHTTPHeaderFieldsKey] = headers }
        if !cookies.isEmpty { options[AVURLAssetHTTPCookiesKey] = cookies }
        return options
    }

    /// Sets the preferences of an item.
    @MainActor func prefer(_ item: AVPlayerItem) {
        if item.preferredPeakBitRate != preferredPeakBitRate { item.preferredPeakBitRate = preferredPeakBitRate }
        if item.preferredAudioLanguages != preferredLanguages { item.preferredAudioLanguages = preferredLanguages }
        // Without the setting `Subtitles`, only subtitles for everybody are shown. The languages choose among several
        // of them.
        let requested = subtitles == Subtitles.embedded ? preferredLanguages : []
        if item.preferredSubtitleLanguages != requested { item.preferredSubtitleLanguages = requested }
        if item.rankedSubtitleLanguages != preferredLanguages { item.rankedSubtitleLanguages = preferredLanguages }
    }
}
