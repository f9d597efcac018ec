import Zoetrope

// Views that use the same API as the example apps.

struct WatchPage: View {
    @Environment(\.dismiss) private var dismiss
    @Environment(\.colorScheme) private var colorScheme
    @Environment(\.defaultMinListRowHeight) private var rowHeight
    @State private var orientation = UIDevice.current.orientation
    @State private var isOn = true
    @State private var text = ""
    let names = ["one", "two", "three"]

    var body: some View {
        NavigationView {
            List {
                Section(header: Text("Header").font(.headline)) {
                    ForEach(names, id: \.self) { name in
                        HStack {
                            Image(systemName: "hand.thumbsup")
                            Text(name).fontWeight(.semibold).lineLimit(2)
                        }
                        .listRowSeparator(.hidden)
                        .listRowSeparatorTint(.gray)
                        .listRowBackground(Color.clear)
                        .listRowInsets(EdgeInsets(top: 0, leading: 8, bottom: 0, trailing: 8))
                    }
                }
            }
            .listStyle(.plain)
            .scrollContentBackground(.hidden)
            .environment(\.defaultMinListRowHeight, 10)
            .navigationBarTitleDisplayMode(.inline)
            .toolbarBackground(Color.black, for: .navigationBar)
            .toolbarBackground(.visible, for: .navigationBar)
            .toolbar {
                ToolbarItemGroup(placement: .navigationBarTrailing) {
                    Button {
                        dismiss()
                    } label: {
                        Image(systemName: "airplayvideo")
                    }
                    Toggle("", isOn: $isOn).fixedSize().labelsHidden()
                }
                ToolbarItem(placement: .bottomOrnament) { Slider(value: .constant(0.5)) }
            }
        }
        .searchable(text: $text)
        .ignoresSafeArea(edges: orientation.isLandscape ? .all : .bottom)
        .ignoresSafeArea(.all)
        .ignoresSafeArea()
        .preferredColorScheme(.dark)
        .onReceive(NotificationCenter.default.publisher(for: UIDevice.orientationDidChangeNotification)) { _ in
            orientation = UIDevice.current.orientation
        }
    }
}

struct OldPage: View {
    @State private var isAsking = false
    @State private var isShown = false
    var body: some View {
        NavigationView {
            Form {
                Section { Toggle("Repeat", isOn: $isShown) }
                Button("Delete") { isAsking = true }
            }
            .background(Color(.systemGroupedBackground))
            .navigationBarTitle("Settings")
            .navigationBarTitle(Text("Settings"), displayMode: .inline)
            .navigationBarHidden(false)
            .alert(isPresented: $isAsking) {
                Alert(
                    title: Text("Delete?"), message: Text("It is gone then."),
                    primaryButton: .destructive(Text("Delete")) { isShown = false }, secondaryButton: .cancel())
            }
            .alert(isPresented: $isShown, error: PageError.offline) { _ in
            } message: { error in
                Text(error.localizedDescription)
            }
            .alert("Delete?", isPresented: $isAsking, presenting: 3) { number in
                Button("Delete \(number)", role: .destructive) { isShown = false }
            }
            .confirmationDialog("Delete?", isPresented: $isAsking, titleVisibility: .visible, presenting: 3) {
                Button("Delete \($0)") { isShown = false }
            } message: {
                Text("Number \($0)")
            }
            .sheet(isPresented: $isShown) {
                ProgressView(value: 0.3, total: 1).progressViewStyle(LinearProgressViewStyle())
            }
        }
        .accentColor(.orange)
        .controlSize(.small)
    }
}

enum PageError: LocalizedError {
    case offline
    var errorDescription: String? { "No network" }
}

struct VerticalLabelStyle: LabelStyle {
    func makeBody(configuration: Configuration) -> some View {
        VStack(spacing: 4) {
            configuration.icon.font(.title2)
            configuration.title.font(.caption)
        }
    }
}

struct NavigationPage: View {
    @State private var path = NavigationPath()
    @State private var size = CGSize.zero
    @State private var columns: NavigationSplitViewVisibility = .automatic
    struct Film: Identifiable, Hashable { let id: Int, title: String, url: URL? }
    let films: [Film]

    struct SizeKey: PreferenceKey {
        static let defaultValue = CGSize.zero
        static func reduce(value: inout CGSize, nextValue: () -> CGSize) { value = nextValue() }
    }

    var body: some View {
        NavigationStack(path: $path) {
            ScrollView(.vertical, showsIndicators: false) {
                LazyVStack(spacing: 0) {
                    ForEach(films) { film in
                        NavigationLink(value: film) {
                            Label(film.title, systemImage: "suit.heart").labelStyle(VerticalLabelStyle())
                        }
                        .buttonStyle(.plain)
                    }
                }
                LazyVGrid(columns: [GridItem(.adaptive(minimum: 80)), GridItem(.flexible())], spacing: 8) {
                    ForEach(films) { film in
                        AsyncImage(url: film.url) { image in
                            image.resizable().scaledToFill()
                        } placeholder: {
                            ProgressView()
                        }
                        AsyncImage(url: film.url) { phase in
                            if let image = phase.image {
                                image
                            } else if phase.error != nil {
                                Color.red
                            } else {
                                Color.gray
                            }
                        }
                    }
                }
                Grid(alignment: .leading) {
                    GridRow {
                        Text("a")
                        Text("b")
                    }
                }
                LabeledContent("Length", value: "1:02")
                LabeledContent("Rating") { Image(systemName: "star.fill") }
            }
            .coordinateSpace(name: "scroll")
            .background(
                GeometryReader { proxy in
                    Color.clear.preference(key: SizeKey.self, value: proxy.frame(in: .named("scroll")).size)
                }
            )
            .onPreferenceChange(SizeKey.self) { size = $0 }
            .navigationDestination(for: Film.self) { film in
                switch film.id {
                case 0: Text(film.title).navigationTitle(film.title)
                default: ContentUnavailableView("Nothing", systemImage: "film", description: Text("Not yet."))
                }
            }
        }
    }

