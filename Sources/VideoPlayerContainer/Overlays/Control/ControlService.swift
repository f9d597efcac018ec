import Zoetrope

/// The controls over the video: their content, position and appearance, and the times at which they are visible.
///
/// ```swift
/// context.control.configure(.halfScreen(.bottom1)) {
///     [
///         Button("−10 s") { control.seek(by: -10) },
///         Button("Play or pause") { control.togglePlayback() },
///         Button("+10 s") { control.seek(by: 10) },
///     ]
/// }
/// ```
public class ControlService: Service {
    /// A rule for when the controls are visible.
    public enum DisplayStyle {
        /// The controls are always visible.
        case always
        /// The controls are never visible.
        case never
        /// The controls hide by themselves after `duration` seconds. A tap shows or hides them. `firstAppear` is
        /// whether they are visible at first. If `animation` is nil, they appear and disappear without an animation.
        ///
        /// They also appear when the pointer moves over the container, and when a key performs an action. The duration
        /// starts again with each of these. While the pointer rests on a control, the controls stay visible. The
        /// pointer is hidden and shown together with them.
        case auto(firstAppear: Bool, animation: Animation?, duration: TimeInterval)
        /// A tap shows or hides the controls. They do not hide by themselves. The values have the same meaning as in
        /// `auto`.
        case manual(firstAppear: Bool, animation: Animation?)
        /// Only ``present()`` and ``dismiss()`` show and hide the controls.
        case custom(animation: Animation?)
    }

    /// Whether the controls are visible.
    @Published public fileprivate(set) var isBeingPresented = true
    /// The appearance of the controls.
    @Published var looks = ControlLooks()

    @Published private(set) var displayStyle = DisplayStyle.auto(firstAppear: false, animation: .default, duration: 5)
    private var hideTimer: AnyCancellable?
    /// The last position of the pointer; nil while it is not over the container.
    private var pointer: CGPoint?
    /// The regions with a control under the pointer.
    private var hoveredRegions: Set<RawDirection> = []
    private var taps: AnyCancellable?
    private var serial = 0

    public required init(_ context: Context) {
        super.init(context)
        taps = context.own(GestureService.self).observe(.tap(.all)) { [weak self] _ in self?.didTap() }
    }

    // MARK: Visibility

    /// Shows the controls. It has no effect if they are visible, or with the style `.always` or `.never`.
    public func present() {
        guard let animation = displayStyle.animation, !isBeingPresented else { return }
        withAnimation(animation.wrapped) { isBeingPresented = true }
        hideLater()
    }

    /// Hides the controls. It has no effect if they are hidden, or with the style `.always` or `.never`.
    public func dismiss() {
        guard let animation = displayStyle.animation, isBeingPresented else { return }
        hideTimer = nil
        withAnimation(animation.wrapped) { isBeingPresented = false }
    }

    /// Sets the rule for when the controls are visible.
    ///
    /// The controls hide after 3 seconds without use:
    /// ```swift
    /// context.control.configure(displayStyle: .auto(firstAppear: true, animation: .default, duration: 3))
    /// ```
    /// The default is `.auto(firstAppear: false, animation: .default, duration: 5)`, with controls that are visible at
    /// first. The visibility changes at once: `.always` shows the controls, `.never` hides them, `.auto` and `.manual`
    /// follow `firstAppear`, and `.custom` changes nothing. With `.auto`, the duration starts now, and starts again
    /// when the controls appear in a window.
    public func configure(displayStyle: DisplayStyle) {
        self.displayStyle = displayStyle
        switch displayStyle {
        case .always: isBeingPresented = true
        case .never: isBeingPresented = false
        case .auto(let firstAppear, _, _), .manual(let firstAppear, _): isBeingPresented = firstAppear
        case .custom: break
        }
        hideLater()
    }

    /// Starts the duration of `.auto` again if the controls are visible.
    func hideLater() {
        hideTimer = nil
        guard case .auto(_, _, let duration) = displayStyle, isBeingPresented, let timer = context?.dependency(\.timer)
        else { return }
        hideTimer = timer.after(duration) { [weak self] in self?.hidingTimerFired() }
    }

    private func hidingTimerFired() {
        // A user whose pointer rests on a control is about to press it. The duration starts again when the pointer
        // leaves the control.
        if hoveredRegions.isEmpty { dismiss() }
    }

    // MARK: Keys and pointer

    /// Whether the controls hide by themselves, which is the style `.auto`.
    var hidesByItself: Bool { if case .auto = displayStyle { true } else { false } }
    /// Whether the pointer is hidden together with the controls.
    var hidesPointer: Bool { hidesByItself && !isBeingPresented }

    /// Shows the controls if the style is `.auto`, and starts their duration again, because the user has done something
    /// with the player.
    func used() {
        guard hidesByItself else { return }
        if isBeingPresented { hideLater() } else { present() }
    }

