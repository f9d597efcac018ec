import Zoetrope

@main struct Hello: App {
    private let video = CommandLine.arguments.dropFirst().first ?? "film.mp4"

    var body: some Scene {
        WindowGroup {
            ExtVideoPlayer({
                VideoSettings {
                    SourceName(video)
                    Loop()
                    Gravity(.resizeAspectFill)
                }
            })
            .mask { RoundedRectangle(cornerRadius: 25) }
            .padding()
        }
    }
}
