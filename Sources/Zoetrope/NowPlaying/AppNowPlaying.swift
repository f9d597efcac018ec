import DesktopServices
import Foundation
import MediaEngine

/// The metadata and the commands that an app publishes itself. They take precedence over those of its players. Main
/// actor.
@MainActor
final class AppNowPlaying: NowPlayingApp {
    /// The metadata and commands of `MPNowPlayingInfoCenter.default()` and `MPRemoteCommandCenter.shared()`.
    static let shared = AppNowPlaying()
    let center: () -> MPNowPlayingInfoCenter, commands: () -> MPRemoteCommandCenter
    /// The players of a session. Nil for the app's own metadata, which applies to all players.
    var players: [AVPlayer]? {
        didSet { if NowPlayingHub.shared.app === self { NowPlayingHub.shared.changed() } }
    }
    /// Whether the metadata that the players publish themselves is left out.
    var ignoresPlayerMetadata = false
    private var isConnected = false
    /// The text that identifies the current track, and the number of tracks so far. Another title, artist, URL or
    /// identifier means another track. If the metadata of a player is published too, its item identifies the track.
    private var trackKey = "", number = 0
    private var artwork: (of: MPMediaItemArtwork, file: URL?)?
    private var isPlaying = false

    private init() {
        center = { MPNowPlayingInfoCenter.plain }
        commands = { MPRemoteCommandCenter.plain }
    }
    init(_ center: MPNowPlayingInfoCenter, _ commands: MPRemoteCommandCenter, players: [AVPlayer]) {
        self.center = { center }
        self.commands = { commands }
        self.players = players
    }

    /// Publishes the app's metadata and commands from now on, unless another session is active.
    func activate() {
        connect()
        guard NowPlayingHub.shared.app == nil else { return }
        NowPlayingHub.shared.app = self
    }
    /// Stops publishing, because the session has ended. The app's own metadata and commands follow, if the app has used
    /// them.
    func deactivate() {
        guard NowPlayingHub.shared.app === self else { return }
        NowPlayingHub.shared.app = AppNowPlaying.shared.isConnected ? AppNowPlaying.shared : nil
    }
    func connect() {
        guard !isConnected else { return }
        isConnected = true
        NowPlayingHub.shared.begin()
        center().changed = { [weak self] hasJumped in
            guard let self, NowPlayingHub.shared.app === self else { return }
            hasJumped ? NowPlayingHub.shared.appJumped() : NowPlayingHub.shared.changed()
        }
        commands().changed = { [weak self] in
            if let self, NowPlayingHub.shared.app === self { NowPlayingHub.shared.changed() }
        }
    }

    func amend(_ source: NowPlaying?) -> NowPlaying? {
        let info = center().nowPlayingInfo
        let player = source
        let source = ignoresPlayerMetadata ? nil : source
        guard source != nil || info != nil else { return nil }
        var nowPlaying = source ?? NowPlaying()
        // The player's state applies even if its metadata is ignored, unless the app publishes a rate or a state.
        if let player { nowPlaying.playback.status = player.playback.status }
        if let info {
            nowPlaying.playback.track = track(info, over: source?.playback.track)
            if source == nil {
                nowPlaying.tracks = nowPlaying.playback.track.map { [$0] } ?? []
            } else if let track = nowPlaying.playback.track,
                let index = nowPlaying.tracks.firstIndex(where: { $0.id == track.id })
            {
                nowPlaying.tracks[index] = track
            }
            if let rate = MPNowPlayingInfoCenter.number(info[MPNowPlayingInfoPropertyPlaybackRate]) {
                nowPlaying.playback.status = rate > 0 ? .playing : .paused
                if rate > 0 { nowPlaying.playback.rate = rate }
            }
        }
        switch center().playbackState {
        case .unknown: break
        case .playing: nowPlaying.playback.status = .playing
        case .paused, .interrupted: nowPlaying.playback.status = .paused
        case .stopped: nowPlaying.playback.status = .stopped
        }
        commands().amend(&nowPlaying.playback)
        isPlaying = nowPlaying.playback.status == .playing
        return nowPlaying
    }

    var position: Int64? { center().elapsed.map { Int64(min($0 * 1e6, 9e18)) } }

    func perform(_ command: MPRISCommand) -> Result<Void, BusError>? {
        commands().perform(command, isPlaying: isPlaying)
    }

    private func track(_ info: [String: Any], over source: MPRISTrack?) -> MPRISTrack {
        func text(_ key: String) -> String? { (info[key] as? String).map { String($0.prefix(1000)) } }
        let url = info[MPNowPlayingInfoPropertyAssetURL] as? URL
        let trackKey = [
            text(MPMediaItemPropertyTitle), text(MPMediaItemPropertyArtist), url?.absoluteString,
            info[MPMediaItemPropertyPersistentID].map { "\($0)" },
            text(MPNowPlayingInfoPropertyExternalContentIdentifier),
        ].map { $0 ?? "" }.joined(separator: "\u{1f}")
        if trackKey != self.trackKey { (self.trackKey, number) = (trackKey, number + 1) }
        var track = source ?? MPRISTrack(id: "/tv/zoetrope/app/\(number)")
        if let seconds = MPNowPlayingInfoCenter.number(info[MPMediaItemPropertyPlaybackDuration]) {
            track.length = Int64(min(max(0, seconds) * 1e6, 9e18))
        }
        if info[MPNowPlayingInfoPropertyIsLiveStream] as? Bool == true { track.length = nil }
        for (key, name) in [(MPMediaItemPropertyTitle, "xesam:title"), (MPMediaItemPropertyAlbumTitle, "xesam:album")] {
            if let value = text(key) { track.words[name] = .string(value) }
        }
        for (key, name) in [
            (MPMediaItemPropertyArtist, "xesam:artist"), (MPMediaItemPropertyAlbumArtist, "xesam:albumArtist"),
            (MPMediaItemPropertyGenre, "xesam:genre"),
            (MPMediaItemPropertyComposer, "xesam:composer"), (MPMediaItemPropertyComments, "xesam:comment"),
        ] { if let value = text(key) { track.words[name] = .strings([value]) } }
        for (key, name) in [
            (MPMediaItemPropertyAlbumTrackNumber, "xesam:trackNumber"),
            (MPMediaItemPropertyDiscNumber, "xesam:discNumber"),
        ] {
            if let number = MPNowPlayingInfoCenter.number(info[key]) {
                track.words[name] = .int32(Int32(min(max(0, number), 1e9)))
            }
        }
        if let url { track.words["xesam:url"] = .string(url.absoluteString) }
        if let file = artworkFile(info[MPMediaItemPropertyArtwork] as? MPMediaItemArtwork) {
            track.words["mpris:artUrl"] = .string(file.absoluteString)
        }
        return track
    }

    private func artworkFile(_ new: MPMediaItemArtwork?) -> URL? {
        guard let new else { return nil }
        if let artwork, artwork.of === new { return artwork.file }
        artwork = (new, nil)
        guard let data = new.png else { return nil }
        Task { [weak self] in
            let file = await ArtworkFiles.shared.file(for: data)
            guard let self, artwork?.of === new, let file else { return }
            artwork = (new, file)
            NowPlayingHub.shared.changed()
        }
        return nil
    }
}
