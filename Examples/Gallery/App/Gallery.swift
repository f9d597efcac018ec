import Zoetrope

/// What the component does, a page each. `make play` opens it.
@main
struct Gallery: App {
    var body: some Scene {
        WindowGroup("Zoetrope Gallery") {
            GalleryView()
        }
        .defaultSize(width: 1200, height: 760)
    }
}
