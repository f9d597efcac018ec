import Zoetrope

/// The appearance of the controls in each status, as the app has configured it, with defaults for the rest.
@MainActor
struct ControlLooks {
    typealias Slot = ControlService.Place<ControlService.Direction>
    typealias Region = ControlService.Place<ControlService.RawDirection>

    var insets: [ControlService.ScreenStatus: EdgeInsets] = [:]
    var transitions: [Region: AnyTransition] = [:]
    /// The shadows that the app has set. A value of nil means no shadow.
    var shadows: [Region: AnyView?] = [:]
    var layouts: [Slot: ([IdentifableView]) -> any View] = [:]
    var contents: [Slot: [IdentifableView]] = [:]
    var shadow: AnyView?
    var opacity: CGFloat = 1

    nonisolated init() {}

    func transition(_ region: Region) -> AnyTransition {
        if let chosen = transitions[region] { return chosen }
        switch region.direction {
        case .top: return .move(edge: .top)
        case .left: return .move(edge: .leading)
        case .right: return .move(edge: .trailing)
        case .bottom: return .move(edge: .bottom)
        case .center: return .opacity
        }
    }

    func shadow(_ region: Region) -> AnyView? {
        if let chosen = shadows[region] { return chosen }
        switch region.direction {
        case .top: return Self.shade(.top, .bottom)
        case .bottom: return Self.shade(.bottom, .top)
        case .left, .right, .center: return nil
        }
    }
    private static func shade(_ start: UnitPoint, _ end: UnitPoint) -> AnyView {
        AnyView(LinearGradient(colors: [.black.opacity(0.15), .black.opacity(0)], startPoint: start, endPoint: end))
    }

    /// Returns the insets between a region and the edges of the container.
    func insets(_ region: Region) -> EdgeInsets {
        let all = insets[region.status] ?? EdgeInsets()
        switch region.direction {
        case .top: return EdgeInsets(top: all.top, leading: all.leading, trailing: all.trailing)
        case .bottom: return EdgeInsets(leading: all.leading, bottom: all.bottom, trailing: all.trailing)
        case .left: return EdgeInsets(leading: all.leading)
        case .right: return EdgeInsets(trailing: all.trailing)
        case .center: return EdgeInsets()
        }
    }

    func isEmpty(_ region: Region) -> Bool {
        region.direction.slots.allSatisfy { contents[Slot(status: region.status, direction: $0)]?.isEmpty ?? true }
    }

    /// Returns the views of a slot in their layout; nil if the slot is empty.
    func slot(_ slot: Slot) -> AnyView? {
        guard let views = contents[slot], !views.isEmpty else { return nil }
        if let layout = layouts[slot] { return AnyView(layout(views)) }
        switch slot.direction {
        case .left: return AnyView(VStack(alignment: .leading) { ForEach(views) { $0 } })
        case .right: return AnyView(VStack(alignment: .trailing) { ForEach(views) { $0 } })
        default: return AnyView(HStack { ForEach(views) { $0 } })
        }
    }
}
