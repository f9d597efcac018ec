import CGTK
import Foundation
import GTK
import MediaCore
@_spi(Graph) import ViewGraph

/// A key of the keyboard. Modeled on SwiftUI's type.
public struct KeyEquivalent: Hashable, Sendable, ExpressibleByExtendedGraphemeClusterLiteral {
    /// The character that the key types, or Apple's code point for a key that types nothing.
    public let character: Character
    /// Creates the key that types a character. In a shortcut, a capital letter means its key without Shift.
    public init(_ character: Character) { self.character = character }
    /// Creates the key that types the literal's character.
    public init(extendedGraphemeClusterLiteral value: Character) { character = value }
    // The values are Apple's code points of function keys, and control characters for the other keys.
    /// The up and down arrow keys, including those of the number pad.
    public static let upArrow = KeyEquivalent("\u{F700}"), downArrow = KeyEquivalent("\u{F701}")
    /// The left and right arrow keys, including those of the number pad.
    public static let leftArrow = KeyEquivalent("\u{F702}"), rightArrow = KeyEquivalent("\u{F703}")
    /// The Home and End keys.
    public static let home = KeyEquivalent("\u{F729}"), end = KeyEquivalent("\u{F72B}")
    /// The Page Up and Page Down keys.
    public static let pageUp = KeyEquivalent("\u{F72C}"), pageDown = KeyEquivalent("\u{F72D}")
    /// The Backspace key and the Delete key.
    public static let delete = KeyEquivalent("\u{8}"), deleteForward = KeyEquivalent("\u{F728}")
    /// The Escape key, the Return key (including Enter on the number pad), the space bar, and the Tab key.
    public static let escape = KeyEquivalent("\u{1B}"), `return` = KeyEquivalent("\r"), space = KeyEquivalent(" "),
        tab = KeyEquivalent("\t")

    /// The number of a function key, 1 for F1, or nil for other keys.
    ///
    /// Apple's code points of function keys begin at `NSF1FunctionKey`.
    var functionKey: Int? {
        guard let scalar = character.unicodeScalars.first, (0xF704...0xF726).contains(scalar.value) else { return nil }
        return Int(scalar.value) - 0xF703
    }

    /// The X11 key symbol, as in `gdkkeysyms.h`; 0 if there is none.
    var symbol: guint {
        let named: [Character: Int32] = [
            "\u{F700}": GDK_KEY_Up, "\u{F701}": GDK_KEY_Down, "\u{F702}": GDK_KEY_Left, "\u{F703}": GDK_KEY_Right,
            "\u{F729}": GDK_KEY_Home, "\u{F72B}": GDK_KEY_End, "\u{F72C}": GDK_KEY_Page_Up,
            "\u{F72D}": GDK_KEY_Page_Down,
            "\u{8}": GDK_KEY_BackSpace, "\u{F728}": GDK_KEY_Delete, "\u{1B}": GDK_KEY_Escape, "\r": GDK_KEY_Return,
            " ": GDK_KEY_space, "\t": GDK_KEY_Tab,
        ]
        if let symbol = named[character] { return guint(symbol) }
        if let number = functionKey { return guint(GDK_KEY_F1) + guint(number - 1) }
        return character.lowercased().unicodeScalars.first.map { gdk_unicode_to_keyval($0.value) } ?? 0
    }
}

/// The modifier keys held with a key or an event. Modeled on SwiftUI's type.
public struct EventModifiers: OptionSet, Hashable, Sendable {
    /// The bit mask of modifiers: 1 is Caps Lock, 2 is Shift, 4 and 16 are Ctrl, 8 is Alt.
    public let rawValue: Int
    /// Creates a set from a bit mask. Other bits have no effect.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Caps Lock, which shortcuts ignore; Shift; Ctrl.
    public static let capsLock = EventModifiers(rawValue: 1), shift = EventModifiers(rawValue: 2),
        control = EventModifiers(rawValue: 4)
    /// The Alt key.
    public static let option = EventModifiers(rawValue: 8)
    /// The Ctrl key, which Linux uses for shortcuts with Command on Apple's platforms.
    public static let command = EventModifiers(rawValue: 16)

    var gdk: GdkModifierType {
        var value: UInt32 = 0
        if contains(.shift) { value |= GDK_SHIFT_MASK.rawValue }
        if contains(.control) || contains(.command) { value |= GDK_CONTROL_MASK.rawValue }
        if contains(.option) { value |= GDK_ALT_MASK.rawValue }
        return GdkModifierType(value)
    }
}

