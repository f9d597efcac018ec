import Zoetrope

/// The actions of keys while the container has the keyboard focus.
///
/// The container gets the focus when it is clicked, when Tab reaches it, and through ``focus()``. It also gets the
/// focus in a new window if no other view before it takes keys. A control inside the container handles its own keys
/// first, such as a text field or a button that uses Space. The app's shortcuts and menus also come first.
///
/// | Key | Default action |
/// |---|---|
/// | Space | Plays or pauses |
/// | ← → | Seeks by 5 seconds |
/// | ↑ ↓ | Changes the volume by 5% |
/// | M | Mutes or unmutes |
/// | F, Escape | Enters or exits full screen; exits full screen |
/// | 0 … 9 | Seeks to 0% … 90% |
///
/// A key whose action is not possible, such as a seek to 50% of a live stream, is passed on to the surrounding views.
/// With the display style `.auto`, a key also shows the controls.
public class KeyService: Service {
    /// The type of a key's action.
    public typealias Action = PlaybackAction

    /// Whether the container can have the keyboard focus. Default: true.
    @Published public private(set) var enabled = true
    /// Whether the container itself has the keyboard focus. False while one of its controls has it.
    @Published public internal(set) var isFocused = false
    /// The number of times that the app has requested the keyboard focus.
    @Published private(set) var requests = 0

    /// The keys with an action.
    private var map = KeyMap.container
    /// The keys with a closure of the app.
    private var closures: [PlayerKey: (repeats: Bool, run: () -> Void)] = [:]

    // MARK: Actions

    /// Turns keys on or off. If they are off, the container can't have the keyboard focus.
    public func configure(_ onOrOff: Bool) { enabled = onOrOff }

    /// Sets the action of a key.
    ///
    /// ```swift
    /// context.keys.configure("n", action: .seek(30))
    /// context.keys.configure(.rightArrow, modifiers: .shift, action: .seek(60))
    /// ```
    /// - Parameters:
    ///   - key: The key.
    ///   - modifiers: All modifiers that are held with the key. `.command` is Ctrl.
    ///   - action: The action. `.toggleSubtitles`, `.toggleLoop` and `.close` are never possible in a container.
    public func configure(_ key: KeyEquivalent, modifiers: EventModifiers = [], action: Action) {
        let key = PlayerKey(key: key, modifiers: modifiers)
        closures[key] = nil
        map[key] = action
    }
    /// Sets a closure of the app as the action of a key.
    /// - Parameters:
    ///   - key: The key.
    ///   - modifiers: All modifiers that are held with the key. `.command` is Ctrl.
    ///   - repeats: Whether the closure is called repeatedly while the key is held.
    ///   - action: The closure, which is called on the main actor.
    public func configure(
        _ key: KeyEquivalent, modifiers: EventModifiers = [], repeats: Bool = false, action: @escaping () -> Void
    ) {
        let key = PlayerKey(key: key, modifiers: modifiers)
        map[key] = nil
        closures[key] = (repeats, action)
    }
    /// Removes the action of a key. The key is then passed on to the views around the container.
    public func remove(_ key: KeyEquivalent, modifiers: EventModifiers = []) {
        let key = PlayerKey(key: key, modifiers: modifiers)
        closures[key] = nil
        map[key] = nil
    }
    /// Removes the actions of all keys.
    public func removeAll() {
        map.removeAll()
        closures = [:]
    }
    /// Restores the default actions, `KeyMap.container`.
    public func reset() {
        map = .container
        closures = [:]
    }

    // MARK: Keyboard focus

    /// Gives the container the keyboard focus, now or as soon as it is in a window.
    ///
    /// ```swift
    /// PlayerWidget(context)
    ///     .onAppear { context.keys.focus() }
    /// ```
    public func focus() { requests += 1 }
    private var handledRequests = 0
    /// Returns whether the app has requested the focus since the last call.
    func takeRequest() -> Bool {
        defer { handledRequests = requests }
        return handledRequests != requests
    }

    // MARK: Key presses

    /// Performs the action of a key, as if the user had pressed the key, even if keys are turned off.
    /// - Parameters:
    ///   - key: The key.
    ///   - modifiers: All modifiers that are held with the key.
    ///   - isRepeat: Whether the key is being held.
    /// - Returns: False if the key has no action, or if its action is not possible.
    @discardableResult
    public func press(_ key: KeyEquivalent, modifiers: EventModifiers = [], isRepeat: Bool = false) -> Bool {
        let key = PlayerKey(key: key, modifiers: modifiers)
        let (action, closure) = (map[key], closures[key])
        guard let repeats = action?.repeats ?? closure?.repeats else { return false }
        // A held key is not passed on either, even if its action does not repeat.
        guard repeats || !isRepeat else { return true }
        if let action {
            guard run(action) else { return false }
        } else {
            closure?.run()
        }
        context?.own(ControlService.self).used()
        return true
    }

    /// Handles a key press of the view. If the controls are hidden, Tab first shows them, so that it can then move to
    /// one of them.
    func handle(_ press: KeyPress) -> KeyPress.Result {
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
    /// The service with the actions of keys while the container has the keyboard focus.
    public var keys: KeyService { self[KeyService.self] }
}
