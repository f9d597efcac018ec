import Zoetrope

/// The bar above a page: its title and summary, and buttons for the previous and next page, the style and the source.
struct PageBar: View {
    @Binding var page: Page
    @Binding var isDark: Bool
    @Binding var showsSource: Bool
    /// The binding of the sidebar's visibility in a narrow window; nil if the sidebar is always visible.
    let isSidebarOpen: Binding<Bool>?

    var body: some View {
        HStack(spacing: 4) {
            if let isSidebarOpen {
                button("sidebar.left", "Pages (Ctrl+F)") { isSidebarOpen.wrappedValue = true }
                    .keyboardShortcut("f", modifiers: .control)
            }
            VStack(alignment: .leading, spacing: 1) {
                Text(verbatim: page.title).font(.headline).lineLimit(1).accessibilityAddTraits(.isHeader)
                Text(verbatim: page.summary).font(.caption).foregroundColor(.secondary).lineLimit(1)
            }
            .padding(.horizontal, 6)
            .frame(maxWidth: .infinity, alignment: .leading)
            button("chevron.up", "Previous Page (Ctrl+Page Up)") { page = page.neighbour(-1) }
                .keyboardShortcut(.pageUp, modifiers: .control)
            button("chevron.down", "Next Page (Ctrl+Page Down)") { page = page.neighbour(1) }
                .keyboardShortcut(.pageDown, modifiers: .control)
            button(isDark ? "sun.max" : "moon", isDark ? "Light Style (Ctrl+D)" : "Dark Style (Ctrl+D)") {
                isDark.toggle()
            }
            .keyboardShortcut("d", modifiers: .control)
            button(
                "chevron.left.forwardslash.chevron.right",
                showsSource ? "Hide Source (Ctrl+U)" : "Show Source (Ctrl+U)", isOn: showsSource
            ) { showsSource.toggle() }
            .keyboardShortcut("u", modifiers: .control)
        }
        .padding(.horizontal, 8)
        .frame(height: 52)
    }

    private func button(_ symbol: String, _ text: String, isOn: Bool = false, action: @escaping @MainActor () -> Void)
        -> some View
    {
        Button(action: action) {
            Image(systemName: symbol).foregroundColor(isOn ? .accentColor : .primary)
        }
        .buttonStyle(.borderless)
        .help(text)
        .accessibilityLabel(Text(verbatim: text.split(separator: " (").first.map(String.init) ?? text))
    }
}
