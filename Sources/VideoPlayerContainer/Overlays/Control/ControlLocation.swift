extension ControlService {
    /// The five regions, which have a transition and a shadow each.
    public enum RawDirection {
        /// At an edge, over its whole length; in the middle.
        case top, left, right, bottom, center
    }

    /// The eight slots, which have content and a layout each. `top1` is above `top2`, `bottom1` is the lowest.
    public enum Direction {
        /// At an edge, over its whole length; in the middle. Numbers count from above at the top, and from below at the
        /// bottom.
        case top1, top2, left, right, bottom1, bottom2, bottom3, center
    }

    /// The statuses, as ``StatusService/Status``.
    public enum ScreenStatus {
        /// As those of that name.
        case halfScreen, fullScreen, portrait
    }

    /// A region while the container has a status.
    public enum RawLocation {
        /// While it fills a landscape screen.
        case fullScreen(RawDirection)
        /// While it fills part of the screen or the window.
        case halfScreen(RawDirection)
        /// While the picture is higher than wide.
        case portrait(RawDirection)
    }

    /// A slot while the container has a status.
    public enum Location {
        /// While it fills a landscape screen.
        case fullScreen(Direction)
        /// While it fills part of the screen or the window.
        case halfScreen(Direction)
        /// While the picture is higher than wide.
        case portrait(Direction)
    }

    /// A region or a slot as a key.
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
    /// The region's slots, from the top.
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
