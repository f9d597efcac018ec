import CGTK
import Foundation
import Testing

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

@MainActor @Suite("What public apps use: drawing")
struct PublicDrawingTests {
    private func isNear(_ a: [UInt8], _ b: [Int], _ most: Int = 3) -> Bool {
        a.count == 4 && zip(a, b).allSatisfy { abs(Int($0) - $1) <= most }
    }
    private func color<V: View>(@ViewBuilder _ view: () -> V) -> [UInt8] { Stage(40, 40, view).pixel(20, 20) }

    @Test("each color effect follows its formula")
    func effects() {
        let orange = Color(red: 1, green: 0.5, blue: 0)
        let gray = Int((0.2126 + 0.5 * 0.7152) * 255)
        #expect(isNear(color { orange.grayscale(1) }, [gray, gray, gray, 255]))
        #expect(isNear(color { orange.saturation(0) }, [gray, gray, gray, 255]))
        #expect(isNear(color { orange.colorInvert() }, [0, 127, 255, 255]))
        #expect(isNear(color { orange.brightness(0.25) }, [255, 191, 64, 255]))
        #expect(isNear(color { orange.contrast(0) }, [127, 127, 127, 255]))
        #expect(isNear(color { orange.colorMultiply(Color(red: 0.5, green: 1, blue: 1)) }, [127, 127, 0, 255]))
    }

    @Test("neutral amounts of color effects do not change a color")
    func none() {
        let orange = Color(red: 1, green: 0.5, blue: 0)
        let plain = color { orange }
        #expect(color { orange.saturation(1).brightness(0).contrast(1).hueRotation(.zero).grayscale(0) } == plain)
        #expect(color { orange.saturation(.nan).drawingGroup().compositingGroup() }.count == 4)
    }

    @Test("a hue rotation of 180° turns red bluish and keeps gray")
    func hues() {
        #expect(isNear(color { Color(white: 0.5).hueRotation(.degrees(137)) }, [127, 127, 127, 255], 4))
        let turned = color { Color.red.hueRotation(.degrees(180)) }
        #expect(turned[0] < turned[2])
    }

    @Test("a border lies inside the view's bounds")
    func border() {
        let stage = Stage(40, 40) { Color.white.border(Color(red: 0, green: 0, blue: 1), width: 4) }
        #expect(isNear(stage.pixel(2, 20), [0, 0, 255, 255]))
        #expect(isNear(stage.pixel(20, 20), [255, 255, 255, 255]))
    }

    @Test("a rotation about the vertical axis narrows; 90 degrees hide")
    func turn() {
        let half = Stage(80, 40) {
            Color(red: 1, green: 0, blue: 0).rotation3DEffect(.degrees(60), axis: (x: 0, y: 1, z: 0))
        }
        #expect(half.pixel(40, 20)[3] == 255 && half.pixel(10, 20)[3] == 0 && half.pixel(70, 20)[3] == 0)
        let flat = Stage(80, 40) { Color.red.rotation3DEffect(.degrees(90), axis: (x: 0, y: 1, z: 0)) }
        #expect(flat.pixel(20, 20)[3] == 0)
        let none = Stage(80, 40) { Color.red.rotation3DEffect(.degrees(40), axis: (x: 0, y: 0, z: 0)) }
        #expect(none.pixel(40, 20)[3] == 255)
    }

    @Test("redacted text is drawn as boxes")
    func redacted() {
        let hidden = Stage(200, 60) { Text(verbatim: "iiiiiiiiii").redacted(reason: .placeholder) }
        let shown = Stage(200, 60) {
            Text(verbatim: "iiiiiiiiii").unredacted().redacted(reason: .privacy)
        }
        let sensitive = Stage(200, 60) {
            Text(verbatim: "iiiiiiiiii").privacySensitive().redacted(reason: .privacy)
        }
        #expect(hidden.drawing() != shown.drawing())
        #expect(hidden.drawing() == sensitive.drawing())
    }
}

