import Zoetrope

/// What a player tells.
struct EventsPage: View {
    private struct Line: Identifiable {
        let id: Int
        let text: String
    }
    @State private var command = PlaybackCommand.play
    @State private var lines: [Line] = []

    var body: some View {
        HStack(spacing: 16) {
            VStack {
                ExtVideoPlayer(
                    {
                        VideoSettings {
                            SourceName("zoetrope")
                            Loop()
                            Events()
                        }
                    }, command: $command
                )
                .onPlayerEventChange { events in
                    for event in events { lines.append(Line(id: lines.count, text: event.description)) }
                }
                HStack {
                    Button("Play") { command = .play }
                    Button("Pause") { command = .pause }
                    Button("Begin") { command = .batch([.begin]) }
                    Button("Half volume") { command = .volume(0.5) }
                }
            }
            ScrollView {
                LazyVStack(alignment: .leading, spacing: 2) {
                    ForEach(lines.reversed()) { Text(verbatim: $0.text).font(.system(.caption, design: .monospaced)) }
                }
                .padding(8)
            }
            .frame(width: 280)
            .background(RoundedRectangle(cornerRadius: 8).fill(Color.gray.opacity(0.12)))
        }
        .padding(16)
    }
}
