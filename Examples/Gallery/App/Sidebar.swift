import Zoetrope

/// A list of the pages, with a search field.
struct Sidebar: View {
    @Binding var page: Page
    /// Whether the search field gets the keyboard focus when the sidebar appears.
    var isCalled = false
    /// Called when the user has chosen a page.
    var chosen: @MainActor () -> Void = {}
    @State private var query = ""
    @FocusState private var isSearching: Bool

    private var found: [Page] { Page.allCases.filter { $0.matches(query) } }

    var body: some View {
        VStack(alignment: .leading, spacing: 0) {
            HStack(spacing: 4) {
                Button {
                    isSearching = true
                } label: {
                    Image(systemName: "magnifyingglass").foregroundColor(.secondary)
                }
                .buttonStyle(.borderless)
                .keyboardShortcut("f", modifiers: .control)
                .help("Search Pages (Ctrl+F)")
                .accessibilityLabel("Search Pages")
                TextField("Search", text: $query)
                    .focused($isSearching)
                    .onSubmit { if let first = found.first { choose(first) } }
                if !query.isEmpty {
                    Button {
                        query = ""
                    } label: {
                        Image(systemName: "xmark.circle.fill").foregroundColor(.secondary)
                    }
                    .buttonStyle(.borderless)
                    .help("Clear Search")
                    .accessibilityLabel("Clear Search")
                }
            }
            .padding(.horizontal, 8)
            .padding(.vertical, 10)
            ScrollView {
                VStack(alignment: .leading, spacing: 2) {
                    ForEach(found) { item in
                        Button {
                            choose(item)
                        } label: {
                            SidebarRow(page: item, isSelected: item == page)
                        }
                        .buttonStyle(SidebarButtonStyle(isSelected: item == page))
                        .accessibilityValue(item == page ? "selected" : "")
                    }
                    if found.isEmpty {
                        VStack(alignment: .leading, spacing: 8) {
                            Text("No pages match “\(query)”.").foregroundColor(.secondary)
                            Button("Show All Pages") { query = "" }
                        }
                        .padding(8)
                    }
                }
                .padding(.horizontal, 8)
                .padding(.bottom, 8)
                .frame(maxWidth: .infinity, alignment: .leading)
            }
        }
        .frame(maxHeight: .infinity, alignment: .top)
        .background(Color.primary.opacity(0.04))
        .onAppear { if isCalled { isSearching = true } }
    }

    private func choose(_ item: Page) {
        page = item
        chosen()
    }
}

private struct SidebarRow: View {
    let page: Page
    let isSelected: Bool

    var body: some View {
        HStack(spacing: 10) {
            Image(systemName: page.symbol)
                .foregroundColor(isSelected ? .accentColor : .secondary)
                .frame(width: 20)
            Text(verbatim: page.title).fontWeight(isSelected ? .semibold : .regular).lineLimit(1)
        }
        .frame(maxWidth: .infinity, alignment: .leading)
    }
}

/// A style with a translucent accent color as the background of the selected row. The text keeps the theme's color, and
/// the focus ring stays visible.
private struct SidebarButtonStyle: ButtonStyle {
    let isSelected: Bool
    func makeBody(configuration: Configuration) -> some View {
        SidebarButtonBody(configuration: configuration, isSelected: isSelected)
    }
}

private struct SidebarButtonBody: View {
    let configuration: ButtonStyleConfiguration
    let isSelected: Bool
    @State private var isUnderPointer = false

    private var ground: Color {
        if isSelected { return Color.accentColor.opacity(configuration.isPressed ? 0.3 : isUnderPointer ? 0.24 : 0.18) }
        return Color.primary.opacity(configuration.isPressed ? 0.14 : isUnderPointer ? 0.07 : 0)
    }

    var body: some View {
        configuration.label
            .padding(.horizontal, 8)
            .padding(.vertical, 6)
            .background(RoundedRectangle(cornerRadius: 6).fill(ground))
            .onHover { isUnderPointer = $0 }
    }
}
