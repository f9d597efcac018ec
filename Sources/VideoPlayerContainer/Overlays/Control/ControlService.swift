import Zoetrope

/// The controls around and over the picture: what is in them, where, how they look, and when they are shown.
public class ControlService: Service {
    /// When controls are shown.
    public enum DisplayStyle {
        /// Shown, always.
        case always
        /// Never shown.
        case never
        /// A tap shows and hides them; they hide by themselves `duration` seconds after they were shown. They come when
        /// the pointer moves over the container and when a key does something there, too, and the time runs from the
        /// last of these; with them the pointer goes, and comes. While it rests on one of the controls they stay.
        case auto(firstAppear: Bool, animation: Animation?, duration: TimeInterval)
        /// A tap shows and hides them.
        case manual(firstAppear: Bool, animation: Animation?)
        /// Only ``present()`` and ``dismiss()`` show and hide them.
        case custom(animation: Animation?)
    }

    /// Whether they are shown now.
    @Published public fileprivate(set) var isBeingPresented = true
    /// What they look like, apart from when they are shown.
    @Published var looks = ControlLooks()

    @Published private(set) var displayStyle = DisplayStyle.auto(firstAppear: false, animation: .default, duration: 5)
    private var hiding: AnyCancellable?
    /// Where the pointer was when it moved last; nil: not over the container.
    private var pointer: CGPoint?
    /// The regions with a control under the pointer.
    private var touched: Set<RawDirection> = []
    private var taps: AnyCancellable?
    private var serial = 0

    public required init(_ context: Context) {
        super.init(context)
        taps = context.own(GestureService.self).observe(.tap(.all)) { [weak self] _ in self?.tapped() }
    }

    // MARK: When

    /// Shows them. No effect when they are shown already, or for `.always` and `.never`.
    public func present() {
        guard let animation = displayStyle.animation, !isBeingPresented else { return }
        withAnimation(animation.wrapped) { isBeingPresented = true }
        hideLater()
    }

    /// Hides them. No effect when they are hidden already, or for `.always` and `.never`.
    public func dismiss() {
        guard let animation = displayStyle.animation, isBeingPresented else { return }
        hiding = nil
        withAnimation(animation.wrapped) { isBeingPresented = false }
    }

    /// When they are shown. Default: `.auto(firstAppear: false, animation: .default, duration: 5)`, shown at first.
    ///
    /// Sets at once whether they are: `.always` true, `.never` false, `.auto` and `.manual` what `firstAppear` says;
    /// `.custom` leaves it. With `.auto` the time runs from then on, and anew when they appear in a window.
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

    /// With `.auto`, while they are shown, their time begins anew: somebody uses them.
    func hideLater() {
        hiding = nil
        guard case .auto(_, _, let duration) = displayStyle, isBeingPresented, let timer = context?.dependency(\.timer)
        else { return }
        hiding = timer.after(duration) { [weak self] in self?.timeIsOver() }
    }

    private func timeIsOver() {
        // Whoever rests on a control is about to press it; their time begins when the pointer leaves it.
        if touched.isEmpty { dismiss() }
    }

    // MARK: A desktop's habits

    /// `.auto`: they come and go by themselves.
    var hidesByItself: Bool { if case .auto = displayStyle { true } else { false } }
    /// The pointer goes with them.
    var hidesPointer: Bool { hidesByItself && !isBeingPresented }

    /// Somebody does something with the player: with `.auto` they are there, and their time begins anew.
    func used() {
        guard hidesByItself else { return }
        if isBeingPresented { hideLater() } else { present() }
    }

    /// - Parameter point: in the container.
    func pointerMoved(to point: CGPoint) {
        // A hand that clicks trembles: what its tap has hidden must not come back by that.
        if !isBeingPresented, let pointer, hypot(point.x - pointer.x, point.y - pointer.y) < 3 { return }
        pointer = point
        used()
    }
    func pointerLeft() { pointer = nil }

    /// The pointer has come over a control of a region, or has gone.
    func pointer(_ isOver: Bool, _ region: RawDirection) {
        if isOver { touched.insert(region) } else if touched.remove(region) != nil, touched.isEmpty { hideLater() }
    }

    private func tapped() {
        switch displayStyle {
        case .auto, .manual: isBeingPresented ? dismiss() : present()
        case .always, .never, .custom: break
        }
    }

    // MARK: Where and how

    /// The room around all controls of a status. Default: none.
    ///
    /// The rows at the top keep the leading, top and trailing one, those at the bottom the leading, bottom and trailing
    /// one, the left region the leading, the right one the trailing; the center none.
    public func configure(_ status: ScreenStatus, insets: EdgeInsets) { looks.insets[status] = insets }

    /// How regions come and go. Default: from their edge, the center by `.opacity`.
    public func configure(_ locations: [RawLocation], transition: AnyTransition) {
        for location in locations { looks.transitions[location.place] = transition }
    }
    /// How a region comes and goes.
    public func configure(_ location: RawLocation, transition: AnyTransition) {
        configure([location], transition: transition)
    }

    /// How the views of slots are laid out. Default: in a row; left and right in a column at their edge.
    public func configure(_ locations: [Location], layout: @escaping ([IdentifableView]) -> any View) {
        for location in locations { looks.layouts[location.place] = layout }
    }
    /// How the views of a slot are laid out.
    public func configure(_ location: Location, layout: @escaping ([IdentifableView]) -> any View) {
        configure([location], layout: layout)
    }

    /// What is in slots: the closure runs once, now; its views replace what was there.
    public func configure(_ locations: [Location], content: @escaping () -> [any View]) {
        serial += 1
        // Other content is other views, also where they are alike.
        let views = content().enumerated().map { index, view in IdentifableView(id: "\(serial).\(index)") { view } }
        for location in locations { looks.contents[location.place] = views }
    }
    /// What is in a slot: the closure runs once, now; its views replace what was there.
    public func configure(_ location: Location, content: @escaping () -> [any View]) {
        configure([location], content: content)
    }

    /// What lies behind all controls, over the whole overlay, while they are shown; it fades. Default: nothing.
    public func configure(shadow: AnyView?) { looks.shadow = shadow }

    /// What lies behind regions. Default: at the top and the bottom black of 15 %, fading towards the middle; else
    /// nothing.
    public func configure(_ locations: [RawLocation], shadow: AnyView?) {
        for location in locations { looks.shadows[location.place] = .some(shadow) }
    }
    /// What lies behind a region.
    public func configure(_ location: RawLocation, shadow: AnyView?) { configure([location], shadow: shadow) }

    /// How opaque the whole overlay is, 0…1. Default: 1.
    public func opacity(_ opacity: CGFloat, animation: Animation? = nil) {
        withAnimation(animation) { looks.opacity = opacity.isNaN ? 1 : min(1, max(0, opacity)) }
    }
}

extension ControlService.DisplayStyle {
    struct Shown { let wrapped: Animation? }
    /// With what they come and go; nil where they never do.
    fileprivate var animation: Shown? {
        switch self {
        case .always, .never: nil
        case .auto(_, let animation, _), .manual(_, let animation), .custom(let animation): Shown(wrapped: animation)
        }
    }
}
