import DeclarativeUI
import Foundation

/// An app with one kind of container in a window, named by the first argument. It prints a line for each event.
struct ContainerProbe: App {
    var body: some Scene {
        WindowGroup("containers") { ProbePage(name: Probes.arguments.dropFirst().first ?? "list") }.defaultSize(
            width: 400, height: 400)
    }
}

extension ContainerProbe {
    nonisolated static func say(_ line: String) { FileHandle.standardOutput.write(Data((line + "\n").utf8)) }

    /// The colors that the tests find in screenshots.
    enum Ink {
        static let red = Color(red: 1, green: 0, blue: 0), green = Color(red: 0, green: 1, blue: 0),
            blue = Color(red: 0, green: 0, blue: 1)
        static let magenta = Color(red: 1, green: 0, blue: 1), cyan = Color(red: 0, green: 1, blue: 1),
            yellow = Color(red: 1, green: 1, blue: 0)
    }

    struct ProbePage: View {
        let name: String
        var body: some View {
            switch name {
            case "scroll": ScrollPage()
            case "list": ListPage()
            case "tabs": TabsPage()
            case "pages": PagedPage()
            case "pages-rtl": PagedPage().environment(\.layoutDirection, .rightToLeft)
            case "navigation": NavigationPage()
            case "navigation-rtl": NavigationPage().environment(\.layoutDirection, .rightToLeft)
            case "sheet": SheetPage()
            case "sheet-phone": SheetPage().platformStyle(.phone)
            case "row-buttons": RowButtonsPage().platformStyle(.phone)
            case "alert": AlertPage()
            case "popover": PopoverPage()
            case "popover-cover": PopoverCoverPage()
            case "cover": CoverPage()
            case "toolbar": ToolbarPage()
            case "alert-value": AlertValuePage()
            case "action-sheet": ActionSheetPage()
            case "edit": EditPage()
            case "edit-phone": EditPage().platformStyle(.phone)
            case "context": ContextPage()
            case "hover": HoverPage()
            case "cards": CardsPage()
            case "drop": DropPage()
            case "links": LinksPage()
            case "import": ImportPage()
            case "pick": PickerPage()
            case "device": DevicePage()
            case "split": SplitPage()
            case "unknown": UnknownPage()
            default: Text("no page \(name)")
            }
        }
    }

    /// A button with a color that prints its name when it is pressed.
    struct Square: View {
        let color: Color
        let word: String
        var action: () -> Void = {}
        var body: some View {
            Button {
                say("pressed \(word)")
                action()
            } label: {
                color.frame(width: 40, height: 24)
            }.buttonStyle(.plain)
        }
    }

    /// A button that counts its presses, which shows whether its state is kept.
    struct Tally: View {
        let name: String
        let color: Color
        @State private var count = 0
        var body: some View {
            Button {
                count += 1
                say("\(name) \(count)")
            } label: {
                color.frame(width: 40, height: 24)
            }.buttonStyle(.plain)
        }
    }

    struct ScrollPage: View {
        var body: some View {
            ScrollViewReader { proxy in
                VStack(spacing: 0) {
                    HStack {
                        Square(color: Ink.magenta, word: "jump") { proxy.scrollTo(400, anchor: .top) }
                        Square(color: Ink.cyan, word: "back") { withAnimation { proxy.scrollTo(0) } }
                    }
                    .padding(8)
                    ScrollView {
                        LazyVStack(spacing: 0) {
                            ForEach(0..<500) { row in
                                HStack {
                                    if row % 100 == 0 {
                                        Tally(
                                            name: "row \(row)",
                                            color: row == 0 ? Ink.red : row == 400 ? Ink.blue : Ink.green)
                                    }
                                    Text("Row \(row)")
                                    Spacer()
                                }
                                .frame(height: 40)
                                .onAppear { if row % 50 == 0 { say("made \(row)") } }
                            }
                        }
                        .background {
                            GeometryReader { space in
                                Color.clear.onChange(of: Int(space.frame(in: .named("area")).minY)) { say("at \($0)") }
                            }
                        }
                    }
                    .coordinateSpace(name: "area")
                }
            }
        }
    }

    struct ListPage: View {
        @State private var chosen: Int?
        var body: some View {
            List(selection: $chosen) {
                Section {
                    ForEach(0..<1000) { row in
                        HStack {
                            Color.clear.frame(width: 20, height: 20).background { if chosen == row { Ink.red } }
                            Text("Row \(row)")
                        }
                        .onAppear { if row % 20 == 0 { say("made \(row)") } }
                    }
                } header: {
                    Text("Thousand")
                }
            }
            .listStyle(.inset)
            .onChange(of: chosen) { say("chosen \($0.map(String.init) ?? "none")") }
        }
    }

    struct TabsPage: View {
        @State private var page = "one"
        var body: some View {
            TabView(selection: $page) {
                Tally(name: "one", color: Ink.red).onAppear { say("made one") }
                    .tabItem { Label("One", systemImage: "star") }.tag("one")
                Tally(name: "two", color: Ink.green).onAppear { say("made two") }
                    .tabItem { Ink.blue.frame(width: 40, height: 16) }.tag("two")
            }
            .onChange(of: page) { say("page \($0)") }
        }
    }

    struct PagedPage: View {
        @State private var page = 0
        private let colors = [Ink.red, Ink.green, Ink.blue]
        var body: some View {
            TabView(selection: $page) {
                ForEach(0..<3) { number in
                    colors[number].onAppear { say("made \(number)") }
                }
            }
            .tabViewStyle(.page)
            .onChange(of: page) { say("page \($0)") }
        }
    }

