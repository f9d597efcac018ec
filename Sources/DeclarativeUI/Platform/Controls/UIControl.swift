import Foundation

/// A view that users interact with. Modeled on UIKit's type.
///
/// Swift on Linux has no selectors. Use `addAction(_:for:)` with a `UIAction` in place of `addTarget`.
@MainActor @preconcurrency
open class UIControl: UIView {
    /// An event of a control.
    public struct Event: OptionSet, Sendable {
        /// The bit mask, with UIKit's values.
        public let rawValue: UInt
        /// Creates a set from a bit mask. Other bits have no effect.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// The beginning and the end of a press.
        public static let touchDown = Event(rawValue: 1), touchUpInside = Event(rawValue: 1 << 6)
        /// The end of a press outside the control, and a canceled press. Only buttons send these events; a slider sends
        /// `touchUpInside` instead. A press is canceled if the button leaves its window or gets another tint color.
        public static let touchUpOutside = Event(rawValue: 1 << 7), touchCancel = Event(rawValue: 1 << 8)
        /// A change of the value by the user.
        public static let valueChanged = Event(rawValue: 1 << 12)
        /// The beginning of an edit, a change of the text, the end of an edit, and Return. Only text fields send these
        /// events.
        public static let editingDidBegin = Event(rawValue: 1 << 16), editingChanged = Event(rawValue: 1 << 17),
            editingDidEnd = Event(rawValue: 1 << 18), editingDidEndOnExit = Event(rawValue: 1 << 19)
        /// All events of a text field.
        public static let allEditingEvents = Event(rawValue: 0xF_0000)
        /// The main action of the control.
        public static let primaryActionTriggered = Event(rawValue: 1 << 13)
        /// All events.
        public static let allEvents = Event(rawValue: 0xFFFF_FFFF)
    }
    /// The state of a control.
    public struct State: OptionSet, Hashable, Sendable {
        /// The bit mask, with UIKit's values.
        public let rawValue: UInt
        /// Creates a set from a bit mask. Other bits have no effect.
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// The default state.
        public static let normal: State = []
        /// The states of a pressed control, of a disabled control, and of a selected control.
        public static let highlighted = State(rawValue: 1), disabled = State(rawValue: 2), selected = State(rawValue: 4)
    }

    /// The horizontal position of a control's content. Modeled on UIKit's type.
    public enum ContentHorizontalAlignment: Int, Sendable {
        /// In the center, or at the left or right edge.
        case center = 0, left, right
        /// As wide as the control. Buttons stretch an image without a title, and show other content in the center.
        case fill
        /// At the edge where text begins, or at the edge where it ends.
        case leading, trailing
    }
    /// The vertical position of a control's content. Modeled on UIKit's type.
    public enum ContentVerticalAlignment: Int, Sendable {
        /// In the center, or at the top or bottom edge.
        case center = 0, top, bottom
        /// As high as the control. Buttons stretch an image without a title, and show other content in the center.
        case fill
    }

    /// Creates a control with an action for `primaryActionTriggered`. A button also shows the action's title and image.
    /// - Parameters:
    ///   - frame: The frame in the superview, in points.
    ///   - primaryAction: The action, or nil for none.
    public convenience init(frame: CGRect, primaryAction: UIAction?) {
        self.init(frame: frame)
        if let primaryAction { adopt(primaryAction) }
    }
    /// Makes an action the primary action of a new control.
    func adopt(_ primaryAction: UIAction) { addAction(primaryAction, for: .primaryActionTriggered) }

    private var actions: [(action: UIAction, events: Event)] = []
    /// Whether users can use the control.
    open var isEnabled = true { didSet { if isEnabled != oldValue { lookChanged() } } }
    /// Whether the control is selected. Only buttons show the selection.
    open var isSelected = false { didSet { if isSelected != oldValue { lookChanged() } } }
    /// Whether the control is pressed.
    public internal(set) final var isTracking = false {
        didSet { if isTracking != oldValue { isHighlighted = isTracking } }
    }
    /// Whether the control looks pressed. A press sets the value to true when it begins, and to false when it ends.
    /// Only buttons change their look.
    open var isHighlighted = false { didSet { if isHighlighted != oldValue { lookChanged() } } }
    /// The current state.
    open var state: State {
        var state: State = isEnabled ? [] : .disabled
        if isHighlighted { state.insert(.highlighted) }
        if isSelected { state.insert(.selected) }
        return state
    }
    /// The horizontal position of the content in a button. Other controls have no such content.
    open var contentHorizontalAlignment = ContentHorizontalAlignment.center {
        didSet { if contentHorizontalAlignment != oldValue { lookChanged() } }
    }
    /// The vertical position of the content in a button. Other controls have no such content.
    open var contentVerticalAlignment = ContentVerticalAlignment.center {
        didSet { if contentVerticalAlignment != oldValue { lookChanged() } }
    }
    /// Called after a property that affects the look has changed.
    func lookChanged() {}

    /// Adds an action for events. An action with the same identifier is replaced for these events.
    open func addAction(_ action: UIAction, for controlEvents: Event) {
        removeAction(identifiedBy: action.identifier, for: controlEvents)
        actions.append((action, controlEvents))
    }
    /// Removes an action for events.
    open func removeAction(_ action: UIAction, for controlEvents: Event) {
        removeAction(identifiedBy: action.identifier, for: controlEvents)
    }
    /// Removes the action with an identifier for events.
    open func removeAction(identifiedBy actionIdentifier: UIAction.Identifier, for controlEvents: Event) {
        for index in actions.indices where actions[index].action.identifier == actionIdentifier {
            actions[index].events.subtract(controlEvents)
        }
        actions.removeAll { $0.events.isEmpty }
    }
    /// Runs the actions that are added for any of the events.
    open func sendActions(for controlEvents: Event) {
        for entry in actions where !entry.events.isDisjoint(with: controlEvents) { entry.action.choose(from: self) }
    }
}
