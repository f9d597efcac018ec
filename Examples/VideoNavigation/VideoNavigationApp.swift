import Zoetrope

/// A feed in which the film most to be seen plays, and goes on in its own page when it is pressed.
@main struct VideoNavigationApp: App {
    var body: some Scene {
        WindowGroup("VideoNavigation") { ContentView().frame(minWidth: 340, minHeight: 420) }.defaultSize(
            width: 1100, height: 700)
    }
}
