import Foundation
import Zoetrope

// API that public player apps use, in the form in which they use it.

struct PagedFeed: View {
    @State private var current: Int?
    var body: some View {
        ScrollView(.vertical) {
            LazyVStack(spacing: 0) {
                ForEach(0..<20) { number in
                    Text("\(number)").containerRelativeFrame([.horizontal, .vertical])
                        .scrollTransition { content, phase in
                            content.opacity(phase.isIdentity ? 1 : 0.3).scaleEffect(phase.isIdentity ? 1 : 0.9)
                        }
                }
            }
            .scrollTargetLayout()
        }
        .scrollTargetBehavior(.paging)
        .scrollPosition(id: $current)
        .onGeometryChange(for: CGSize.self, of: { $0.size }) { size in _ = size.width }
        .visualEffect { content, proxy in content.offset(y: proxy.size.height / 100) }
        .persistentSystemOverlays(.hidden)
        .statusBarHidden()
    }
}

struct ShelfPage: View {
    var body: some View {
        ScrollView(.horizontal) {
            LazyHStack {
                ForEach(0..<9) { _ in
                    Color.gray.containerRelativeFrame(.horizontal, count: 3, span: 1, spacing: 8)
                        .containerRelativeFrame(.vertical) { length, _ in length / 2 }
                }
            }.scrollTargetLayout()
        }.scrollTargetBehavior(.viewAligned)
    }
}

struct LooksPage: View {
    @State private var count = 0
    @State private var detent = PresentationDetent.medium
    @Environment(\.redactionReasons) private var reasons
    @Environment(\.symbolVariants) private var variants
    @Environment(\.presentationMode) private var presentationMode
    var body: some View {
        VStack {
            Image(systemName: "heart").symbolVariant(.fill).symbolRenderingMode(.hierarchical)
                .symbolEffect(.bounce, value: count).symbolEffect(.pulse, options: .repeating, isActive: count > 3)
                .environment(\.symbolVariants, .circle)
            Text("Title").lineSpacing(4).minimumScaleFactor(0.5).allowsTightening(true).textCase(.uppercase)
                .redacted(reason: .placeholder).unredacted().privacySensitive().textSelection(.enabled)
            Rectangle().border(Color.red, width: 2).saturation(0.5).grayscale(0.2).brightness(0.1).contrast(1.2)
                .hueRotation(.degrees(30)).colorInvert().colorMultiply(.yellow)
                .rotation3DEffect(.degrees(40), axis: (x: 0, y: 1, z: 0)).drawingGroup().compositingGroup()
            Button("Close") { presentationMode.wrappedValue.dismiss() }.hoverEffect(.lift)
                .sensoryFeedback(.success, trigger: count)
        }
        .safeAreaInset(edge: .bottom) { Text("Bar") }
        .presentationDetents([.medium, .large, .height(200), .fraction(0.3)], selection: $detent)
        .presentationDragIndicator(.visible)
        .interactiveDismissDisabled(count == 0)
        .userActivity("org.zoetrope.watch") { $0.title = "Watch" }
    }
}

struct RowsPage: View {
    @State private var isOn = false
    @Environment(\.refresh) private var refresh
    var body: some View {
        List {
            Text("Film").badge(3).swipeActions(edge: .trailing, allowsFullSwipe: true) {
                Button("Delete", role: .destructive) {}
            }
        }
        .refreshable { await refresh?() }
    }
}

struct BorderedField: TextFieldStyle {
    func _body(configuration: TextField<Self._Label>) -> some View {
        configuration.padding(8).background(Color.gray.opacity(0.2))
    }
}

struct FieldPage: View {
    @State private var text = ""
    var body: some View {
        VStack {
            TextField("Address", text: $text).keyboardType(.URL).textInputAutocapitalization(.never)
                .autocorrectionDisabled().textContentType(.URL).submitLabel(.go)
            TextField("Comment", text: $text, axis: .vertical).lineLimit(3).textFieldStyle(BorderedField())
            TextField("Plain", text: $text).textFieldStyle(.roundedBorder).disableAutocorrection(true)
        }
    }
}

struct TabsPage: View {
    @State private var page = 1
    var body: some View {
        TabView(selection: $page) {
            Tab("Home", systemImage: "house", value: 1) { PagedFeed() }
            Tab("Rows", systemImage: "list.bullet", value: 2) { RowsPage() }
        }
        .platformStyle(.phone)
    }
}

