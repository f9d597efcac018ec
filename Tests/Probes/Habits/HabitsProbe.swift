import VideoPlayerContainer
import Zoetrope

/// An app with a container in a window. It reads commands, one per line, from the pipe named by `--input`. The third
/// argument is a video, and a further one may be `outside`. It prints a line for each change. Its clock advances only
/// with the command `advance SECONDS`.
struct HabitsProbe: App {
    var body: some Scene {
        WindowGroup("Habits") {
            if Probes.arguments.contains("outside") { OutsideView() } else { HabitsView() }
        }
        .defaultSize(width: 640, height: 360)
    }
}

extension HabitsProbe {
    @MainActor static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    struct HabitsView: View {
        @StateObject private var model = HabitsModel()

        var body: some View {
            PlayerWidget(model.context)
                .status(followsWindow: true)
                .background { Color.black }
                .onAppear { model.start() }
        }
    }

    /// Widgets outside a container.
    struct OutsideView: View {
        var body: some View {
            VStack {
                Text("Above")
                WithService(ControlService.self) { _ in Text("Never seen") }
                Text("Below")
            }
            .onAppear { say("ready") }
        }
    }

    /// A button and a text field, as an app's controls.
    struct ProbeControls: View {
        @State private var text = ""
        var body: some View {
            HStack {
                Button("Press") { say("pressed") }.frame(width: 100, height: 40)
                TextField("words", text: $text).frame(width: 100).onChange(of: text) { say("text \(text)") }
            }
        }
    }

    @MainActor
    final class HabitsModel: ObservableObject {
        let context = Context()
        private var observations: [AnyCancellable] = []
        private var rates: [NSKeyValueObservation] = []
        private var pending = ""
        private var input: DispatchSourceRead?
        private var delays: [(number: Int, at: Double, action: @MainActor () -> Void)] = []
        private var now = 0.0
        private var count = 0

        func start() {
            guard input == nil, Probes.arguments.count > 3 else { return }
            context.withDependency(\.timer) { timer }
            for status in [ControlService.Location.halfScreen(.bottom1), .fullScreen(.bottom1), .portrait(.bottom1)] {
                context.control.configure(status) { [ProbeControls()] }
            }
            context.control.configure(displayStyle: .auto(firstAppear: true, animation: nil, duration: 5))
            observations = [
                context.control.$isBeingPresented.removeDuplicates().sink { shown in
                    MainActor.assumeIsolated { say("controls \(shown)") }
                },
                context.status.$status.removeDuplicates().sink { status in
                    MainActor.assumeIsolated { say("status \(status)") }
                },
                context.window.$isFullScreen.removeDuplicates().sink { full in
                    MainActor.assumeIsolated { say("full \(full)") }
                },
                context.keys.$isFocused.removeDuplicates().sink { focused in
                    MainActor.assumeIsolated { say("focused \(focused)") }
                },
            ]
            let player = context.render.player
            player.replaceCurrentItem(with: AVPlayerItem(url: URL(fileURLWithPath: Probes.arguments[3])))
            rates = [
                player.observe(\.rate) { player, _ in say("rate \(player.rate)") },
                player.observe(\.isMuted) { player, _ in say("muted \(player.isMuted)") },
                player.observe(\.volume) { player, _ in say("volume \(player.volume)") },
                player.observe(\.currentItem?.status, options: [.initial]) { player, _ in
                    if player.currentItem?.status == .readyToPlay { say("ready") }
                },
            ]
            listen()
        }

        private var timer: MainTimer {
            MainTimer { seconds, action in
                self.count += 1
                let number = self.count
                self.delays.append((number, self.now + seconds, action))
                return AnyCancellable { MainActor.assumeIsolated { self.delays.removeAll { $0.number == number } } }
            }
        }

        private func advance(_ seconds: Double) {
            now += seconds
            while let index = delays.firstIndex(where: { $0.at <= now }) { delays.remove(at: index).action() }
        }

        private func listen() {
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
                perform(line.split(separator: " ").map(String.init))
                // Wait for the work that the command schedules for the next turn.
                DispatchQueue.main.async {
                    DispatchQueue.main.async { MainActor.assumeIsolated { say("done \(line)") } }
                }
            }
        }

        private func perform(_ words: [String]) {
            switch words.first {
            case "advance": advance(words.last.flatMap(Double.init) ?? 0)
            case "portrait": context.status.toPortrait()
            case "focus": context.keys.focus()
            case "time": say("at \(context.render.player.currentTime().seconds)")
            case "observe": observations.append(context.gesture.observe(.doubleTap(.all)) { _ in say("double tap") })
            case "keys": context.keys.configure(words.last == "on")
            default: break
            }
        }
    }
}
