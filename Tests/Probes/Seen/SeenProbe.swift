import CGTK
import MPlayerKit
import Presentation
import VideoPlayerContainer
import Zoetrope

/// An app with one player in one of the player views. Its arguments are the kind of view and a file. It reads commands,
/// one per line, from the pipe named by `--input`. It prints events, one per line, and `did LINE` after each command.
struct SeenProbe: App {
    @State private var model = Model()
    var body: some Scene {
        WindowGroup("Probe") { Page(model: model).onAppear { model.begin() } }.defaultSize(width: 640, height: 400)
    }
}

extension SeenProbe {
    nonisolated static func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

    struct Film: Playable {
        let title = "Film"
        let subtitle: String? = nil
        let synopsis: String? = nil
        let poster: MPlayerKit.Artwork? = nil
        let asset: URL
        let previewAsset: URL? = nil
        let mediaType = MPlayerKit.MediaType.video
        let releaseYear: Int? = nil
        let contentRating: String? = nil
        let genres: [String]? = nil
        func extraExternalMetadata() -> [AVMetadataItem] { [] }
    }

    @Observable @MainActor
    final class Model {
        let kind: String
        let file: URL
        /// The player for the kinds of view that show an app's player.
        let player = AVPlayer()
        let kit = MPlayerKit.PlayerModel(resume: .off)
        let context = Context()
        /// The command for `ExtVideoPlayer`.
        var command = PlaybackCommand.play
        var isShown = true
        var transition = AnyTransition.opacity
        var takesHits = true
        var isDisabled = false
        /// Whether the view is drawn through an effect that does not change its look.
        var hasEffect = false
        @ObservationIgnored private var watch: PixelWatch?
        @ObservationIgnored var picture: AVPictureInPictureController?
        private var input: DispatchSourceRead?
        private var pending = ""

        init() {
            let words = Probes.arguments.dropFirst(3)
            kind = words.first ?? "video"
            file = URL(fileURLWithPath: words.dropFirst().first ?? "")
        }

        /// The player of the current kind of view, or nil if the view has its own player.
        private var shown: AVPlayer? {
            switch kind {
            case "ext": nil
            case "kit-system", "kit-custom": kit.player
            case "container": context.render.player
            default: player
            }
        }

        func begin() {
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
            shown?.isMuted = true
            if kind.hasPrefix("kit") {
                Task {
                    await kit.load(Film(asset: file))
                    kit.play()
                }
            } else {
                shown?.replaceCurrentItem(with: AVPlayerItem(url: file))
                shown?.play()
            }
            say("ready")
        }

        private func take(_ text: String) {
            pending += text
            while let end = pending.firstIndex(of: "\n") {
                let line = String(pending[..<end])
                pending.removeSubrange(...end)
                perform(line.split(separator: " ").map(String.init))
                DispatchQueue.main.async { DispatchQueue.main.async { say("did \(line)") } }
            }
        }

        private func perform(_ words: [String]) {
            let last = words.last ?? ""
            switch words.first {
            case "pause": if let shown { shown.pause() } else { command = .pause }
            case "seek":
                let seconds = Double(last) ?? 0
                if let shown {
                    shown.seek(
                        to: CMTime(seconds: seconds, preferredTimescale: 600), toleranceBefore: .zero,
                        toleranceAfter: .zero)
                } else {
                    command = .seek(to: seconds, play: false)
                }
            // The value is a language, or “none”.
            case "choose": choose(last == "none" ? nil : last)
            case "transition": transition = Model.transitions[last] ?? .identity
            // A transition of one second.
            case "come":
                withAnimation(.linear(duration: 1)) { isShown = true }
                // A container releases its video when its view is removed.
                if let shown, shown.currentItem == nil {
                    shown.replaceCurrentItem(with: AVPlayerItem(url: file))
                    shown.play()
                }
            case "go": withAnimation(.linear(duration: 1)) { isShown = false }
            // `hold` stops the animation clock, and `advance` moves it by the given number of seconds.
            case "hold": AnimationClock.held = AnimationClock.now()
            case "advance": AnimationClock.held? += Double(last) ?? 0
            case "effect": hasEffect = last == "on"
            // Records the colors of a pixel in the video's red quarter, from `watch` to `watched`.
            case "watch": watch = PixelWatch(x: 240, y: 150)
            case "watched":
                if let (count, colors) = watch?.end() {
                    say("looked \(count)")
                    say("watched " + colors.map { $0.map(String.init).joined(separator: ",") }.joined(separator: " "))
                }
            case "hits": takesHits = last == "on"
            case "disabled": isDisabled = last == "on"
            case "float": if let picture { picture.startPictureInPicture() } else { command = .startPiP }
            default: say("unknown \(words)")
            }
        }

