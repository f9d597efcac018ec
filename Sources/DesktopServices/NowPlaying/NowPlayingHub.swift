import Foundation
import GTK
import MediaEngine

/// The choice of the player that the desktop shows: the player that started last or, when that one has nothing to play,
/// the one before. An active session limits the choice to its own players. The process appears on the bus when a player
/// has started.
@MainActor
package final class NowPlayingHub {
    package static let shared = NowPlayingHub()

    private var service: MPRISService?
    /// The sources in the order of their last start, with the latest at the end.
    private var sources: [any NowPlayingSource] = []
    private var players: [ObjectIdentifier: PlayerNowPlaying] = [:]
    private var isRefreshing = false

    /// The app's own metadata and commands, if there are any. A strong reference, because a weak one would become nil
    /// without a call of `didSet`.
    package var app: (any NowPlayingApp)? { didSet { changed() } }
    package var window: NowPlayingWindow? { didSet { changed() } }
    /// Whether the process appears on the bus when a player plays. Default: true.
    package var isEnabled = true { didSet { if isEnabled != oldValue { changed() } } }

    /// Starts to report players to the desktop. A second call has no effect.
    package func begin() {
        guard AVPlayer.playbackDidStart == nil else { return }
        AVPlayer.playbackDidStart = { [weak self] player in self?.began(player) }
        AVPlayer.playerDidDeinit = { [weak self] in self?.changed() }
    }

    /// Removes the process from the bus, before the process ends.
    package func end() {
        service?.stop()
        service = nil
    }

    private func began(_ player: AVPlayer) {
        let key = ObjectIdentifier(player)
        let source: PlayerNowPlaying
        if let known = players[key], known.player === player {
            source = known
        } else {
            source = PlayerNowPlaying(player) { [weak self] in
                self?.changed()
            } jumped: { [weak self] source in
                self?.jumped(source)
            }
            players[key] = source
        }
        sources.removeAll { $0 === source }
        sources.append(source)
        changed()
    }

    /// The player that started last, whether it is eligible or not.
    package var lastPlayer: AVPlayer? { sources.last { $0.player != nil }?.player }
    private var current: (any NowPlayingSource)? {
        let players = app?.players
        return sources.last { source in
            guard let player = source.player, source.isEligible else { return false }
            return players?.contains { $0 === player } ?? true
        }
    }

    /// Reports a change of a source or of the app. All changes in one main loop iteration are handled together.
    package func changed() {
        guard !isRefreshing else { return }
        isRefreshing = true
        DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.refresh() } }
    }

    private func refresh() {
        isRefreshing = false
        sources.removeAll { $0.player == nil }
        players = players.filter { $0.value.player != nil }
        // Without a bus, do not read the metadata of each file that starts.
        guard service != nil || SessionBus.isThere else { return }
        let source = current?.nowPlaying
        guard isEnabled, let information = app.map({ $0.amend(source) }) ?? source else {
            service?.stop()
            service = nil
            return
        }
        let service = self.service ?? makeService()
        service.root = root
        service.tracks = information.tracks
        service.playback = information.playback
        // Start the service after its values are set, so that other programs never read the defaults.
        if self.service == nil {
            self.service = service
            service.start()
        }
    }

    private func jumped(_ source: any NowPlayingSource) {
        guard source === current, let service else { return }
        refresh()
        service.seeked(to: position)
    }

    /// Reports that the app's own position has jumped.
    package func appJumped() {
        refresh()
        service?.seeked(to: position)
    }

    private var position: Int64 { app?.position ?? current?.position ?? 0 }

    private func makeService() -> MPRISService {
        let service = MPRISService(name: AppIdentity.identifier)
        service.position = { [weak self] in self?.position ?? 0 }
        service.perform = { [weak self] command in self?.perform(command) }
        return service
    }

    private var root: MPRISRoot {
        var root = MPRISRoot()
        root.identity = AppIdentity.name
        root.desktopEntry = DesktopEntry.name
        guard let window else { return root }
        let fullscreen = window.isFullscreen()
        (root.canQuit, root.canRaise) = (true, fullscreen != nil)
        (root.fullscreen, root.canSetFullscreen) = (fullscreen ?? false, fullscreen != nil)
        if window.open != nil {
            root.uriSchemes = ["file", "http", "https"]
            root.mimeTypes = [
                "video/mp4", "video/x-matroska", "video/webm", "video/quicktime", "video/mpeg", "video/mp2t",
                "video/ogg", "video/x-msvideo",
                "audio/mpeg", "audio/mp4", "audio/flac", "audio/ogg", "audio/x-wav", "application/vnd.apple.mpegurl",
            ]
        }
        return root
    }

    private func perform(_ command: MPRISCommand) -> BusError? {
        switch command {
        case .raise: window?.raise()
        case .quit: window?.quit()
        case .setFullscreen(let isOn): window?.setFullscreen(isOn)
        case .open(let uri):
            guard let open = window?.open, let url = URL(string: uri) else {
                return .invalid("“\(uri.prefix(200))” is not a URI.")
            }
            open(url)
        default:
            switch app?.perform(command) {
            case .success?: return nil
            case .failure(let error)?: return error
            case nil: return current?.perform(command)
            }
        }
        return nil
    }
}

/// The app's desktop file, by which a desktop finds the app's icon.
enum DesktopEntry {
    /// The name without its extension, the same as `AppIdentity.identifier`. Nil if the file does not exist, so that
    /// the desktop does not search for it.
    @MainActor static let name: String? = {
        let environment = ProcessInfo.processInfo.environment
        let home = environment["XDG_DATA_HOME"] ?? (environment["HOME"] ?? "") + "/.local/share"
        let folders =
            [home]
            + (environment["XDG_DATA_DIRS"] ?? "/usr/local/share:/usr/share").split(separator: ":").map(String.init)
        let file = AppIdentity.identifier + ".desktop"
        return folders.contains { FileManager.default.fileExists(atPath: "\($0)/applications/\(file)") }
            ? AppIdentity.identifier : nil
    }()
}
