import DesktopServices
import Foundation

/// The commands from outside the app: media keys, headsets and the desktop's controls. MediaPlayer's class.
///
/// ```swift
/// let center = MPRemoteCommandCenter.shared()
/// center.nextTrackCommand.addTarget { _ in
///     guard queue.canGo(by: 1) else { return .noSuchContent }
///     queue.go(by: 1)
///     return .success
/// }
/// ```
/// A command without a handler is carried out by the player that the desktop shows, if it can.
@MainActor @preconcurrency
public final class MPRemoteCommandCenter {
    private static let common = MPRemoteCommandCenter()
    /// Returns the app's center, which receives commands from then on unless a session is active.
    public class func shared() -> MPRemoteCommandCenter {
        AppNowPlaying.shared.activate()
        return common
    }
    /// The shared center. Unlike `shared()`, this property does not activate the center.
    static var plain: MPRemoteCommandCenter { common }

    /// The commands that pause, play and stop. If `stopCommand` is disabled or has no handler, `pauseCommand` is used.
    public let pauseCommand = MPRemoteCommand(), playCommand = MPRemoteCommand(), stopCommand = MPRemoteCommand()
    /// The command of the key that plays and pauses.
    ///
    /// If the command is disabled or has no handler, `playCommand` or `pauseCommand` is used, depending on whether the
    /// app plays. In the same way, this command is used for those two if they are disabled or have no handler. Disabling
    /// this command does not disable those two.
    public let togglePlayPauseCommand = MPRemoteCommand()
    /// The command that is used if `playCommand` or `pauseCommand` is disabled or has no handler; nil if it is disabled
    /// itself.
    private var substitute: MPRemoteCommand? { togglePlayPauseCommand.isEnabled ? togglePlayPauseCommand : nil }
    /// The commands that go to the next and the previous item of a list.
    public let nextTrackCommand = MPRemoteCommand(), previousTrackCommand = MPRemoteCommand()
    /// The command that seeks to a position, in seconds.
    public let changePlaybackPositionCommand = MPChangePlaybackPositionCommand()
    /// The command that changes the playback rate.
    public let changePlaybackRateCommand = MPChangePlaybackRateCommand()
    /// The command that changes the repeat mode.
    public let changeRepeatModeCommand = MPChangeRepeatModeCommand()
    /// The command that turns shuffling on or off.
    public let changeShuffleModeCommand = MPChangeShuffleModeCommand()
    /// The commands that skip a number of seconds. They are never received; see `MPSkipIntervalCommand`.
    public let skipForwardCommand = MPSkipIntervalCommand(), skipBackwardCommand = MPSkipIntervalCommand()
    /// The commands that seek while a key is held. They are never received, because MPRIS has no such commands.
    public let seekForwardCommand = MPRemoteCommand(), seekBackwardCommand = MPRemoteCommand()
    /// The commands that select a language. They are never received, because MPRIS has no such commands.
    public let enableLanguageOptionCommand = MPRemoteCommand(), disableLanguageOptionCommand = MPRemoteCommand()
    /// The command that rates the current track. It is never received, because MPRIS has no ratings.
    public let ratingCommand = MPRatingCommand()
    /// The commands for feedback on the current track. They are never received, because MPRIS has no such commands.
    public let likeCommand = MPFeedbackCommand(), dislikeCommand = MPFeedbackCommand(),
        bookmarkCommand = MPFeedbackCommand()

    init() {}
    var changed: (@MainActor () -> Void)? {
        didSet { for command in supportedCommands { command.changed = changed } }
    }
    private var supportedCommands: [MPRemoteCommand] {
        [
            pauseCommand, playCommand, stopCommand, togglePlayPauseCommand, nextTrackCommand, previousTrackCommand,
            changePlaybackPositionCommand,
            changePlaybackRateCommand, changeRepeatModeCommand, changeShuffleModeCommand,
        ]
    }

