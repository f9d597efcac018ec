import Zoetrope

/// The area that handles a tap beside the panel, and a panel that covers the other overlays.
struct FeatureWidget: View {
    var body: some View {
        WithService(FeatureService.self) { service in
            ZStack {
                if service.panel != nil, service.dismissesOnTap {
                    // A press beside the panel only dismisses the panel. It does not pause or seek.
                    Color.clear.contentShape(Rectangle()).onTapGesture { service.dismiss() }.transition(.identity)
                }
                // Each edge has its own container, as large as the overlay, so that a panel stays at its edge while it
                // disappears.
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

/// A panel beside the other overlays. The overlays keep their identity at every edge of the panel.
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
        // The panel is as long as its edge and as thick as its content.
        panel.content()
            .frame(maxWidth: isUpright ? nil : .infinity, maxHeight: isUpright ? .infinity : nil)
            .contentShape(Rectangle())
            // A tap that no view of the panel handles ends here, because the panel is over the gestures of the video.
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
    /// The side of the panel that faces the other overlays.
    fileprivate var inner: Edge.Set {
        switch self {
        case .leading: .trailing
        case .trailing: .leading
        case .top: .bottom
        case .bottom: .top
        }
    }
}
