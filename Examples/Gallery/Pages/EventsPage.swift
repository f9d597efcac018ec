import Zoetrope

/// The events that a player reports.
struct EventsPage: View {
    @State private var command = PlaybackCommand.opening
    @State private var lines: [String] = []

    var body: some View {
        Beside(width: 280, height: 180) {
            VStack(spacing: 12) {
                ExtVideoPlayer(
                    {
                        VideoSettings {
                            SourceName("zoetrope")
                            Loop()
                            Events()
                        }
                    }, command: $command
                )
                .onPlayerEventChange { events in lines += events.map(\.description) }
                FlowRow {
                    Button("Play") { command = .play }
                    Button("Pause") { command = .pause }
                    Button("Restart") { command = .batch([.begin]) }
                    Button("Half Volume") { command = .volume(0.5) }
                }
            }
        } side: {
            LogList(lines: lines)
        }
    }
}
