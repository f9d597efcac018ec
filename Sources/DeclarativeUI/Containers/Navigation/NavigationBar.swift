/// Title, back button and toolbar over a page.
struct NavigationBar: View {
    let title: String?
    let back: String?
    let goBack: @MainActor () -> Void
    let items: [ToolbarEntry]
    var toggle: SplitToggle?

    var body: some View {
        ZStack {
            let principal = items.filter { $0.placement.edge == .middle }
            if !principal.isEmpty {
                ToolbarRow(items: principal)
            } else if let title {
                Text(verbatim: title).font(.headline).lineLimit(1).accessibilityAddTraits(.isHeader)
            }
            HStack(spacing: 6) {
                if let toggle { SplitToggleButton(toggle: toggle) }
                if let back {
                    Button(action: goBack) { Label(back, systemImage: "chevron.left").lineLimit(1) }.buttonStyle(.borderless)
                }
                ToolbarRow(items: items.filter { $0.placement.edge == .leading })
                Spacer()
                ToolbarRow(items: items.filter { $0.placement.edge == .trailing })
            }
        }
        .padding(.horizontal, 6)
        .frame(maxWidth: .infinity, minHeight: 46, maxHeight: 46)
        .background(alignment: .bottom) { Color.primary.opacity(0.12).frame(height: 1) }
    }
}

struct BottomBar: View {
    let items: [ToolbarEntry]
    var body: some View {
        HStack(spacing: 6) { ToolbarRow(items: items) }
            .padding(.horizontal, 6)
            .frame(maxWidth: .infinity, minHeight: 46, maxHeight: 46)
            .background(alignment: .top) { Color.primary.opacity(0.12).frame(height: 1) }
    }
}

struct ToolbarRow: View {
    let items: [ToolbarEntry]
    var body: some View { ForEach(items, id: \.key) { $0.view } }
}
