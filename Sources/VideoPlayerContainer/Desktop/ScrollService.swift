import Zoetrope

/// What a wheel, and two fingers on a touchpad, do with the pointer over the container: up and down make it louder and
/// softer, to the right and to the left go on and back. In a page that scrolls that way the page goes on instead.
///
/// Fingers keep to the direction in which they began. Both are told in notches of a wheel; ten points of a touchpad are
/// one.
public class ScrollService: Service {
    /// What a wheel or two fingers do.
    public enum Action: Equatable, Sendable {
        /// So much louder with each notch up, or to the right, of 1.
        case volume(Double)
        /// So many seconds on with each notch up, or to the right.
        case seek(TimeInterval)
    }

    private var actions: [Axis: @MainActor (ScrollService, Double) -> Bool] = [:]
    /// The direction of the fingers that are down.
    private var axis: Axis?
    private static let pointsPerNotch = 10.0

    public required init(_ context: Context) {
        super.init(context)
        reset()
    }

    /// What it does in a direction from now on.
    public func configure(_ axis: Axis, action: Action) { actions[axis] = { $0.run(action, $1) } }
    /// The same, with something of the app's own, which is told how many notches: more than 0 is up, and to the right.
    /// Always finite.
    public func configure(_ axis: Axis, action: @escaping (_ notches: Double) -> Void) {
        actions[axis] = { _, notches in
            action(notches)
            return true
        }
    }
    /// From now on it does nothing here in that direction, and goes on to whoever is around the container.
    public func remove(_ axis: Axis) { actions[axis] = nil }
    /// What it did at first: up and down the volume by a twentieth a notch, to the sides five seconds.
    public func reset() {
        configure(.vertical, action: .volume(0.05))
        configure(.horizontal, action: .seek(5))
    }

    /// - Returns: whether it was for the container.
    func heard(_ event: ScrollWheelEvent) -> Bool {
        if event.phase == .none || event.phase == .began || axis == nil {
            axis = abs(event.scrollingDeltaX) > abs(event.scrollingDeltaY) ? .horizontal : .vertical
        }
        guard let axis else { return false }
        if event.phase == .none || event.phase == .ended { self.axis = nil }
        guard let action = actions[axis] else { return false }
        // A wheel that is turned to the right moves what is seen to the left.
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
    /// What a wheel, and two fingers on a touchpad, do over the container.
    public var scroll: ScrollService { self[ScrollService.self] }
}
