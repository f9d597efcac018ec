import Foundation
import Testing

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

@Suite("The phone style: texts, tabs and the screen") @MainActor
struct PhoneLookTests {
    // MARK: fonts

    @Test(
        "in the phone style, font roles have the sizes of iOS",
        arguments: [
            (.largeTitle, 34, 29), (.title, 28, 25), (.title2, 22, 19), (.title3, 20, 17), (.headline, 17, 14.67),
            (.body, 17, 14.67), (.callout, 16, 13.5), (.subheadline, 15, 12.5), (.footnote, 13, 11.5),
            (.caption, 12, 11.5), (.caption2, 11, 11.5),
        ] as [(Font.TextStyle, CGFloat, CGFloat)])
    func sizes(role: Font.TextStyle, phone: CGFloat, desktop: CGFloat) {
        var environment = EnvironmentValues()
        #expect(environment.shown(.system(role)).size == desktop)
        environment.become(.phone)
        #expect(environment.shown(.system(role)).size == phone)
        #expect(environment.shown(.system(role)).weight == (role == .headline ? .semibold : .regular))
        environment.become(.desktop)
        #expect(environment.shown(.system(role)).size == desktop)
        let style = UIFont.TextStyle(style: role)
        #expect(UIFont.preferredFont(forTextStyle: style, in: .phone).pointSize == phone)
        #expect(UIFont.preferredFont(forTextStyle: style, in: .desktop).pointSize == desktop)
    }

    @Test("an app's own sizes and weights are the same in both styles")
    func ownSizes() {
        var environment = EnvironmentValues()
        environment.become(.phone)
        #expect(environment.shown(.system(size: 20)) == .system(size: 20))
        #expect(environment.shown(.headline.bold()).weight == .bold)
        #expect(environment.shown(.headline.weight(.light)).weight == .light)
        #expect(environment.shown(.system(.body, weight: .heavy)).weight == .heavy)
        let resized = UIFont.preferredFont(forTextStyle: .headline, in: .phone).withSize(40)
        #expect(environment.shown(resized.font).size == 40)
    }

    @Test("an interface font above 11 typographic points enlarges a phone's texts")
    func interfaceFont() {
        let usual = Font.interfaceSize
        defer { Font.interfaceSize = usual }
        let body = Font.body.styled(for: .phone)
        for (size, shown) in [(13.33, 17), (14.67, 17), (44 / 3, 17), (29.34, 34)] as [(CGFloat, CGFloat)] {
            Font.interfaceSize = size
            #expect(body.shownSize == shown)
        }
    }

    private func font(_ text: String, _ stage: Stage) -> Font? {
        stage.elements.lazy.compactMap { $0 as? TextElement }.first { $0.string == text }?.environment.shownFont
    }

    @Test("a phone's page titles have 17 points, large ones 34")
    func titles() throws {
        func title(_ mode: NavigationBarItem.TitleDisplayMode) throws -> Font {
            let stage = Stage {
                NavigationStack {
                    Text(verbatim: "page").navigationTitle("Films").navigationBarTitleDisplayMode(mode)
                }
                .platformStyle(.phone)
            }
            return try #require(font("Films", stage))
        }
        #expect(try title(.inline).size == 17 && title(.inline).weight == .semibold)
        #expect(try title(.large).size == 34 && title(.large).weight == .bold)
    }

    @Test("a button's text and a symbol follow the body of a phone")
    func body() throws {
        let stage = Stage {
            VStack {
                Button("Play") {}
                Image(systemName: "circle")
            }
            .platformStyle(.phone)
        }
        #expect(font("Play", stage)?.size == 17)
        let symbol = try #require(stage.elements.first { $0 is ImageElement })
        #expect(symbol.frame.height == (Font.body.styled(for: .phone).shownSize * 1.2).rounded())
    }

    // MARK: tab items

    private struct Item: View {
        let symbol: String
        var body: some View {
            VStack {
                Image(systemName: symbol).resizable().frame(width: 90, height: 90)
                Text(verbatim: "Home").font(.largeTitle)
                Text(verbatim: "more")
            }
        }
    }

    private func tabs<V: View>(_ style: PlatformStyle, @ViewBuilder _ item: () -> V) -> Stage {
        Stage(400, 300) {
            TabView { Color.red.tabItem { item() } }.platformStyle(style)
        }
    }
    private func symbols(_ stage: Stage) -> [String] { stage.elements.compactMap { ($0 as? ImageElement)?.symbolName } }

