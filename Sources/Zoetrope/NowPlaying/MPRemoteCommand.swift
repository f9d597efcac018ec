import Foundation

/// The result of a command. MediaPlayer's numbers.
public enum MPRemoteCommandHandlerStatus: Int, Sendable {
    /// The command was carried out.
    case success = 0
    /// The requested content does not exist. The sender of the command receives an error with this number.
    case noSuchContent = 100
    /// No current item can carry out the command. The sender of the command receives an error with this number.
    case noActionableNowPlayingItem = 110
    /// A required device was not found. The sender of the command receives an error with this number.
    case deviceNotFound = 120
    /// The command failed. The sender of the command receives an error with this number.
    case commandFailed = 200
}

/// A command that a desktop, a keyboard or a headset can send to the app. MediaPlayer's class.
@MainActor @preconcurrency
public class MPRemoteCommand {
    /// A function that carries out a command and returns the result. It is called on the main actor.
    public typealias Handler = @MainActor (MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus
    private var targets: [(token: Token, handler: Handler)] = []
    var changed: (@MainActor () -> Void)?
    private final class Token {}
    init() {}

    /// Whether the command is available. Default: true.
    ///
    /// A disabled command is reported as unavailable, even if a player could carry it out itself.
    public var isEnabled = true { didSet { if isEnabled != oldValue { changed?() } } }

    /// Adds a handler, which carries out the command from now on instead of a player.
    ///
    /// All handlers of a command are called, in the order in which they were added. The sender of the command receives
    /// the first result that is not `.success`.
    /// - Returns: A token for `removeTarget(_:)`.
    @discardableResult
    public func addTarget(handler: @escaping Handler) -> Any {
        let token = Token()
        targets.append((token, handler))
        changed?()
        return token
    }

    /// Removes a handler.
    /// - Parameter target: The token that `addTarget(handler:)` returned; nil removes all handlers.
    public func removeTarget(_ target: Any?) {
        let token = target as AnyObject?
        targets.removeAll { target == nil || $0.token === token }
        changed?()
    }

    var hasTargets: Bool { !targets.isEmpty }

    /// Calls all handlers in the order in which they were added.
    /// - Returns: The first result that is not a success; nil if there is no handler or the command is disabled.
    func send(_ event: MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus? {
        guard isEnabled, !targets.isEmpty else { return nil }
        let all = targets.map { $0.handler(event) }
        return all.first { $0 != .success } ?? .success
    }
}

/// A command that skips a number of seconds. It is never received: a relative seek from the desktop is sent to
/// `MPRemoteCommandCenter.changePlaybackPositionCommand` as a position.
@MainActor @preconcurrency
public final class MPSkipIntervalCommand: MPRemoteCommand {
    /// The preferred intervals in seconds. They are not published, because MPRIS has no field for them.
    public var preferredIntervals: [NSNumber] = []
}
/// A command that seeks to a position. Its event contains the requested position.
///
/// ```swift
/// MPRemoteCommandCenter.shared().changePlaybackPositionCommand.addTarget { event in
///     guard let event = event as? MPChangePlaybackPositionCommandEvent else { return .commandFailed }
///     player.seek(to: CMTime(seconds: event.positionTime, preferredTimescale: 600))
///     return .success
/// }
/// ```
@MainActor @preconcurrency
public final class MPChangePlaybackPositionCommand: MPRemoteCommand {}
/// A command that changes the playback rate. The lowest and the highest supported rate are published as the limits.
@MainActor @preconcurrency
public final class MPChangePlaybackRateCommand: MPRemoteCommand {
    /// The supported playback rates, in any order. Rates of 0 or less are ignored, and 1 is always supported.
    public var supportedPlaybackRates: [NSNumber] = [] { didSet { changed?() } }
}
/// A command that changes the repeat mode. Its event contains the requested mode.
@MainActor @preconcurrency
public final class MPChangeRepeatModeCommand: MPRemoteCommand {
    /// The current repeat type. Default: `.off`. It is published if the command has a handler.
    public var currentRepeatType = MPRepeatType.off { didSet { changed?() } }
}
/// A command that turns shuffling on or off. Its event contains the requested mode.
@MainActor @preconcurrency
public final class MPChangeShuffleModeCommand: MPRemoteCommand {
    /// The current shuffle type. Default: `.off`. If the command has a handler, any other value is published as on.
    public var currentShuffleType = MPShuffleType.off { didSet { changed?() } }
}
/// A command that rates the current track. It is never received, because MPRIS has no ratings.
@MainActor @preconcurrency
public final class MPRatingCommand: MPRemoteCommand {
    /// The limits of a rating. They are not published.
    public var minimumRating: Float = 0, maximumRating: Float = 1
}
/// A command that likes, dislikes or bookmarks the current track. It is never received, because MPRIS has no such
/// commands.
@MainActor @preconcurrency
public final class MPFeedbackCommand: MPRemoteCommand {
    /// Whether the command's feedback is active. Default: false. The value is not published.
    public var isActive = false
    /// The localized titles. Default: empty. They are not published.
    public var localizedTitle = "", localizedShortTitle = ""
}

/// A repeat mode. MediaPlayer's numbers.
public enum MPRepeatType: Int, Sendable {
    /// Repeats nothing.
    case off = 0
    /// Repeats the current track; repeats the whole list.
    case one, all
}
/// A shuffle mode. MediaPlayer's numbers.
public enum MPShuffleType: Int, Sendable {
    /// Plays in the order of the list.
    case off = 0
    /// Shuffles single items; shuffles whole albums or lists, which MPRIS does not distinguish from single items.
    case items, collections
}
/// The phase of a seek. MediaPlayer's numbers.
public enum MPSeekCommandEventType: UInt, Sendable {
    /// The key was pressed.
    case beginSeeking = 0
    /// The key was released.
    case endSeeking
}

// MARK: events

/// The event with which a command is received.
@MainActor @preconcurrency
public class MPRemoteCommandEvent {
    /// The command that was received.
    public let command: MPRemoteCommand
    /// The time of the event, in seconds since the computer was started.
    public let timestamp: TimeInterval
    init(_ command: MPRemoteCommand) { (self.command, timestamp) = (command, MPNowPlayingInfoCenter.now) }
}
/// The event of an `MPChangePlaybackPositionCommand`.
@MainActor @preconcurrency
public final class MPChangePlaybackPositionCommandEvent: MPRemoteCommandEvent {
    /// The requested position, in seconds.
    public let positionTime: TimeInterval
    init(_ command: MPRemoteCommand, _ time: TimeInterval) {
        positionTime = time
        super.init(command)
    }
}
/// The event of an `MPChangePlaybackRateCommand`.
@MainActor @preconcurrency
public final class MPChangePlaybackRateCommandEvent: MPRemoteCommandEvent {
    /// The requested playback rate; 1 is the normal speed.
    public let playbackRate: Float
    init(_ command: MPRemoteCommand, _ rate: Float) {
        playbackRate = rate
        super.init(command)
    }
}
/// The event of an `MPChangeRepeatModeCommand`.
@MainActor @preconcurrency
public final class MPChangeRepeatModeCommandEvent: MPRemoteCommandEvent {
    /// The requested repeat mode.
    public let repeatType: MPRepeatType
    /// Whether the mode is kept for later. Always true, because MPRIS does not report it.
    public let preservesRepeatMode = true
    init(_ command: MPRemoteCommand, _ type: MPRepeatType) {
        repeatType = type
        super.init(command)
    }
}
/// The event of an `MPChangeShuffleModeCommand`.
@MainActor @preconcurrency
public final class MPChangeShuffleModeCommandEvent: MPRemoteCommandEvent {
    /// The requested shuffle mode: `.items` or `.off`, because MPRIS only knows on and off.
    public let shuffleType: MPShuffleType
    /// Whether the mode is kept for later. Always true, because MPRIS does not report it.
    public let preservesShuffleMode = true
    init(_ command: MPRemoteCommand, _ type: MPShuffleType) {
        shuffleType = type
        super.init(command)
    }
}
/// The event of an `MPSkipIntervalCommand`. It is never received; see `MPSkipIntervalCommand`.
@MainActor @preconcurrency
public final class MPSkipIntervalCommandEvent: MPRemoteCommandEvent {
    /// The requested interval, in seconds.
    public let interval: TimeInterval
    init(_ command: MPRemoteCommand, _ interval: TimeInterval) {
        self.interval = interval
        super.init(command)
    }
}
/// The event of a seek that lasts while a key is held. It is never received, because MPRIS has no such seek.
@MainActor @preconcurrency
public final class MPSeekCommandEvent: MPRemoteCommandEvent {
    /// Whether the seek begins or ends.
    public let type: MPSeekCommandEventType
    init(_ command: MPRemoteCommand, _ type: MPSeekCommandEventType) {
        self.type = type
        super.init(command)
    }
}
/// The event of an `MPRatingCommand`. It is never received, because MPRIS has no ratings.
@MainActor @preconcurrency
public final class MPRatingCommandEvent: MPRemoteCommandEvent {
    /// The rating, from `minimumRating` to `maximumRating` of the command.
    public let rating: Float
    init(_ command: MPRemoteCommand, _ rating: Float) {
        self.rating = rating
        super.init(command)
    }
}
/// The event of an `MPFeedbackCommand`. It is never received, because MPRIS has no such commands.
@MainActor @preconcurrency
public final class MPFeedbackCommandEvent: MPRemoteCommandEvent {
    /// Whether the event removes earlier feedback, such as a like.
    public let isNegative: Bool
    init(_ command: MPRemoteCommand, _ isNegative: Bool) {
        self.isNegative = isNegative
        super.init(command)
    }
}
/// The event of a command that selects a language. It is never received, because MPRIS has no such command.
@MainActor @preconcurrency
public final class MPChangeLanguageOptionCommandEvent: MPRemoteCommandEvent {
    /// The selected language.
    public let languageOption: MPNowPlayingInfoLanguageOption
    init(_ command: MPRemoteCommand, _ option: MPNowPlayingInfoLanguageOption) {
        languageOption = option
        super.init(command)
    }
}
