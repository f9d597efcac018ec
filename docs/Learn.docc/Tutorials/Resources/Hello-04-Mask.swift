import Zoetrope

@main struct Hello: App {
    private let film = CommandLine.arguments.dropFirst().first ?? "film.mp4"

    var body: some Scene {
        WindowGroup {
            ExtVideoPlayer({
                VideoSettings {
                    SourceName(film)
                    Loop()
                }
            })
            .mask { RoundedRectangle(cornerRadius: 25) }
            .padding()
        }
    }
}
