import Zoetrope

/// Many small stateless widgets in every slot: top, bottom, left and right, in two statuses, always dark.
@main struct BilibiliApp: App {
    var body: some Scene {
        WindowGroup("Bilibili") {
            ContentView().frame(minWidth: 360, minHeight: 320).background(Color.black).preferredColorScheme(.dark)
        }
        .defaultSize(width: 1100, height: 620)
    }
}
