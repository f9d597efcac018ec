extension ControlService {
    /// A region of the controls. Each of the five regions has a transition and a shadow.
    ///
    /// In right-to-left languages, the controls are mirrored: `left` is then at the right edge.
    public enum RawDirection {
        /// The region along an edge; the region in the middle.
        case top, left, right, bottom, center
    }

    /// A slot in a region. Each of the eight slots has content and a layout.
    ///
    /// `top1` is above `top2`, and `bottom1` is the lowest slot. In right-to-left languages, the controls are mirrored:
    /// `left` is then at the right edge.
    public enum Direction {
        /// The slot along an edge; the slot in the middle. At the top, numbers count downwards; at the bottom, they
        /// count upwards.
        case top1, top2, left, right, bottom1, bottom2, bottom3, center
    }

    /// The status of the container, as in ``StatusService/Status``.
    public enum ScreenStatus {
        /// The status with the same name.
        case halfScreen, fullScreen, portrait
    }

    /// A region while the container has a certain status.
    public enum RawLocation {
        /// A region while the container fills a landscape screen.
        case fullScreen(RawDirection)
        /// A region while the container fills a part of the screen or the window.
        case halfScreen(RawDirection)
        /// A region while the container is taller than it is wide.
        case portrait(RawDirection)
    }

    /// A slot while the container has a certain status.
    public enum Location {
        /// A slot while the container fills a landscape screen.
        case fullScreen(Direction)
        /// A slot while the container fills a part of the screen or the window.
        case halfScreen(Direction)
        /// A slot while the container is taller than it is wide.
        case portrait(Direction)
    }

    /// A region or a slot, as a key of a dictionary.
    struct Place<Direction: Hashable>: Hashable {
        let status: ScreenStatus
        let direction: Direction
    }
}

extension ControlService.RawLocation {
    var place: ControlService.Place<ControlService.RawDirection> {
        switch self {
        case .fullScreen(let direction): .init(status: .fullScreen, direction: direction)
        case .halfScreen(let direction): .init(status: .halfScreen, direction: direction)
        case .portrait(let direction): .init(status: .portrait, direction: direction)
        }
    }
}

extension ControlService.Location {
    var place: ControlService.Place<ControlService.Direction> {
        switch self {
        case .fullScreen(let direction): .init(status: .fullScreen, direction: direction)
        case .halfScreen(let direction): .init(status: .halfScreen, direction: direction)
        case .portrait(let direction): .init(status: .portrait, direction: direction)
        }
    }
}

extension ControlService.ScreenStatus {
    init(_ status: StatusService.Status) {
        switch status {
        case .halfScreen: self = .halfScreen
        case .fullScreen: self = .fullScreen
        case .portrait: self = .portrait
        }
    }
}

extension ControlService.RawDirection {
    /// The slots of the region, from top to bottom.
    var slots: [ControlService.Direction] {
        switch self {
        case .top: [.top1, .top2]
        case .left: [.left]
        case .center: [.center]
        case .right: [.right]
        case .bottom: [.bottom3, .bottom2, .bottom1]
        }
    }
}
