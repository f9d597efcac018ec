import Zoetrope

/// An app that plays a stream, shows its position and buffer, downloads it, and plays the download offline.
@main
struct Player41App: App {
    init() { AssetPersistenceManager.sharedManager.restorePersistenceManager() }

    var body: some Scene {
        WindowGroup("Player41") { ContentView().frame(minWidth: 360, minHeight: 420) }.defaultSize(
            width: 520, height: 760)
    }
}

struct ContentView: View {
    var body: some View { PlayerView() }
}
