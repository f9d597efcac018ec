import Zoetrope

/// Features that users of similar components request, as an app uses them.
struct FeedView: View {
    @State private var command = PlaybackCommand.idle
    @State private var isFull = false
    let names: [String]
    let covers: [URL]

    var body: some View {
        VStack {
            ExtVideoPlayer(
                {
                    VideoSettings {
                        Playlist(names)
                        Loop()
                        Crossfade(1.5)
                        Loudness(.r128(-16))
                        Preload(ahead: 2)
                        FullScreen()
                        if let cover = covers.first { Poster(cover) } else { Poster(Image("cover")) }
                        PreferredPeakBitRate(2_000_000)
                        PreferredLanguages("de", "en")
                        Headers(["Authorization": "Bearer 1"])
                        Cookies([AVURLAssetHTTPCookie(name: "session", value: "1")])
                        Events([.ended, .bufferChangedAny, .fullScreenChangedAny])
                    }
                }, command: $command
            )
            .onPlayerEventChange { events in
                for case .fullScreenChanged(let isOn) in events { isFull = isOn }
                if events.contains(.ended) { command = .next }
            }
            HStack {
                Button("Back") { command = .previous }
                Button("Fifth") { command = .jump(to: 4) }
                Button(isFull ? "Smaller" : "Larger") { command = isFull ? .exitFullScreen : .enterFullScreen }
            }
        }
    }
}

enum AskedForCode {
    /// Every settings element that is not part of the original component's API, in every form.
    @MainActor static func elements() -> [any SettingsConvertible] {
        let urls = [URL(fileURLWithPath: "/a.mp4"), URL(fileURLWithPath: "/b.mp4")]
        return [
            Loop(count: 3), Loop(from: 1, to: 2.5), Playlist(["a", "b"]), Poster(urls[0]), Poster(Image("cover")),
            Headers([:]),
            Cookies([AVURLAssetHTTPCookie(name: "session", value: "1")]), PreferredPeakBitRate(0),
            PreferredLanguages(["de"]),
            PreferredLanguages("de", "en"), Preload(urls), Preload(["a", "b"]), Preload(ahead: 3), Crossfade(2),
            Loudness(.r128()),
            Loudness(.r128(-23)), Loudness(.asRecorded), FullScreen(),
        ]
    }

    static var commands: [PlaybackCommand] { [.next, .previous, .jump(to: 2), .enterFullScreen, .exitFullScreen] }
}

/// Windows for values and windows by name, with menus.
struct FeedScenes: Scene {
    var body: some Scene {
        WindowGroup("Feed", id: "feed") { FeedPage() }
            .defaultSize(width: 400, height: 700)
            .windowResizability(.contentSize)
            .commands {
                CommandGroup(replacing: .newItem) {}
                CommandMenu("Playback") { Button("Play") {}.keyboardShortcut("p", modifiers: [.command, .shift]) }
            }
        WindowGroup("Film", for: URL.self) { $url in FeedView(names: [url?.path ?? ""], covers: []) }
        Window("About", id: "about") { Text("About") }
    }
}

struct FeedPage: View {
    @Environment(\.openWindow) private var openWindow
    @Environment(\.dismissWindow) private var dismissWindow
    var body: some View {
        Button("Film") { openWindow(value: URL(fileURLWithPath: "/a.mp4")) }
        Button("About") { openWindow(id: "about") }
        Button("Close") { dismissWindow(id: "about") }
        Button("Full Screen") { NSApp.keyWindow?.toggleFullScreen(nil) }
    }
}
