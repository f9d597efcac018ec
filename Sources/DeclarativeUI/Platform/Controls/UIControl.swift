import Foundation

/// A view that people do something with. UIKit's type.
///
/// Swift for Linux has no selectors: `addAction(_:for:)` with a `UIAction` takes the place of `addTarget`. Main actor.
@MainActor @preconcurrency
open class UIControl: UIView {
    /// What happens to a control.
    public struct Event: OptionSet, Sendable {
        /// One bit an event; UIKit's.
        public let rawValue: UInt
        /// Makes a set of raw bits; other bits mean nothing.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// A press begins, and ends.
        public static let touchDown = Event(rawValue: 1), touchUpInside = Event(rawValue: 1 << 6)
        /// The same for presses that end elsewhere; not sent here: `touchUpInside` is.
        public static let touchUpOutside = Event(rawValue: 1 << 7), touchCancel = Event(rawValue: 1 << 8)
        /// The value has been changed by the user.
        public static let valueChanged = Event(rawValue: 1 << 12)
        /// What a control is for has happened.
        public static let primaryActionTriggered = Event(rawValue: 1 << 13)
        /// Every event.
        public static let allEvents = Event(rawValue: 0xFFFF_FFFF)
    }
    /// How a control stands.
    public struct State: OptionSet, Hashable, Sendable {
        /// One bit a state; UIKit's.
        public let rawValue: UInt
        /// Makes a set of raw bits; other bits mean nothing.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Nothing in particular.
        public static let normal: State = []
        /// Pressed, off, or selected.
        public static let highlighted = State(rawValue: 1), disabled = State(rawValue: 2), selected = State(rawValue: 4)
    }

    private var actions: [(action: UIAction, events: Event)] = []
    /// Whether people can use it.
    open var isEnabled = true { didSet { if isEnabled != oldValue { lookChanged() } } }
    /// Kept for the app, of no effect on the look.
    open var isSelected = false
    /// Whether it is pressed.
    public internal(set) final var isTracking = false
    /// The same as `isTracking`.
    open var isHighlighted: Bool { isTracking }
    /// How it stands now.
    open var state: State {
        var state: State = isEnabled ? [] : .disabled
        if isTracking { state.insert(.highlighted) }
        if isSelected { state.insert(.selected) }
        return state
    }
    /// What it shows is to follow its properties.
    func lookChanged() {}

    /// Runs `action` at these events; an action with the same identifier is replaced for them.
    open func addAction(_ action: UIAction, for controlEvents: Event) {
        removeAction(identifiedBy: action.identifier, for: controlEvents)
        actions.append((action, controlEvents))
    }
    /// Runs `action` at these events no more.
    open func removeAction(_ action: UIAction, for controlEvents: Event) {
        removeAction(identifiedBy: action.identifier, for: controlEvents)
    }
    /// Runs the action of this name at these events no more.
    open func removeAction(identifiedBy actionIdentifier: UIAction.Identifier, for controlEvents: Event) {
        for index in actions.indices where actions[index].action.identifier == actionIdentifier {
            actions[index].events.subtract(controlEvents)
        }
        actions.removeAll { $0.events.isEmpty }
    }
    /// Runs the actions for these events.
    open func sendActions(for controlEvents: Event) {
        for each in actions where !each.events.isDisjoint(with: controlEvents) { each.action.choose() }
    }
}
