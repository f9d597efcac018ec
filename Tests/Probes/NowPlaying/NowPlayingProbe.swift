import DesktopServices
import Foundation
import Zoetrope

/// An app that plays files and reports them to the desktop. It reads commands, one per line, from the pipe named by
/// `--input`. The third argument is `queue`, `ext` or `quiet`, and the files follow.
struct NowPlayingProbe: App {
    @StateObject private var model = ProbeModel()
    @State private var command = PlaybackCommand.play
    private let value = ProcessInfo.processInfo.environment["ZT_PROBE"] ?? ""
    var body: some Scene {
        WindowGroup("Now playing") {
            Group {
                switch model.kind {
                case "ext":
                    ExtVideoPlayer(
                        {
                            VideoSettings {
                                SourceName(model.files.first?.path ?? "")
                                if value.contains("loop") { Loop() }
                                if value.contains("mute") { Mute() }
                                if value.contains("secret") { NowPlayingOff() }
                            }
                        }, command: $command)
                default: VideoPlayer(player: model.player)
                }
            }
            .onAppear { model.listen() }
            .modifier(Opener(isOn: value.contains("opens"), model: model))
        }
        .defaultSize(width: 320, height: 180)
    }
}

extension NowPlayingProbe {
    /// A modifier that opens URLs if `isOn` is true.
    private struct Opener: ViewModifier {
        let isOn: Bool
        let model: ProbeModel
        func body(content: Content) -> some View { if isOn { content.onOpenURL { model.open($0) } } else { content } }
    }

    @MainActor
    final class ProbeModel: ObservableObject {
        let kind = Probes.arguments.dropFirst(3).first ?? ""
        let files = Probes.arguments.dropFirst(4).map { URL(fileURLWithPath: $0) }
        let player: AVQueuePlayer
        private var looper: AVPlayerLooper?
        private var interest: CastRoutes.Interest?
        private var ends = 0
        private var endObserver: (any NSObjectProtocol)?
        private var session: MPNowPlayingSession?
        private var other: AVPlayer?
        private var windows: [String: (window: PlayerWindow, looper: AVPlayerLooper)] = [:]
        private var input: DispatchSourceRead?
        private var pending = ""

        init() {
            player = AVQueuePlayer(
                items: Probes.arguments.dropFirst(3).first == "queue"
                    ? Probes.arguments.dropFirst(4).map { AVPlayerItem(url: URL(fileURLWithPath: $0)) } : [])
        }

        func listen() {
            endObserver = NotificationCenter.default.addObserver(
                forName: AVPlayerItem.didPlayToEndTimeNotification, object: nil, queue: nil
            ) { [weak self] _ in
                MainActor.assumeIsolated { self?.ends += 1 }
            }
            guard input == nil, Probes.arguments.count > 2 else { return }
            let descriptor = Foundation.open(Probes.arguments[2], O_RDWR)
            guard descriptor >= 0 else { return }
            let source = DispatchSource.makeReadSource(fileDescriptor: descriptor, queue: .main)
            source.setEventHandler { [weak self] in
                var bytes = [UInt8](repeating: 0, count: 4096)
                let count = read(descriptor, &bytes, bytes.count)
                let text = count > 0 ? String(decoding: bytes[..<count], as: UTF8.self) : ""
                MainActor.assumeIsolated { self?.take(text) }
            }
            source.resume()
            input = source
            say("ready")
        }
        func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
        /// Prints the URL. If `ZT_PROBE` contains `loads`, also plays it, as an app would.
        func open(_ url: URL) {
            if (ProcessInfo.processInfo.environment["ZT_PROBE"] ?? "").contains("loads") {
                for item in player.items().dropFirst() { player.remove(item) }
                player.replaceCurrentItem(with: AVPlayerItem(url: url))
            }
            say("open \(url.absoluteString)")
        }
        private func take(_ text: String) {
            pending += text
            while let end = pending.firstIndex(of: "\n") {
                let line = String(pending[..<end])
                pending.removeSubrange(...end)
                guard perform(line) else { continue }
                DispatchQueue.main.async { MainActor.assumeIsolated { self.say("done \(line)") } }
            }
        }

