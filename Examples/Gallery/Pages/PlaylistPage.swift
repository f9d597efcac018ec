import Foundation
import SampleMedia
import Zoetrope

/// Several videos one after the other, without a gap or with the end of one sounding over the beginning of the next;
/// how often the list came round.
struct PlaylistPage: View {
    @State private var names = [SampleLoop.url?.path ?? "zoetrope"]
    @State private var isSilent = true
    @State private var isAlike = false
    @State private var fade = 0.0
    @State private var command = PlaybackCommand.opening
    @State private var playing = ""
    @State private var passes = 0
    @State private var isChoosing = false

    private var settings: VideoSettings {
        VideoSettings {
            Playlist(names)
            Loop()
            Crossfade(fade)
            Loudness(isAlike ? .r128(-18) : .asRecorded)
            Preload(ahead: 1)
            if isSilent { Mute() }
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
                            passes += 1
                            // So that the same command is a new one.
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
                    Text("Items begun: \(passes)").monospacedDigit().lineLimit(1)
                }
                HStack(spacing: 12) {
                    Toggle(
                        "Sound",
                        isOn: Binding {
                            !isSilent
                        } set: {
                            isSilent = !$0
                        })
                    Toggle("Alike loud", isOn: $isAlike)
                    Spacer()
                }
                HStack(spacing: 12) {
                    Text("Crossfade \(fade, specifier: "%.1f") s").monospacedDigit()
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
                Button("Add…") { isChoosing = true }
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
