import Foundation
import MediaCore
import Observation
import Synchronization
import TestSupport
import Testing

@_spi(Graph) @testable import DeclarativeUI
@testable import MediaEngine
@testable import PlayerViews
@_spi(Graph) @testable import ViewGraph
@testable import Zoetrope

/// Tests that a body which creates or uses a player, or a type related to players, depends on none of its state.
@Suite("Dependencies of bodies that touch players", .serialized)
@MainActor
struct BodyDependencyTests {
    private struct Probe: View {
        let touch: @MainActor () -> Void
        var body: some View {
            touch()
            return Color.clear
        }
    }

    /// Returns how often a body that calls `touch` is evaluated again because of `change`.
    private func evaluations(of touch: @escaping @MainActor () -> Void, after change: () -> Void) -> Int {
        var count = 0
        let host = ViewHost(display: false)
        defer { host.close() }
        host.mount(
            Probe {
                count += 1
                touch()
            })
        change()
        host.graph.flush()
        return count - 1
    }

    /// Returns whether `change` changes a value that `touch` has read, also outside views.
    private func depends(_ touch: () -> Void, on change: () -> Void) -> Bool {
        let isChanged = Mutex(false)
        withObservationTracking(touch) { isChanged.withLock { $0 = true } }
        change()
        return isChanged.withLock { $0 }
    }

    private func player() -> AVQueuePlayer { AVQueuePlayer(title: "body", audioServer: Stage.nowhere) }
    private func item(_ name: String = "film") -> AVPlayerItem {
        AVPlayerItem(url: URL(fileURLWithPath: "/nonexistent/\(name).mp4"))
    }

    /// Changes every property of a player and of its items.
    private func change(_ player: AVQueuePlayer) {
        for item in player.items() {
            item.opened(ItemDescription(duration: 5_000_000_000))
            item.preferredPeakBitRate += 1
            item.externalMetadata.append(AVMutableMetadataItem())
            item.presentationSizeChanged(to: CGSize(width: 320, height: 180))
            item.beganPass()
            item.stalled()
        }
        player.volume = player.volume == 1 ? 0.5 : 1
        player.isMuted.toggle()
        player.rate = player.rate == 0 ? 1 : 0
        player.rate = player.rate == 0 ? 1 : 0
        player.defaultRate += 0.25
        player.actionAtItemEnd = player.actionAtItemEnd == .pause ? .none : .pause
        player.loopsCurrentItem.toggle()
        player.seek(to: CMTime(value: 1, timescale: 1))
        player.insert(item("other"), after: nil)
        player.advanceToNextItem()
        player.removeAllItems()
    }

    enum Touch: CaseIterable {
        case volume, isMuted, rate, play, pause, playAtOnce, seek, step, loop, replace, queue
        case timeObserver, boundary, observe, observeThrough, values, publisher, itemStatus
        case looper, disabledLooper, layer, controller, pictureInPicture, commands, playQueue, hub, presence
    }

