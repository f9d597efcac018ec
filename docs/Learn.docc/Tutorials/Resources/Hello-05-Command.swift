import Zoetrope

@main struct Hello: App {
    @State private var command: PlaybackCommand = .play
    private let video = CommandLine.arguments.dropFirst().first ?? "film.mp4"

    var body: some Scene {
        WindowGroup {
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
            .padding()
        }
    }
}
