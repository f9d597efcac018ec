import Zoetrope

@main
enum Main {
    static func main() {
        Launch.check()
        Gallery.main()
    }
}

/// What the component does, a page each. `make play` opens it.
struct Gallery: App {
    var body: some Scene {
        WindowGroup("Zoetrope Gallery") {
            GalleryView()
        }
        .defaultSize(width: 1200, height: 760)
    }
}
