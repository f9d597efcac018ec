import Zoetrope

@main
enum Main {
    static func main() {
        Launch.check()
        if let input = Launch.input { Inspection.start(input) }
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
