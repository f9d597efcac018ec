import Foundation
import Zoetrope

/// The window's content: the sidebar, the selected page and its source code.
struct GalleryView: View {
    @State private var page = Launch.page
    @State private var isDark = Launch.isDark
    /// Whether the sidebar is open in a narrow window, where it covers the page. `isSourceOpen` is the same for the
    /// source code, which replaces the page there.
    @State private var isSidebarOpen = false
    @State private var isSourceOpen = false
    @AppStorage("gallery.showsSource") private var showsSource = true

    var body: some View {
        GeometryReader { room in
            content(isNarrow: room.size.width < 760, width: room.size.width)
        }
        .frame(minWidth: 360, minHeight: 320)
        .background(.background)
        .navigationTitle("Zoetrope Gallery: \(page.title)")
        .preferredColorScheme(isDark ? .dark : .light)
    }

    private func content(isNarrow: Bool, width: CGFloat) -> some View {
        ZStack(alignment: .leading) {
            HStack(spacing: 0) {
                if !isNarrow {
                    Sidebar(page: $page).frame(width: 208)
                    Divider()
                }
                VStack(spacing: 0) {
                    PageBar(
                        page: $page, isDark: $isDark, showsSource: isNarrow ? $isSourceOpen : $showsSource,
                        isSidebarOpen: isNarrow ? $isSidebarOpen : nil)
                    Divider()
                    beside(isNarrow: isNarrow, width: width)
                }
            }
            if isNarrow, isSidebarOpen {
                Color.black.opacity(0.4).onTapGesture { isSidebarOpen = false }
                Sidebar(page: $page, isCalled: true) { isSidebarOpen = false }
                    .frame(width: 240)
                    .background(.background)
                    .shadow(radius: 16)
            }
        }
    }

    @ViewBuilder private func beside(isNarrow: Bool, width: CGFloat) -> some View {
        let isShown = isNarrow ? isSourceOpen : showsSource
        HStack(spacing: 0) {
            if !(isNarrow && isShown) {
                PageView(page: page) { page = $0 }.frame(maxWidth: .infinity, maxHeight: .infinity)
            }
            if isShown {
                if !isNarrow { Divider() }
                SourcePanel(page: page)
                    .frame(width: isNarrow ? nil : min(440, max(260, (width - 208) * 0.42)))
                    .frame(maxWidth: isNarrow ? .infinity : nil)
            }
        }
    }
}

/// The content of the selected page.
private struct PageView: View {
    let page: Page
    /// Called by the start page to open another page.
    let open: @MainActor (Page) -> Void

    var body: some View {
        switch page {
        case .start: StartPage(open: open)
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
}