    struct NavigationPage: View {
        @State private var path: [Int] = []
        var body: some View {
            NavigationStack(path: $path) {
                VStack {
                    Tally(name: "first", color: Ink.red)
                    NavigationLink(value: 7) { Ink.green.frame(width: 40, height: 24) }.buttonStyle(.plain)
                }
                .navigationTitle("First")
                .navigationDestination(for: Int.self) { PushedPage(number: $0) }
                .toolbar { ToolbarItem(placement: .topBarTrailing) { Square(color: Ink.cyan, word: "tool") } }
            }
            .onChange(of: path) { say("path \($0)") }
        }
    }

    struct PushedPage: View {
        let number: Int
        @Environment(\.dismiss) private var dismiss
        var body: some View {
            VStack {
                Square(color: Ink.blue, word: "dismiss") { dismiss() }
                NavigationLink {
                    Tally(name: "third", color: Ink.magenta).navigationTitle("Third").onAppear { say("third") }
                } label: {
                    Ink.yellow.frame(width: 40, height: 24)
                }.buttonStyle(.plain)
            }
            .navigationTitle("Number \(number)")
        }
    }

    struct SheetPage: View {
        @State private var isShown = false
        var body: some View {
            Square(color: Ink.red, word: "open") { isShown = true }
                .sheet(isPresented: $isShown, onDismiss: { say("dismissed") }) {
                    SheetBody().navigationTitle("the sheet")
                }
                .onChange(of: isShown) { say("shown \($0)") }
        }
    }

    /// A list with a row that is its button's target, and a row whose button is only its label.
    struct RowButtonsPage: View {
        var body: some View {
            List {
                HStack {
                    Button {
                        say("pressed first")
                    } label: {
                        Ink.red.frame(width: 40, height: 20)
                    }
                    Spacer()
                    Ink.blue.frame(width: 40, height: 20)
                }
                HStack {
                    Button {
                        say("pressed second")
                    } label: {
                        Ink.green.frame(width: 40, height: 20)
                    }
                    .buttonStyle(.borderless)
                    Spacer()
                    Ink.yellow.frame(width: 40, height: 20)
                }
            }
        }
    }

    struct SheetBody: View {
        @Environment(\.dismiss) private var dismiss
        @Environment(\.isPresented) private var isPresented
        var body: some View {
            HStack {
                Tally(name: "sheet", color: Ink.green)
                Square(color: Ink.blue, word: "close") { dismiss() }
            }
            .onAppear { say("sheet presented \(isPresented)") }
            .onDisappear { say("sheet gone") }
        }
    }

    struct AlertPage: View {
        @State private var asks = false
        @State private var chooses = false
        var body: some View {
            HStack {
                Square(color: Ink.red, word: "alert") { asks = true }
                    .alert("Remove it?", isPresented: $asks) {
                        Button("Remove", role: .destructive) { say("removed") }
                        Button("Keep") { say("kept") }
                        Button("Cancel", role: .cancel) { say("cancelled") }
                    } message: {
                        Text("It cannot be brought back.")
                    }
                Square(color: Ink.green, word: "choice") { chooses = true }
                    .confirmationDialog("Which?", isPresented: $chooses, titleVisibility: .visible) {
                        Button("Left") { say("left") }
                        Button("Right") { say("right") }
                    }
            }
            .onChange(of: asks) { say("asks \($0)") }
            .onChange(of: chooses) { say("chooses \($0)") }
        }
    }

    struct PopoverPage: View {
        @State private var isShown = false
        var body: some View {
            Square(color: Ink.red, word: "open") { isShown = true }
                .popover(isPresented: $isShown, arrowEdge: .bottom) {
                    Tally(name: "inside", color: Ink.green).padding(30).onAppear { say("made") }.onDisappear {
                        say("gone")
                    }
                }
                .onChange(of: isShown) { say("shown \($0)") }
        }
    }

    /// A popover whose content shows a full-screen cover.
    struct PopoverCoverPage: View {
        @State private var isShown = false
        var body: some View {
            Square(color: Ink.red, word: "open") { isShown = true }
                .popover(isPresented: $isShown, arrowEdge: .bottom) { PopoverCover().padding(30) }
                .onChange(of: isShown) { say("shown \($0)") }
        }
    }
    struct PopoverCover: View {
        @State private var isCovered = false
        var body: some View {
            Square(color: Ink.green, word: "cover") { isCovered = true }
                .fullScreenCover(isPresented: $isCovered) {
                    ZStack {
                        Ink.yellow
                        CoverBody()
                    }
                }
        }
    }

    struct CoverPage: View {
        @State private var isShown = false
        var body: some View {
            VStack {
                Tally(name: "below", color: Ink.magenta)
                Square(color: Ink.red, word: "open") { isShown = true }
            }
            .fullScreenCover(isPresented: $isShown, onDismiss: { say("dismissed") }) {
                ZStack {
                    Ink.yellow
                    CoverBody()
                }
            }
            .onChange(of: isShown) { say("shown \($0)") }
        }
    }

    struct CoverBody: View {
        @Environment(\.dismiss) private var dismiss
        var body: some View { Square(color: Ink.blue, word: "close") { dismiss() } }
    }

    /// A page with a toolbar of the window, without a navigation stack.
    struct ToolbarPage: View {
        @State private var hasSecond = false
        var body: some View {
            Square(color: Ink.blue, word: "page") { hasSecond.toggle() }
                .frame(maxWidth: .infinity, maxHeight: .infinity)
                .toolbar {
                    ToolbarItem(placement: .topBarLeading) { Square(color: Ink.red, word: "first") }
                    if hasSecond {
                        ToolbarItem(placement: .topBarTrailing) { Square(color: Ink.green, word: "second") }
                    }
                }
        }
    }
}
