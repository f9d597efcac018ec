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
    /// What a key does.
    public enum Action: Equatable, Sendable {
        /// Plays what stands, and pauses what plays.
        case playPause
        /// So many seconds on; back where it is less than 0. Repeats while the key is held.
        case seek(TimeInterval)
        /// So much louder, of 1; softer where it is less than 0. Repeats while the key is held.
        case volume(Double)
        /// Sound off, or on again.
        case mute
        /// The window to full screen, or back.
        case toggleFullScreen
        /// The window back from full screen; nothing where it is not in it.
        case exitFullScreen
        /// To a share of the whole, 0…1.
        case jump(Double)
    }

    /// Whether the container can have the keyboard. Default: true.
    @Published public private(set) var enabled = true
    /// The container itself has the keyboard, and none of its controls.
    @Published public internal(set) var isFocused = false
    /// How often the app has asked for the keyboard.
    @Published private(set) var requests = 0

    private struct Stroke: Hashable {
        let key: KeyEquivalent
        let modifiers: EventModifiers
        init(_ key: KeyEquivalent, _ modifiers: EventModifiers) {
            let small = String(key.character).lowercased()
            self.key = small.count == 1 ? KeyEquivalent(Character(small)) : key
            // Ctrl is Command here; Caps Lock makes no other key.
            var own = modifiers.subtracting([.capsLock, .control])
            if modifiers.contains(.control) { own.insert(.command) }
            self.modifiers = own
        }
    }
    private struct Meaning {
        let repeats: Bool
        let run: @MainActor (KeyService) -> Bool
    }
    private var meanings: [Stroke: Meaning] = [:]

    public required init(_ context: Context) {
        super.init(context)
        reset()
    }

    // MARK: What keys do

    /// Keys on or off: off, the container cannot have the keyboard.
    public func configure(_ onOrOff: Bool) { enabled = onOrOff }

    /// What a key does from now on.
    /// - Parameter modifiers: those held with it, all of them. `.command` is Ctrl.
    public func configure(_ key: KeyEquivalent, modifiers: EventModifiers = [], action: Action) {
        meanings[Stroke(key, modifiers)] = Meaning(repeats: action.repeats) { $0.run(action) }
    }
    /// The same, with something of the app's own.
    /// - Parameter repeats: again and again while the key is held.
    public func configure(
        _ key: KeyEquivalent, modifiers: EventModifiers = [], repeats: Bool = false, action: @escaping () -> Void
    ) {
        meanings[Stroke(key, modifiers)] = Meaning(repeats: repeats) { _ in
            action()
            return true
        }
    }
    /// From now on the key does nothing here, and goes on to whoever is around the container.
    public func remove(_ key: KeyEquivalent, modifiers: EventModifiers = []) { meanings[Stroke(key, modifiers)] = nil }
    /// The same, of all keys.
    public func removeAll() { meanings = [:] }
    /// What keys did at first.
    public func reset() {
        removeAll()
        let all: [(KeyEquivalent, Action)] = [
            (.space, .playPause), (.leftArrow, .seek(-5)), (.rightArrow, .seek(5)), (.upArrow, .volume(0.05)),
            (.downArrow, .volume(-0.05)),
            ("m", .mute), ("f", .toggleFullScreen), (.escape, .exitFullScreen),
        ]
        for (key, action) in all { configure(key, action: action) }
        for digit in 0...9 { configure(KeyEquivalent(Character("\(digit)")), action: .jump(Double(digit) / 10)) }
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
        guard let meaning = meaning(key, modifiers) else { return false }
        // Held down it is not for anybody else either.
        guard meaning.repeats || !isRepeat else { return true }
        guard meaning.run(self) else { return false }
        context?.own(ControlService.self).used()
        return true
    }

    private func meaning(_ key: KeyEquivalent, _ modifiers: EventModifiers) -> Meaning? {
        if let exact = meanings[Stroke(key, modifiers)] { return exact }
        // Where digits and signs are written with Shift they are meant as they are.
        let typed = key.character
        guard modifiers.contains(.shift), typed.isNumber || typed.isPunctuation || typed.isSymbol else { return nil }
        return meanings[Stroke(key, modifiers.subtracting(.shift))]
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
        let steps = context.own(PlaybackSteps.self)
        let window = context.own(WindowService.self)
        switch action {
        case .playPause: return steps.togglePlay()
        case .seek(let seconds): return steps.seek(by: seconds)
        case .volume(let step): return steps.changeVolume(by: step)
        case .mute: return steps.toggleMute()
        case .jump(let share): return steps.jump(to: share)
        case .toggleFullScreen:
            guard window.window != nil else { return false }
            window.toggleFullScreen()
        case .exitFullScreen:
            guard window.isFullScreen else { return false }
            window.exitFullScreen()
        }
        return true
    }
}

extension KeyService.Action {
    fileprivate var repeats: Bool {
        switch self {
        case .seek, .volume: true
        default: false
        }
    }
}

extension Context {
    /// What keys do while the container has the keyboard.
    public var keys: KeyService { self[KeyService.self] }
}