    @Test(
        "a tab shows the first image and first text of its item",
        arguments: [PlatformStyle.phone, .desktop], 0..<3)
    func tabParts(style: PlatformStyle, kind: Int) throws {
        let stage = tabs(style) {
            switch kind {
            case 0: Item(symbol: "house")
            case 1: AnyView(HStack { Group { Item(symbol: "house").padding(40).foregroundStyle(Color.red) } })
            default:
                Image(systemName: "house")
                Text(verbatim: "Home")
                if style == .phone { Text(verbatim: "more") }
            }
        }
        #expect(stage.texts == ["Home"] && symbols(stage) == [style == .phone ? "house.fill" : "house"])
        let button = try #require(stage.elements.first { $0 is TabButtonElement }).frame
        #expect(button.height < 56)
        guard style == .phone else { return }
        #expect(font("Home", stage) == .system(size: 10, weight: .medium))
        let text = try #require(stage.frame("Home"))
        let image = try #require(stage.elements.first { $0 is ImageElement }).frameInHost
        #expect(text.minY >= image.maxY)
    }

    @Test("a phone's tabs have filled symbols, unless the item prevents it")
    func tabSymbols() {
        #expect(symbols(tabs(.phone) { Label("Home", systemImage: "house") }) == ["house.fill"])
        #expect(symbols(tabs(.phone) { Label("Home", systemImage: "house.fill") }) == ["house.fill"])
        // There is no filled form.
        #expect(symbols(tabs(.phone) { Label("Find", systemImage: "magnifyingglass") }) == ["magnifyingglass"])
        let plain = tabs(.phone) { Label("Home", systemImage: "house").environment(\.symbolVariants, .none) }
        #expect(symbols(plain) == ["house"])
        #expect(symbols(tabs(.phone) { Image(systemName: "house").symbolVariant(.none) }) == ["house"])
        #expect(symbols(tabs(.desktop) { Label("Home", systemImage: "house") }) == ["house"])
    }

    private struct Title: View {
        @State private var title = "Home"
        var body: some View { Text(verbatim: title) }
    }

    @Test("a title in a view with state is shown", arguments: [PlatformStyle.phone, .desktop])
    func tabState(style: PlatformStyle) throws {
        let stage = tabs(style) {
            Image(systemName: "house")
            Title()
        }
        #expect(stage.texts == ["Home"] && symbols(stage) == [style == .phone ? "house.fill" : "house"])
        let text = try #require(stage.frame("Home"))
        let image = try #require(stage.elements.first { $0 is ImageElement }).frameInHost
        #expect(!text.intersects(image))
        if style == .phone { #expect(font("Home", stage) == .system(size: 10, weight: .medium)) }
    }

    @Test("a tab is read with the accessibility labels of its parts", arguments: [PlatformStyle.phone, .desktop])
    func tabLabels(style: PlatformStyle) {
        func spoken<V: View>(@ViewBuilder _ item: () -> V) -> String? {
            tabs(style, item).elements.first { $0 is TabButtonElement }?.spokenText
        }
        #expect(spoken { Image(systemName: "house").accessibilityLabel(Text(verbatim: "My films")) } == "My films")
        #expect(
            spoken { Label("Home", systemImage: "house").accessibilityLabel(Text(verbatim: "My films")) } == "My films")
    }

    @Test("a tab item without image and text is shown unchanged")
    func tabShape() {
        let stage = tabs(.phone) { Color.blue.frame(width: 40, height: 16).mark("shape") }
        #expect(stage.frame(of: "shape")?.size == CGSize(width: 40, height: 16))
    }

    // MARK: the window and the screen

    @Test("dismiss closes a window, except the only one of a phone")
    func dismissal() {
        #expect(AppWindows.areDismissible(in: .desktop, count: 1) && AppWindows.areDismissible(in: .desktop, count: 2))
        #expect(!AppWindows.areDismissible(in: .phone, count: 1) && AppWindows.areDismissible(in: .phone, count: 2))
    }

    @Test(
        "Info.plist sets the appearance of a phone's windows",
        arguments: [("Dark", .dark), ("Light", .light), ("Automatic", nil), (nil, nil)] as [(String?, ColorScheme?)])
    func interfaceStyle(value: String?, scheme: ColorScheme?) {
        let info: [String: Any] = value.map { ["UIUserInterfaceStyle": $0] } ?? [:]
        #expect(Appearance.scheme(nil, in: .phone, info: info) == scheme)
        #expect(Appearance.scheme(nil, in: .desktop, info: info) == nil)
        // The views of a window can prefer another one.
        #expect(Appearance.scheme(.light, in: .phone, info: info) == .light)
        #expect(Appearance.scheme(.dark, in: .desktop, info: info) == .dark)
    }

    private struct Page: View {
        let width = UIScreen.main.sizeWithoutPhone(in: .phone).width
        var body: some View { Text(verbatim: "\(Int(width))") }
    }
    private struct Root: View { var body: some View { Page() } }

    @Test("a stored property has the new size of a phone's screen")
    func storedWidth() {
        let upright = CGSize(width: 390, height: 844)
        UIScreen.phoneWindow(has: upright)
        defer { UIScreen.phoneWindow(has: upright) }
        let stage = Stage { Root() }
        #expect(stage.texts == ["390"])
        UIScreen.phoneWindow(has: CGSize(width: 500, height: 400))
        stage.layOut()
        #expect(stage.texts == ["500"])
    }
}