/// A key and its modifier keys. Modeled on SwiftUI's type.
public struct KeyboardShortcut: Hashable, Sendable {
    /// The key without modifiers.
    public var key: KeyEquivalent
    /// The modifier keys; `command` and `control` are both Ctrl.
    public var modifiers: EventModifiers
    /// Creates a shortcut, with Ctrl as the default modifier.
    public init(_ key: KeyEquivalent, modifiers: EventModifiers = .command) {
        self.key = key
        self.modifiers = modifiers
    }
    /// The Return key without modifiers, for the default button of a window.
    public static let defaultAction = KeyboardShortcut(.return, modifiers: [])
    /// The Escape key without modifiers, for a button that cancels.
    public static let cancelAction = KeyboardShortcut(.escape, modifiers: [])
}

struct ShortcutModifier: ElementModifier {
    let shortcut: KeyboardShortcut
    func makeElement() -> ShortcutElement { ShortcutElement() }
    func update(_ element: ShortcutElement, _ fiber: _Fiber) { element.set(shortcut) }
}

/// An element that activates the control below it when its shortcut is pressed anywhere in the window.
///
/// A widget that has the focus and handles the key itself has precedence.
final class ShortcutElement: WrapperElement {
    private(set) var shortcut: KeyboardShortcut?
    private var shortcuts: WindowShortcuts?

    func set(_ shortcut: KeyboardShortcut) {
        guard shortcut != self.shortcut else { return }
        self.shortcut = shortcut
        if let host {
            remove()
            install(host)
        }
    }

    override func attached(to host: any ElementHost) { install(host) }
    override func detached(from host: any ElementHost) { remove() }

    private func install(_ host: any ElementHost) {
        guard let shortcut, let container = host.container else { return }
        // In the capture phase, the shortcut receives the key before the widget with the focus. In the bubble phase,
        // the window itself would handle Return and the arrow keys.
        shortcuts = WindowShortcuts(on: container, phase: GTK_PHASE_CAPTURE)
        shortcuts?.add(Int32(bitPattern: shortcut.key.symbol), shortcut.modifiers.gdk) { [weak self] in
            self?.pressed() ?? false
        }
    }

    private func remove() {
        shortcuts?.remove()
        shortcuts = nil
    }

    /// Whether the shortcut applies now. Hidden views, such as those of another tab, keep their widgets, which GTK would
    /// activate.
    var isActive: Bool { isShown && !isInert }

    private func pressed() -> Bool {
        func find(_ element: Element) -> WidgetElement? {
            if let control = element as? WidgetElement { return control }
            for child in element.children { if let found = find(child) { return found } }
            return nil
        }
        guard isActive, let shortcut, shortcuts?.isForFocus(shortcut) != true, let control = content.flatMap(find),
            control.isEnabled, let widget = control.widget
        else { return false }
        return widget.activate()
    }
}

/// A property wrapper that stores which view has the keyboard focus. Modeled on SwiftUI's property wrapper.
///
/// ```swift
/// @State private var query = ""
/// @FocusState private var isSearching: Bool
///
/// var body: some View {
///     TextField("Search", text: $query)
///         .focused($isSearching)
///         .onAppear { isSearching = true }
/// }
/// ```
/// The value is a `Bool` for one view, or an optional value that identifies one of several views.
@propertyWrapper
public struct FocusState<Value: Hashable>: DynamicProperty {
    let state: State<Value>
    /// Creates a state for one view, initially false. Setting it to true moves the focus to the view. Can be called on
    /// any thread.
    nonisolated public init() where Value == Bool { state = State(wrappedValue: false) }
    /// Creates a state for several views, initially nil. Setting it to a view's value moves the focus to that view. Can
    /// be called on any thread.
    nonisolated public init<T>() where Value == T? { state = State(wrappedValue: nil) }
    /// Whether the view has the focus, or the value of the view that has the focus. Setting it moves the focus.
    @MainActor @preconcurrency public var wrappedValue: Value {
        get { state.wrappedValue }
        nonmutating set { state.wrappedValue = newValue }
    }
    /// The binding to pass to `focused(_:)` or `focused(_:equals:)`.
    @MainActor @preconcurrency public var projectedValue: Binding { Binding(binding: state.projectedValue) }
    /// A binding to a focus state, for `focused(_:)` and `focused(_:equals:)`.
    @propertyWrapper
    public struct Binding {
        let binding: DeclarativeUI.Binding<Value>
        /// Whether the view has the focus, or the value of the view that has the focus. Setting it moves the focus.
        @MainActor @preconcurrency public var wrappedValue: Value {
            get { binding.wrappedValue }
            nonmutating set { binding.wrappedValue = newValue }
        }
        /// The binding itself.
        public var projectedValue: Binding { self }
    }
}

struct FocusModifier<Value: Hashable>: ElementModifier {
    let binding: Binding<Value>
    let value: Value
    /// The value of the binding when this view does not have the focus.
    let none: Value
    func makeElement() -> FocusElement { FocusElement() }
    func update(_ element: FocusElement, _ fiber: _Fiber) {
        element.onFocus = { hasFocus in
            if hasFocus {
                binding.wrappedValue = value
            } else if binding.wrappedValue == value {
                binding.wrappedValue = none
            }
        }
        element.setWanted(binding.wrappedValue == value, fiber.graph)
    }
}

