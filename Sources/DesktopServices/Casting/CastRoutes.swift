import CGUPnP
import Foundation
import MediaCore
import MediaEngine
import Observation

/// The UPnP renderers to which players can cast. A search runs while an `Interest` exists or a renderer is in use.
@MainActor @Observable
package final class CastRoutes {
    package static let shared = CastRoutes()
    /// The renderers that were found, sorted by name.
    package private(set) var renderers: [Renderer] = []
    /// Incremented when a player starts or stops using a renderer, so that observers are notified.
    private var changes = 0
    @ObservationIgnored private var browser: RendererBrowser?
    @ObservationIgnored private var interestCount = 0
    @ObservationIgnored private var playbacks: [RendererPlayback] = []

    func access<Member>(keyPath: KeyPath<CastRoutes, Member>) {
        ObservationScope.access(_$observationRegistrar, self, keyPath)
    }

    /// A request to search for renderers, which ends when the object is deinitialized.
    @MainActor package final class Interest {
        fileprivate init() { CastRoutes.shared.change(1) }
        isolated deinit { CastRoutes.shared.change(-1) }
    }
    package func startSearching() -> Interest { Interest() }

    private func change(_ by: Int) {
        interestCount += by
        follow()
    }

    private func follow() {
        let isWanted = interestCount > 0 || !playbacks.isEmpty
        guard isWanted != (browser != nil) else { return }
        guard isWanted else {
            browser?.stop()
            browser = nil
            renderers = []
            return
        }
        browser = RendererBrowser(
            onFound: { [weak self] in self?.didFind($0) }, onLost: { [weak self] in self?.didLose($0) })
    }

    private func didFind(_ renderer: Renderer) {
        // The limit keeps the menu usable.
        guard browser != nil, renderers.count < 64, !renderers.contains(where: { $0.id == renderer.id }) else { return }
        renderers = (renderers + [renderer]).sorted { ($0.name.lowercased(), $0.id) < ($1.name.lowercased(), $1.id) }
    }
    private func didLose(_ id: String) {
        renderers.removeAll { $0.id == id }
        for playback in playbacks where playback.renderer.id == id { playback.didLeaveNetwork() }
    }

    /// Removes a renderer that no longer answers but has not left the network. Restarts the search, because GUPnP would
    /// otherwise keep the renderer for half an hour and not report its return.
    func lost(_ renderer: Renderer) {
        renderers.removeAll { $0.id == renderer.id }
        guard browser != nil else { return }
        browser?.stop()
        browser = nil
        follow()
    }

    /// Casts a player to a renderer. If another player uses that renderer, its playback there ends.
    package func send(_ player: AVPlayer, to renderer: Renderer) {
        guard player.allowsExternalPlayback, player.currentItem != nil, self.renderer(of: player)?.id != renderer.id
        else { return }
        for other in players where other.playback.renderer.id == renderer.id {
            other.player.endExternalPlayback(plays: false)
        }
        let playback = RendererPlayback(renderer, player)
        playbacks.append(playback)
        player.beginExternalPlayback(playback)
        if player.isExternalPlaybackActive {
            uses[ObjectIdentifier(playback)] = Use(player: player)
        } else {
            ended(playback)
        }
        changes += 1
        follow()
    }
    /// Whether there is a renderer to choose, or one is in use.
    package var isChoice: Bool {
        _ = changes
        return !renderers.isEmpty || !playbacks.isEmpty
    }
    package func current(of player: AVPlayer?) -> Renderer? {
        _ = changes
        return player.flatMap { renderer(of: $0) }
    }
    /// Ends the casting of a player, which continues on this computer.
    package func takeBack(_ player: AVPlayer) { player.endExternalPlayback() }

    private struct Use { weak var player: AVPlayer? }
    @ObservationIgnored private var uses: [ObjectIdentifier: Use] = [:]
    private var players: [(player: AVPlayer, playback: RendererPlayback)] {
        playbacks.compactMap { playback in uses[ObjectIdentifier(playback)]?.player.map { ($0, playback) } }
    }
    package func renderer(of player: AVPlayer) -> Renderer? {
        players.first { $0.player === player && $0.player.isExternalPlaybackActive }?.playback.renderer
    }

    func ended(_ playback: RendererPlayback) {
        playbacks.removeAll { $0 === playback }
        uses[ObjectIdentifier(playback)] = nil
        changes += 1
        // Deferred, because the caller is ending the playback at this moment.
        DispatchQueue.main.async { MainActor.assumeIsolated { CastRoutes.shared.follow() } }
    }

    /// Stops all renderers before the process ends, and waits for at most half a second.
    package func end() {
        let all = playbacks
        for playback in all { playback.end() }
        guard !all.isEmpty else { return }
        final class Done { var isDone = false }
        let done = Done()
        Task { @MainActor in
            for playback in all { await playback.ending?.value }
            done.isDone = true
        }
        let until = Date().addingTimeInterval(0.5)
        while !done.isDone, Date() < until {
            if g_main_context_iteration(nil, 0) == 0 {
                _ = RunLoop.main.run(mode: .default, before: Date().addingTimeInterval(0.01))
            }
        }
    }
}