    var split: some View {
        NavigationSplitView(columnVisibility: $columns) {
            List(films) { Text($0.title) }
        } detail: {
            Text("detail")
        }
    }
}

struct DesktopPage: View {
    @State private var isTargeted = false
    @State private var value = 0.5
    @State private var isImporting = false
    @AppStorage("volume") private var volume = 1.0
    let picture: CGImage?

    var body: some View {
        VStack {
            Slider(value: $value) { isEditing in print(isEditing) }
            Slider(value: $value, in: 0...1, onEditingChanged: { _ in })
            Slider(value: $value, in: 0...1) { Text("Time") }
            Divider()
            if let picture { Image(picture, scale: 1, label: Text("Frame")).resizable().scaledToFit() }
            Button("Play") { volume = 0.5 }.keyboardShortcut(.space, modifiers: [])
            Button("Back") {}.keyboardShortcut(.leftArrow, modifiers: []).buttonStyle(.borderedProminent)
            Button("On") {}.keyboardShortcut("n", modifiers: [.command, .shift]).buttonStyle(.bordered)
            Text("12:30").monospacedDigit().fixedSize().fontWeight(.bold)
            Text("\(Date(timeIntervalSince1970: 0), formatter: DateFormatter())")
            Text(Date(timeIntervalSince1970: 0), style: .time)
            Text(0.25, format: .percent)
            Text("**bold** and [a link](https://example.com)")
            Menu("Speed") { Picker("Speed", selection: $value) { Text("1×").tag(1.0) }.pickerStyle(.menu) }
        }
        .background(.thickMaterial)
        .background(.thinMaterial, in: RoundedRectangle(cornerRadius: 8))
        .background { Rectangle().fill(.ultraThinMaterial) }
        .onDrop(of: [.fileURL], isTargeted: $isTargeted) { providers in
            guard let provider = providers.first else { return false }
            _ = provider.loadObject(ofClass: URL.self) { url, error in print(url as Any, error as Any) }
            return true
        }
        .onDrop(of: ["public.file-url"], isTargeted: nil) { _ in false }
        .contextMenu { Button("Copy") {} }
        .fileImporter(isPresented: $isImporting, allowedContentTypes: [.movie]) { result in
            if case .success(let url) = result { print(url) }
        }
        .colorScheme(.dark)
        .navigationTitle("Player")
        .frame(minWidth: 300, minHeight: 200)
        .overlay(alignment: .top) {
            TimelineView(.periodic(from: .now, by: 1)) { context in Text(context.date, style: .time) }
        }
        .overlay {
            Canvas { context, size in
                context.fill(Path(ellipseIn: CGRect(origin: .zero, size: size)), with: .color(.blue))
                context.stroke(
                    Path {
                        $0.move(to: .zero)
                        $0.addLine(to: CGPoint(x: size.width, y: size.height))
                    }, with: .color(.red), lineWidth: 2)
            }
        }
    }
}

struct ShortsPage: View {
    @State private var index = 0
    @State private var isLiked = false
    var body: some View {
        TabView(selection: $index) {
            ZStack {
                Rectangle().fill(.black)
                Circle().strokeBorder(Color.white, lineWidth: 2).frame(width: 40, height: 40).clipShape(Circle())
                Image(systemName: "heart.fill").transition(.scale(scale: 2).combined(with: .opacity)).shadow(radius: 2)
            }
            .clipped()
            .tabItem { Label("Home", systemImage: "house.circle.fill") }
            .tag(0)
            Text("Me").tabItem {
                Image(systemName: "person.crop.circle.fill")
                Text("Me")
            }.tag(1)
        }
        .tint(.white)
        .task { try? await Task.sleep(nanoseconds: 1) }
        .onChange(of: index) { withAnimation(.easeInOut(duration: 0.2)) { isLiked.toggle() } }
        .onChange(of: isLiked) { old, new in print(old, new) }
        .rotationEffect(.degrees(isLiked ? 10 : 0))
        .allowsHitTesting(true)
    }
}

struct ToastLayout: Layout {
    func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) -> CGSize {
        subviews.reduce(CGSize.zero) { size, subview in
            let next = subview.sizeThatFits(.unspecified)
            return CGSize(width: max(size.width, next.width), height: size.height + next.height)
        }
    }
    func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) {
        var y = bounds.minY
        for subview in subviews {
            subview.place(at: CGPoint(x: bounds.midX, y: y), anchor: .top, proposal: .unspecified)
            y += subview.sizeThatFits(.unspecified).height
        }
    }
}

/// A whole app.
struct ContractApp: App {
    @StateObject private var model = GestureModel()
    var body: some Scene {
        WindowGroup {
            ToastLayout {
                WatchPage()
                OldPage()
            }.environmentObject(model)
        }
    }
}

struct WatchPage_Previews: PreviewProvider {
    static var previews: some View {
        WatchPage().previewDevice("iPhone 15").previewDisplayName("Watch").previewInterfaceOrientation(.landscapeLeft)
        OldPage().previewLayout(.sizeThatFits)
        Group { ShortsPage().previewLayout(.fixed(width: 300, height: 200)) }
    }
}
