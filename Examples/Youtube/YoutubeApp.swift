import Zoetrope

/// A player like that of a video site. The video is beside or above its details, or in full screen. A comments panel
/// makes the video smaller, and double taps step.
@main struct YoutubeApp: App {
    var body: some Scene {
        WindowGroup("YouTube") { ContentView().frame(minWidth: 360, minHeight: 320) }.defaultSize(
            width: 1100, height: 700)
    }
}
