import DeclarativeUI
import Foundation
import OpenCombine

// View code of apps that are built in Swift 5 mode and do not use actor isolation. The test is that this file compiles
// without warnings.

/// A model with state that it changes from any context, and that returns bindings and views.
final class OlderModel: ObservableObject {
    static let shared = OlderModel()
    static var accent = Color.orange

    @Published var count = 0
    @Published var isOn = false
    @Published var offset = CGSize.zero
    var onChange: (() -> Void)?
    private var cancellables: Set<AnyCancellable> = []

    init() {
        $count.sink { [weak self] _ in self?.onChange?() }.store(in: &cancellables)
    }

    func increment() {
        withAnimation { count += 1 }
    }
    func animate() {
        withAnimation(.easeInOut(duration: 0.2)) { offset = .zero }
        withTransaction(Transaction(animation: nil)) { isOn.toggle() }
    }
    func later() {
        DispatchQueue.main.async { self.count += 1 }
    }

    var binding: Binding<Int> { Binding(get: { self.count }, set: { self.count = $0 }) }
    var constant: Binding<Bool> { .constant(true) }
    func double() {
        binding.wrappedValue *= 2
    }

    // Views and gestures made by a type that is not a view.
    func badge(_ text: String) -> some View { Text(text).padding(4).background(OlderModel.accent).cornerRadius(4) }
    lazy var title = AnyView(Text("Title").font(.headline))
    var drag: _EndedGesture<_ChangedGesture<DragGesture>>?
    func recognise() {
        drag = DragGesture().onChanged { value in self.offset = value.translation }.onEnded { _ in self.animate() }
    }
    private(set) lazy var tap: some Gesture = TapGesture(count: 2).onEnded { [weak self] in self?.increment() }
    var both: SimultaneousGesture<DragGesture, MagnificationGesture> {
        DragGesture().simultaneously(with: MagnificationGesture())
    }
    func load() async {
        await MainActor.run { self.count = 0 }
    }
    func start() {
        Task { await load() }
    }
    func width(of proxy: GeometryProxy) -> CGFloat { proxy.size.width }

    // The device, the app, images, shapes and stored values.
    var isWide: Bool { UIDevice.current.orientation.isLandscape || UIDevice.current.userInterfaceIdiom == .pad }
    var windows: Int { NSApp.windows.count }
    func toggleFullScreen() { NSApp.keyWindow?.toggleFullScreen(nil) }
    lazy var icon = UIImage(systemName: "film")
    func picture(_ data: Data) -> Image? { UIImage(data: data).map { Image(uiImage: $0) } }
    func decoded(_ data: Data) -> Image? { Image(data: data) }
    func size(of data: Data) -> CGSize { UIImage(data: data)?.size ?? .zero }
    func dot() -> some View { Circle().fill(.red).frame(width: 10, height: 10) }
    func ring(_ color: Color) -> some View {
        Circle().strokeBorder(color, lineWidth: 2).overlay(Circle().trim(from: 0, to: 0.5).stroke(.blue, lineWidth: 1))
    }
    func plays() -> Int {
        let preferences = OlderPreferences()
        preferences.played()
        preferences.muted.wrappedValue = true
        return preferences.plays
    }
}

/// Stored values.
final class OlderPreferences: ObservableObject {
    @AppStorage("plays", store: OlderDefaults.store) var plays = 0
    @AppStorage("isMuted", store: OlderDefaults.store) var isMuted = false
    @Published var isShown = false

    func played() {
        plays += 1
        if isMuted { isMuted.toggle() }
    }
    var muted: Binding<Bool> { $isMuted }
}
enum OlderDefaults {
    static let name = "zt-older-\(ProcessInfo.processInfo.processIdentifier)"
    static let store = UserDefaults(suiteName: name)
}

protocol OlderService {
    func view() -> AnyView
}
struct OlderTextService: OlderService {
    var text: String
    func view() -> AnyView {
        AnyView(
            HStack {
                Image(systemName: "star")
                Text(text)
            })
    }
}

struct OlderWidthKey: PreferenceKey {
    static var defaultValue: CGFloat = 0
    static func reduce(value: inout CGFloat, nextValue: () -> CGFloat) { value = max(value, nextValue()) }
}
private struct OlderThemeKey: EnvironmentKey {
    static var defaultValue = "plain"
}
extension EnvironmentValues {
    var olderTheme: String {
        get { self[OlderThemeKey.self] }
        set { self[OlderThemeKey.self] = newValue }
    }
}