@MainActor @Suite("What public apps use: texts and symbols")
struct PublicTextTests {
    @Test("line spacing increases the height of two lines")
    func spacing() throws {
        let plain = Stage { Text(verbatim: "a\nb") }
        let wide = Stage { Text(verbatim: "a\nb").lineSpacing(10) }
        let (a, b) = (try #require(plain.frame("a\nb")), try #require(wide.frame("a\nb")))
        #expect(abs(b.height - a.height - 10) <= 1)
    }

    @Test("text shrinks to its minimum scale before it is truncated")
    func smaller() throws {
        let words = "a rather long line of words"
        func width(_ factor: CGFloat) throws -> CGFloat {
            let stage = Stage(100, 40) { Text(verbatim: words).lineLimit(1).minimumScaleFactor(factor) }
            return try #require(stage.frame(words)).height
        }
        let (whole, half) = (try width(1), try width(0.5))
        #expect(half < whole)
        #expect(try width(0.8) >= half)
    }

    @Test("the scale steps of a text end at its minimum")
    func steps() {
        var environment = EnvironmentValues()
        environment.minimumScaleFactor = 0.8
        let steps = TextFitting(environment).steps.map(\.scale)
        #expect(steps.first == 1 && steps.last == 0.8 && steps == steps.sorted(by: >))
        environment.minimumScaleFactor = -1
        #expect(environment.minimumScaleFactor > 0)
    }

    @Test("text is shown in the requested case")
    func cases() {
        #expect(Stage { Text(verbatim: "aB").textCase(.uppercase) }.texts == ["AB"])
        #expect(Stage { Text(verbatim: "aB").textCase(.lowercase) }.texts == ["ab"])
        #expect(Stage { Text(verbatim: "aB").textCase(nil).textCase(.uppercase) }.texts == ["aB"])
    }

    @Test(
        "a symbol uses the nearest variant that exists",
        arguments: [
            ("heart", SymbolVariants.fill, "heart.fill"), ("heart.fill", .fill, "heart.fill"),
            ("heart", .none, "heart"), ("play", .circle, "play.circle"), ("play", .circle.fill, "play.circle.fill"),
            ("play.fill", .circle, "play.circle.fill"), ("nonsense", .fill, "nonsense"),
        ])
    func variants(name: String, variant: SymbolVariants, form: String) {
        #expect(variant.name(name) == form)
    }
}

@MainActor @Suite("What public apps use: scrolling and containers")
struct PublicContainerTests {
    @Test("the resting position is the nearest page or view")
    func rests() {
        #expect(ScrollRest.page(149, length: 100) == 100)
        #expect(ScrollRest.page(151, length: 100) == 200)
        #expect(ScrollRest.page(100, length: 100, step: 1) == 200)
        #expect(ScrollRest.page(40, length: 0) == 40)
        #expect(ScrollRest.view(70, [0, 60, 130]) == 60)
        #expect(ScrollRest.view(70, []) == 70)
    }

    @Test("a scroll view rests at its pages and at marked views")
    func resting() throws {
        let paged = Stage(100, 100) {
            ScrollView { VStack(spacing: 0) { Color.red.frame(height: 500) } }.scrollTargetBehavior(.paging)
        }
        let scroll = try #require(paged.elements.first { $0 is ScrollElement } as? ScrollElement)
        scroll.scroll(to: CGPoint(x: 0, y: 160))
        #expect(scroll.restingOffset().y == 200)
        #expect(scroll.restingOffset(step: (0, -1)).y == 100)
        let aligned = Stage(100, 100) {
            ScrollView {
                VStack(spacing: 0) { ForEach(0..<10) { _ in Color.red.frame(height: 70) } }.scrollTargetLayout()
            }.scrollTargetBehavior(.viewAligned)
        }
        let rows = try #require(aligned.elements.first { $0 is ScrollElement } as? ScrollElement)
        rows.scroll(to: CGPoint(x: 0, y: 200))
        #expect(rows.restingOffset().y == 210)
    }

