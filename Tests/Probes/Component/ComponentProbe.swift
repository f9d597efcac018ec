import Foundation
import TestSupport
import Zoetrope

/// An app with one `ExtVideoPlayer`. It reads commands, one per line, from the pipe named by `--input`. It prints the
/// player's reports, one per line, such as `time 1.0` and `event playing`, and `facts {…}` after each command. The
/// lines of a second player begin with `second`.
struct ComponentProbe: App {
    @State private var model = ProbeModel()
    var body: some Scene {
        WindowGroup("Probe") { ProbeView(model: model) }.defaultSize(width: 640, height: 400)
    }
}

extension ComponentProbe {
    @Observable @MainActor
    final class ProbeModel {
        var settings = VideoSettings {
            SourceName(ProbeModel.first)
            Loop()
            Mute()
            TimePublishing(CMTime(value: 1, timescale: 10))
            Events([], interval: 0.1)
            if ProbeModel.beginning == "still" { NotAutoPlay() }
        }
        /// The first command, which the second argument selects.
        var command = ProbeModel.beginning == "seek" ? PlaybackCommand.seek(to: 1, play: false) : .play
        var second = PlaybackCommand.play
        var hasSecond = false
        /// The settings of a second video behind the first one, or nil.
        var below: VideoSettings?
        var isShown = true
        var isMasked = false
        var isCovered = false
        var hasWords = false
        var width: CGFloat?
        var isPushed = false
        static var beginning: String { Probes.arguments.dropFirst(4).first ?? "" }
        static var first: String { Probes.arguments.dropFirst(3).first ?? "" }
        private var input: DispatchSourceRead?
        private var pending = ""

        func listen() {
            guard input == nil, Probes.arguments.count > 2 else { return }
            // Open for reading and writing, so that reading does not end when the last writer closes the pipe.
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
        }

        private func take(_ text: String) {
            pending += text
            while let end = pending.firstIndex(of: "\n") {
                let line = String(pending[..<end])
                pending.removeSubrange(...end)
                perform(line)
                // Wait two turns of the main queue: for the update that the command causes, and for the work that the
                // update schedules.
                DispatchQueue.main.async {
                    DispatchQueue.main.async { MainActor.assumeIsolated { ProbeModel.facts(line) } }
                }
            }
        }

        private func perform(_ line: String) {
            let words = line.split(separator: " ").map(String.init)
            switch words.first {
            case "show": isShown = true
            case "hide": isShown = false
            // A transition of the given number of seconds.
            case "fade":
                withAnimation(.linear(duration: Double(words.last ?? "") ?? 1)) { isShown = false }
            case "words": hasWords.toggle()
            case "mask": isMasked.toggle()
            case "cover": isCovered.toggle()
            case "width": width = words.last.flatMap(Double.init).map { CGFloat($0) }
            case "push": isPushed.toggle()
            case "source": settings.name = words.dropFirst().joined(separator: " ")
            case "gravity": settings.gravity = words.last == "fill" ? .resizeAspectFill : .resizeAspect
            case "loop": settings.loop = words.last == "on"
            case "pause": command = .pause
            case "play": command = .play
            case "idle": command = .idle
            case "seek": command = .seek(to: Double(words.last ?? "") ?? 0, play: false)
            // Two commands in one turn of the main loop: the last one counts.
            case "both":
                command = .play
                command = .pause
            case "batch": command = .batch([.pause, .seek(to: 1, play: false), .volume(0.25)])
            case "startpip": command = .startPiP
            case "stoppip": command = .stopPiP
            // Picture in Picture ends before its window is on the screen.
            case "blinkpip": command = .batch([.startPiP, .stopPiP])
            case "pip": settings.pictureInPicture = words.last == "on"
            case "below":
                let name = words.dropFirst().joined(separator: " ")
                below =
                    name == "off"
                    ? nil
                    : VideoSettings {
                        SourceName(name)
                        Loop()
                        Mute()
                    }
            case "full": settings.fullScreen = words.last == "on"
            case "enterfull": command = .enterFullScreen
            case "exitfull": command = .exitFullScreen
            case "second": hasSecond = words.last == "on"
            case "second-startpip": second = .startPiP
            case "second-stoppip": second = .stopPiP
            // Performs the rest of the line as soon as the player plays.
            case "playing":
                let line = words.dropFirst().joined(separator: " ")
                if isPlaying { perform(line) } else { onPlaying = line }
            case "picture": PictureFacts.say()
            case "brightness": command = .brightness(Float(words.last ?? "") ?? 0)
            case "filter": if let filter = CIFilter(name: words.last ?? "") { command = .filter(filter, clear: true) }
            case "shader":
                if let shader = try? VideoShader(source: words.dropFirst().joined(separator: " "), name: "probe") {
                    command = .filter(shader, clear: true)
                }
            case "nofilters": command = .removeAllFilters
            case "vector":
                settings.vector = true
                DispatchQueue.main.async { MainActor.assumeIsolated { self.command = .addVector(Corner()) } }
            case "novectors": command = .removeAllVectors
            case "poster": settings.poster = Poster(URL(fileURLWithPath: words.dropFirst().joined(separator: " ")))
            // The poster as an image that the app has loaded.
            case "picture-poster":
                settings.poster = UIImage(contentsOfFile: words.dropFirst().joined(separator: " ")).map {
                    Poster(Image(uiImage: $0))
                }
            case "subtitles": settings.subtitles = words.dropFirst().joined(separator: " ")
            case "nosubtitles": command = .subtitles(nil)
            default: break
            }
        }

