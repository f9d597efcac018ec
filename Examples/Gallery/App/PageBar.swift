import Zoetrope

/// What a page is called and shows, the way to its neighbours, and what the window has to switch.
struct PageBar: View {
    @Binding var page: Page
    @Binding var isDark: Bool
    @Binding var showsSource: Bool
    /// Nil where the sidebar is always there.
    let isSidebarOpen: Binding<Bool>?

    var body: some View {
        HStack(spacing: 4) {
            if let isSidebarOpen {
                button("sidebar.left", "Pages (Ctrl+F)") { isSidebarOpen.wrappedValue = true }
                    .keyboardShortcut("f", modifiers: .control)
            }
            VStack(alignment: .leading, spacing: 1) {
                Text(verbatim: page.title).font(.headline).lineLimit(1).accessibilityAddTraits(.isHeader)
                Text(verbatim: page.words).font(.caption).foregroundColor(.secondary).lineLimit(1)
            }
            .padding(.horizontal, 6)
            .frame(maxWidth: .infinity, alignment: .leading)
            button("chevron.up", "Page before (Ctrl+Page Up)") { page = page.neighbour(-1) }
                .keyboardShortcut(.pageUp, modifiers: .control)
            button("chevron.down", "Page after (Ctrl+Page Down)") { page = page.neighbour(1) }
                .keyboardShortcut(.pageDown, modifiers: .control)
            button(isDark ? "sun.max" : "moon", isDark ? "Light (Ctrl+D)" : "Dark (Ctrl+D)") { isDark.toggle() }
                .keyboardShortcut("d", modifiers: .control)
            button(
                "chevron.left.forwardslash.chevron.right",
                showsSource ? "Hide the source (Ctrl+U)" : "Show the source (Ctrl+U)", isOn: showsSource
            ) { showsSource.toggle() }
            .keyboardShortcut("u", modifiers: .control)
        }
        .padding(.horizontal, 8)
        .frame(height: 52)
    }

    private func button(_ symbol: String, _ words: String, isOn: Bool = false, action: @escaping @MainActor () -> Void)
        -> some View
    {
        Button(action: action) {
            Image(systemName: symbol).foregroundColor(isOn ? .accentColor : .primary)
        }
        .buttonStyle(.borderless)
        .help(words)
        .accessibilityLabel(Text(verbatim: words.split(separator: " (").first.map(String.init) ?? words))
    }
}
