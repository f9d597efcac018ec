import Zoetrope

/// What the component does, a page each. `make play` opens it.
@main
struct Gallery: App {
    var body: some Scene {
        WindowGroup("Zoetrope Gallery") {
            GalleryView()
        }
        .defaultSize(width: 1000, height: 640)
    }
}

enum Page: String, CaseIterable, Identifiable {
    case background = "Background"
    case hint = "Hint"
    case controls = "Controls"
    case mask = "Mask"
    case sources = "Sources"
    case events = "Events"
    case pip = "Picture in Picture"
    case errors = "Errors"
    case filters = "Filters"
    case shader = "Shader"
    case vectors = "Vectors"
    case subtitles = "Subtitles"
    case playlist = "Playlist"
    case part = "A–B, poster"
    case stream = "Stream"
    case grid = "16 loops"
    case examples = "Examples"

    var id: String { rawValue }
    var symbol: String {
        switch self {
        case .background: "photo"
        case .hint: "info.circle"
        case .controls: "play.fill"
        case .mask: "paintbrush"
        case .sources: "folder"
        case .events: "list.bullet"
        case .pip: "pip"
        case .errors: "exclamationmark.triangle"
        case .filters: "slider.horizontal.3"
        case .shader: "pencil"
        case .vectors: "star"
        case .subtitles: "text.bubble"
        case .playlist: "list.number"
        case .part: "repeat"
        case .stream: "antenna.radiowaves.left.and.right"
        case .grid: "square.grid.2x2"
        case .examples: "macwindow"
        }
    }

    /// From the command line: `--page grid`, by name or case.
    static var first: Page {
        let arguments = CommandLine.arguments
        guard let at = arguments.firstIndex(of: "--page"), at + 1 < arguments.count else { return .background }
        let name = arguments[at + 1].lowercased()
        return allCases.first { "\($0)" == name || $0.rawValue.lowercased() == name } ?? .background
    }
}

struct GalleryView: View {
    @State private var page = Page.first
    @State private var isDark = CommandLine.arguments.contains("--dark")

    var body: some View {
        HStack(spacing: 0) {
            VStack(alignment: .leading, spacing: 2) {
                ForEach(Page.allCases) { item in
                    Button {
                        page = item
                    } label: {
                        Label(item.rawValue, systemImage: item.symbol).frame(maxWidth: .infinity, alignment: .leading)
                    }
                    .buttonStyle(SidebarButtonStyle(isSelected: item == page))
                }
                Spacer()
                Toggle("Dark", isOn: $isDark).padding(.horizontal, 8)
            }
            .padding(8)
            .frame(width: 170)
            .background(Material.regularMaterial)
            Divider()
            Group {
                switch page {
                case .background: BackgroundPage()
                case .hint: HintPage()
                case .controls: ControlsPage()
                case .mask: MaskPage()
                case .sources: SourcesPage()
                case .events: EventsPage()
                case .pip: PictureInPicturePage()
                case .errors: ErrorsPage()
                case .filters: FiltersPage()
                case .shader: ShaderPage()
                case .vectors: VectorsPage()
                case .subtitles: SubtitlesPage()
                case .playlist: PlaylistPage()
                case .part: PartPage()
                case .stream: StreamPage()
                case .grid: GridPage()
                case .examples: ExamplesPage()
                }
            }
            .frame(maxWidth: .infinity, maxHeight: .infinity)
        }
        .background(.background)
        .navigationTitle("Zoetrope Gallery: \(page.rawValue)")
        .preferredColorScheme(isDark ? .dark : .light)
    }
}

struct SidebarButtonStyle: ButtonStyle {
    let isSelected: Bool
    func makeBody(configuration: Configuration) -> some View {
        configuration.label
            .padding(.horizontal, 10)
            .padding(.vertical, 7)
            .foregroundColor(isSelected ? .white : .primary)
            .background(
                RoundedRectangle(cornerRadius: 8).fill(
                    isSelected ? Color.accentColor : Color.gray.opacity(configuration.isPressed ? 0.3 : 0.0)))
    }
}