        private var onPlaying: String?
        private var isPlaying = false

        func told(_ event: PlayerEvent) {
            if case .error(let error) = event {
                ProbeModel.say("event error: \(error)")
            } else {
                ProbeModel.say("event \(event)")
            }
            if case .currentItemChanged(let item?) = event { PictureFacts.follow(item) }
            if case .paused = event { isPlaying = false }
            guard event == .playing else { return }
            isPlaying = true
            guard let line = onPlaying else { return }
            onPlaying = nil
            perform(line)
        }

        static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

        /// Prints the current threads, file descriptors and CPU time of the process.
        static func facts(_ line: String) {
            let threads =
                (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/task"))?.map {
                    (try? String(contentsOfFile: "/proc/self/task/\($0)/comm", encoding: .utf8))?.trimmingCharacters(
                        in: .newlines) ?? ""
                } ?? []
            let files =
                (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd"))?.compactMap {
                    try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
                } ?? []
            // The network thread belongs to the process, not to a player, and sleeps without requests. So it does not
            // count.
            let ours = threads.filter {
                $0.hasPrefix("zt-") && !$0.hasPrefix("zt-net") || $0.contains("pulse") || $0.hasPrefix("threaded-ml")
            }.count
            let composers = threads.filter { $0.hasPrefix("zt-compose") }.count
            let media = files.filter { $0.hasSuffix(".mp4") || $0.hasSuffix(".mkv") }.count
            let sockets = files.filter { $0.hasPrefix("socket:") }.count
            say(
                "facts {\"line\":\"\(line)\",\"playerThreads\":\(ours),\"composers\":\(composers),\"mediaFiles\":\(media),\"sockets\":\(sockets)}"
            )
        }
    }

    struct ProbeView: View {
        let model: ProbeModel
        var body: some View {
            @Bindable var model = model
            ZStack {
                Color(red: 0, green: 0, blue: 1)
                if let below = model.below { ExtVideoPlayer(settings: .constant(below), command: .constant(.play)) }
                HStack(spacing: 0) {
                    if model.isPushed { Color(red: 0, green: 1, blue: 0).frame(width: 100) }
                    if model.isShown {
                        if model.isMasked {
                            player.mask { Circle() }
                        } else {
                            player.overlay { if model.hasWords { AppWords() } }
                        }
                    }
                    if model.hasSecond {
                        ExtVideoPlayer(settings: $model.settings, command: $model.second)
                            .onPlayerEventChange { for event in $0 { ProbeModel.say("second \(event)") } }
                    }
                }
                if model.isCovered { Color(red: 1, green: 0, blue: 0).frame(width: 100, height: 100) }
            }
            .onAppear {
                model.listen()
                ProbeModel.say("ready")
            }
        }

        private var player: some View {
            @Bindable var model = model
            return ExtVideoPlayer(settings: $model.settings, command: $model.command)
                .onPlayerTimeChange { ProbeModel.say("time \($0)") }
                .onPlayerEventChange { for event in $0 { model.told(event) } }
                .frame(width: model.width)
                .padding(20)
        }
    }

    /// An app's own text over a video that does not play.
    private struct AppWords: View {
        var body: some View { Text("████████████████████").foregroundColor(Color(red: 0, green: 1, blue: 0)) }
    }

    /// A magenta rectangle in the upper left quarter, for any view size.
    private struct Corner: ShapeLayerBuilderProtocol {
        let id = UUID()
        func build(with geometry: (frame: CGRect, bounds: CGRect)) -> CAShapeLayer {
            ProbeModel.say("built \(Int(geometry.bounds.width))x\(Int(geometry.bounds.height))")
            let layer = CAShapeLayer()
            layer.frame = geometry.bounds
            layer.path = CGPath(
                rect: CGRect(x: 0, y: 0, width: geometry.bounds.width / 4, height: geometry.bounds.height / 4),
                transform: nil)
            layer.fillColor = CGColor(red: 1, green: 0, blue: 1, alpha: 1)
            return layer
        }
    }
}
