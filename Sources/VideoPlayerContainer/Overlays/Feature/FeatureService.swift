import Zoetrope

/// A panel at one of the container's edges: a list of episodes, comments, settings. One at a time.
public class FeatureService: Service {
    /// Which of the container's edges a panel is at, and how.
    public enum Direction: Equatable {
        /// What a panel does to the other overlays.
        public enum Style: Equatable {
            /// Over the other overlays.
            case cover
            /// Beside the other overlays, which have that much less room; so many points lie between.
            case squeeze(CGFloat)
        }
        /// At the left edge.
        case left(Style)
        /// At the right edge.
        case right(Style)
        /// At the upper edge.
        case top(Style)
        /// At the lower edge.
        case bottom(Style)
    }

    struct Panel: Identifiable {
        let id: Int
        let direction: Direction
        let content: () -> AnyView
        let beforeDismiss: (() -> Void)?
        let afterDismiss: (() -> Void)?
    }

    @Published private(set) var panel: Panel?
    @Published private(set) var dismissesOnTap = true
    private var dismissesOnStatusChanged = true
    private var panels = 0
    /// The panel whose `beforeDismiss` is being called.
    private var dismissing: Int?
    /// What is called later, by its number: a quick app may have several under way.
    private var waiting: [Int: AnyCancellable] = [:]
    private var waits = 0
    private var statusObservation: AnyCancellable?

    public required init(_ context: Context) {
        super.init(context)
        statusObservation = context.own(StatusService.self).$status.dropFirst().removeDuplicates().sink {
            [weak self] _ in
            guard let self, dismissesOnStatusChanged else { return }
            dismiss()
        }
    }

    /// Whether a tap beside the panel dismisses it. Default: true.
    public func configure(dismissOnTap: Bool) { dismissesOnTap = dismissOnTap }

    /// Whether a change of the container's status dismisses the panel. Default: true.
    public func configure(dismissOnStatusChanged: Bool) { dismissesOnStatusChanged = dismissOnStatusChanged }

    /// Shows a panel, which fills its edge and comes in from it. One that is there is replaced, and its dismissal not
    /// told.
    /// - Parameters:
    ///   - direction: the edge, and whether the panel lies over the others.
    ///   - beforePresent: called before the change, at once.
    ///   - afterPresent: called a quarter of a second later, if the panel is still there.
    ///   - beforeDismiss: called before the panel goes, at once.
    ///   - afterDismiss: called a quarter of a second after that.
    public func present(
        _ direction: Direction, animation: Animation? = .default, beforePresent: (() -> Void)? = nil,
        afterPresent: (() -> Void)? = nil,
        beforeDismiss: (() -> Void)? = nil, afterDismiss: (() -> Void)? = nil, content: @escaping () -> AnyView
    ) {
        beforePresent?()
        panels += 1
        let id = panels
        withAnimation(animation) {
            panel = Panel(
                id: id, direction: direction, content: content, beforeDismiss: beforeDismiss, afterDismiss: afterDismiss
            )
        }
        guard let afterPresent else { return }
        later { if $0.panel?.id == id { afterPresent() } }
    }

    /// Takes the panel away; without one nothing happens.
    public func dismiss(animation: Animation? = .default) {
        // What is called before may dismiss it, or change the status, which does: it is on its way already.
        guard let going = panel, going.id != dismissing else { return }
        dismissing = going.id
        going.beforeDismiss?()
        dismissing = nil
        // It may have shown another.
        guard panel?.id == going.id else { return }
        withAnimation(animation) { panel = nil }
        if let afterDismiss = going.afterDismiss { later { _ in afterDismiss() } }
    }

    private func later(_ action: @escaping @MainActor (FeatureService) -> Void) {
        guard let timer = context?.dependency(\.timer) else { return }
        waits += 1
        let number = waits
        waiting[number] = timer.after(0.25) { [weak self] in
            guard let self else { return }
            waiting[number] = nil
            action(self)
        }
    }
}

extension FeatureService.Direction {
    var style: Style {
        switch self {
        case .left(let style), .right(let style), .top(let style), .bottom(let style): style
        }
    }
    var edge: Edge {
        switch self {
        case .left: .leading
        case .right: .trailing
        case .top: .top
        case .bottom: .bottom
        }
    }
    var isCover: Bool { style == .cover }
    /// Points between the panel and the others; 0 of one that covers.
    var gap: CGFloat {
        guard case .squeeze(let gap) = style, gap.isFinite else { return 0 }
        return max(0, gap)
    }
}