/// An element that keeps a binding in sync with the GTK focus of the control below it.
final class FocusElement: WrapperElement {
    var onFocus: ((Bool) -> Void)?
    private var isRequested = false
    private var hasFocus = false
    /// The connection to the window's focus property.
    ///
    /// A focus controller on the widget reports no loss of focus if it has not seen the gain. A window that opens gives
    /// the focus to its first view before the element is placed.
    private var focus: SignalConnection?
    private var watched: GTKWidget?

    func setWanted(_ isRequested: Bool, _ graph: ViewGraph) {
        guard isRequested != self.isRequested else { return }
        self.isRequested = isRequested
        graph.after { [weak self] in self?.grab() }
    }

    private func grab() {
        guard let widget = content?.focusTarget else { return }
        if isRequested, !hasFocus {
            widget.grabFocus()
        } else if !isRequested, hasFocus {
            widget.root?.focus = nil
        }
    }

    override func located(_ transform: CGAffineTransform, _ size: CGSize) {
        guard let widget = content?.focusTarget, watched != widget else { return }
        unwatch()
        guard let root = widget.root else { return }
        focus = SignalConnection(root, "notify::focus-widget") { [weak self] in self?.focusChanged() }
        watched = widget
        OnMain.later { [weak self] in self?.updateFocus() }
    }

    private func focusChanged() { if let watched { changed(FocusElement.isFocus(watched)) } }
    private static func isFocus(_ widget: GTKWidget) -> Bool {
        widget.root?.focus?.isWithin(widget) ?? false
    }

    /// Reports focus that the widget got before the element watched it, or moves the focus to the widget if requested.
    private func updateFocus() {
        guard let watched else { return }
        guard isRequested, !FocusElement.isFocus(watched) else { return focusChanged() }
        hasFocus = false
        grab()
    }

    private func changed(_ hasFocus: Bool) {
        guard hasFocus != self.hasFocus else { return }
        self.hasFocus = hasFocus
        isRequested = hasFocus
        onFocus?(hasFocus)
    }

    private func unwatch() {
        focus?.disconnect()
        (focus, watched) = (nil, nil)
    }

    override func detached(from host: any ElementHost) {
        unwatch()
        guard hasFocus || isRequested else { return }
        hasFocus = false
        // A removed view can't have the focus, nor get it later. The binding is changed after the current update of the
        // views.
        OnMain.later { [weak self, onFocus] in if self?.host == nil { onFocus?(false) } }
    }
}

extension View {
    /// Presses this button when a key is pressed with modifiers anywhere in its window.
    ///
    /// ```swift
    /// Button("Open…") { openFile() }
    ///     .keyboardShortcut("o")
    /// ```
    /// A control that has the focus handles its own keys first: without Ctrl or Alt, a text field handles letters, for
    /// example. A hidden button is not pressed: in a hidden tab, on a covered page of a navigation stack, in a hidden
    /// column of a split view, or in a lazy row far outside the visible area.
    /// - Parameters:
    ///   - key: The key.
    ///   - modifiers: The modifier keys. `.command` is Ctrl.
    public func keyboardShortcut(_ key: KeyEquivalent, modifiers: EventModifiers = .command) -> some View {
        elementModifier(ShortcutModifier(shortcut: KeyboardShortcut(key, modifiers: modifiers)))
    }
    /// Presses this button when the keys of a shortcut are pressed anywhere in its window. A control that has the focus
    /// handles its own keys first.
    public func keyboardShortcut(_ shortcut: KeyboardShortcut) -> some View {
        elementModifier(ShortcutModifier(shortcut: shortcut))
    }
    /// Connects the keyboard focus of the control or `focusable` view in this view with a Boolean state.
    ///
    /// The state is true while the view has the focus. Setting the state to true moves the focus to the view, and
    /// setting it to false removes the focus from the view.
    public func focused(_ condition: FocusState<Bool>.Binding) -> some View {
        elementModifier(FocusModifier(binding: condition.binding, value: true, none: false))
    }
    /// Connects the keyboard focus of the control or `focusable` view in this view with one value of a state.
    ///
    /// The state has this value while the view has the focus, and is nil after the view loses the focus. Setting the
    /// state to the value moves the focus to the view, and setting it to nil removes the focus.
    /// - Parameters:
    ///   - binding: The state.
    ///   - value: The value that identifies this view.
    public func focused<Value: Hashable>(_ binding: FocusState<Value?>.Binding, equals value: Value) -> some View {
        elementModifier(FocusModifier(binding: binding.binding, value: Optional(value), none: nil))
    }
}
