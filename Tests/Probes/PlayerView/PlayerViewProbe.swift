import Foundation
import Zoetrope

/// An app with one player in a view with one of Apple's names. Its arguments are a page's name and a file. It reads
/// commands, one per line, from the pipe named by `--input`. It prints events, one per line, and `did LINE` after each
/// command.
struct PlayerViewProbe: App {
    @State private var model = ProbeModel()
    var body: some Scene {
        WindowGroup("Probe") { ProbePage(model: model).onAppear { model.begin() } }.defaultSize(width: 640, height: 400)
    }
}

extension PlayerViewProbe {
    nonisolated static func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

    @Observable @MainActor
    final class ProbeModel {
        let player: AVPlayer
        let page: String
        var gravity = AVLayerVideoGravity.resizeAspect
        /// Whether a DeclarativeUI view is over the video.
        var isCovered = false
        var isShown = true
        var style = AVPlayerViewControlsStyle.inline
        /// The commands of the current page, by name.
        @ObservationIgnored var tell: [String: @MainActor () -> Void] = [:]
        private var input: DispatchSourceRead?
        private var pending = ""
        private var observations: [NSKeyValueObservation] = []
        private var looper: AVPlayerLooper?

        init() {
            let words = Probes.arguments.dropFirst(3)
            page = words.first ?? "layer"
            let item = AVPlayerItem(url: URL(fileURLWithPath: words.dropFirst().first ?? ""))
            let queue = AVQueuePlayer()
            player = queue
            looper = AVPlayerLooper(player: queue, templateItem: item)
            queue.isMuted = true
        }

        func begin() {
            guard input == nil, Probes.arguments.count > 2 else { return }
            observations = [
                player.observe(\.timeControlStatus) { player, _ in
                    say("player \(player.timeControlStatus == .paused ? "paused" : "playing")")
                },
                player.observe(\.isMuted) { player, _ in say("muted \(player.isMuted)") },
                player.observe(\.volume) { player, _ in say("volume \(player.volume < 0.5 ? "low" : "high")") },
            ]
            let descriptor = open(Probes.arguments[2], O_RDWR)
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
            player.play()
            say("ready")
        }

        private func take(_ text: String) {
            pending += text
            while let end = pending.firstIndex(of: "\n") {
                let line = String(pending[..<end])
                pending.removeSubrange(...end)
                perform(line)
                DispatchQueue.main.async { DispatchQueue.main.async { say("did \(line)") } }
            }
        }

        private func perform(_ line: String) {
            switch line {
            case "fill": gravity = .resizeAspectFill
            case "fit": gravity = .resizeAspect
            case "cover": isCovered.toggle()
            case "hide": isShown = false
            case "show": isShown = true
            case "pause": player.pause()
            case "play": player.play()
            case "time": say("at \(player.currentTime().seconds)")
            case "none": style = .none
            case "minimal": style = .minimal
            default: if let action = tell[line] { action() } else { say("unknown \(line)") }
            }
        }
    }

    struct ProbePage: View {
        let model: ProbeModel
        var body: some View {
            ZStack {
                Color(red: 0, green: 0, blue: 1)
                if model.isShown { content }
                if model.isCovered { Color(red: 1, green: 0, blue: 1).frame(width: 100, height: 100) }
            }
        }

        @ViewBuilder private var content: some View {
            switch model.page {
            case "layer": LayerPage(model: model, player: model.player, gravity: model.gravity).padding(20)
            case "mac": MacLayerPage(model: model, player: model.player).padding(20)
            case "tree": TreePage(model: model, player: model.player).padding(20)
            case "maccontroller": MacControllerPage(player: model.player).padding(20)
            case "controller":
                ControllerPage(model: model, player: model.player).onTapGesture { say("view tapped") }
            case "presenting": PresentingPage(model: model, player: model.player)
            case "macview": MacViewPage(player: model.player, style: model.style).padding(20)
            default:
                VideoPlayer(player: model.player) {
                    Color(red: 0, green: 1, blue: 1).frame(width: 40, height: 40).frame(
                        maxWidth: .infinity, maxHeight: .infinity, alignment: .center)
                }
            }
        }
    }
}