    @Test(
        "a notch of the wheel turns pages along one axis only",
        arguments: [(0.0, 1.0, CGPoint(x: 100, y: 200)), (-1, 0, CGPoint(x: 0, y: 100))])
    func notch(dx: Double, dy: Double, goal: CGPoint) throws {
        let stage = Stage(100, 100) {
            ScrollView([.horizontal, .vertical]) { Color.red.frame(width: 500, height: 500) }
                .scrollTargetBehavior(.paging)
        }
        let scroll = try #require(stage.scroll)
        scroll.scroll(to: CGPoint(x: 100, y: 100))
        #expect(scroll.scrollPage(dx, dy) && scroll.offset == goal)
    }

    @Test("a container-relative frame has the size of its scroll view")
    func relative() throws {
        let stage = Stage(120, 80) {
            ScrollView {
                VStack(spacing: 0) {
                    ForEach(0..<3) { _ in Color.red.containerRelativeFrame([.horizontal, .vertical]) }
                }
            }
        }
        let scroll = try #require(stage.elements.first { $0 is ScrollElement } as? ScrollElement)
        #expect(scroll.scrolledContent.frame.size == CGSize(width: 120, height: 240))
        stage.layOut(120, 50)
        #expect(scroll.scrolledContent.frame.height == 150)
    }

    @Test("a container-relative size leaves space for the other items")
    func parts() throws {
        let stage = Stage(100, 50) {
            ScrollView(.horizontal) {
                HStack(spacing: 10) {
                    ForEach(0..<4) { _ in Color.red.containerRelativeFrame(.horizontal, count: 2, spacing: 10) }
                }
            }
        }
        let scroll = try #require(stage.elements.first { $0 is ScrollElement } as? ScrollElement)
        #expect(abs(scroll.scrolledContent.frame.width - (4 * 45 + 3 * 10)) < 0.001)
    }

    @Test("a scroll phase depends on the visible part of a view")
    func phases() {
        let seen = CGRect(x: 0, y: 100, width: 100, height: 100)
        func phase(_ y: CGFloat, _ height: CGFloat = 100) -> ScrollTransitionPhase {
            ScrollTransitionPhase(CGRect(x: 0, y: y, width: 100, height: height), seen: seen, axis: .vertical)
        }
        #expect(phase(100) == .identity && phase(60) == .identity)
        #expect(phase(20) == .topLeading && phase(180) == .bottomTrailing)
        #expect(phase(0, 400) == .identity)
    }

    @Test("a wheel turns a page per notch, fingers one per stroke")
    func wheel() {
        func event(_ phase: ScrollWheelEvent.Phase, _ y: CGFloat, precise: Bool = false) -> ScrollWheelEvent {
            ScrollWheelEvent(
                phase: phase, scrollingDeltaX: 0, scrollingDeltaY: y, hasPreciseScrollingDeltas: precise,
                location: .zero, modifiers: [])
        }
        let wheel = PagingWheel()
        #expect(wheel.step(event(.none, -1)) == 1 && wheel.step(event(.none, 1)) == -1)
        #expect(wheel.step(event(.none, 0)) == nil)
        let strokes = [(ScrollWheelEvent.Phase.began, -10.0), (.changed, -50), (.changed, -50), (.ended, 0)]
        #expect(strokes.map { wheel.step(event($0.0, $0.1, precise: true)) } == [0, 1, 0, 0])
    }
}

@MainActor @Suite("What public apps use: the phone style")
struct PlatformStyleTests {
    private struct Look: View {
        @Environment(\.platformStyle) var style
        @Environment(\.menuIndicatorIsHidden) var hasNoArrow
        @Environment(\.scrollContentBackground) var ground
        var body: some View { Text(verbatim: "\(style == .phone) \(hasNoArrow) \(ground)") }
    }

    @Test("one setting selects phone defaults; explicit modifiers override them")
    func defaults() {
        #expect(Stage { Look() }.texts == ["false false automatic"])
        #expect(Stage { Look().platformStyle(.phone) }.texts == ["true true visible"])
        #expect(Stage { Look().platformStyle(.desktop).platformStyle(.phone) }.texts == ["false false automatic"])
        #expect(
            Stage { Look().menuIndicator(.visible).scrollContentBackground(.hidden).platformStyle(.phone) }.texts == [
                "true false hidden"
            ])
    }

