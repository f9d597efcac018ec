import CGTK
import Foundation
import Testing

@testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

/// Tests of asset catalogs, system colors, images in memory, stored values and file types, in process.
@Suite("SwiftUI API of the platform", .serialized) @MainActor
struct SurfacePlatformTests {
    /// A folder with an asset catalog, deleted with this object.
    private final class Catalogue {
        let folder: URL
        var bundle: Bundle? { Bundle(path: folder.path) }

        init() throws {
            folder = FileManager.default.temporaryDirectory.appendingPathComponent(
                "zt-assets-\(UUID().uuidString.prefix(8))")
            try write("Assets.xcassets/Contents.json", "{}")
            try write(
                "Assets.xcassets/Ink.colorset/Contents.json",
                """
                {"colors": [
                  {"idiom": "universal", "color": {"color-space": "srgb", "components": {"red": "1.000", "green": "0x80", "blue": "0", "alpha": "1.000"}}},
                  {"idiom": "universal", "appearances": [{"appearance": "luminosity", "value": "dark"}], "color": {"color-space": "srgb", "components": {"red": "0.000", "green": "0.000", "blue": "255", "alpha": "0.500"}}},
                  {"idiom": "universal", "appearances": [{"appearance": "contrast", "value": "high"}], "color": {"components": {"red": "0", "green": "0", "blue": "0", "alpha": "1.0"}}}
                ], "info": {"author": "xcode", "version": 1}}
                """)
            try write(
                "Assets.xcassets/Grey.colorset/Contents.json",
                #"{"colors": [{"idiom": "mac", "color": {"components": {"white": 0.5, "alpha": 1}}}]}"#)
            try write("Assets.xcassets/Broken.colorset/Contents.json", "{nonsense")
            try write("Assets.xcassets/Icons/Contents.json", #"{"properties": {"provides-namespace": true}}"#)
            try write(
                "Assets.xcassets/Icons/Play.imageset/Contents.json",
                """
                {"images": [
                  {"idiom": "universal", "filename": "one.png", "scale": "1x"}, {"idiom": "universal", "filename": "two.png", "scale": "2x"}, {"idiom": "universal", "scale": "3x"},
                  {"idiom": "universal", "filename": "dark.png", "scale": "1x", "appearances": [{"appearance": "luminosity", "value": "dark"}]},
                  {"idiom": "universal", "filename": "../../../../etc/passwd", "scale": "3x"}
                ]}
                """)
            try picture("Assets.xcassets/Icons/Play.imageset/one.png", 10, [1, 0, 0])
            try picture("Assets.xcassets/Icons/Play.imageset/two.png", 20, [0, 1, 0])
            try picture("Assets.xcassets/Icons/Play.imageset/dark.png", 10, [0, 0, 1])
            try write(
                "Assets.xcassets/Plain/Mask.imageset/Contents.json",
                #"{"images": [{"filename": "mask.png"}], "properties": {"template-rendering-intent": "template"}}"#)
            try picture("Assets.xcassets/Plain/Mask.imageset/mask.png", 10, [0, 0, 0])
        }
        deinit { try? FileManager.default.removeItem(at: folder) }

        func write(_ path: String, _ text: String) throws {
            let url = folder.appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            try Data(text.utf8).write(to: url)
        }
        func picture(_ path: String, _ side: Int32, _ color: [Double]) throws {
            let surface = try #require(cairo_image_surface_create(CAIRO_FORMAT_ARGB32, side, side))
            let cr = try #require(cairo_create(surface))
            cairo_set_source_rgb(cr, color[0], color[1], color[2])
            cairo_paint(cr)
            cairo_destroy(cr)
            #expect(
                cairo_surface_write_to_png(surface, folder.appendingPathComponent(path).path) == CAIRO_STATUS_SUCCESS)
            cairo_surface_destroy(surface)
        }
    }

    private func pixel<V: View>(_ view: V, _ scheme: ColorScheme = .light) -> [UInt8] {
        Stage(10, 10) { view.colorScheme(scheme) }.pixel(5, 5)
    }

    @Test("an asset color follows the appearance; a missing one is magenta")
    func colors() throws {
        let assets = try Catalogue()
        let bundle = try #require(assets.bundle)
        #expect(pixel(Color("Ink", bundle: bundle)) == [255, 128, 0, 255])
        let dark = pixel(Color("Ink", bundle: bundle), .dark)
        #expect(dark[0] == 0 && abs(Int(dark[2]) - 128) <= 1 && abs(Int(dark[3]) - 128) <= 1)
        #expect(pixel(Color("Grey", bundle: bundle))[0] == 128 && pixel(Color("Grey", bundle: bundle), .dark)[0] == 128)
        #expect(
            pixel(Color("Absent", bundle: bundle)) == [255, 0, 255, 255]
                && pixel(Color("Broken", bundle: bundle)) == [255, 0, 255, 255])
        #expect(UIColor(named: "Ink", bundle: bundle) != nil && UIColor(named: "Absent", bundle: bundle) == nil)
    }

