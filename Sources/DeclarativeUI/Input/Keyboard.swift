import CGTK
import Foundation
import GTK
import MediaCore
@_spi(Graph) import ViewGraph

/// A key. SwiftUI's type.
public struct KeyEquivalent: Hashable, Sendable, ExpressibleByExtendedGraphemeClusterLiteral {
    /// What the key types, or Apple's code point for a key that types nothing.
    public let character: Character
    /// The key that types a character; capital letters are the key without Shift.
    public init(_ character: Character) { self.character = character }
    /// The key that types the literal's character.
    public init(extendedGraphemeClusterLiteral value: Character) { character = value }
    // Apple's function-key code points, and the control characters of the others.
    /// The arrow keys up and down, on the number pad too.
    public static let upArrow = KeyEquivalent("\u{F700}"), downArrow = KeyEquivalent("\u{F701}")
    /// The arrow keys left and right, on the number pad too.
    public static let leftArrow = KeyEquivalent("\u{F702}"), rightArrow = KeyEquivalent("\u{F703}")
    /// The keys Home and End.
    public static let home = KeyEquivalent("\u{F729}"), end = KeyEquivalent("\u{F72B}")
    /// The keys Page Up and Page Down.
    public static let pageUp = KeyEquivalent("\u{F72C}"), pageDown = KeyEquivalent("\u{F72D}")
    /// Backspace, and the key that deletes forwards.
    public static let delete = KeyEquivalent("\u{8}"), deleteForward = KeyEquivalent("\u{F728}")
    /// Escape, Return (Enter on the number pad too), the space bar and Tab.
    public static let escape = KeyEquivalent("\u{1B}"), `return` = KeyEquivalent("\r"), space = KeyEquivalent(" "),
        tab = KeyEquivalent("\t")

    /// 1 for F1, and so on, by Apple's code points (`NSF1FunctionKey`…); nil for what is none of these.
    var functionKey: Int? {
        guard let scalar = character.unicodeScalars.first, (0xF704...0xF726).contains(scalar.value) else { return nil }
        return Int(scalar.value) - 0xF703
    }

    /// X11's key symbol, as in gdkkeysyms.h.
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

/// Which keys are held besides. SwiftUI's type.
public struct EventModifiers: OptionSet, Hashable, Sendable {
    /// One bit a key: 1 is Caps Lock, 2 Shift, 4 and 16 Ctrl, 8 Alt.
    public let rawValue: Int
    /// Makes a set of raw bits; other bits mean nothing.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// Caps Lock, which shortcuts do not look at; Shift; Ctrl.
    public static let capsLock = EventModifiers(rawValue: 1), shift = EventModifiers(rawValue: 2),
        control = EventModifiers(rawValue: 4)
    /// Alt.
    public static let option = EventModifiers(rawValue: 8)
    /// Ctrl, as is usual on Linux for what is Command on Apple's keyboards.
    public static let command = EventModifiers(rawValue: 16)

    var gdk: GdkModifierType {
        var value: UInt32 = 0
        if contains(.shift) { value |= GDK_SHIFT_MASK.rawValue }
        if contains(.control) || contains(.command) { value |= GDK_CONTROL_MASK.rawValue }
        if contains(.option) { value |= GDK_ALT_MASK.rawValue }
        return GdkModifierType(value)
    }
}

/// A key and those that are held with it. SwiftUI's type.
public struct KeyboardShortcut: Hashable, Sendable {
    /// The key itself.
    public var key: KeyEquivalent
    /// The keys held with it; `command` and `control` are both Ctrl.
    public var modifiers: EventModifiers
    /// Makes a shortcut; without `modifiers` Ctrl is held.
    public init(_ key: KeyEquivalent, modifiers: EventModifiers = .command) {
        self.key = key
        self.modifiers = modifiers
    }
    /// Return alone, as for a window's default button.
    public static let defaultAction = KeyboardShortcut(.return, modifiers: [])
    /// Escape alone, as for a button that calls something off.
    public static let cancelAction = KeyboardShortcut(.escape, modifiers: [])
}

struct ShortcutModifier: ElementModifier {
    let shortcut: KeyboardShortcut
    func makeElement() -> ShortcutElement { ShortcutElement() }
    func update(_ element: ShortcutElement, _ fiber: _Fiber) { element.set(shortcut) }
}

/// Presses the control below when a key is pressed anywhere in the window that nothing else takes.
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
        // Before what has the focus: the window itself takes Return and the arrows on the way back.
        shortcuts = WindowShortcuts(on: container, phase: GTK_PHASE_CAPTURE)
        shortcuts?.add(Int32(bitPattern: shortcut.key.symbol), shortcut.modifiers.gdk) { [weak self] in
            self?.pressed() ?? false
        }
    }

    private func remove() {
        shortcuts?.remove()
        shortcuts = nil
    }

    private func pressed() -> Bool {
        func find(_ element: Element) -> WidgetElement? {
            if let control = element as? WidgetElement { return control }
            for child in element.children { if let found = find(child) { return found } }
            return nil
        }
        guard !isInert, let shortcut, shortcuts?.isForFocus(shortcut) != true, let control = content.flatMap(find),
            control.isEnabled, let widget = control.widget
        else { return false }
        return widget.activate()
    }
}