    @Test("apps for iOS only have the phone style unless they set another")
    func styleOfApp() {
        let phone = Appearance.environment(style: PlatformStyle(info: ["LSRequiresIPhoneOS": true]))
        let infos: [[String: Any]?] = [nil, [:], ["LSRequiresIPhoneOS": false]]
        #expect(infos.allSatisfy { PlatformStyle(info: $0) == .desktop })
        #expect(Stage(environment: phone) { Look() }.texts == ["true true visible"])
        #expect(Stage(environment: phone) { Look().platformStyle(.desktop) }.texts == ["false false automatic"])
    }

    @Test("the tab bar is below on a phone, above on a desktop")
    func tabs() throws {
        func places(_ style: PlatformStyle) throws -> (bar: CGFloat, page: CGFloat) {
            let stage = Stage(400, 300) {
                TabView {
                    Tab("One", systemImage: "house") { Text(verbatim: "page") }
                    Tab("Two", systemImage: "house") { Text(verbatim: "other") }
                }.platformStyle(style)
            }
            let bar = try #require(stage.elements.first { $0 is TabButtonElement }).frameInHost.minY
            return (bar, try #require(stage.frame("page")).minY)
        }
        let (phone, desktop) = (try places(.phone), try places(.desktop))
        #expect(phone.bar > phone.page && desktop.bar < desktop.page)
    }

    @Test("the items of a phone's tab bar share the width")
    func tabWidths() {
        func widths(_ style: PlatformStyle) -> [CGFloat] {
            let stage = Stage(400, 300) {
                TabView {
                    Tab("One", systemImage: "house") { Text(verbatim: "page") }
                    Tab("A long title", systemImage: "house") { Text(verbatim: "other") }
                }.platformStyle(style)
            }
            return stage.elements.filter { $0 is TabButtonElement }.map(\.frameInHost.width)
        }
        #expect(widths(.phone) == [200, 200])
        #expect(widths(.desktop).reduce(0, +) < 350)
    }

    @Test("the icons of a phone's tab bar are above the titles")
    func tabLabels() throws {
        func offset(_ style: PlatformStyle) throws -> CGFloat {
            let stage = Stage(400, 300) {
                TabView { Tab("One", systemImage: "house") { Text(verbatim: "page") } }.platformStyle(style)
            }
            let button = try #require(stage.elements.first { $0 is TabButtonElement })
            return try #require(stage.frame("One")).midX - button.frameInHost.midX
        }
        #expect(try abs(offset(.phone)) < 1 && offset(.desktop) > 5)
    }

    @Test("a phone's window opens with the size of a phone")
    func windowSize() {
        let large = CGSize(width: 1920, height: 1080)
        func opening(_ width: CGFloat, asked: CGSize? = nil, screen: CGSize = large) -> CGSize {
            let stage = Stage(100, 100) { Color.red.frame(minWidth: width, maxWidth: .infinity) }
            return WindowSize.opening(
                stage.host.surface.root, asked: asked, isSheet: false, isPhone: true, screen: screen)
        }
        #expect(opening(0) == CGSize(width: 390, height: 844))
        #expect(opening(500) == CGSize(width: 500, height: 844))
        #expect(opening(0, asked: CGSize(width: 300, height: 200)) == CGSize(width: 300, height: 200))
        #expect(opening(0, screen: CGSize(width: 1366, height: 700)) == CGSize(width: 390, height: 700))
        let landscape = ["UIInterfaceOrientationLandscapeLeft", "UIInterfaceOrientationLandscapeRight"]
        #expect(
            WindowSize.phone(info: ["UISupportedInterfaceOrientations": landscape]) == CGSize(width: 844, height: 390))
        #expect(
            WindowSize.phone(info: ["UISupportedInterfaceOrientations": landscape + ["UIInterfaceOrientationPortrait"]])
                == CGSize(width: 390, height: 844))
    }

    @Test("the selection chooses a page by its tab's value")
    func tab() {
        let stage = Stage {
            TabView(selection: .constant("b")) {
                Tab("One", systemImage: "house", value: "a") { Text(verbatim: "first") }
                Tab("Two", systemImage: "house", value: "b") { Text(verbatim: "second") }
            }
        }
        #expect(stage.texts.contains("second") && !stage.texts.contains("first"))
    }

    @Test("a button without a style has no frame on a phone")
    func button() throws {
        func size(_ style: PlatformStyle) throws -> CGSize {
            let stage = Stage { Button("Play") {}.platformStyle(style) }
            return try #require(stage.elements.first { $0 is ButtonElement }).frame.size
        }
        let (phone, desktop) = (try size(.phone), try size(.desktop))
        #expect(phone.width < desktop.width && phone.height < desktop.height)
    }

    private struct Ink: View {
        @Environment(\.foregroundStyle) private var style
        var body: some View {
            let name =
                switch style?._style {
                case nil: "none"
                case .tint: "tint"
                case .color(.red): "red"
                case .color(.white): "white"
                default: "other"
                }
            Text(verbatim: name)
        }
    }

    @Test("a color around a button replaces the color of its label")
    func buttonColor() {
        func texts(_ style: PlatformStyle, _ role: ButtonRole?) -> [String] {
            Stage {
                VStack {
                    Button(role: role, action: {}) { Ink() }
                    Button(role: role, action: {}) { Ink() }.foregroundColor(.white)
                }.platformStyle(style)
            }.texts
        }
        #expect(texts(.phone, nil) == ["tint", "white"])
        #expect(texts(.phone, .destructive) == ["red", "white"])
        #expect(texts(.desktop, nil) == ["none", "white"])
        #expect(texts(.desktop, .destructive) == ["red", "white"])
        let prominent = Stage {
            Button(action: {}) { Ink() }.buttonStyle(.borderedProminent).foregroundColor(.white)
        }
        #expect(prominent.texts == ["white"])
    }

    @Test("a secondary style around a button keeps its label's color")
    func buttonLevel() {
        func texts(_ style: PlatformStyle, _ role: ButtonRole?) -> [String] {
            Stage {
                Button(role: role, action: {}) { Ink() }.foregroundStyle(.secondary).platformStyle(style)
            }.texts
        }
        #expect(texts(.phone, nil) == ["tint"])
        #expect(texts(.phone, .destructive) == ["red"])
        #expect(texts(.desktop, .destructive) == ["red"])
        let prominent = Stage {
            Button(role: .destructive, action: {}) { Ink() }.buttonStyle(.borderedProminent).foregroundStyle(.secondary)
        }
        #expect(prominent.texts == ["white"])
    }
}