    /// Replaces the abilities that a player reports with those of the app's commands.
    func amend(_ playback: inout MPRISPlayback) {
        /// Returns whether the app supports one of `commands`; nil if the player decides.
        func availability(_ commands: MPRemoteCommand?...) -> Bool? {
            let commands = commands.compactMap { $0 }
            if commands.contains(where: { $0.isEnabled && $0.hasTargets }) { return true }
            return commands.contains { !$0.isEnabled } ? false : nil
        }
        let play = availability(playCommand, substitute)
        let pause = availability(pauseCommand, substitute)
        if let play { playback.canPlay = play }
        if let pause { playback.canPause = pause }
        if let next = availability(nextTrackCommand) { playback.canGoNext = next }
        if let previous = availability(previousTrackCommand) { playback.canGoPrevious = previous }
        if let seek = availability(changePlaybackPositionCommand) { playback.canSeek = seek }
        if availability(changePlaybackRateCommand) == true {
            let rates = changePlaybackRateCommand.supportedPlaybackRates.map(\.doubleValue).filter {
                $0.isFinite && $0 > 0
            }
            playback.rates = min(1, rates.min() ?? 1)...max(1, rates.max() ?? 1)
        } else if availability(changePlaybackRateCommand) == false {
            playback.rates = 1...1
        }
        if changeRepeatModeCommand.hasTargets {
            let status: MPRIS.LoopStatus =
                switch changeRepeatModeCommand.currentRepeatType {
                case .off: .none
                case .one: .track
                case .all: .playlist
                }
            playback.loop = status
        }
        if changeShuffleModeCommand.hasTargets {
            playback.shuffle = changeShuffleModeCommand.currentShuffleType != .off
        }
    }

    /// Sends a command to the app's handlers.
    /// - Returns: The result; nil if the app has neither handled nor disabled the command, so that the player must
    ///   carry it out.
    func perform(_ command: MPRISCommand, isPlaying: Bool) -> Result<Void, BusError>? {
        switch command {
        case .play: first(playCommand, isPlaying ? nil : substitute)
        case .pause: first(pauseCommand, isPlaying ? substitute : nil)
        case .playPause: first(togglePlayPauseCommand, isPlaying ? pauseCommand : playCommand)
        case .stop: first(stopCommand, pauseCommand)
        case .next: first(nextTrackCommand)
        case .previous: first(previousTrackCommand)
        case .seek(let position):
            send(
                changePlaybackPositionCommand,
                MPChangePlaybackPositionCommandEvent(changePlaybackPositionCommand, Double(position) / 1e6))
        case .setRate(let rate):
            send(changePlaybackRateCommand, MPChangePlaybackRateCommandEvent(changePlaybackRateCommand, Float(rate)))
        case .setLoop(let status):
            send(
                changeRepeatModeCommand,
                MPChangeRepeatModeCommandEvent(
                    changeRepeatModeCommand, status == .none ? .off : status == .track ? .one : .all))
        case .setShuffle(let isOn):
            send(
                changeShuffleModeCommand,
                MPChangeShuffleModeCommandEvent(changeShuffleModeCommand, isOn ? .items : .off))
        default: nil
        }
    }

    /// Sends the first command that is enabled and has a handler; if there is none, the first one that is disabled.
    private func first(_ commands: MPRemoteCommand?...) -> Result<Void, BusError>? {
        let commands = commands.compactMap { $0 }
        let command = commands.first { $0.isEnabled && $0.hasTargets } ?? commands.first { !$0.isEnabled }
        return command.flatMap { send($0, MPRemoteCommandEvent($0)) }
    }

    private func send(_ command: MPRemoteCommand, _ event: MPRemoteCommandEvent) -> Result<Void, BusError>? {
        guard command.hasTargets || !command.isEnabled else { return nil }
        switch command.send(event) {
        case .success?: return .success(())
        case nil: return .failure(.unsupported("The app does not support this command at the moment."))
        case let status?:
            return .failure(
                BusError(
                    "org.freedesktop.DBus.Error.Failed",
                    "The app failed to carry out the command (MPRemoteCommandHandlerStatus \(status.rawValue))."))
        }
    }
}
