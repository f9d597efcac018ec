import Zoetrope

/// The metadata and the playback state that a model publishes in `MPNowPlayingInfoCenter`. Main actor.
@MainActor
final class NowPlayingPublisher {
    private var metadata: [String: Any] = [:]
    private var lastPublished: (time: Double, rate: Float, isPlaying: Bool)?

    func begin(_ item: any Playable) {
        metadata = [
            MPMediaItemPropertyTitle: item.title,
            MPNowPlayingInfoPropertyAssetURL: item.asset,
            MPNowPlayingInfoPropertyIsLiveStream: item.isLive,
            MPNowPlayingInfoPropertyMediaType: (item.isVideo ? MPNowPlayingInfoMediaType.video : .audio).rawValue,
        ]
        metadata[MPMediaItemPropertyComments] = item.synopsis
        lastPublished = nil
        publish()
    }

    func show(_ artwork: UIImage) {
        metadata[MPMediaItemPropertyArtwork] = MPMediaItemArtwork(boundsSize: artwork.size) { _ in artwork }
        publish()
    }

    func languages(groups: [AVMediaSelectionGroup], selected: [AVMediaSelectionOption]) {
        guard !metadata.isEmpty else { return }
        let groups = groups.map { group in
            MPNowPlayingInfoLanguageOptionGroup(
                languageOptions: group.options.map(Self.option),
                defaultLanguageOption: group.defaultOption.map(Self.option),
                allowEmptySelection: group.allowsEmptySelection)
        }
        metadata[MPNowPlayingInfoPropertyAvailableLanguageOptions] = groups.isEmpty ? nil : groups
        metadata[MPNowPlayingInfoPropertyCurrentLanguageOptions] = selected.isEmpty ? nil : selected.map(Self.option)
        publish()
    }
    private static func option(_ option: AVMediaSelectionOption) -> MPNowPlayingInfoLanguageOption {
        MPNowPlayingInfoLanguageOption(
            type: option.mediaType == .audio ? .audible : .legible, languageTag: option.extendedLanguageTag ?? "und",
            characteristics: nil,
            displayName: option.displayName, identifier: option.displayName)
    }

    func publishPlayback(_ player: AVPlayer, isPlaying: Bool) {
        guard !metadata.isEmpty, let item = player.currentItem else { return }
        let time = player.currentTime().seconds
        let new = (time: time.isFinite ? time : 0, rate: isPlaying ? player.rate : 0, isPlaying: isPlaying)
        let duration = item.duration.isNumeric ? item.duration.seconds : nil
        if let lastPublished, lastPublished == new, duration == metadata[MPMediaItemPropertyPlaybackDuration] as? Double
        {
            return
        }
        lastPublished = new
        metadata[MPNowPlayingInfoPropertyElapsedPlaybackTime] = new.time
        metadata[MPNowPlayingInfoPropertyPlaybackRate] = Double(new.rate)
        metadata[MPNowPlayingInfoPropertyDefaultPlaybackRate] = Double(player.defaultRate)
        metadata[MPMediaItemPropertyPlaybackDuration] = duration
        publish()
        MPNowPlayingInfoCenter.default().playbackState = isPlaying ? .playing : .paused
    }

    private func publish() { MPNowPlayingInfoCenter.default().nowPlayingInfo = metadata }

    isolated deinit {
        // The metadata of this model is removed together with it. Metadata of another model stays.
        let center = MPNowPlayingInfoCenter.default()
        guard let url = metadata[MPNowPlayingInfoPropertyAssetURL] as? URL,
            center.nowPlayingInfo?[MPNowPlayingInfoPropertyAssetURL] as? URL == url
        else { return }
        center.nowPlayingInfo = nil
        center.playbackState = .unknown
    }
}
