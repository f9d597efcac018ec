import MediaCore
import MediaEngine

/// The playback of a player's items on a renderer.
///
/// Commands are sent one after the other, and the renderer's state is requested about every second. Many renderers
/// report wrong states; `RendererState` evaluates the reports.
@MainActor
final class RendererPlayback: ExternalPlayback {
    let renderer: Renderer
    private weak var player: AVPlayer?
    var name: String { renderer.name }

    private var media: CastMedia?
    private weak var item: AVPlayerItem?
    private var counts = Counts()
    private var waiting = 0
    private var last: Task<Void, Never>?
    private var polls: Task<Void, Never>?
    private var wantedRate: Float = 0
    private var stage = Stage()
    private var remote = RendererState()
    private var failures = 0
    private var isEnded = false
    private let volume: RendererVolume

    /// The numbers of loaded items, seeks and changes of the rate so far. Answers to earlier commands are discarded.
    private struct Counts: Equatable {
        var loads = 0
        var seeks = 0
        var rates = 0
    }
    /// The progress of loading and starting the item on the renderer.
    private struct Stage {
        /// Whether the renderer knows the item's URL.
        var isLoaded = false
        /// Whether the renderer has received the command to play.
        var isStarted = false
        /// The position to seek to after the start, as most renderers refuse to seek before it.
        var pendingPosition: MediaTime?
    }

    var isPlaying: Bool { remote.isPlaying }
    var isAtEnd: Bool { remote.isAtEnd }

    init(_ renderer: Renderer, _ player: AVPlayer) {
        (self.renderer, self.player) = (renderer, player)
        volume = RendererVolume(renderer)
    }

    func media(atHostTime host: HostTime) -> MediaTime { remote.media(atHostTime: host) }
    func hostTime(media: MediaTime) -> HostTime? { remote.hostTime(media: media) }

    // MARK: commands

    func load(_ item: AVPlayerItem, at position: MediaTime, rate: Float) {
        counts.loads += 1
        let mine = counts.loads
        self.item = item
        wantedRate = rate
        stage = Stage(pendingPosition: position > MediaTime(nanoseconds: 500_000_000) ? position : nil)
        remote = RendererState(at: position, duration: MediaTime(item.duration))
        order { await $0.begin(item, mine) }
        if polls == nil { polls = Task { [weak self] in await RendererPlayback.poll { self } } }
    }

    private func begin(_ item: AVPlayerItem, _ mine: Int) async {
        guard mine == counts.loads else { return }
        do {
            if media != nil { _ = try? await renderer.transport.call("Stop", ["InstanceID": "0"]) }
            media?.close()
            media = nil
            let new = try await CastMedia(item, for: renderer)
            guard mine == counts.loads, !isEnded else { return new.close() }
            media = new
            // Some renderers load the URL before they answer, which takes longer.
            _ = try await renderer.transport.call(
                "SetAVTransportURI", ["InstanceID": "0", "CurrentURI": new.address, "CurrentURIMetaData": new.words],
                seconds: 15)
            guard mine == counts.loads, !isEnded else { return }
            stage.isLoaded = true
            if !volume.isKnown { await readVolume() }
            guard mine == counts.loads, !isEnded, wantedRate > 0 else { return }
            try await start()
        } catch {
            if mine == counts.loads { fail(error) }
        }
    }

    /// Starts playback on the renderer, and then seeks to the pending position.
    private func start() async throws {
        remote.willPlay(at: .now())
        do throws(RendererError) {
            try await sendPlay()
        } catch {
            // Error 717, "Play speed not supported": play at the normal speed instead.
            guard error.kind == .refused(717) else { throw error }
            wantedRate = 1
            player?.externalRateChanged(1)
            try await sendPlay()
        }
        stage.isStarted = true
        guard stage.pendingPosition != nil else { return }
        let mine = counts.loads
        let until = HostTime.now() + 15_000_000_000
        while mine == counts.loads, !isEnded, HostTime.now() < until {
            let state = try await state()
            if state == "PLAYING" || state == "PAUSED_PLAYBACK" { break }
            try? await Task.sleep(for: .milliseconds(200))
        }
        guard mine == counts.loads, !isEnded, let position = stage.pendingPosition else { return }
        stage.pendingPosition = nil
        do {
            try await sendSeek(position)
            remote.didSeek(to: position, at: .now())
        } catch {
            // After a failed seek, the item plays from its start.
            remote.didSeek(to: 0, at: .now())
        }
    }