struct OlderButtonStyle: ButtonStyle {
    func makeBody(configuration: Configuration) -> some View {
        configuration.label.opacity(configuration.isPressed ? 0.5 : 1)
    }
}
struct OlderFrame: ViewModifier {
    var color = Color.red
    func body(content: Content) -> some View { content.padding().overlay(Rectangle().stroke(color, lineWidth: 1)) }
}
extension View {
    func olderFrame() -> some View { modifier(OlderFrame()) }
    @ViewBuilder func hiddenIf(_ condition: Bool) -> some View {
        if condition { hidden() } else { self }
    }
}

struct OlderTriangle: Shape {
    func path(in rect: CGRect) -> Path {
        Path { path in
            path.move(to: CGPoint(x: rect.midX, y: rect.minY))
            path.addLine(to: CGPoint(x: rect.maxX, y: rect.maxY))
            path.addLine(to: CGPoint(x: rect.minX, y: rect.maxY))
            path.closeSubpath()
        }
    }
}
struct OlderColumn: Layout {
    func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) -> CGSize {
        CGSize(
            width: subviews.map { $0.sizeThatFits(.unspecified).width }.max() ?? 0,
            height: subviews.reduce(0) { $0 + $1.sizeThatFits(.unspecified).height })
    }
    func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout ()) {
        var y = bounds.minY
        for subview in subviews {
            subview.place(at: CGPoint(x: bounds.minX, y: y), proposal: .unspecified)
            y += subview.dimensions(in: .unspecified).height
        }
    }
}

struct OlderItem: Identifiable {
    let id: Int
    var name: String
}
final class OlderStore: ObservableObject {
    @Published var items = [OlderItem(id: 1, name: "one"), OlderItem(id: 2, name: "two")]
    @Published var selected: Int?
    @Published var isPresented = false
    var columns: [GridItem] { [GridItem(.flexible()), GridItem(.adaptive(minimum: 80))] }
    func page(for item: OlderItem) -> some View { Text(item.name).navigationTitle(item.name) }
    func dismissed() { isPresented = false }
    @ViewBuilder func row(_ item: OlderItem) -> some View {
        if item.id == 1 { Text(item.name).bold() } else { Text(item.name) }
    }
}
struct OlderList: View {
    @EnvironmentObject var store: OlderStore
    @Environment(\.dismiss) var dismiss
    let columns = [GridItem(.fixed(20))]

    private var header: some View { Text("Header").font(.title) }
    private func footer() -> some View { Text("Footer") }

    var body: some View {
        NavigationView {
            List {
                Section(header: header, footer: footer()) {
                    ForEach(store.items) { item in
                        NavigationLink(destination: store.page(for: item)) { store.row(item) }
                    }
                }
                ForEach($store.items) { $item in TextField("Name", text: $item.name) }
                LazyVGrid(columns: store.columns) { ForEach(0..<3) { Text("\($0)") } }
            }
            .toolbar { ToolbarItem(placement: .navigationBarTrailing) { Button("Done") { dismiss() } } }
            .sheet(isPresented: $store.isPresented, onDismiss: store.dismissed) { header }
        }
    }
}

struct OlderView: View {
    @StateObject private var model = OlderModel()
    @ObservedObject var shared = OlderModel.shared
    @State private var text = ""
    @State private var width: CGFloat = 0
    @GestureState private var isDragging = false
    @Environment(\.olderTheme) private var theme
    let service: OlderService
    var onDone: () -> Void = {}

    var body: some View {
        VStack {
            service.view()
            model.title
            model.badge("\(model.count)")
            Button("More", action: model.increment).buttonStyle(OlderButtonStyle())
            Button {
                finish()
            } label: {
                Text(theme)
            }.olderFrame()
            Toggle("On", isOn: $model.isOn)
            Stepper("Count", value: model.binding)
            OlderColumn { OlderTriangle().fill(.red).frame(width: 10, height: 10) }
            GeometryReader { proxy in
                Color.clear.preference(key: OlderWidthKey.self, value: model.width(of: proxy))
            }
            Canvas { context, size in draw(&context, size) }
        }
        .offset(shared.offset)
        .gesture(
            DragGesture().updating($isDragging) { _, state, _ in state = true }.onEnded { _ in self.shared.animate() }
        )
        .onPreferenceChange(OlderWidthKey.self) { width = $0 }
        .onReceive(model.$count) { number in if number > 10 { onDone() } }
        .onChange(of: text) { _ in model.later() }
        .hiddenIf(width < 0)
        .environment(\.olderTheme, "own")
        .environmentObject(model)
        .onAppear(perform: model.recognise)
    }

    private func finish() {
        model.double()
        onDone()
    }
    private func draw(_ context: inout GraphicsContext, _ size: CGSize) {
        context.fill(Path(ellipseIn: CGRect(origin: .zero, size: size)), with: .color(.blue))
    }
}

/// A free function, not a view, also uses the API of views.
func olderFree(_ model: OlderModel) -> some View {
    model.increment()
    return Text("free").padding().modifier(OlderFrame(color: .green))
}