    @Test("resources show the colors and images of an asset catalog")
    func resources() throws {
        let assets = try Catalogue()
        let bundle = try #require(assets.bundle)
        let ink = ColorResource(name: "Ink", bundle: bundle)
        #expect(pixel(Color(ink)) == [255, 128, 0, 255])
        #expect(UIColor(resource: ink) == UIColor(named: "Ink", bundle: bundle))
        let play = ImageResource(name: "Icons/Play", bundle: bundle)
        #expect(pixel(Image(play)) == [255, 0, 0, 255] && pixel(Image(play), .dark) == [0, 0, 255, 255])
        #expect(UIImage(resource: play).size == CGSize(width: 10, height: 10))
        #expect(UIImage(resource: ImageResource(name: "Absent", bundle: bundle)).size == .zero)
    }

    @Test("the accent color comes from the app's own asset catalog")
    func accent() throws {
        let assets = try Catalogue()
        let light = #"{"color": {"components": {"red": "1.000"}}}"#
        let dark =
            #"{"color": {"components": {"green": "1.000"}}, "#
            + #""appearances": [{"appearance": "luminosity", "value": "dark"}]}"#
        for (target, colors) in [
            ("App", "\(light), \(dark)"), ("Other", #"{"color": {"components": {"white": 0.5}}}"#),
            ("Template", #"{"idiom": "universal"}"#),
        ] {
            try assets.write(
                "Shop_\(target).resources/Assets.xcassets/AccentColor.colorset/Contents.json",
                #"{"colors": [\#(colors)]}"#)
        }
        let theme = Color.Components(red: 0, green: 0, blue: 1, opacity: 1)
        func accent(_ target: String, dark: Bool = false) -> Color.Components {
            let folders = ResourceLookup.targetFolders(of: assets.folder.path, target: target)
            return Accent.color(app: AssetCatalog.accent(in: folders), current: theme).resolved(dark: dark, accent: nil)
        }
        #expect(accent("App") == Color.Components(red: 1, green: 0, blue: 0, opacity: 1))
        #expect(accent("App", dark: true) == Color.Components(red: 0, green: 1, blue: 0, opacity: 1))
        // The color set of a new app has no color. The catalogs of other targets are not used.
        #expect(accent("Template") == theme && accent("Absent") == theme)
        #expect(ResourceLookup.targetFolders(of: assets.folder.path).count == 3)
    }

    @Test("an asset image matches appearance, scale and namespace")
    func pictures() throws {
        let assets = try Catalogue()
        let bundle = try #require(assets.bundle)
        let image = Image("Icons/Play", bundle: bundle)
        #expect(pixel(image) == [255, 0, 0, 255] && pixel(image, .dark) == [0, 0, 255, 255])
        let sharp = Stage(40, 40) { image.mark("sharp").environment(\.displayScale, 2) }
        #expect(
            sharp.pixel(20, 20) == [0, 255, 0, 255] && sharp.frame(of: "sharp")?.size == CGSize(width: 10, height: 10))
        // A higher scale is preferred to a lower one, but a lower one is used if nothing else exists.
        #expect(
            AssetCatalog.picture("Icons/Play", bundle, isDark: false, scale: 3)?.scale == 2
                && AssetCatalog.picture("Icons/Play", bundle, isDark: false, scale: 1.5)?.scale == 2)
        #expect(AssetCatalog.picture("Play", bundle, isDark: false, scale: 1) == nil)
        // A template image is drawn in the foreground style, also inside folders that are not part of its name.
        #expect(
            pixel(Image("Mask", bundle: bundle).foregroundStyle(Color(red: 0, green: 1, blue: 0))) == [0, 255, 0, 255])
        #expect(
            pixel(
                Image("Mask", bundle: bundle).renderingMode(.original).foregroundStyle(Color(red: 0, green: 1, blue: 0))
            ) == [0, 0, 0, 255])
        #expect(
            pixel(image.renderingMode(.template).foregroundStyle(Color(red: 0, green: 1, blue: 0))) == [0, 255, 0, 255])
    }

    @Test("an asset image follows a change of appearance")
    func appearance() throws {
        let assets = try Catalogue()
        let bundle = try #require(assets.bundle)
        final class Model { var scheme: Binding<ColorScheme>? }
        struct Page: View {
            let model: Model
            let bundle: Bundle
            @State private var scheme = ColorScheme.light
            var body: some View {
                model.scheme = $scheme
                return Image("Icons/Play", bundle: bundle).colorScheme(scheme)
            }
        }
        let model = Model()
        let stage = Stage(10, 10) { Page(model: model, bundle: bundle) }
        #expect(stage.pixel(5, 5) == [255, 0, 0, 255])
        model.scheme?.wrappedValue = .dark
        stage.layOut()
        #expect(stage.pixel(5, 5) == [0, 0, 255, 255])
    }

    @Test("images load from data, files and names, otherwise are nil")
    func images() throws {
        let assets = try Catalogue()
        let bundle = try #require(assets.bundle)
        let file = assets.folder.appendingPathComponent("Assets.xcassets/Icons/Play.imageset/two.png")
        let data = try Data(contentsOf: file)
        let image = try #require(UIImage(data: data))
        #expect(
            image.size == CGSize(width: 20, height: 20)
                && UIImage(data: data, scale: 2)?.size == CGSize(width: 10, height: 10))
        #expect(
            Stage(40, 40) { Image(uiImage: image) }.pixel(20, 20) == [0, 255, 0, 255]
                && pixel(Image(nsImage: image).resizable()) == [0, 255, 0, 255])
        let decoded = try #require(Image(data: data))
        let fine = try #require(Image(data: data, scale: 2))
        let stage = Stage(40, 40) {
            HStack(spacing: 0) {
                decoded.mark("decoded")
                fine.mark("fine")
            }
        }
        #expect(
            stage.frame(of: "decoded")?.size == CGSize(width: 20, height: 20)
                && stage.frame(of: "fine")?.size == CGSize(width: 10, height: 10))
        #expect(Stage(40, 40) { decoded }.pixel(20, 20) == [0, 255, 0, 255] && pixel(fine) == [0, 255, 0, 255])
        #expect(Image(data: Data("no picture".utf8)) == nil && Image(data: Data()) == nil)
        #expect(
            UIImage(data: Data("no picture".utf8)) == nil && UIImage(data: Data()) == nil
                && UIImage(contentsOfFile: "/nowhere.png") == nil)
        #expect(
            UIImage(contentsOfFile: file.path) != nil
                && UIImage(named: "Icons/Play", in: bundle)?.size == CGSize(width: 10, height: 10)
                && UIImage(named: "Absent", in: bundle) == nil)
        #expect(UIImage(systemName: "play.fill") != nil && UIImage(systemName: "no.such.symbol") == nil)
        #expect(NSImage(contentsOf: file)?.size == image.size)
    }

    @Test("system colors follow their light and dark values")
    func systemColors() {
        #expect(
            pixel(Color(.systemGroupedBackground)) == [0xF2, 0xF2, 0xF7, 255]
                && pixel(Color(.systemGroupedBackground), .dark) == [0, 0, 0, 255])
        #expect(
            pixel(Color(uiColor: .label)) == [0, 0, 0, 255]
                && pixel(Color(uiColor: .label), .dark) == [255, 255, 255, 255])
        #expect(pixel(Color(nsColor: .windowBackgroundColor)) == pixel(Color.clear.background(.background)))
        #expect(
            pixel(Color(.systemBlue)) == pixel(Color.blue)
                && pixel(Color(UIColor(red: 1, green: 0, blue: 0, alpha: 1))) == [255, 0, 0, 255])
        #expect(
            (127...128).contains(pixel(Color(UIColor.black.withAlphaComponent(0.5)))[3])
                && NSColor(Color.red) == UIColor.systemRed)
    }

    @Test("a stored value updates the store and its readers, and persists")
    func appStorage() throws {
        enum Speed: String { case slow, fast }
        enum Count: Int {
            case one = 1
            case two
        }
        let name = "zt-storage-\(UUID().uuidString.prefix(8))"
        let store = try #require(UserDefaults(suiteName: name))
        defer { store.removePersistentDomain(forName: name) }
        final class Model { var count: Binding<Int>?, text: Binding<String?>?, evaluations = 0 }
        struct Reader: View {
            let model: Model
            @AppStorage("count") private var count = 3
            @AppStorage("speed") private var speed = Speed.slow
            @AppStorage("text") private var text: String?
            var body: some View {
                model.evaluations += 1
                model.count = $count
                model.text = $text
                return Text(verbatim: "\(count) \(speed.rawValue) \(text ?? "none")")
            }
        }
        struct Other: View {
            @AppStorage("count") private var count = 7
            var body: some View { Text(verbatim: "other \(count)") }
        }
        let model = Model()
        let stage = Stage {
            VStack {
                Reader(model: model)
                Other()
            }.defaultAppStorage(store)
        }
        #expect(stage.texts == ["3 slow none", "other 7"])
        model.count?.wrappedValue = 5
        stage.layOut()
        #expect(stage.texts == ["5 slow none", "other 5"] && store.integer(forKey: "count") == 5)
        model.text?.wrappedValue = "words"
        stage.layOut()
        #expect(stage.texts.first == "5 slow words")
        model.text?.wrappedValue = nil
        stage.layOut()
        #expect(stage.texts.first == "5 slow none" && store.object(forKey: "text") == nil)
        store.set("fast", forKey: "speed")
        store.set("x", forKey: "count")
        let again = Stage { Reader(model: model).defaultAppStorage(store) }
        #expect(again.texts.first?.hasSuffix("fast none") == true)

        let flag = AppStorage(wrappedValue: true, "flag", store: store)
        let url = AppStorage<URL?>("url", store: store)
        let number = AppStorage(wrappedValue: Count.one, "number", store: store)
        #expect(flag.wrappedValue && url.wrappedValue == nil && number.wrappedValue == .one)
        flag.wrappedValue = false
        url.wrappedValue = URL(string: "https://a.org/b")
        number.wrappedValue = .two
        #expect(
            !AppStorage(wrappedValue: true, "flag", store: store).wrappedValue
                && store.string(forKey: "url") == "https://a.org/b" && store.integer(forKey: "number") == 2)
        store.set(99, forKey: "number")
        #expect(number.wrappedValue == .one)
    }

    @Test("objects of the same store see each other's changes")
    func sameStore() throws {
        let name = "zt-storage-\(UUID().uuidString.prefix(8))"
        let (one, other) = (try #require(UserDefaults(suiteName: name)), try #require(UserDefaults(suiteName: name)))
        defer { one.removePersistentDomain(forName: name) }
        struct Reader: View {
            @AppStorage("zt count") private var count = 3
            var body: some View { Text(verbatim: "\(count)") }
        }
        let stage = Stage { Reader().defaultAppStorage(one) }
        #expect(stage.texts == ["3"])
        AppStorage(wrappedValue: 0, "zt count", store: other).wrappedValue = 5
        stage.layOut()
        #expect(stage.texts == ["5"])
    }

    @Test("the dialog selects folders only when only folders are requested")
    func folders() {
        #expect(
            [[UTType.folder], [.directory, .folder]].allSatisfy { FileDialog.takesFolders($0) })
        #expect(
            ![[], [UTType.item], [.folder, .movie], [.png]].contains { FileDialog.takesFolders($0) })
    }

    @Test("file types know their extensions and parent types")
    func types() {
        #expect(
            FileDialog.endings([.mpeg4Movie, .png]) == ["mp4", "mpg4", "png"] && FileDialog.endings([.item]).isEmpty
                && FileDialog.endings([]).isEmpty && FileDialog.endings([.folder]).isEmpty)
        #expect(
            UTType(filenameExtension: "MP4") == .mpeg4Movie && UTType.mpeg4Movie.conforms(to: .movie)
                && UTType.mpeg4Movie.conforms(to: .item))
        #expect(
            !UTType.mpeg4Movie.conforms(to: .audio) && UTType(filenameExtension: "nosuch") == nil
                && UTType(mimeType: "image/png") == .png)
        #expect(
            UTType("public.movie") == .movie && UTType("no.such") == nil
                && UTType(importedAs: "no.such").identifier == "no.such" && UTType.fileURL.isSubtype(of: .url))
        #expect(UTType.movie.allExtensions.contains("mkv") && !UTType.movie.allExtensions.contains("mp3"))
    }

    @Test("a drop delivers only matching items, in the requested type")
    func itemProviders() async throws {
        let film = NSItemProvider(object: URL(fileURLWithPath: "/tmp/a.mp4"))
        let words = NSItemProvider(object: "words")
        #expect(
            film.hasItemConformingToTypeIdentifier("public.movie")
                && film.hasItemConformingToTypeIdentifier("public.file-url")
                && !film.hasItemConformingToTypeIdentifier("public.image"))
        #expect(
            film.registeredTypeIdentifiers == ["public.mpeg-4", "public.file-url"] && film.suggestedName == "a"
                && !words.canLoadObject(ofClass: URL.self))
        func load<T: NSItemProviderReading>(_ provider: NSItemProvider, _ type: T.Type) async -> (T?, Bool) {
            await withCheckedContinuation { done in
                provider.loadObject(ofClass: type) { value, error in done.resume(returning: (value, error != nil)) }
            }
        }
        #expect(await load(film, URL.self).0?.path == "/tmp/a.mp4")
        #expect(await load(words, String.self).0 == "words")
        let none = await load(words, URL.self)
        #expect(none.0 == nil && none.1)

        var taken: [(Int, CGPoint)] = []
        let stage = Stage(200, 100) {
            HStack(spacing: 0) {
                Color.clear.frame(width: 100)
                Color.red.frame(width: 100).onDrop(of: [.movie], isTargeted: nil) { items, point in
                    taken.append((items.count, point))
                    return true
                }
            }
        }
        let element = try #require(stage.elements.first { $0 is DropElement } as? DropElement)
        #expect(element.drop([film, words], CGPoint(x: 110, y: 20)) && !element.drop([words], CGPoint(x: 110, y: 20)))
        #expect(taken.count == 1 && taken[0].0 == 1 && taken[0].1 == CGPoint(x: 10, y: 20))
        #expect(
            element.accepts(at: CGPoint(x: 150, y: 50)) && !element.accepts(at: CGPoint(x: 50, y: 50))
                && element.takesFiles
                && !element.takesText)
    }

    @Test(
        "a view for a kind of text accepts files with its extensions",
        arguments: [
            (UTType.plainText, "notes.txt"), (.text, "notes.txt"), (.text, "film.srt"), (.json, "list.json"),
            (UTType(importedAs: "public.subtitle"), "film.vtt"),
        ])
    func droppedTextFiles(type: UTType, name: String) throws {
        let file = NSItemProvider(object: URL(fileURLWithPath: "/tmp/" + name))
        let stage = Stage(100, 100) { Color.red.onDrop(of: [type], isTargeted: nil) { _ in true } }
        let element = try #require(stage.elements.first { $0 is DropElement } as? DropElement)
        #expect(element.takesFiles && element.drop([file], CGPoint(x: 50, y: 50)))
        let film = NSItemProvider(object: URL(fileURLWithPath: "/tmp/a.mp4"))
        #expect(!element.drop([film], CGPoint(x: 50, y: 50)))
    }

    @Test(
        "a window opens at its content's ideal size, within the screen",
        arguments: [
            (CGSize(width: 450, height: 800), CGSize(width: 450, height: 800)),
            (CGSize(width: 1500, height: 600), CGSize(width: 1500, height: 600)),
            (CGSize(width: 1800, height: 1400), CGSize(width: 1600, height: 1000)),
        ])
    func idealWindow(ideal: CGSize, opened: CGSize) {
        let stage = Stage(100, 100) {
            Color.red.frame(
                minWidth: 0, idealWidth: ideal.width, maxWidth: .infinity, minHeight: 0, idealHeight: ideal.height,
                maxHeight: .infinity)
        }
        let size = WindowSize.opening(
            stage.host.surface.root, asked: nil, isSheet: false, screen: CGSize(width: 1600, height: 1000))
        #expect(size == opened)
    }

    @Test("a finger movement ends at the pointer's last position")
    func scrollEnd() throws {
        var events: [ScrollWheelEvent] = []
        let stage = Stage(150, 100) {
            HStack(spacing: 0) {
                Color.clear.frame(width: 50)
                Color.red.frame(width: 100).onScrollWheel {
                    events.append($0)
                    return true
                }
            }
        }
        let element = try #require(stage.elements.first { $0 is ScrollWheelElement } as? ScrollWheelElement)
        element.began()
        element.pointer = CGPoint(x: 60, y: 20)
        #expect(element.scrolled(0, 5))
        element.pointer = CGPoint(x: 70, y: 30)
        #expect(element.scrolled(0, 5))
        // The gesture ends at its last position even if the pointer has left the window.
        element.pointer = nil
        element.ended()
        #expect(events.map(\.phase) == [.began, .changed, .ended])
        #expect(events.map(\.location) == [CGPoint(x: 10, y: 20), CGPoint(x: 20, y: 30), CGPoint(x: 20, y: 30)])
    }

    @Test("a view for URLs accepts dropped text that is a URL")
    func droppedURLs() throws {
        let link = NSItemProvider(object: " https://example.org/a.mp4\n")
        #expect(link.registeredTypeIdentifiers == ["public.utf8-plain-text", "public.url"])
        var taken: [URL?] = []
        let stage = Stage(100, 100) {
            Color.red.onDrop(of: [.url], isTargeted: nil) { items in
                taken = items.map { URL(_item: $0) }
                return true
            }
        }
        let element = try #require(stage.elements.first { $0 is DropElement } as? DropElement)
        let point = CGPoint(x: 50, y: 50)
        #expect(element.takesText && element.drop([link], point))
        #expect(taken == [URL(string: "https://example.org/a.mp4")])
        #expect(!element.drop([NSItemProvider(object: "words")], point))
    }

    @Test(
        "an unknown symbol suggests the nearest known symbol",
        arguments: [
            ("play.fil", "play"), ("plai.fill", "play.fill"), ("heartt", "heart"), ("speaker.wave.4", "speaker.wave."),
            ("goforwards", "goforward"), ("", ""),
        ])
    func nearest(name: String, expected: String) {
        let found = SymbolNames.nearest(name)
        #expect(found.hasPrefix(expected) && SymbolNames.isKnown(found), "\(found)")
    }

    @Test("every symbol that the example apps use is known")
    func symbols() {
        let named = """
            airplayvideo arrowshape.turn.up.right arrowshape.turn.up.right.fill arrowtriangle.right.fill backward.end.circle battery.100.bolt battery.75 bitcoinsign.circle circle.fill \
            ellipsis.message ellipsis.message.fill forward.end.circle gauge.high gauge.with.dots.needle.67percent gift.fill hand.thumbsdown hand.thumbsup heart.text.square.fill \
            house.circle.fill link.circle.fill list.clipboard message.circle.fill music.quarternote.3 person.crop.circle.fill person.fill.badge.plus plus.rectangle.on.rectangle \
            square.on.square square.text.square.fill suit.heart switch.2 video.badge.ellipsis waveform.circle 10.arrow.trianglehead.clockwise 10.arrow.trianglehead.counterclockwise \
            goforward.10 gobackward.10 goforward.15 gobackward.15 play.fill pause.fill speaker.slash.fill speaker.wave.3.fill pip.enter pip.exit
            """.split(whereSeparator: \.isWhitespace).map(String.init)
        for name in named { #expect(SymbolNames.isKnown(name), "\(name); the nearest is \(SymbolNames.nearest(name))") }
    }
}