/// Which view has the keyboard. SwiftUI's property wrapper: a `Bool`, or an optional value that tells views apart.
@propertyWrapper
public struct FocusState<Value: Hashable>: DynamicProperty {
    let state: State<Value>
    /// Begins with false: the view has the keyboard once it is set true. On any thread.
    nonisolated public init() where Value == Bool { state = State(wrappedValue: false) }
    /// Begins with nil: none of the views has the keyboard until one's value is set. On any thread.
    nonisolated public init<T>() where Value == T? { state = State(wrappedValue: nil) }
    /// Whether the view has the keyboard, or the value of the one that has it. Main actor; setting it moves the
    /// keyboard.
    @MainActor @preconcurrency public var wrappedValue: Value {
        get { state.wrappedValue }
        nonmutating set { state.wrappedValue = newValue }
    }
    /// What `focused` takes.
    @MainActor @preconcurrency public var projectedValue: Binding { Binding(binding: state.projectedValue) }
    /// What `focused` takes.
    @propertyWrapper
    public struct Binding {
        let binding: DeclarativeUI.Binding<Value>
        /// Whether the view has the keyboard, or the value of the one that has it; setting it moves the keyboard.
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
    /// What the binding holds when nothing of it has the keyboard.
    let none: Value
    func makeElement() -> FocusElement { FocusElement() }
    func update(_ element: FocusElement, _ fiber: _Fiber) {
        element.onFocus = { has in
            if has {
                binding.wrappedValue = value
            } else if binding.wrappedValue == value {
                binding.wrappedValue = none
            }
        }
        element.setWanted(binding.wrappedValue == value, fiber.graph)
    }
}

/// Keeps a binding and GTK's focus of the control below the same.
final class FocusElement: WrapperElement {
    var onFocus: ((Bool) -> Void)?
    private var wants = false
    private var has = false
    /// The window's word for which of its widgets has the keyboard. (A focus controller on the widget tells no going
    /// where it has not seen the coming, and a window that opens gives the keyboard to its first view before that has
    /// been placed.)
    private var focus: SignalConnection?
    private var watched: GTKWidget?

    /// The widget of the first control below, or of what is `focusable`.
    private func find(_ element: Element?) -> GTKWidget? {
        guard let element else { return nil }
        if let control = element as? WidgetElement { return control.widget }
        if let area = element as? FocusableElement { return area.focusWidget }
        for child in element.children { if let found = find(child) { return found } }
        return nil
    }

    func setWanted(_ wants: Bool, _ graph: ViewGraph) {
        guard wants != self.wants else { return }
        self.wants = wants
        graph.after { [weak self] in self?.grab() }
    }

    private func grab() {
        guard let widget = find(content) else { return }
        if wants, !has {
            widget.grabFocus()
        } else if !wants, has {
            widget.root?.focus = nil
        }
    }

    override func located(_ transform: CGAffineTransform, _ size: CGSize) {
        guard let widget = find(content), watched != widget else { return }
        unwatch()
        guard let root = widget.root else { return }
        focus = SignalConnection(root, "notify::focus-widget") { [weak self] in self?.look() }
        watched = widget
        OnMain.later { [weak self] in self?.settle() }
    }

    private func look() { if let watched { changed(FocusElement.isFocus(watched)) } }
    private static func isFocus(_ widget: GTKWidget) -> Bool {
        widget.root?.focus?.isWithin(widget) ?? false
    }

    /// Sees that the keyboard came before it was watched, or takes it.
    private func settle() {
        guard let watched else { return }
        guard wants, !FocusElement.isFocus(watched) else { return look() }
        has = false
        grab()
    }

    private func changed(_ has: Bool) {
        guard has != self.has else { return }
        self.has = has
        wants = has
        onFocus?(has)
    }

    private func unwatch() {
        focus?.disconnect()
        (focus, watched) = (nil, nil)
    }

    override func detached(from host: any ElementHost) {
        unwatch()
        guard has || wants else { return }
        has = false
        // What has gone has the keyboard no longer, and is not to have it; told when the views have been changed.
        OnMain.later { [weak self, onFocus] in if self?.host == nil { onFocus?(false) } }
    }
}

extension View {
    /// Presses this button when the keys are pressed anywhere in its window. `.command` is Ctrl.
    public func keyboardShortcut(_ key: KeyEquivalent, modifiers: EventModifiers = .command) -> some View {
        elementModifier(ShortcutModifier(shortcut: KeyboardShortcut(key, modifiers: modifiers)))
    }
    /// Presses this button when the shortcut's keys are pressed anywhere in its window.
    public func keyboardShortcut(_ shortcut: KeyboardShortcut) -> some View {
        elementModifier(ShortcutModifier(shortcut: shortcut))
    }
    /// Keeps `condition` true while the control below, or what is `focusable`, has the keyboard, and gives it the
    /// keyboard when it becomes true.
    public func focused(_ condition: FocusState<Bool>.Binding) -> some View {
        elementModifier(FocusModifier(binding: condition.binding, value: true, none: false))
    }
    /// Keeps `binding` at `value` while the control below, or what is `focusable`, has the keyboard, and gives it the
    /// keyboard when the binding becomes that; when it loses the keyboard the binding becomes nil.
    public func focused<Value: Hashable>(_ binding: FocusState<Value?>.Binding, equals value: Value) -> some View {
        elementModifier(FocusModifier(binding: binding.binding, value: Optional(value), none: nil))
    }
}
