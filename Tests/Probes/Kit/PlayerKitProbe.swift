import MPlayerKit

/// An app with one of MPlayerKit's players. It reads commands, one per line, from the pipe named by `--input`. The
/// third argument is the page, the fourth the media, and the fifth, if any, its preview.
struct PlayerKitProbe: App {
    @StateObject private var probe = Probe()
    var body: some Scene {
        WindowGroup("Player kit") {
            Page(probe: probe)
                .environment(\.playerModel, probe.model)
                .onAppear { probe.listen() }
        }
        .defaultSize(width: 640, height: 400)
    }
}

extension PlayerKitProbe {
    struct Film: Playable {
        let title = "Some Title"
        let subtitle: String? = "Some Subtitle"
        let synopsis: String? = "What happens"
        var poster: MPlayerKit.Artwork?
        let asset: URL
        var previewAsset: URL?
        var mediaType = MPlayerKit.MediaType.video
        let releaseYear: Int? = 1999
        let contentRating: String? = "PG"
        let genres: [String]? = ["Drama", "Space"]
        func extraExternalMetadata() -> [AVMetadataItem] { [] }
    }

    private struct Page: View {
        @ObservedObject var probe: Probe
        @State private var trackingState = TrackState.idle
        @Environment(\.playerModel) private var model

        var body: some View {
            ZStack {
                Color(red: 0, green: 0, blue: 1)
                switch probe.page {
                case "system":
                    SystemPlayerView(
                        presentation: .inline(autoplay: false),
                        prepare: { controller in say("prepared \(controller.player === probe.model.player)") },
                        onTimeChange: { say("changes \(Int($0.seconds.rounded()))") },
                        onStateChange: { say("state \($0)") }
                    )
                case "linear":
                    SystemPlayerView(
                        presentation: .inline(autoplay: false), prepare: { $0.requiresLinearPlayback = true })
                case "system-items":
                    SystemPlayerView(
                        presentation: .inline(autoplay: false),
                        prepare: { controller in
                            controller.transportBarCustomMenuItems = [
                                UIAction(title: "Favorite", image: UIImage(systemName: "heart")) { _ in say("favorite")
                                }
                            ]
                            controller.contextualActions = [UIAction(title: "Skip Intro") { _ in say("skipped") }]
                        })
                case "custom":
                    CustomPlayerView(
                        controls: { _ in CustomControlsView() }, presentation: .inline(autoplay: false),
                        prepare: { layer in say("prepared \(layer.player === probe.model.player)") },
                        onTimeChange: { say("changes \(Int($0.seconds.rounded()))") },
                        onStateChange: { say("state \($0)") })
                case "inline-full":
                    CustomPlayerView(
                        controls: { _ in CustomControlsView() }, presentation: .inline(autoplay: false),
                        prepare: { probe.inlineLayer = $0 })
                case "autoplay":
                    CustomPlayerView(
                        controls: { _ in Color(red: 0, green: 1, blue: 0).frame(width: 60, height: 60) },
                        onStateChange: { say("state \($0)") })
                case "track":
                    VStack {
                        PlaybackPreviewView(trackingState: $trackingState).frame(maxWidth: .infinity, maxHeight: 100)
                        PlaybackTimeBar(trackingState: $trackingState)
                        VolumeSlider()
                    }
                    .padding(20)
                    .onChange(of: trackingState) { _, new in say("track \(new)") }
                default: Text("nothing")
                }
            }
            .onReceive(probe.model.$presentation) { say("presentation \($0)") }
            .modifier(Presenter(kind: probe.page))
        }
    }

    private struct Presenter: ViewModifier {
        let kind: String
        func body(content: Content) -> some View {
            switch kind {
            case "full-system":
                content.systemPlayerFullScreenPresenter(
                    prepare: { _ in say("prepared") }, onStateChange: { say("state \($0)") })
            case "full-custom", "inline-full":
                content.customPlayerFullScreenPresenter(
                    controls: { _ in CustomControlsView() }, prepare: { _ in say("prepared") },
                    onStateChange: { say("state \($0)") })
            default: content
            }
        }
    }

    @MainActor
    final class Probe: ObservableObject {
        @Published var page = Probes.arguments.dropFirst(3).first ?? ""
        /// The environment variable `ZT_RESUME` is the folder for stored positions.
        let model = PlayerModel(
            resume: ProcessInfo.processInfo.environment["ZT_RESUME"].map { .automatic(in: URL(fileURLWithPath: $0)) }
                ?? .off)
        /// The layer of the view on the page, not that of its cover.
        weak var inlineLayer: AVPlayerLayer?
        private let film: Film?
        /// A second model, which never plays, and the subscription that prints its states.
        private var other: (model: PlayerModel, states: AnyCancellable)?
        private var input: DispatchSourceRead?
        private var pending = ""

        init() {
            let files = Probes.arguments.dropFirst(4).map { URL(fileURLWithPath: $0) }
            film = files.first.map { Film(asset: $0, previewAsset: files.dropFirst().first) }
        }

        func listen() {
            guard input == nil, Probes.arguments.count > 2 else { return }
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
            say("ready")
        }
        private func take(_ text: String) {
            pending += text
            while let end = pending.firstIndex(of: "\n") {
                let line = String(pending[..<end])
                pending.removeSubrange(...end)
                perform(line.split(separator: " ").map(String.init), line)
            }
        }

        /// Seeks repeatedly, so that positions are stored as fast as possible.
        private func churn(_ count: Int) {
            model.seek(CMTime(seconds: Double(10 + count % 40), preferredTimescale: 600))
            if count % 20 == 19 { say("kept \(count)") }
            // The position is stored when the seek has finished.
            DispatchQueue.main.asyncAfter(deadline: .now() + 0.02) {
                MainActor.assumeIsolated { self.churn(count + 1) }
            }
        }

        private func perform(_ words: [String], _ line: String) {
            let value = words.last ?? ""
            switch words.first {
            case "load":
                guard let film else { break }
                Task {
                    await model.load(film)
                    await PlayerPreviewModelKey.defaultValue.load(film)
                    say("done \(line)")
                }
                return
            case "other":
                guard let film else { break }
                let second = PlayerModel()
                other = (second, second.$state.sink { say("other \($0)") })
                Task {
                    await second.load(film)
                    say("done \(line)")
                }
                return
            case "play": model.play()
            case "pause": model.pause()
            case "seek": model.seek(CMTime(seconds: Double(value) ?? 0, preferredTimescale: 600))
            case "full": model.presentation = .fullscreen(autoplay: true)
            case "none": model.presentation = .none
            case "page": page = value
            case "rate": model.player.defaultRate = Float(value) ?? 1
            case "volume": model.player.volume = Float(value) ?? 1
            case "tell":
                say(
                    "at \(model.player.currentTime().seconds) rate \(model.player.rate) default \(model.player.defaultRate) volume \(model.player.volume) muted \(model.player.isMuted) pip \(model.isPiPActive) possible \(model.isPiPPossible) "
                        + "inline \(inlineLayer.map { $0 === model.pipControler?.playerLayer } ?? false) "
                        + "session \(AVAudioSession.sharedInstance().category == .playback)"
                )
            case "pip": model.togglePiP()
            case "churn": churn(0)
            default: break
            }
            DispatchQueue.main.async { MainActor.assumeIsolated { say("done \(line)") } }
        }
    }

    private nonisolated static func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }
}
