import Zoetrope

@main
enum Main {
    static func main() {
        Launch.check()
        Gallery.main()
    }
}

/// A tour of Zoetrope with one page per feature. `make play` opens the gallery.
struct Gallery: App {
    var body: some Scene {
        WindowGroup("Zoetrope Gallery") {
            GalleryView()
        }
        .defaultSize(width: 1200, height: 760)
    }
}
