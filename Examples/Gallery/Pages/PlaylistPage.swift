import Foundation
import SampleMedia
import Zoetrope

/// Several videos one after the other without a gap, and how often the list came round.
struct PlaylistPage: View {
    @State private var names = [SampleLoop.url?.path ?? "zoetrope"]
    @State private var settings = PlaylistPage.settings([SampleLoop.url?.path ?? "zoetrope"])
    @State private var command = PlaybackCommand.play
    @State private var playing = ""
    @State private var passes = 0
    @State private var isChoosing = false

    private static func settings(_ names: [String]) -> VideoSettings {
        VideoSettings { Playlist(names); Loop(); Mute(); Events([.currentItemChangedAny, .errorAny], interval: 0.1) }
    }

    var body: some View {
        HStack(spacing: 16) {
            VStack(spacing: 12) {
                ExtVideoPlayer(settings: $settings, command: $command)
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
                    Button { send(.previous) } label: { Label("Previous", systemImage: "backward.end.fill") }
                    Button { send(.next) } label: { Label("Next", systemImage: "forward.end.fill") }
                    Spacer()
                    Text("Items begun: \(passes)").monospacedDigit()
                }
            }
            VStack(alignment: .leading, spacing: 8) {
                List {
                    ForEach(Array(names.enumerated()), id: \.offset) { index, name in
                        Button { send(.jump(to: index)) } label: {
                            Label(URL(fileURLWithPath: name).lastPathComponent, systemImage: name == playing ? "play.fill" : "film")
                                .frame(maxWidth: .infinity, alignment: .leading)
                        }
                        .buttonStyle(.plain)
                    }
                }
                Button("Add…") { isChoosing = true }
            }
            .frame(width: 240)
        }
        .padding(16)
        .fileImporter(isPresented: $isChoosing, allowedContentTypes: [.movie], allowsMultipleSelection: true) { result in
            guard case .success(let urls) = result else { return }
            names += urls.map(\.path)
            settings = PlaylistPage.settings(names)
        }
    }

    private func send(_ new: PlaybackCommand) { command = new }
}
