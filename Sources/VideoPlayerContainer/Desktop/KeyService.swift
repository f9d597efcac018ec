import Zoetrope

/// What keys do while the container has the keyboard: after a click on it, when Tab has come to it, after ``focus()``,
/// and in a window that opens and has nothing before it that takes keys.
///
/// A control in it that has a use for a key comes first (a text field for letters, a button for Space), and so do the
/// app's shortcuts and menus. At first: Space plays and pauses, ← and → go five seconds back and on, ↑ and ↓ make it
/// louder and softer by a twentieth, M mutes, F fills the screen and Escape leaves it, 0 to 9 go to the tenths of what
/// is played. A key that cannot do it (a tenth of what has no end) goes on to whoever is around. While the controls are
/// `.auto`, a key shows them.
public class KeyService: Service {
    /// The action of a key.
    public typealias Action = PlaybackAction

    /// Whether the container can have the keyboard. Default: true.
    @Published public private(set) var enabled = true
    /// The container itself has the keyboard, and none of its controls.
    @Published public internal(set) var isFocused = false
    /// How often the app has asked for the keyboard.
    @Published private(set) var requests = 0

    /// The keys of actions.
    private var map = KeyMap.container
    /// The keys of the app's own closures.
    private var closures: [PlayerKey: (repeats: Bool, run: () -> Void)] = [:]

    // MARK: What keys do

    /// Keys on or off: off, the container cannot have the keyboard.
    public func configure(_ onOrOff: Bool) { enabled = onOrOff }

    /// What a key does from now on.
    /// - Parameter modifiers: those held with it, all of them. `.command` is Ctrl.
    public func configure(_ key: KeyEquivalent, modifiers: EventModifiers = [], action: Action) {
        let key = PlayerKey(key: key, modifiers: modifiers)
        closures[key] = nil
        map[key] = action
    }
    /// The same, with something of the app's own.
    /// - Parameter repeats: again and again while the key is held.
    public func configure(
        _ key: KeyEquivalent, modifiers: EventModifiers = [], repeats: Bool = false, action: @escaping () -> Void
    ) {
        let key = PlayerKey(key: key, modifiers: modifiers)
        map[key] = nil
        closures[key] = (repeats, action)
    }
    /// From now on the key does nothing here, and goes on to whoever is around the container.
    public func remove(_ key: KeyEquivalent, modifiers: EventModifiers = []) {
        let key = PlayerKey(key: key, modifiers: modifiers)
        closures[key] = nil
        map[key] = nil
    }
    /// The same, of all keys.
    public func removeAll() {
        map.removeAll()
        closures = [:]
    }
    /// What keys did at first: `KeyMap.container`.
    public func reset() {
        map = .container
        closures = [:]
    }

    // MARK: Who has the keyboard

    /// Gives the container the keyboard: now, or as soon as it is in a window.
    public func focus() { requests += 1 }
    private var answered = 0
    /// Whether the app has asked since the last time.
    func takeRequest() -> Bool {
        defer { answered = requests }
        return answered != requests
    }

    // MARK: A key

    /// Does what a key does, as when the user presses it.
    /// - Parameter isRepeat: it is held.
    /// - Returns: false where it does nothing.
    @discardableResult
    public func press(_ key: KeyEquivalent, modifiers: EventModifiers = [], isRepeat: Bool = false) -> Bool {
        let key = PlayerKey(key: key, modifiers: modifiers)
        let (action, closure) = (map[key], closures[key])
        guard let repeats = action?.repeats ?? closure?.repeats else { return false }
        // A key that is held down is not for anybody else either.
        guard repeats || !isRepeat else { return true }
        if let action {
            guard run(action) else { return false }
        } else {
            closure?.run()
        }
        context?.own(ControlService.self).used()
        return true
    }

    /// What the view heard. Tab first shows the controls that it would go to.
    func heard(_ press: KeyPress) -> KeyPress.Result {
        guard enabled else { return .ignored }
        if self.press(press.key, modifiers: press.modifiers, isRepeat: press.phase == .repeat) { return .handled }
        guard press.key == .tab, let control = context?.own(ControlService.self), control.hidesByItself,
            !control.isBeingPresented
        else { return .ignored }
        control.used()
        return .handled
    }

    private func run(_ action: Action) -> Bool {
        guard let context else { return false }
        let window = context.own(WindowService.self)
        switch action {
        case .toggleFullScreen:
            guard window.window != nil else { return false }
            window.toggleFullScreen()
            return true
        case .exitFullScreen:
            guard window.isFullScreen else { return false }
            window.exitFullScreen()
            return true
        default:
            return PlaybackControl(context.own(RenderService.self).player).perform(action)
        }
    }
}

extension Context {
    /// What keys do while the container has the keyboard.
    public var keys: KeyService { self[KeyService.self] }
}
