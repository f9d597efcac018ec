import DesktopServices
import Foundation

/// The commands that come from outside: media keys, headsets, a desktop's controls. MediaPlayer's class; main actor.
///
/// What has no target is done by the player that the desktop is told of, where it can.
@MainActor @preconcurrency
public final class MPRemoteCommandCenter {
    private static let common = MPRemoteCommandCenter()
    /// The app's own. Asking for it makes the desktop send commands here, unless a session is active.
    public class func shared() -> MPRemoteCommandCenter {
        AppNowPlaying.shared.activate()
        return common
    }
    /// Without any effect of asking for it.
    static var plain: MPRemoteCommandCenter { common }

    /// To pause, to play, to stop. Without a target `stopCommand` is `pauseCommand`.
    public let pauseCommand = MPRemoteCommand(), playCommand = MPRemoteCommand(), stopCommand = MPRemoteCommand()
    /// The one key for both; without a target it is `playCommand` or `pauseCommand`, by what plays now, and the other
    /// way round.
    public let togglePlayPauseCommand = MPRemoteCommand()
    /// To the next and the previous thing of a list.
    public let nextTrackCommand = MPRemoteCommand(), previousTrackCommand = MPRemoteCommand()
    /// To a place in what plays, seconds.
    public let changePlaybackPositionCommand = MPChangePlaybackPositionCommand()
    /// To another speed.
    public let changePlaybackRateCommand = MPChangePlaybackRateCommand()
    /// To repeat one thing, all or nothing.
    public let changeRepeatModeCommand = MPChangeRepeatModeCommand()
    /// To play in another order or not.
    public let changeShuffleModeCommand = MPChangeShuffleModeCommand()
    /// MPRIS does not ask for these: they are never sent.
    public let skipForwardCommand = MPSkipIntervalCommand(), skipBackwardCommand = MPSkipIntervalCommand()
    /// MPRIS does not ask for these: they are never sent.
    public let seekForwardCommand = MPRemoteCommand(), seekBackwardCommand = MPRemoteCommand()
    /// MPRIS does not ask for these: they are never sent.
    public let enableLanguageOptionCommand = MPRemoteCommand(), disableLanguageOptionCommand = MPRemoteCommand()
    /// MPRIS does not ask for it: it is never sent.
    public let ratingCommand = MPRatingCommand()
    /// MPRIS does not ask for these: they are never sent.
    public let likeCommand = MPFeedbackCommand(), dislikeCommand = MPFeedbackCommand(),
        bookmarkCommand = MPFeedbackCommand()

    init() {}
    var changed: (@MainActor () -> Void)? {
        didSet { for command in asked { command.changed = changed } }
    }
    private var asked: [MPRemoteCommand] {
        [
            pauseCommand, playCommand, stopCommand, togglePlayPauseCommand, nextTrackCommand, previousTrackCommand,
            changePlaybackPositionCommand,
            changePlaybackRateCommand, changeRepeatModeCommand, changeShuffleModeCommand,
        ]
    }

    /// What the app can do, over what a player can.
    func amend(_ playback: inout MPRISPlayback) {
        /// nil: the app has no say.
        func say(_ commands: MPRemoteCommand...) -> Bool? {
            if commands.contains(where: { $0.isEnabled && $0.hasTargets }) { return true }
            return commands.contains { !$0.isEnabled } ? false : nil
        }
        let play = say(playCommand, togglePlayPauseCommand)
        let pause = say(pauseCommand, togglePlayPauseCommand)
        if let play { playback.canPlay = play }
        if let pause { playback.canPause = pause }
        if let next = say(nextTrackCommand) { playback.canGoNext = next }
        if let previous = say(previousTrackCommand) { playback.canGoPrevious = previous }
        if let seek = say(changePlaybackPositionCommand) { playback.canSeek = seek }
        if say(changePlaybackRateCommand) == true {
            let rates = changePlaybackRateCommand.supportedPlaybackRates.map(\.doubleValue).filter {
                $0.isFinite && $0 > 0
            }
            playback.rates = min(1, rates.min() ?? 1)...max(1, rates.max() ?? 1)
        } else if say(changePlaybackRateCommand) == false {
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

    /// nil: the app has no say in it.
    func perform(_ command: MPRISCommand, isPlaying: Bool) -> Result<Void, BusError>? {
        switch command {
        case .play: first(playCommand, isPlaying ? nil : togglePlayPauseCommand)
        case .pause: first(pauseCommand, isPlaying ? togglePlayPauseCommand : nil)
        case .playPause: first(togglePlayPauseCommand, isPlaying ? pauseCommand : playCommand)
        case .stop: first(stopCommand, pauseCommand)
        case .next: first(nextTrackCommand)
        case .previous: first(previousTrackCommand)
        case .seek(let place):
            send(
                changePlaybackPositionCommand,
                MPChangePlaybackPositionCommandEvent(changePlaybackPositionCommand, Double(place) / 1e6))
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

    private func first(_ commands: MPRemoteCommand?...) -> Result<Void, BusError>? {
        for case let command? in commands {
            if let answer = send(command, MPRemoteCommandEvent(command)) { return answer }
        }
        return nil
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
