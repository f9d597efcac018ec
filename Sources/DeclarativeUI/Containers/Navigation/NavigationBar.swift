/// A bar with the title, the back button and the toolbar items above a page.
struct NavigationBar: View {
    let title: String?
    let back: String?
    let goBack: @MainActor () -> Void
    let items: [ToolbarEntry]
    var isLarge = false
    var look = BarLook()
    var toggle: SplitToggle?
    /// The bar of a `UINavigationController`, whose look applies, or nil for the look of all bars.
    var bar: UINavigationBar?
    private var defaults: BarDefaults { (bar ?? .appearance()).shown }

    var body: some View {
        BarBackdrop(
            look: look.over(defaults), lineAt: .bottom,
            content: VStack(alignment: .leading, spacing: 0) {
                row
                if isLarge, let title {
                    Text(verbatim: title).barTitle(defaults.largeTitle, font: .largeTitle.bold()).lineLimit(1)
                        .accessibilityAddTraits(.isHeader)
                        .padding(.horizontal, Space.edge).padding(.bottom, Space.regular)
                }
            })
    }

    private var row: some View {
        LayoutView(
            layout: BarRowLayout(),
            content: Group {
                let principal = items.filter { $0.placement.edge == .middle }
                if !principal.isEmpty {
                    HStack(spacing: Space.snug) { ToolbarRow(items: principal) }.barPart(.middle)
                } else if let title, !isLarge {
                    Text(verbatim: title).barTitle(defaults.title, font: .headline).lineLimit(1)
                        .accessibilityAddTraits(.isHeader).barPart(.middle)
                }
                if let toggle { SplitToggleButton(toggle: toggle).barPart(.leading) }
                if let back { BackButton(title: back, action: goBack).barPart(.back) }
                HStack(spacing: Space.snug) { ToolbarRow(items: items.filter { $0.placement.edge == .leading }) }
                    .barPart(
                        .leading)
                HStack(spacing: Space.snug) { ToolbarRow(items: items.filter { $0.placement.edge == .trailing }) }
                    .barPart(
                        .trailing)
            }
        )
        .padding(.horizontal, Space.snug)
        .frame(maxWidth: .infinity, minHeight: ControlExtent.bar, maxHeight: ControlExtent.bar)
    }
}

struct BottomBar: View {
    let items: [ToolbarEntry]
    var look = BarLook()
    var body: some View {
        BarBackdrop(
            look: look.over(UIToolbar.appearance().shown), lineAt: .top,
            content: HStack(spacing: Space.snug) { ToolbarRow(items: items) }
                .padding(.horizontal, Space.snug)
                .frame(maxWidth: .infinity, minHeight: ControlExtent.bar))
    }
}

struct ToolbarRow: View {
    let items: [ToolbarEntry]
    var body: some View { ForEach(items, id: \.key) { $0.view } }
}