        private func choose(_ language: String?) {
            guard let item = shown?.currentItem else { return command = .subtitles(language) }
            Task {
                guard let group = try? await item.asset.loadMediaSelectionGroup(for: .legible) else {
                    return say("no subtitles")
                }
                let options = AVMediaSelectionGroup.mediaSelectionOptions(
                    from: group.options, filteredAndSortedAccordingToPreferredLanguages: [language ?? ""])
                item.select(language == nil ? nil : options.first, in: group)
            }
        }

        private static let transitions: [String: AnyTransition] = [
            "opacity": .opacity, "scale": .scale(scale: 0.5), "move": .move(edge: .leading), "slide": .slide,
            "asymmetric": .asymmetric(insertion: .opacity, removal: .move(edge: .bottom)),
        ]
    }

    struct Page: View {
        let model: Model
        var body: some View {
            ZStack {
                Color(red: 0, green: 0.5, blue: 0.5).onTapGesture { say("ground tapped") }
                if model.isShown {
                    shown.disabled(model.isDisabled).allowsHitTesting(model.takesHits).padding(20)
                        .opacity(model.hasEffect ? 0.999 : 1).transition(model.transition)
                }
            }
        }

        @ViewBuilder private var shown: some View {
            switch model.kind {
            case "ext":
                @Bindable var model = model
                ExtVideoPlayer(
                    {
                        VideoSettings {
                            SourceName(model.file.path)
                            Mute()
                            Subtitles()
                            PictureInPicture()
                        }
                    }, command: $model.command)
            case "layer": LayerView(model: model)
            case "controller": ControllerView(player: model.player)
            case "macview": MacView(player: model.player)
            case "gtk": BareView(player: model.player)
            case "kit-system": SystemPlayerView().environment(\.playerModel, model.kit)
            case "kit-custom": CustomPlayerView(controls: { _ in EmptyView() }).environment(\.playerModel, model.kit)
            case "container": PlayerWidget(model.context)
            default: VideoPlayer(player: model.player)
            }
        }
    }

    final class LayerHost: UIView {
        override class var layerClass: AnyClass { AVPlayerLayer.self }
    }
    struct LayerView: UIViewRepresentable {
        let model: Model
        func makeUIView(context: UIViewRepresentableContext<LayerView>) -> LayerHost {
            let view = LayerHost()
            guard let layer = view.layer as? AVPlayerLayer else { return view }
            layer.player = model.player
            model.picture = AVPictureInPictureController(playerLayer: layer)
            return view
        }
        func updateUIView(_ uiView: LayerHost, context: UIViewRepresentableContext<LayerView>) {}
    }
    struct ControllerView: UIViewControllerRepresentable {
        let player: AVPlayer
        func makeUIViewController(context: UIViewControllerRepresentableContext<ControllerView>)
            -> AVPlayerViewController
        {
            let controller = AVPlayerViewController()
            controller.player = player
            return controller
        }
        func updateUIViewController(
            _ uiViewController: AVPlayerViewController, context: UIViewControllerRepresentableContext<ControllerView>
        ) {}
    }
    struct MacView: NSViewRepresentable {
        let player: AVPlayer
        func makeNSView(context: NSViewRepresentableContext<MacView>) -> AVPlayerView {
            let view = AVPlayerView()
            view.player = player
            return view
        }
        func updateNSView(_ nsView: AVPlayerView, context: NSViewRepresentableContext<MacView>) {}
    }
    /// A `PlayerView` in a plain widget, as a GTK app would use it.
    struct BareView: GtkWidgetRepresentable {
        let player: AVPlayer
        @MainActor final class Holder { var view: PlayerView? }
        func makeCoordinator() -> Holder { Holder() }
        func makeWidget(context: GtkWidgetRepresentableContext<BareView>) -> GTKWidget {
            guard let view = PlayerView() else { return GTKWidget(gtk_label_new("no display")) }
            view.player = player
            context.coordinator.view = view
            return view.widget
        }
        func updateWidget(_ widget: GTKWidget, context: GtkWidgetRepresentableContext<BareView>) {}
    }
}
