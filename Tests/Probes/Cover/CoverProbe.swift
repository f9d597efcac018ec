import Foundation
import Presentation
import Zoetrope

/// An app with controls over videos. It reads commands, one per line, from the pipe named by `--input`. It prints
/// events, one per line, and `did LINE` after each command.
struct CoverProbe: App {
    @State private var model = ProbeModel()
    var body: some Scene {
        WindowGroup("Probe") { ProbePage(model: model).onAppear { model.listen() } }.defaultSize(
            width: 640, height: 400)
    }
}

extension CoverProbe {
    nonisolated static func say(_ text: String) { FileHandle.standardOutput.write(Data((text + "\n").utf8)) }

    @Observable @MainActor
    final class ProbeModel {
        static let file = Probes.arguments.dropFirst(3).first ?? ""
        var command = PlaybackCommand.play
        /// The names of the parts over the video.
        var parts: Set<String> = []
        /// The current values that the parts show.
        var color = Color.black
        var opacity = 1.0
        var shift = 0.0
        var count = 0
        var kicks = 0
        var isOn = false
        var words = ""
        var isShown = true
        /// The duration of the animation of each change, in seconds, or nil for none.
        var duration: Double?
        private var input: DispatchSourceRead?
        private var pending = ""

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
        }

        private func take(_ text: String) {
            pending += text
            while let end = pending.firstIndex(of: "\n") {
                let line = String(pending[..<end])
                pending.removeSubrange(...end)
                withAnimation(duration.map { .linear(duration: $0) }) {
                    perform(line.split(separator: " ").map(String.init))
                }
                DispatchQueue.main.async { DispatchQueue.main.async { say("did \(line)") } }
            }
        }

        private func perform(_ words: [String]) {
            let value = Double(words.last ?? "") ?? 0
            switch words.first {
            case "put": parts.insert(words.last ?? "")
            case "take": parts.remove(words.last ?? "")
            case "color": color = words.last == "red" ? Color(red: 1, green: 0, blue: 0) : .black
            case "opacity": opacity = value
            case "shift": shift = value
            case "count": count += 1
            // `kept` enables or disables the cache of drawings, and `kick` redraws everything.
            case "kept": DrawingCache.isEnabled = words.last == "on"
            case "kick": kicks += 1
            case "lasting": duration = value > 0 ? value : nil
            case "pause": command = .pause
            case "play": command = .play
            case "hide": isShown = false
            case "show": isShown = true
            // For each video view: whether GTK draws it, the number of displayed frames, and the bitmaps over it.
            case "views":
                for view in PlayerView.all {
                    let bitmaps = view.cover.tiles.map {
                        "\($0.bitmap.width)x\($0.bitmap.height)@\(abs(ObjectIdentifier($0.bitmap).hashValue) % 100_000)"
                    }
                    say(
                        "view \(view.isDrawnByGTK ? "gtk" : "own") \(view.presentedCount) \(bitmaps.joined(separator: ","))"
                    )
                }
                say("views \(PlayerView.all.count)")
            default: say("unknown")
            }
        }
    }

    struct ProbePage: View {
        @Bindable var model: ProbeModel
        var body: some View {
            ZStack {
                Color(red: 0, green: 0, blue: 1)
                if model.isShown { video }
                if model.parts.contains("below") {
                    Text(verbatim: "\(model.count)").frame(
                        maxWidth: .infinity, maxHeight: .infinity, alignment: .topLeading)
                }
            }
        }

        /// One video of 600 × 360 points at (20, 20), or two of 290 × 360 points side by side.
        @ViewBuilder private var video: some View {
            if model.parts.contains("two") {
                HStack(spacing: 20) {
                    player.overlay { Color(red: 0, green: 0, blue: 0, opacity: 0.5).frame(width: 100, height: 100) }
                    player.overlay { Color(red: 1, green: 1, blue: 0).frame(width: 100, height: 100) }
                }
                .padding(20)
            } else if model.parts.contains("layer") {
                LayerView().overlay { cover }.padding(20)
            } else if model.parts.contains("mask") {
                player.overlay { cover }.mask { Circle().frame(width: 300, height: 300) }.padding(20)
            } else if model.parts.contains("inset") {
                player.overlay(alignment: .bottomTrailing) { player.frame(width: 200, height: 120) }.overlay { cover }
                    .padding(20)
            } else {
                player.overlay { cover }.padding(20)
            }
        }

        private var player: some View {
            ExtVideoPlayer(
                {
                    VideoSettings {
                        SourceName(ProbeModel.file)
                        Loop()
                        Mute()
                        Gravity(.resize)
                        Events([], interval: 0.1)
                    }
                }, command: $model.command
            )
            .onPlayerEventChange { events in for event in events { say("event \(event)") } }
        }

        /// The parts over the video, in the video's frame.
        private var cover: some View {
            ZStack {
                // A half-transparent bar of 600 × 60 points at the bottom.
                if model.parts.contains("bar") {
                    model.color.opacity(0.5).frame(height: 60).opacity(model.opacity).offset(x: model.shift)
                        .frame(maxHeight: .infinity, alignment: .bottom)
                }
                // A button of 100 × 40 points in the upper left corner.
                if model.parts.contains("button") {
                    Button {
                        say("clicked")
                    } label: {
                        Color(red: 1, green: 0, blue: 1).frame(width: 100, height: 40)
                    }
                    .buttonStyle(.plain).frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .topLeading)
                }
                // A white clock in the upper right corner, with digits of equal width.
                if model.parts.contains("clock") {
                    Text(verbatim: "0:0\(model.count % 10)").font(.system(size: 40)).monospacedDigit()
                        .foregroundStyle(.white)
                        .frame(maxWidth: .infinity, maxHeight: .infinity, alignment: .topTrailing)
                }
                // The same clock and controls, on cards with shadows above the video, as in a control panel.
                if model.parts.contains("cards") {
                    VStack {
                        Text(verbatim: "0:0\(model.count % 10)").font(.system(size: 40)).monospacedDigit()
                            .foregroundStyle(.black).padding(8).background(.white).shadow(radius: 6)
                        Toggle("Loop", isOn: $model.isOn).padding(8).background(.white).shadow(radius: 6)
                        Slider(value: .constant(Double(model.count % 10)), in: 0...10).padding(8).background(.white)
                            .elevation(.floating)
                    }
                    .frame(width: 220)
                }
                Text(verbatim: "\(model.kicks)").hidden()
                // A symbol in the middle.
                if model.parts.contains("symbol") {
                    Image(systemName: "play.fill").font(.largeTitle).foregroundStyle(.white).shadow(radius: 4)
                }
                if model.parts.contains("field") {
                    TextField("Search", text: $model.words).frame(width: 200).onChange(of: model.words) { _, words in
                        say("typed \(words)")
                    }
                }
            }
            .frame(maxWidth: .infinity, maxHeight: .infinity)
        }
    }
}