    private func sendPlay() async throws(RendererError) {
        let speed = wantedRate == 1 || wantedRate == 0 ? "1" : String(wantedRate)
        do throws(RendererError) {
            _ = try await renderer.transport.call("Play", ["InstanceID": "0", "Speed": speed], seconds: 10)
        } catch {
            // Error 701, "Transition not available": some renderers refuse a command whose state they are already in.
            guard error.kind == .refused(701), ["PLAYING", "TRANSITIONING"].contains(try await state()) else {
                throw error
            }
            // The renderer keeps its present speed.
            if wantedRate != 1, wantedRate > 0 {
                wantedRate = 1
                player?.externalRateChanged(1)
            }
        }
        remote.speed = wantedRate == 0 ? 1 : Double(wantedRate)
    }
    private func state() async throws(RendererError) -> String {
        try await renderer.transport.call("GetTransportInfo", ["InstanceID": "0"], answers: ["CurrentTransportState"])[
            "CurrentTransportState"] ?? ""
    }
    private func sendSeek(_ position: MediaTime) async throws(RendererError) {
        // AVTransport:1 only guarantees whole seconds, and many renderers refuse fractions.
        let seconds = MediaTime(seconds: position.seconds.rounded())
        _ = try await renderer.transport.call(
            "Seek", ["InstanceID": "0", "Unit": "REL_TIME", "Target": UPnPTime.text(seconds)], seconds: 10)
    }

    func setRate(_ rate: Float) {
        wantedRate = rate
        if rate == 0 { remote.pause(at: .now()) }
        counts.rates += 1
        let mine = counts.rates
        order { me in
            guard mine == me.counts.rates, me.stage.isLoaded else { return }
            do {
                if rate > 0 { try await me.start() } else if me.stage.isStarted { try await me.pause() }
            } catch {
                me.fail(error)
            }
        }
    }

    private func pause() async throws {
        do throws(RendererError) {
            _ = try await renderer.transport.call("Pause", ["InstanceID": "0"])
        } catch {
            // Pause is optional in AVTransport:1. Stop a renderer without it, and seek back when it plays again.
            guard case .refused = error.kind else { throw error }
            guard try await state() != "PAUSED_PLAYBACK" else { return }
            stage.pendingPosition = media(atHostTime: .now())
            stage.isStarted = false
            _ = try? await renderer.transport.call("Stop", ["InstanceID": "0"])
        }
    }

    func seek(to position: MediaTime, completion: @escaping @MainActor (Bool) -> Void) {
        counts.seeks += 1
        let mine = counts.seeks
        let load = counts.loads
        order(ended: { completion(false) }) { me in
            guard mine == me.counts.seeks, load == me.counts.loads else { return completion(false) }
            // A renderer stops at the end of an item and must be started before it can seek.
            guard me.stage.isLoaded, me.stage.isStarted, !me.remote.isAtEnd else {
                me.stage.pendingPosition = position
                me.remote.didSeek(to: position, at: .now())
                completion(true)
                if me.stage.isLoaded, me.wantedRate > 0 { do { try await me.start() } catch { me.fail(error) } }
                return
            }
            do throws(RendererError) {
                try await me.sendSeek(position)
                me.remote.didSeek(to: position, at: .now())
                completion(true)
            } catch {
                completion(false)
            }
        }
    }

    func setVolume(_ volume: Float, isMuted: Bool) { self.volume.set(volume, isMuted: isMuted) }

    private func readVolume() async {
        guard let reported = await volume.read(), !isEnded else { return }
        player?.externalVolumeChanged(reported.level, isMuted: reported.isMuted)
    }

    func end() {
        guard !isEnded else { return }
        isEnded = true
        polls?.cancel()
        let before = last
        let wasStarted = stage.isStarted || stage.isLoaded
        // The task retains this object until the renderer has been stopped.
        last = Task {
            await before?.value
            if wasStarted { _ = try? await renderer.transport.call("Stop", ["InstanceID": "0"], seconds: 2) }
            media?.close()
            media = nil
        }
        CastRoutes.shared.ended(self)
    }
    /// The task that sends the last commands. It completes when the renderer has been stopped.
    var ending: Task<Void, Never>? { last }

