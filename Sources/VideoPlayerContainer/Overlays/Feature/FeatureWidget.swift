import Zoetrope

/// What takes a tap beside the panel, and a panel that covers.
struct FeatureWidget: View {
    var body: some View {
        WithService(FeatureService.self) { service in
            ZStack {
                if service.panel != nil, service.dismissesOnTap {
                    // Presses beside the panel are the panel's: none of them pauses or seeks.
                    Color.clear.contentShape(Rectangle()).onTapGesture { service.dismiss() }.transition(.identity)
                }
                // A place for each edge, as large as the overlay: a panel that goes stays at its own meanwhile.
                ForEach(Edge.allCases, id: \.self) { edge in
                    ZStack(alignment: edge.alignment) {
                        Color.clear.allowsHitTesting(false)
                        if let panel = service.panel, panel.direction.isCover, panel.direction.edge == edge {
                            PanelView(panel: panel)
                        }
                    }
                }
            }
        }
    }
}

/// A panel beside the other overlays, which keep their identity wherever it is.
struct SqueezeLayout<Content: View>: View {
    let panel: FeatureService.Panel?
    @ViewBuilder let content: Content

    var body: some View {
        HStack(spacing: 0) {
            squeezing(.leading)
            VStack(spacing: 0) {
                squeezing(.top)
                content
                squeezing(.bottom)
            }
            squeezing(.trailing)
        }
    }

    @ViewBuilder private func squeezing(_ edge: Edge) -> some View {
        if let panel, !panel.direction.isCover, panel.direction.edge == edge {
            PanelView(panel: panel).padding(edge.inner, panel.direction.gap).transition(.move(edge: edge))
        }
    }
}

private struct PanelView: View {
    let panel: FeatureService.Panel

    var body: some View {
        // As long as its edge is; as thick as its content wants.
        panel.content()
            .frame(maxWidth: isUpright ? nil : .infinity, maxHeight: isUpright ? .infinity : nil)
            .contentShape(Rectangle())
            // What nothing in the panel takes ends here: it lies over the picture's gestures.
            .onTapGesture {}
            .id(panel.id)
            .transition(.move(edge: panel.direction.edge))
    }

    private var isUpright: Bool { panel.direction.edge == .leading || panel.direction.edge == .trailing }
}

extension Edge {
    fileprivate var alignment: Alignment {
        switch self {
        case .leading: .leading
        case .trailing: .trailing
        case .top: .top
        case .bottom: .bottom
        }
    }
    /// The panel's side towards the others.
    fileprivate var inner: Edge.Set {
        switch self {
        case .leading: .trailing
        case .trailing: .leading
        case .top: .bottom
        case .bottom: .top
        }
    }
}