    /// Uses a player in one way. Returns an object that the test must retain, or nil.
    private func touch(_ kind: Touch, _ player: AVQueuePlayer) -> Any? {
        let item = withoutObservationTracking { player.items().first } ?? item()
        switch kind {
        case .volume: player.volume = 0.25
        case .isMuted: player.isMuted = true
        case .rate: player.rate = 2
        case .play: player.play()
        case .pause: player.pause()
        case .playAtOnce: player.playImmediately(atRate: 1)
        case .seek: player.seek(to: .zero) { [weak player] _ in _ = player?.rate }
        case .step: item.step(byCount: 1)
        case .loop: player.loopsCurrentItem = true
        case .replace: player.replaceCurrentItem(with: self.item("new"))
        case .queue:
            let second = self.item("second")
            player.insert(second, after: item)
            player.remove(second)
            player.advanceToNextItem()
        case .timeObserver:
            return player.addPeriodicTimeObserver(forInterval: CMTime(value: 1, timescale: 1)) { [weak player] _ in
                _ = player?.rate
            }
        case .boundary:
            return player.addBoundaryTimeObserver(forTimes: [CMTime(value: 1, timescale: 1)]) {}
        case .observe: return player.observe(\.rate, options: [.initial, .new]) { player, _ in _ = player.volume }
        case .observeThrough: return player.observe(\.currentItem?.status, options: [.initial]) { _, _ in }
        case .values: return player.values(of: \.volume)
        case .publisher: return player.publisher(for: \.timeControlStatus).sink { [weak player] _ in _ = player?.rate }
        case .itemStatus: return item.publisher(for: \.status).sink { _ in }
        case .looper: return AVPlayerLooper(player: player, templateItem: item)
        case .disabledLooper:
            let looper = AVPlayerLooper(player: player, templateItem: item)
            looper.disableLooping()
            return looper
        case .layer:
            let layer = AVPlayerLayer(player: player)
            layer.videoGravity = .resizeAspectFill
            return layer
        case .controller:
            let controller = AVPlayerViewController()
            controller.player = player
            controller.videoGravity = .resizeAspectFill
            controller.showsPlaybackControls = false
            controller.speeds = []
            return controller
        case .pictureInPicture:
            let picture = AVPictureInPictureController(contentSource: .init(playerLayer: AVPlayerLayer(player: player)))
            picture.startPictureInPicture()
            picture.stopPictureInPicture()
            return picture
        case .commands:
            let control = PlaybackControl(player)
            control.togglePlayback()
            control.seek(by: 1)
            control.changeVolume(by: 0.1)
            control.changeSpeed(by: 1)
            control.retry()
        case .playQueue:
            let queue = PlayQueue(["a", "b"], player: self.player()) { self.item($0) }
            queue.begin()
            queue.go(by: 1)
            queue.jump(to: 0)
            return queue
        case .hub:
            // An observer of the player calls its own handlers while the body is evaluated.
            let transport = PlayerTransport()
            transport.player = player
            player.isMuted = true
            player.play()
            return transport
        case .presence:
            let presence = ControlsPresence()
            presence.show()
            presence.isUsed()
            presence.toggle()
            return presence
        }
        return nil
    }

    @Test("a body that uses a player is evaluated once", arguments: Touch.allCases)
    func touched(kind: Touch) {
        let player = player()
        player.insert(item(), after: nil)
        defer { player.close() }
        var kept: [Any?] = []
        let again = evaluations(of: { kept.append(touch(kind, player)) }) {
            change(player)
            if let queue = kept.first as? PlayQueue<String> { queue.player.isMuted.toggle() }
            if let presence = kept.first as? ControlsPresence { presence.toggle() }
            if let looper = kept.first as? AVPlayerLooper { looper.disableLooping() }
        }
        #expect(again == 0)
        #expect(kept.count == 1)
    }

    @Test("a block outside of views that uses a player depends on nothing", arguments: Touch.allCases)
    func touchedOutside(kind: Touch) {
        // These kinds call handlers that belong to the block, so their reads count. Only the code of the player must
        // read nothing.
        let own: [Touch] = [.seek, .timeObserver, .observe, .publisher]
        guard !own.contains(kind) else { return }
        let player = player()
        player.insert(item(), after: nil)
        defer { player.close() }
        var kept: Any?
        #expect(!depends({ kept = touch(kind, player) }, on: { change(player) }))
        _ = kept
    }

    @Test("Zoetrope's own observers add no dependencies to an app's block")
    func ownObservers() {
        let controller = ExtPlayerController(audioServer: Stage.nowhere)
        defer { controller.close() }
        #expect(!depends({ controller.player.volume = 0.25 }, on: { controller.player.volume = 0.5 }))

        let player = player()
        defer { player.close() }
        let queue = PlayQueue(["a", "b"], player: player) { self.item($0) }
        queue.begin()
        #expect(!depends({ player.advanceToNextItem() }, on: { player.removeAllItems() }))
        #expect(queue.index == 1)

        var calls = 0
        let observation = player.observeUntracked(\.isMuted) { player, change in
            calls += 1
            _ = player.volume
        }
        #expect(!depends({ player.isMuted = true }, on: { player.volume = 0.5 }) && calls == 1)
        observation.invalidate()
        // An app's observer belongs to the block, so its reads count.
        let own = player.observe(\.isMuted) { player, _ in _ = player.volume }
        #expect(depends({ player.isMuted = false }, on: { player.volume = 0.75 }))
        own.invalidate()
    }

