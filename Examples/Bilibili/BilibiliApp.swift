import Zoetrope

/// A player with many small stateless widgets: at every edge, in half screen and full screen, always dark.
@main struct BilibiliApp: App {
    var body: some Scene {
        WindowGroup("Bilibili") {
            ContentView().frame(minWidth: 360, minHeight: 320).background(Color.black).preferredColorScheme(.dark)
        }
        .defaultSize(width: 1100, height: 620)
    }
}
