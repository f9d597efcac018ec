import Zoetrope

/// A player like that of a video site: beside or above its details or in full screen, with a comments panel that makes
/// the video smaller, and steps on double taps.
@main struct YoutubeApp: App {
    var body: some Scene {
        WindowGroup("YouTube") { ContentView().frame(minWidth: 360, minHeight: 320) }.defaultSize(
            width: 1100, height: 700)
    }
}