struct MovieClip: Transferable {
    let url: URL
    static var transferRepresentation: some TransferRepresentation {
        FileRepresentation(contentType: .movie) {
            SentTransferredFile($0.url)
        } importing: { received in
            MovieClip(url: received.file)
        }
        ProxyRepresentation<MovieClip, URL>(importing: { MovieClip(url: $0) })
    }
}

struct PickPage: View {
    @State private var item: PhotosPickerItem?
    @State private var clip: MovieClip?
    var body: some View {
        PhotosPicker(selection: $item, matching: .any(of: [.videos, .images])) { Label("Pick", systemImage: "photo") }
            .task(id: item) { clip = try? await item?.loadTransferable(type: MovieClip.self) }
    }
}

struct PhoneApp: App {
    var body: some Scene { WindowGroup { TabsPage() }.platformStyle(.phone) }
}

struct GrowPage: View {
    @Namespace private var space
    @State private var isLarge = false
    var body: some View {
        NavigationView {
            ZStack {
                if isLarge {
                    Color.red.matchedGeometryEffect(id: "film", in: space)
                } else {
                    Color.red.frame(width: 40, height: 40).matchedGeometryEffect(id: "film", in: space)
                }
            }
            .contentTransition(.numericText())
            .navigationBarItems(leading: Text("a"), trailing: Text("b"))
            .toolbarRole(.editor)
        }
    }
}

struct ReelPage: View {
    var body: some View {
        GeometryReader { proxy in
            let rect = proxy.frame(in: .scrollView(axis: .vertical))
            let visible = proxy.bounds(of: .scrollView) ?? .zero
            Color.blue.opacity(rect.minY < visible.minY ? 0.5 : 1)
                .offset(y: proxy.frame(in: .named("reel")).minY + proxy.frame(in: .global).minX)
                .offset(y: proxy.frame(in: CoordinateSpace.local).minY + proxy.frame(in: space).minY)
        }
        .gesture(DragGesture(minimumDistance: 4, coordinateSpace: .global))
        .gesture(SpatialTapGesture(coordinateSpace: .named("reel")))
        .onTapGesture(count: 2, coordinateSpace: .scrollView) { _ in }
        .onContinuousHover(coordinateSpace: .scrollView(axis: .horizontal)) { _ in }
        .onGeometryChange(for: CGFloat.self) {
            $0.frame(in: .scrollView).minY
        } action: { _ in
        }
        .coordinateSpace(.named("reel"))
    }
    private var space: CoordinateSpace { .named("reel") }
}

struct ZoomPage: View {
    @Namespace private var animation
    @State private var isExpanded = false
    var body: some View {
        NavigationStack {
            NavigationLink(value: 1) {
                Color.blue.matchedTransitionSource(id: 1, in: animation) { config in
                    config.background(.clear).clipShape(.rect(cornerRadius: 15)).shadow(radius: 3, y: 1)
                }
            }
            .navigationDestination(for: Int.self) { number in
                ReelPage().navigationTransition(.zoom(sourceID: number, in: animation))
            }
            ReelPage().matchedTransitionSource(id: "reel", in: animation).navigationTransition(.automatic)
            Group {
                if isExpanded { Color.red } else { Color.green.transition(.blurReplace(.upUp)) }
            }
            .transition(.blurReplace)
            .transition(AnyTransition(.blurReplace).combined(with: .opacity))
        }
    }
}

struct DefaultFocusPage: View {
    @Namespace private var namespace
    @Environment(\.resetFocus) private var resetFocus
    var body: some View {
        VStack {
            Button("Play") {}.prefersDefaultFocus(in: namespace)
            Button("Reset") { resetFocus(in: namespace) }.prefersDefaultFocus(false, in: namespace)
        }
        .focusScope(namespace)
    }
}

struct SharePage: View {
    let url: URL
    @State private var color = Color.red
    @State private var graphicsColor = CGColor(red: 1, green: 0, blue: 0, alpha: 1)
    var body: some View {
        VStack {
            ShareLink(item: url)
            ShareLink(item: url) { Image(systemName: "square.and.arrow.up") }
            ShareLink("Share", item: url, subject: Text("Live"), message: Text("Listen to this"))
            ShareLink(Text("Share"), item: "text", preview: SharePreview("Text", image: Image(systemName: "star")))
            ShareLink(items: [url]) { SharePreview($0.lastPathComponent) }
            ShareLink(items: [url], preview: { SharePreview($0.path, icon: Image("icon")) }) { Text("Share") }
            ColorPicker("", selection: $color, supportsOpacity: false)
            ColorPicker(String(describing: url), selection: $graphicsColor)
            ColorPicker(selection: $color) { Text("Color") }
        }
    }
}
