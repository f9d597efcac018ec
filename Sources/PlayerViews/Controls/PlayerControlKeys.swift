import DeclarativeUI

/// Which keys do what controls do, for their tooltips: our own, or those that the window around has.
struct ControlKeyNames {
    let play, mute, fullScreen: String
    let back, forward, volume: String?
    static let own = ControlKeyNames(play: "K", mute: "M", fullScreen: "F", back: "J", forward: "L", volume: "↑ ↓")
    static let window = ControlKeyNames(
        play: "Space", mute: "M", fullScreen: "F", back: nil, forward: nil, volume: "↑ ↓")
}

extension PlayerStage {
    var keys: ControlKeyNames { hasOwnKeys ? .own : .window }
}

/// What keys do while one of a player's controls has the keyboard and has no use for them.
@MainActor
enum PlayerControlKeys {
    static func take(_ press: KeyPress, _ stage: PlayerStage, _ presence: ControlsPresence) -> KeyPress.Result {
        let transport = stage.transport
        guard stage.hasOwnKeys, press.modifiers.isDisjoint(with: [.control, .option, .command]) else { return .ignored }
        switch press.key {
        case .leftArrow where stage.allowsSeeking: transport.skip(-5)
        case .rightArrow where stage.allowsSeeking: transport.skip(5)
        case .upArrow: transport.setVolume(min(1, transport.volume + 0.05))
        case .downArrow: transport.setVolume(max(0, transport.volume - 0.05))
        case "k": transport.toggle()
        case "j" where stage.allowsSeeking: transport.skip(-10)
        case "l" where stage.allowsSeeking: transport.skip(10)
        case "m": transport.toggleMuted()
        case "f" where stage.allowsFullScreen: stage.toggleFullScreen()
        case "c": transport.options.toggleSubtitles()
        default: return .ignored
        }
        presence.show()
        return .handled
    }
}