@MainActor @Suite("What public apps use: input and transfer")
struct PublicInputTests {
    private struct Boxed: TextFieldStyle {
        func _body(configuration: TextField<_Label>) -> some View {
            HStack {
                Text(verbatim: "box")
                configuration
            }
        }
    }

    @Test("an app's own field style surrounds the field once")
    func fieldStyle() {
        let stage = Stage { TextField("Name", text: .constant("a")).textFieldStyle(Boxed()) }
        #expect(stage.texts.filter { $0 == "box" }.count == 1)
        #expect(stage.elements.filter { $0 is EntryElement }.count == 1)
        #expect(
            Stage { TextField("Name", text: .constant("a")).textFieldStyle(.plain).textFieldStyle(Boxed()) }.texts
                .contains("box") == false)
    }

    @Test("a growing field is higher with more lines, up to its limit")
    func growing() throws {
        func height(_ text: String) throws -> CGFloat {
            let stage = Stage { TextField("Name", text: .constant(text), axis: .vertical).lineLimit(3) }
            return try #require(stage.elements.first { $0 is TextEditorElement }).frame.height
        }
        let (one, two, three, nine) = (
            try height("a"), try height("a\nb"), try height("a\nb\nc"), try height("a\nb\nc\nd\ne\nf\ng\nh\ni")
        )
        #expect(one < two && two < three && abs(three - nine) < 2)
    }

    @Test("input methods get the purpose of a field")
    func keyboards() {
        #expect(UIKeyboardType.URL.purpose == GTK_INPUT_PURPOSE_URL)
        #expect(UIKeyboardType.numberPad.purpose == GTK_INPUT_PURPOSE_DIGITS)
        #expect(TextInput().hints == 0)
        #expect(TextInput(capitals: .never, isCorrected: false).hints & GTK_INPUT_HINT_LOWERCASE.rawValue != 0)
    }

    private struct Clip: Transferable {
        let url: URL
        static var transferRepresentation: some TransferRepresentation {
            FileRepresentation<Clip>(importedContentType: .movie) { Clip(url: $0.file) }
        }
    }

    @Test("a chosen file is loaded as the requested type")
    func transfer() async throws {
        let folder = FileManager.default.temporaryDirectory
        let film = folder.appendingPathComponent("zt-\(UUID().uuidString).mp4")
        let words = folder.appendingPathComponent("zt-\(UUID().uuidString).txt")
        for file in [film, words] { try Data("film".utf8).write(to: file) }
        defer { for file in [film, words] { try? FileManager.default.removeItem(at: file) } }
        #expect(try await PhotosPickerItem(url: film).loadTransferable(type: Clip.self)?.url == film)
        #expect(try await PhotosPickerItem(url: words).loadTransferable(type: Clip.self) == nil)
        #expect(try await PhotosPickerItem(url: film).loadTransferable(type: Data.self) == Data("film".utf8))
        #expect(try await PhotosPickerItem(url: words).loadTransferable(type: String.self) == "film")
        try FileManager.default.removeItem(at: film)
        await #expect(throws: (any Error).self) {
            try await PhotosPickerItem(url: film).loadTransferable(type: Data.self)
        }
    }

    @Test("a detent's height is limited to the window's height")
    func detents() {
        #expect(PresentationDetent.medium.height(in: 600) == 300)
        #expect(PresentationDetent.fraction(2).height(in: 600) == 600)
        #expect(PresentationDetent.height(-5).height(in: 600) == 0)
    }

    @Test("a badge follows its view, and 0 shows none")
    func badges() {
        #expect(Stage { List { Text(verbatim: "row").badge(3) } }.list != nil)
        #expect(Stage { Text(verbatim: "view").badge(3) }.texts == ["view", "3"])
        #expect(Stage { Text(verbatim: "view").badge(0) }.texts == ["view"])
    }
}

