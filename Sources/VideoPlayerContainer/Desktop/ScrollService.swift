import Zoetrope

/// The actions of a mouse wheel, and of two fingers on a touchpad, while the pointer is over the container.
///
/// ```swift
/// context.scroll.configure(.vertical, action: .volume(0.02))
/// context.scroll.configure(.horizontal, action: .seek(10))
/// ```
/// By default, scrolling up or down changes the volume, and scrolling to the right or left seeks. In a page that
/// scrolls in the same direction, the page scrolls instead.
///
/// Two fingers keep the direction in which they started. Movements are measured in notches of a wheel; 10 points of a
/// touchpad count as one notch.
public class ScrollService: Service {
    /// An action of a wheel or of two fingers.
    public enum Action: Equatable, Sendable {
        /// Changes the volume by this fraction of 1 with each notch. Up and right increase it.
        case volume(Double)
        /// Seeks by this number of seconds with each notch. Up and right seek forwards.
        case seek(TimeInterval)
    }

    private var actions: [Axis: @MainActor (ScrollService, Double) -> Bool] = [:]
    /// The direction of the fingers that are on the touchpad.
    private var axis: Axis?
    private static let pointsPerNotch = 10.0

    public required init(_ context: Context) {
        super.init(context)
        reset()
    }

    /// Sets the action of a direction.
    public func configure(_ axis: Axis, action: Action) { actions[axis] = { $0.run(action, $1) } }
    /// Sets a closure of the app as the action of a direction.
    /// - Parameters:
    ///   - axis: The direction.
    ///   - action: Called with the number of notches, which is always finite. Positive numbers mean up or right.
    public func configure(_ axis: Axis, action: @escaping (_ notches: Double) -> Void) {
        actions[axis] = { _, notches in
            action(notches)
            return true
        }
    }
    /// Removes the action of a direction. Scrolling is then passed on to the views around the container.
    public func remove(_ axis: Axis) { actions[axis] = nil }
    /// Restores the default actions: 5% of the volume and 5 seconds per notch.
    public func reset() {
        configure(.vertical, action: .volume(0.05))
        configure(.horizontal, action: .seek(5))
    }

    /// Handles a scroll event.
    /// - Returns: Whether the event was for the container.
    func handle(_ event: ScrollWheelEvent) -> Bool {
        if event.phase == .none || event.phase == .began || axis == nil {
            axis = abs(event.scrollingDeltaX) > abs(event.scrollingDeltaY) ? .horizontal : .vertical
        }
        guard let axis else { return false }
        if event.phase == .none || event.phase == .ended { self.axis = nil }
        guard let action = actions[axis] else { return false }
        // Turning a wheel to the right moves the content to the left, so the sign is reversed.
        let delta = axis == .vertical ? event.scrollingDeltaY : -event.scrollingDeltaX
        let notches = event.hasPreciseScrollingDeltas ? delta / ScrollService.pointsPerNotch : delta
        guard notches.isFinite, notches != 0 else { return event.phase != .none }
        guard action(self, notches) else { return false }
        context?.own(ControlService.self).used()
        return true
    }

    private func run(_ action: Action, _ notches: Double) -> Bool {
        guard let player = context?.own(RenderService.self).player else { return false }
        let control = PlaybackControl(player)
        switch action {
        case .volume(let step): return control.changeVolume(by: step * notches)
        case .seek(let seconds): return control.seek(by: seconds * notches)
        }
    }
}

extension Context {
    /// The service with the actions of a wheel, and of two fingers on a touchpad, over the container.
    public var scroll: ScrollService { self[ScrollService.self] }
}
