import Zoetrope

/// A panel at an edge of the container, such as a list of episodes, comments or settings. Only one is shown at a time.
///
/// ```swift
/// Button("Episodes") {
///     context.feature.present(.right(.squeeze(0))) {
///         AnyView(EpisodeList().frame(width: 320))
///     }
/// }
/// ```
public class FeatureService: Service {
    /// The edge of a panel, and its style.
    public enum Direction: Equatable {
        /// The way in which a panel shares the space with the other overlays.
        public enum Style: Equatable {
            /// Covers the other overlays.
            case cover
            /// Makes the other overlays smaller. The value is the gap between the panel and them, in points. A value
            /// that is negative or not finite counts as 0.
            case squeeze(CGFloat)
        }
        /// The leading edge: the left one, or the right one in right-to-left languages.
        case left(Style)
        /// The trailing edge: the right one, or the left one in right-to-left languages.
        case right(Style)
        /// The upper edge.
        case top(Style)
        /// The lower edge.
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
    private var panelCount = 0
    /// The panel whose `beforeDismiss` is being called.
    private var dismissingID: Int?
    /// The pending calls, by number. Several can be pending if an app changes panels quickly.
    private var pendingCalls: [Int: AnyCancellable] = [:]
    private var callCount = 0
    private var statusObservation: AnyCancellable?

    public required init(_ context: Context) {
        super.init(context)
        statusObservation = context.own(StatusService.self).$status.dropFirst().removeDuplicates().sink {
            [weak self] _ in
            guard let self, dismissesOnStatusChanged else { return }
            dismiss()
        }
    }

    /// Sets whether a tap beside the panel dismisses it. Default: true.
    public func configure(dismissOnTap: Bool) { dismissesOnTap = dismissOnTap }

    /// Sets whether a change of the container's status dismisses the panel. Default: true.
    public func configure(dismissOnStatusChanged: Bool) { dismissesOnStatusChanged = dismissOnStatusChanged }

    /// Shows a panel, which covers the whole length of its edge and moves in from it.
    ///
    /// A panel that is already visible is replaced. Its dismiss handlers are not called. All handlers are called on the
    /// main actor. `afterPresent` and `afterDismiss` are not called after the context was released.
    /// - Parameters:
    ///   - direction: The edge of the panel, and its style.
    ///   - animation: The animation; nil for none.
    ///   - beforePresent: Called at once, before the panel appears.
    ///   - afterPresent: Called a quarter of a second later, if the panel is still visible.
    ///   - beforeDismiss: Called before the panel is dismissed.
    ///   - afterDismiss: Called a quarter of a second after the panel was dismissed.
    ///   - content: Returns the content of the panel.
    public func present(
        _ direction: Direction, animation: Animation? = .default, beforePresent: (() -> Void)? = nil,
        afterPresent: (() -> Void)? = nil,
        beforeDismiss: (() -> Void)? = nil, afterDismiss: (() -> Void)? = nil, content: @escaping () -> AnyView
    ) {
        beforePresent?()
        panelCount += 1
        let id = panelCount
        withAnimation(animation) {
            panel = Panel(
                id: id, direction: direction, content: content, beforeDismiss: beforeDismiss, afterDismiss: afterDismiss
            )
        }
        guard let afterPresent else { return }
        later { if $0.panel?.id == id { afterPresent() } }
    }

    /// Dismisses the panel. It has no effect without a panel.
    ///
    /// ```swift
    /// struct CloseButton: View {
    ///     @EnvironmentObject private var context: Context
    ///
    ///     var body: some View {
    ///         Button("Close") { context.feature.dismiss() }
    ///     }
    /// }
    /// ```
    public func dismiss(animation: Animation? = .default) {
        // The handler may dismiss the panel itself, or change the status, which also dismisses it. The panel is then
        // already being dismissed.
        guard let dismissed = panel, dismissed.id != dismissingID else { return }
        dismissingID = dismissed.id
        dismissed.beforeDismiss?()
        dismissingID = nil
        // The handler may have shown another panel.
        guard panel?.id == dismissed.id else { return }
        withAnimation(animation) { panel = nil }
        if let afterDismiss = dismissed.afterDismiss { later { _ in afterDismiss() } }
    }

    private func later(_ action: @escaping @MainActor (FeatureService) -> Void) {
        guard let timer = context?.dependency(\.timer) else { return }
        callCount += 1
        let number = callCount
        pendingCalls[number] = timer.after(0.25) { [weak self] in
            guard let self else { return }
            pendingCalls[number] = nil
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
    /// The gap between the panel and the other overlays, in points; 0 for a panel that covers them.
    var gap: CGFloat {
        guard case .squeeze(let gap) = style, gap.isFinite else { return 0 }
        return max(0, gap)
    }
}