    @Test("a body that makes a player is evaluated once")
    func made() {
        var made: [AVPlayer] = []
        let url = URL(fileURLWithPath: "/nonexistent/film.mp4")
        let again = evaluations(of: { made += [AVPlayer(url: url), AVPlayer(playerItem: self.item()), AVPlayer()] }) {
            for player in made {
                player.currentItem?.failed(AVError(.fileNotFound, at: "/nonexistent/film.mp4", reason: "it is gone"))
                player.play()
                player.replaceCurrentItem(with: item("other"))
            }
        }
        #expect(again == 0 && made.count == 3)
        for player in made { player.close() }
    }

    @Test("a body that commands a component's controller is evaluated once")
    func component() throws {
        let controller = ExtPlayerController(audioServer: Stage.nowhere)
        defer { controller.close() }
        let settings = VideoSettings(name: try TestMedia.url("counter.mp4").path)
        let again = evaluations(of: {
            controller.apply(settings: settings)
            for command in [PlaybackCommand.play, .seek(to: 1), .mute, .loop, .pause, .end, .next] {
                controller.perform(command)
            }
        }) { change(controller.player) }
        #expect(again == 0)
    }

    @Test("a property that a body reads itself evaluates it again")
    func read() {
        let player = player()
        player.insert(item(), after: nil)
        defer { player.close() }
        #expect(evaluations(of: { _ = player.rate }) { player.play() } == 1)
        #expect(evaluations(of: { _ = player.currentItem?.status }) { change(player) } == 1)
        let second = item("second")
        #expect(evaluations(of: { _ = player.items() }) { player.insert(second, after: nil) } == 1)
        #expect(evaluations(of: { _ = player.items() }) { player.remove(second) } == 1)
        #expect(evaluations(of: { _ = player.items() }) { player.volume = 0.2 } == 0)
        #expect(evaluations(of: { _ = player.currentTime() }) { player.seek(to: CMTime(value: 1, timescale: 1)) } == 0)
        let looper = AVPlayerLooper(player: player, templateItem: item("looped"))
        #expect(evaluations(of: { _ = looper.status }) { looper.disableLooping() } == 1)
        let presence = ControlsPresence()
        #expect(evaluations(of: { _ = presence.isShown }) { presence.toggle() } == 1)
        #expect(evaluations(of: { withoutObservationTracking { _ = player.volume } }) { player.volume = 0.1 } == 0)
    }

    @Test("views that a body hosts are evaluated without it")
    func hosted() async {
        let player = player()
        defer { player.close() }
        var (outer, inner) = (0, 0)
        var hosts: [ViewHost] = []
        let host = ViewHost(display: false)
        host.mount(
            Probe {
                outer += 1
                let hosted = ViewHost(display: false)
                hosted.mount(
                    Probe {
                        inner += 1
                        _ = player.volume
                    })
                hosts.append(hosted)
            })
        #expect(outer == 1 && inner == 0)
        await withCheckedContinuation { continuation in OnMain.later { continuation.resume() } }
        #expect(inner == 1)
        player.volume = 0.5
        for host in hosts + [host] { host.graph.flush() }
        #expect(outer == 1 && inner == 2)
        for host in hosts + [host] { host.close() }
    }

    @Test("a handler that begins to track values is notified of changes")
    func trackingHandlers() {
        let player = player()
        defer { player.close() }
        let changes = Mutex(0)
        let observation = player.observe(\.isMuted) { player, _ in
            withObservationTracking {
                _ = player.volume
            } onChange: {
                changes.withLock { $0 += 1 }
            }
        }
        // A command changes the player, and its reads register no dependency.
        PlaybackControl(player).toggleMuted()
        player.volume = 0.5
        #expect(changes.withLock { $0 } == 1)
        observation.invalidate()
    }
}
