import Zoetrope

@main struct Hello: App {
    @State private var command: PlaybackCommand = .play
    private let video = CommandLine.arguments.dropFirst().first ?? "film.mp4"

    var body: some Scene {
        WindowGroup {
            VStack {
                ExtVideoPlayer(
                    {
                        VideoSettings {
                            SourceName(video)
                            Loop()
                            Gravity(.resizeAspectFill)
                        }
                    }, command: $command
                )
                .mask { RoundedRectangle(cornerRadius: 25) }
                HStack {
                    Button("Play") { command = .play }
                    Button("Pause") { command = .pause }
                    Button("Slower") { command = .playbackSpeed(0.5) }
                }
            }
            .padding()
        }
    }
}
