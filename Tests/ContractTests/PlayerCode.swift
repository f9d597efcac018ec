import Zoetrope

// The component's API in every form in which it can be written. The test is that it compiles, in Swift 5 and Swift 6
// mode.

/// Every form of the initializer, in both versions of its documentation.
struct PlayerCode: View {
    @State var command: PlaybackCommand = .play
    @State var settings = VideoSettings { SourceName("swipe") }
    @Binding var outer: PlaybackCommand

    var body: some View {
        VStack {
            newer
            older
            others
        }
    }

    @ViewBuilder private var newer: some View {
        ExtVideoPlayer(fileName: "swipe")
        ExtVideoPlayer(fileName: "swipe", ext: "mov")
        ExtVideoPlayer(fileName: "swipe", gravity: .resizeAspectFill)
        ExtVideoPlayer(fileName: "swipe", timePublishing: nil)
        ExtVideoPlayer(fileName: "swipe", command: $command)
        ExtVideoPlayer(
            fileName: "swipe", ext: "mp4", gravity: .resize,
            timePublishing: CMTime(seconds: 1, preferredTimescale: 600), command: $command)
    }

    @ViewBuilder private var older: some View {
        ExtVideoPlayer(fileName: "swipe", eColor: .accentColor)
        ExtVideoPlayer(fileName: "swipe", eFontSize: 27)
        ExtVideoPlayer(fileName: "swipe", ext: "mov", eColor: .green, eFontSize: 33)
        ExtVideoPlayer(
            fileName: "swipe", ext: "mp4", gravity: .resizeAspect,
            timePublishing: .init(seconds: 1, preferredTimescale: 600), eColor: .red, eFontSize: 17, command: $outer)
    }

    @ViewBuilder private var others: some View {
        ExtVideoPlayer {
            VideoSettings {
                SourceName("swipe")
                Subtitles("swipe_eng")
                Ext("mp4")
                Gravity(.resizeAspectFill)
                Loop()
                ErrorGroup {
                    EColor(.accentColor)
                    EFontSize(27)
                }
            }
        }
        .onPlayerTimeChange { newTime in print(newTime) }
        .onPlayerEventChange { events in events.forEach { print($0) } }
        .frame(maxWidth: .infinity, maxHeight: .infinity)
        .mask { RoundedRectangle(cornerRadius: 25) }
        ExtVideoPlayer({ VideoSettings { SourceName("swipe") } })
        ExtVideoPlayer({ VideoSettings { SourceName("swipe") } }, command: $command)
        ExtVideoPlayer(settings: $settings)
        ExtVideoPlayer(settings: $settings, command: $command)
        ExtVideoPlayer(settings: .constant(VideoSettings { SourceName("swipe") }), command: .constant(.pause))
            .onPlayerTimeChange(perform: told)
            .onPlayerEventChange(perform: told)
    }

    func told(_ time: Double) {}
    func told(_ events: [PlayerEvent]) {}
}

/// Reads a player that was made outside a view.
struct PlayerHolder {
    @MainActor
    static func read() -> (name: String, command: PlaybackCommand) {
        let player = ExtVideoPlayer(
            settings: .constant(VideoSettings { SourceName("swipe") }), command: .constant(.mute))
        return (player.settings.name, player.command)
    }

    @MainActor
    static func write(_ settings: Binding<VideoSettings>, _ command: Binding<PlaybackCommand>) {
        let player = ExtVideoPlayer(settings: settings, command: command)
        player.settings = VideoSettings { SourceName("other") }
        player.command = .pause
    }
}
