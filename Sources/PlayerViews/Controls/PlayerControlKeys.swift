import DeclarativeUI
import PlayerControls

extension PlayerStage {
    /// Returns the names of the keys of actions, for a tooltip; nil if one of them has no key.
    func keyName(_ actions: PlaybackAction...) -> String? {
        let names = actions.compactMap { keyMap.keys(for: $0).first?.name }
        guard names.count == actions.count else { return nil }
        return names.map { $0.count == 1 ? $0.uppercased() : $0 }.joined(separator: " ")
    }
}

/// The keys of a player's controls. They work while one of the controls has the keyboard focus.
@MainActor
enum PlayerControlKeys {
    static func handle(_ press: KeyPress, _ stage: PlayerStage, _ presence: ControlsPresence) -> KeyPress.Result {
        guard stage.hasOwnKeys, let action = stage.keyMap[PlayerKey(key: press.key, modifiers: press.modifiers)]
        else { return .ignored }
        // A held key is not passed on either, even if its action does not repeat.
        guard action.repeats || press.phase != .repeat else { return allows(action, stage) ? .handled : .ignored }
        guard perform(action, stage) else { return .ignored }
        presence.show()
        return .handled
    }

    /// Returns whether the view allows the action at all. The player's state may still prevent it.
    private static func allows(_ action: PlaybackAction, _ stage: PlayerStage) -> Bool {
        switch action {
        case .seek, .jump, .start, .end, .step: stage.allowsSeeking
        case .toggleFullScreen: stage.allowsFullScreen
        case .close: false
        default: true
        }
    }

    private static func perform(_ action: PlaybackAction, _ stage: PlayerStage) -> Bool {
        guard allows(action, stage) else { return false }
        switch action {
        case .seek, .jump, .start, .end, .step:
            if case .seek(let seconds) = action { return stage.transport.seek(by: seconds) }
            return stage.transport.control?.perform(action) ?? false
        case .toggleSubtitles: stage.transport.options.tracks.toggleSubtitles()
        case .toggleFullScreen:
            stage.toggleFullScreen()
        case .exitFullScreen:
            guard stage.isFullScreen else { return false }
            stage.exitFullScreen()
        case .toggleLoop: stage.transport.options.loop.set(!stage.transport.options.loop.isOn)
        case .close: return false
        case .playPause, .volume, .mute, .speed, .multiplySpeed:
            return stage.transport.control?.perform(action) ?? false
        }
        return true
    }
}

extension EnvironmentValues {
    /// The keys of player views that have controls. Default: `KeyMap.videoPlayer`.
    public var playerKeyMap: KeyMap<PlaybackAction> {
        get { self[PlayerKeyMapKey.self] }
        set { self[PlayerKeyMapKey.self] = newValue }
    }
}
private struct PlayerKeyMapKey: EnvironmentKey { static let defaultValue = KeyMap.videoPlayer }

extension View {
    /// Sets the keys of the player views inside this view, such as ``VideoPlayer``. A key works while one of the
    /// controls of the player view has the keyboard focus.
    ///
    /// ```swift
    /// var keys = KeyMap.videoPlayer
    /// keys[PlayerKey("n")] = .seek(30)
    /// return VideoPlayer(player: player).playerKeyMap(keys)
    /// ```
    public func playerKeyMap(_ keys: KeyMap<PlaybackAction>) -> some View { environment(\.playerKeyMap, keys) }
}
