import Foundation
import SampleMedia
import Zoetrope

/// A playlist without gaps or with crossfades. It starts again when the last item ends.
struct PlaylistPage: View {
    @State private var names = [SampleLoop.url?.path ?? "zoetrope"]
    @State private var isMuted = true
    @State private var isNormalized = false
    @State private var fade = 0.0
    @State private var command = PlaybackCommand.opening
    @State private var playing = ""
    @State private var started = 0
    @State private var isChoosing = false

    private var settings: VideoSettings {
        VideoSettings {
            Playlist(names)
            Loop()
            Crossfade(fade)
            Loudness(isNormalized ? .r128(-18) : .asRecorded)
            Preload(ahead: 1)
            if isMuted { Mute() }
            Events([.currentItemChangedAny, .errorAny], interval: 0.1)
        }
    }

    var body: some View {
        Beside(width: 240, height: 160) {
            VStack(spacing: 12) {
                ExtVideoPlayer({ settings }, command: $command)
                    .onPlayerEventChange { events in
                        for case .currentItemChanged(let item) in events {
                            guard let item else { continue }
                            playing = item.asset.url.path
                            started += 1
                            // Reset the command, so that the same one can be sent again.
                            command = .idle
                        }
                    }
                HStack(spacing: 12) {
                    Button {
                        send(.previous)
                    } label: {
                        Label("Previous", systemImage: "backward.end.fill")
                    }
                    Button {
                        send(.next)
                    } label: {
                        Label("Next", systemImage: "forward.end.fill")
                    }
                    Spacer()
                    Text("Items started: \(started)").monospacedDigit().lineLimit(1)
                }
                HStack(spacing: 12) {
                    Toggle(
                        "Audio",
                        isOn: Binding {
                            !isMuted
                        } set: {
                            isMuted = !$0
                        })
                    Toggle("Normalize Loudness", isOn: $isNormalized)
                    Spacer()
                }
                HStack(spacing: 12) {
                    Text("Crossfade: \(fade, specifier: "%.1f") s").monospacedDigit()
                    Slider(value: $fade, in: 0...6, step: 0.5).accessibilityLabel("Crossfade").accessibilityValue(
                        "\(fade) seconds")
                }
            }
        } side: {
            VStack(alignment: .leading, spacing: 8) {
                List {
                    ForEach(Array(names.enumerated()), id: \.offset) { index, name in
                        Button {
                            send(.jump(to: index))
                        } label: {
                            Label(
                                URL(fileURLWithPath: name).lastPathComponent,
                                systemImage: name == playing ? "play.fill" : "film"
                            )
                            .frame(maxWidth: .infinity, alignment: .leading)
                        }
                        .buttonStyle(.plain)
                    }
                }
                Button("Add Videos…") { isChoosing = true }
            }
        }
        .fileImporter(isPresented: $isChoosing, allowedContentTypes: [.movie], allowsMultipleSelection: true) {
            result in
            guard case .success(let urls) = result else { return }
            names += urls.map(\.path)
        }
    }

    private func send(_ new: PlaybackCommand) { command = new }
}
