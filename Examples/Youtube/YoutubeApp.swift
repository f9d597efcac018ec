import Zoetrope

/// A video site's player: half screen beside or above its details, full screen, a comments panel that squeezes, double
/// taps that step.
@main struct YoutubeApp: App {
    var body: some Scene {
        WindowGroup("Youtube") { ContentView().frame(minWidth: 360, minHeight: 320) }.defaultSize(
            width: 1100, height: 700)
    }
}