        /// - Returns: Whether the command is done. If false, the command reports its end itself.
        private func perform(_ line: String) -> Bool {
            let words = line.split(separator: " ").map(String.init)
            let value = words.last ?? ""
            switch words.first {
            case "play": player.play()
            case "pause": player.pause()
            case "mute": player.isMuted = value == "on"
            case "secret": player.updatesNowPlayingInfoCenter = value != "on"
            case "loop":
                if let url = files.first {
                    looper = AVPlayerLooper(player: player, templateItem: AVPlayerItem(url: url))
                }
            case "awake": player.preventsDisplaySleepDuringVideoPlayback = value == "on"
            case "end": NSApp.terminate(nil)
            case "look": interest = CastRoutes.shared.startSearching()
            case "ignore": interest = nil
            case "cast":
                guard
                    let renderer = CastRoutes.shared.renderers.first(where: {
                        $0.name == words.dropFirst().joined(separator: " ")
                    })
                else {
                    say("no such renderer")
                    return true
                }
                CastRoutes.shared.send(player, to: renderer)
            case "uncast": CastRoutes.shared.takeBack(player)
            case "external": player.allowsExternalPlayback = value == "on"
            case "words":
                guard let item = player.currentItem else { break }
                Task {
                    if let group = try? await item.asset.loadMediaSelectionGroup(for: .legible) {
                        item.select(nil, in: group)
                    }
                    say("done \(line)")
                }
                return false
            case "next": player.advanceToNextItem()
            case "rate": player.rate = Float(value) ?? 1
            case "volume": player.volume = Float(value) ?? 1
            case "again": player.loopsCurrentItem = value == "on"
            case "passes":
                // As in `ExtVideoPlayer`, the last pass stays at its end.
                player.actionAtItemEnd = .pause
                if let item = player.currentItem {
                    looper = AVPlayerLooper(
                        player: player, templateItem: item, timeRange: .invalid, passes: Int(value))
                }
            case "stay": player.actionAtItemEnd = .pause
            case "headers":
                player.removeAllItems()
                player.insert(
                    AVPlayerItem(
                        asset: AVURLAsset(
                            url: URL(string: value) ?? URL(fileURLWithPath: "/"),
                            options: [AVURLAssetHTTPHeaderFieldsKey: ["X-Key": "1"]])))
            case "address":
                player.removeAllItems()
                player.insert(AVPlayerItem(url: URL(string: value) ?? URL(fileURLWithPath: "/")))
            case "go":
                player.seek(to: CMTime(seconds: Double(value) ?? 0, preferredTimescale: 600)) { [weak self] in
                    self?.say("went \($0)")
                }
            case "where":
                let reason = player.externalPlaybackError.map { "\($0)" } ?? "-"
                say(
                    "at \(player.externalPlaybackName ?? "here") \(player.isExternalPlaybackActive) status \(player.timeControlStatus) rate \(player.rate) time \(player.currentTime().seconds) "
                        + "volume \(player.volume) muted \(player.isMuted) items \(player.items().count) loops \(player.currentItem?.loopCount ?? 0) ends \(ends) atEnd \(PlaybackControl(player).isAtEnd) ready \(player.currentItem?.status == .readyToPlay) error \(reason)"
                )
            case "routes": say("routes [\(CastRoutes.shared.renderers.map(\.name).joined(separator: "|"))]")
            case "empty": player.removeAllItems()
            case "seek": player.seek(to: CMTime(seconds: Double(value) ?? 0, preferredTimescale: 600))
            case "tell":
                say(
                    "rate \(player.rate) time \(player.currentTime().seconds) volume \(player.volume) muted \(player.isMuted) items \(player.items().count)"
                )
            case "title":
                let item = AVMutableMetadataItem()
                item.identifier = .commonIdentifierTitle
                item.value = value as NSString
                player.currentItem?.externalMetadata = [item]
            case "info":
                var info: [String: Any] = [
                    MPMediaItemPropertyTitle: value, MPMediaItemPropertyArtist: "Somebody",
                    MPMediaItemPropertyPlaybackDuration: 90,
                    MPNowPlayingInfoPropertyElapsedPlaybackTime: 12.5, MPNowPlayingInfoPropertyPlaybackRate: 0.0,
                ]
                if let image = UIImage(contentsOfFile: Probes.arguments.last ?? "") {
                    info[MPMediaItemPropertyArtwork] = MPMediaItemArtwork(boundsSize: image.size) { _ in image }
                }
                MPNowPlayingInfoCenter.default().nowPlayingInfo = info
            case "noinfo": MPNowPlayingInfoCenter.default().nowPlayingInfo = nil
            case "session":
                let active = MPNowPlayingSession(players: [player])
                active.nowPlayingInfoCenter.nowPlayingInfo = [MPMediaItemPropertyTitle: value]
                active.becomeActiveIfPossible()
                session = active
            case "nosession": session = nil
            case "automatic": session?.automaticallyPublishesNowPlayingInfo = true
            case "other":
                guard let url = files.last else { break }
                other = AVPlayer(url: url)
                other?.play()
            case "window":
                guard let url = files.last else { break }
                let player = AVQueuePlayer()
                let looper = AVPlayerLooper(player: player, templateItem: AVPlayerItem(url: url))
                guard let window = try? PlayerWindow(player: player, title: value) else { break }
                windows[value] = (window, looper)
                window.present()
                player.play()
            case "close": windows.removeValue(forKey: value)?.window.close()
            case "otherTime": say("other time \(other?.currentTime().seconds ?? 0)")
            case "commands":
                let center = MPRemoteCommandCenter.shared()
                center.nextTrackCommand.addTarget { [weak self] _ in
                    self?.say("command next")
                    return .success
                }
                center.previousTrackCommand.addTarget { [weak self] _ in
                    self?.say("command previous")
                    return .commandFailed
                }
                center.changePlaybackPositionCommand.addTarget { [weak self] event in
                    guard let event = event as? MPChangePlaybackPositionCommandEvent else { return .commandFailed }
                    self?.say("command position \(event.positionTime)")
                    return .success
                }
                center.pauseCommand.isEnabled = value != "nopause"
            case "toggle":
                let center = MPRemoteCommandCenter.shared()
                center.togglePlayPauseCommand.addTarget { [weak self] _ in
                    self?.say("command toggle")
                    return .success
                }
                center.playCommand.isEnabled = false
            case "raise": NSApp.windows.first?.makeKeyAndOrderFront(nil)
            default: break
            }
            return true
        }
    }
}
