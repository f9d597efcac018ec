import Zoetrope

/// The metadata and the playback state that a model publishes in `MPNowPlayingInfoCenter`. Main actor.
@MainActor
final class NowPlayingWords {
    private var words: [String: Any] = [:]
    private var told: (time: Double, rate: Float, isPlaying: Bool)?

    func begin(_ item: any Playable, _ playing: AVPlayerItem) {
        words = [
            MPMediaItemPropertyTitle: item.title,
            MPNowPlayingInfoPropertyAssetURL: item.asset,
            MPNowPlayingInfoPropertyIsLiveStream: item.isLive,
            MPNowPlayingInfoPropertyMediaType: (item.isVideo ? MPNowPlayingInfoMediaType.video : .audio).rawValue,
        ]
        words[MPMediaItemPropertyComments] = item.synopsis
        told = nil
        publish()
    }

    func show(_ artwork: UIImage) {
        words[MPMediaItemPropertyArtwork] = MPMediaItemArtwork(boundsSize: artwork.size) { _ in artwork }
        publish()
    }

    func languages(groups: [AVMediaSelectionGroup], selected: [AVMediaSelectionOption]) {
        guard !words.isEmpty else { return }
        let groups = groups.map { group in
            MPNowPlayingInfoLanguageOptionGroup(
                languageOptions: group.options.map(Self.option),
                defaultLanguageOption: group.defaultOption.map(Self.option),
                allowEmptySelection: group.allowsEmptySelection)
        }
        words[MPNowPlayingInfoPropertyAvailableLanguageOptions] = groups.isEmpty ? nil : groups
        words[MPNowPlayingInfoPropertyCurrentLanguageOptions] = selected.isEmpty ? nil : selected.map(Self.option)
        publish()
    }
    private static func option(_ option: AVMediaSelectionOption) -> MPNowPlayingInfoLanguageOption {
        MPNowPlayingInfoLanguageOption(
            type: option.mediaType == .audio ? .audible : .legible, languageTag: option.extendedLanguageTag ?? "und",
            characteristics: nil,
            displayName: option.displayName, identifier: option.displayName)
    }

    func tell(_ player: AVPlayer, isPlaying: Bool) {
        guard !words.isEmpty, let item = player.currentItem else { return }
        let time = player.currentTime().seconds
        let new = (time: time.isFinite ? time : 0, rate: isPlaying ? player.rate : 0, isPlaying: isPlaying)
        let duration = item.duration.isNumeric ? item.duration.seconds : nil
        if let told, told == new, duration == words[MPMediaItemPropertyPlaybackDuration] as? Double { return }
        told = new
        words[MPNowPlayingInfoPropertyElapsedPlaybackTime] = new.time
        words[MPNowPlayingInfoPropertyPlaybackRate] = Double(new.rate)
        words[MPNowPlayingInfoPropertyDefaultPlaybackRate] = Double(player.defaultRate)
        words[MPMediaItemPropertyPlaybackDuration] = duration
        publish()
        MPNowPlayingInfoCenter.default().playbackState = isPlaying ? .playing : .paused
    }

    private func publish() { MPNowPlayingInfoCenter.default().nowPlayingInfo = words }

    isolated deinit {
        // The metadata of this model is removed together with it. Metadata of another model stays.
        let center = MPNowPlayingInfoCenter.default()
        guard let url = words[MPNowPlayingInfoPropertyAssetURL] as? URL,
            center.nowPlayingInfo?[MPNowPlayingInfoPropertyAssetURL] as? URL == url
        else { return }
        center.nowPlayingInfo = nil
        center.playbackState = .unknown
    }
}