    /// Runs a command after all earlier ones.
    private func order(
        ended: (@MainActor () -> Void)? = nil, _ command: @escaping @MainActor (RendererPlayback) async -> Void
    ) {
        let before = last
        waiting += 1
        last = Task {
            await before?.value
            if isEnded { ended?() } else { await command(self) }
            waiting -= 1
            if !isEnded { player?.externalChanged() }
        }
    }

    // MARK: reports

    private static func poll(_ me: () -> RendererPlayback?) async {
        var count = 0
        while !Task.isCancelled {
            guard let playback = me(), !playback.isEnded else { return }
            await playback.requestReport(volumeToo: count % 3 == 2)
            count += 1
            let isSettled = playback.remote.isPlaying || playback.wantedRate == 0
            try? await Task.sleep(for: .milliseconds(isSettled ? 1000 : 300))
        }
    }

    private func requestReport(volumeToo: Bool) async {
        guard stage.isLoaded, waiting == 0 else { return }
        let mine = counts
        do throws(RendererError) {
            let state = try await renderer.transport.call(
                "GetTransportInfo", ["InstanceID": "0"], answers: ["CurrentTransportState", "CurrentTransportStatus"])
            let position = try await renderer.transport.call(
                "GetPositionInfo", ["InstanceID": "0"], answers: ["RelTime", "TrackDuration"])
            failures = 0
            guard !isEnded, waiting == 0, mine == counts else { return }
            if volumeToo { await readVolume() }
            guard !isEnded, waiting == 0, mine == counts else { return }
            if let item, let known = MediaTime(item.duration) { remote.duration = known }
            let verdict = remote.update(
                with:
                    RendererState.Report(
                        state: state["CurrentTransportState"] ?? "", status: state["CurrentTransportStatus"] ?? "",
                        place: position["RelTime"].flatMap { UPnPTime.parse($0) },
                        duration: position["TrackDuration"].flatMap { UPnPTime.parse($0) }),
                wantsToPlay: wantedRate > 0, isStarted: stage.isStarted, at: .now())
            act(on: verdict)
        } catch {
            if case .refused = error.kind {
                failures = 0
                return
            }
            failures += 1
            // Without answers, the position does not advance further than a second after the last report.
            remote.pause(at: min(.now(), remote.lastReportTime + 1_000_000_000))
            if failures >= 3, !isEnded {
                CastRoutes.shared.lost(renderer)
                fail(
                    AVError(
                        .externalPlaybackFailed, at: name, reason: "the cast device no longer responds",
                        suggestion: "Check that the cast device is on and connected to the network"))
            } else {
                player?.externalChanged()
            }
        }
    }

    private func act(on verdict: RendererState.Verdict) {
        switch verdict {
        case .unchanged: break
        case .ended: stage.isStarted = false
        case .pausedThere:
            player?.externalRateChanged(0)
            wantedRate = 0
        case .resumedThere:
            wantedRate = 1
            stage.isStarted = true
            player?.externalRateChanged(1)
        case .stoppedThere:
            player?.endExternalPlayback(plays: false)
            return
        case .doesNotPlay(let reason):
            return fail(
                AVError(
                    .externalPlaybackFailed, at: name, reason: reason,
                    suggestion: "Choose another cast device, or a file in another format"))
        }
        player?.externalChanged()
    }

    /// Ends the playback, because the renderer has announced that it leaves the network.
    func didLeaveNetwork() {
        guard !isEnded else { return }
        remote.pause(at: .now())
        fail(
            AVError(
                .externalPlaybackFailed, at: name, reason: "the cast device left the network",
                suggestion: "Check that the cast device is on"))
    }

    private func fail(_ error: any Error) {
        guard !isEnded else { return }
        let avError =
            error as? AVError
            ?? AVError(
                .externalPlaybackFailed, at: name, reason: "\(error)",
                suggestion: "Choose another cast device, or another file")
        guard let player else { return end() }
        player.endExternalPlayback(error: avError)
    }
}