    /// Handles a movement of the pointer.
    /// - Parameter point: The position in the container, in points.
    func pointerMoved(to point: CGPoint) {
        // The pointer moves a little during a click. That must not show controls that the click has just hidden.
        if !isBeingPresented, let pointer, hypot(point.x - pointer.x, point.y - pointer.y) < 3 { return }
        pointer = point
        used()
    }
    func pointerLeft() { pointer = nil }

    /// Records whether the pointer is over a control of a region.
    func pointer(_ isOver: Bool, _ region: RawDirection) {
        if isOver {
            hoveredRegions.insert(region)
        } else if hoveredRegions.remove(region) != nil, hoveredRegions.isEmpty {
            hideLater()
        }
    }

    private func didTap() {
        switch displayStyle {
        case .auto, .manual: isBeingPresented ? dismiss() : present()
        case .always, .never, .custom: break
        }
    }

    // MARK: Content and appearance

    /// Sets the insets of all controls in a status. Default: none.
    ///
    /// ```swift
    /// context.control.configure(.fullScreen, insets: EdgeInsets(top: 12, leading: 24, bottom: 12, trailing: 24))
    /// ```
    /// The top region uses the leading, top and trailing insets, and the bottom region the leading, bottom and trailing
    /// insets. The left region uses the leading inset, the right region the trailing inset, and the center none.
    public func configure(_ status: ScreenStatus, insets: EdgeInsets) { looks.insets[status] = insets }

    /// Sets the transition of regions. By default, a region moves in from its edge, and the center uses `.opacity`.
    public func configure(_ locations: [RawLocation], transition: AnyTransition) {
        for location in locations { looks.transitions[location.place] = transition }
    }
    /// Sets the transition of a region.
    public func configure(_ location: RawLocation, transition: AnyTransition) {
        configure([location], transition: transition)
    }

    /// Sets the layout of slots. Default: a row; at the left and right, a column at the edge.
    ///
    /// ```swift
    /// context.control.configure([.halfScreen(.bottom1), .fullScreen(.bottom1)]) { controls in
    ///     HStack(spacing: 16) {
    ///         ForEach(controls) { $0 }
    ///     }
    /// }
    /// ```
    public func configure(_ locations: [Location], layout: @escaping ([IdentifableView]) -> any View) {
        for location in locations { looks.layouts[location.place] = layout }
    }
    /// Sets the layout of a slot.
    public func configure(_ location: Location, layout: @escaping ([IdentifableView]) -> any View) {
        configure([location], layout: layout)
    }

    /// Sets the views of slots, which replace the earlier ones. The closure is called once, before the method returns.
    ///
    /// ```swift
    /// context.control.configure([.halfScreen(.top1), .fullScreen(.top1)]) {
    ///     [Text("Sunrise").font(.headline), Spacer(), CloseButton()]
    /// }
    /// ```
    public func configure(_ locations: [Location], content: @escaping () -> [any View]) {
        serial += 1
        // New content gets new identities, even if its views have the same types.
        let views = content().enumerated().map { index, view in IdentifableView(id: "\(serial).\(index)") { view } }
        for location in locations { looks.contents[location.place] = views }
    }
    /// Sets the views of a slot, which replace the earlier ones. The closure is called once, before the method returns.
    public func configure(_ location: Location, content: @escaping () -> [any View]) {
        configure([location], content: content)
    }

    /// Sets the view behind all controls, over the whole overlay. It fades in and out together with them. Default:
    /// none.
    ///
    /// ```swift
    /// context.control.configure(shadow: AnyView(Color.black.opacity(0.3)))
    /// ```
    public func configure(shadow: AnyView?) { looks.shadow = shadow }

    /// Sets the view behind regions; nil for none. Default: at the top and the bottom, a gradient from 15% black at the
    /// edge to clear; otherwise none.
    public func configure(_ locations: [RawLocation], shadow: AnyView?) {
        for location in locations { looks.shadows[location.place] = .some(shadow) }
    }
    /// Sets the view behind a region; nil for none.
    public func configure(_ location: RawLocation, shadow: AnyView?) { configure([location], shadow: shadow) }

    /// Sets the opacity of the whole overlay, clamped to 0…1. Default: 1, which also replaces NaN. With 0, the controls
    /// take no input.
    public func opacity(_ opacity: CGFloat, animation: Animation? = nil) {
        withAnimation(animation) { looks.opacity = opacity.isNaN ? 1 : min(1, max(0, opacity)) }
    }
}

extension ControlService.DisplayStyle {
    struct Shown { let wrapped: Animation? }
    /// The animation of showing and hiding the controls; nil for styles without changes.
    fileprivate var animation: Shown? {
        switch self {
        case .always, .never: nil
        case .auto(_, let animation, _), .manual(_, let animation), .custom(let animation): Shown(wrapped: animation)
        }
    }
}
