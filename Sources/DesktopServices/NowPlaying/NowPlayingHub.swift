import Foundation
import GTK
import MediaEngine

/// Which of the process's players the desktop is told of: the one that began to play last; when it has nothing to play
/// any more, the one before. Nobody is on the bus before one has. Main actor.
@MainActor
package final class NowPlayingHub {
    package static let shared = NowPlayingHub()

    private var service: MPRISService?
    /// The one that began last is the last.
    private var sources: [any NowPlayingSource] = []
    private var players: [ObjectIdentifier: PlayerNowPlaying] = [:]
    private var isRefreshing = false

    /// The app's own words; set once it has any.
    package weak var app: (any NowPlayingApp)? { didSet { changed() } }
    package var window: NowPlayingWindow? { didSet { changed() } }
    /// Off: nothing is on the bus, whatever plays.
    package var isEnabled = true { didSet { if isEnabled != oldValue { changed() } } }
    /// For tests.
    package var busName: String? { service?.busName }

    /// From now on players are told of, when they are worth it. Once is enough.
    package func begin() {
        guard AVPlayer.began == nil else { return }
        AVPlayer.began = { [weak self] player in self?.began(player) }
        AVPlayer.gone = { [weak self] in self?.changed() }
    }

    /// Goes from the bus, before the process does.
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

    /// The player that began last, whether it is worth telling of or not.
    package var lastPlayer: AVPlayer? { sources.last { $0.isAlive }.flatMap { $0 as? PlayerNowPlaying }?.player }
    private var current: (any NowPlayingSource)? { sources.last { $0.isAlive && $0.isEligible } }

    /// Something of a source, or of the app's, has become different. Looked at once, at the turn's end.
    package func changed() {
        guard !isRefreshing else { return }
        isRefreshing = true
        DispatchQueue.main.async { [weak self] in MainActor.assumeIsolated { self?.refresh() } }
    }

    private func refresh() {
        isRefreshing = false
        sources.removeAll { !$0.isAlive }
        players = players.filter { $0.value.isAlive }
        // Where nobody could be told, nothing is looked up either: files' words would be read for each that begins.
        guard service != nil || SessionBus.isThere else { return }
        let source = current?.nowPlaying
        guard isEnabled, let told = app.map({ $0.amend(source) }) ?? source else {
            service?.stop()
            service = nil
            return
        }
        let service = self.service ?? makeService()
        service.root = root
        service.tracks = told.tracks
        service.playback = told.playback
        // What it is stands before anybody can ask.
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

    /// The app's own time has jumped.
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

/// The app's desktop file, by which a desktop finds its icon.
enum DesktopEntry {
    /// Its name without the ending, as `AppIdentity` has it; nil: there is no such file, and who looks for it would
    /// look in vain.
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
