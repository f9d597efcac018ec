import Zoetrope

/// A feed that plays its most visible video. Playback continues on the details page.
@main struct VideoNavigationApp: App {
    var body: some Scene {
        WindowGroup("Video Navigation") { ContentView().frame(minWidth: 340, minHeight: 420) }.defaultSize(
            width: 1100, height: 700)
    }
}