@MainActor @Suite("What public apps use: matched geometry")
struct MatchedGeometryTests {
    private struct Page: View {
        @Namespace var space
        @Binding var isRight: Bool
        var body: some View {
            HStack(spacing: 0) {
                if !isRight { Color.red.frame(width: 50, height: 50).matchedGeometryEffect(id: 1, in: space) }
                Spacer(minLength: 0)
                if isRight { Color.blue.frame(width: 50, height: 50).matchedGeometryEffect(id: 1, in: space) }
            }
        }
    }
    private struct Root: View {
        @State var isRight = false
        let take: @MainActor (Binding<Bool>) -> Void
        var body: some View {
            let _ = take($isRight)
            Page(isRight: $isRight)
        }
    }

    @Test("an inserted view moves from the position of its match")
    func moves() throws {
        var binding: Binding<Bool>?
        let stage = Stage(400, 50) { Root { binding = $0 } }
        stage.host.surface.root.locate(.identity, 0)
        let side = try #require(binding)
        withAnimation(.linear(duration: 1)) { side.wrappedValue = true }
        stage.layOut()
        func find(_ element: Element) -> Element? {
            element.frame.minX == 350 && element.frame.width == 50
                ? element : element.children.lazy.compactMap(find).first
        }
        let new = try #require(find(stage.host.surface.root))
        #expect(abs(new.presentedFrame(0).minX) < 1)
        #expect(abs(new.presentedFrame(0.5).minX - 175) < 5)
        #expect(new.presentedFrame(2).minX == 350)
    }
}
