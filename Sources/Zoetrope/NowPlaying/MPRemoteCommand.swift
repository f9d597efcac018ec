import Foundation

/// What came of a command. MediaPlayer's numbers.
public enum MPRemoteCommandHandlerStatus: Int, Sendable {
    /// It was done.
    case success = 0
    /// What it asks for is not there; who asked is told that it failed, with this number.
    case noSuchContent = 100
    /// Nothing plays that it could be done to; who asked is told that it failed, with this number.
    case noActionableNowPlayingItem = 110
    /// A device it needs is not there; who asked is told that it failed, with this number.
    case deviceNotFound = 120
    /// It could not be done; who asked is told that it failed, with this number.
    case commandFailed = 200
}

/// Something that a desktop, a keyboard or a headset can ask of the app. MediaPlayer's class; main actor.
@MainActor @preconcurrency
public class MPRemoteCommand {
    /// What the app does for a command, and what came of it; called on the main actor.
    public typealias Handler = @MainActor (MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus
    private var targets: [(token: Token, handler: Handler)] = []
    var changed: (@MainActor () -> Void)?
    private final class Token {}
    init() {}

    /// Off: it is told as not possible, also where a player could do it by itself. Default true.
    public var isEnabled = true { didSet { if isEnabled != oldValue { changed?() } } }

    /// From now on the app does it, and no player by itself.
    /// - Returns: what `removeTarget` takes.
    @discardableResult
    public func addTarget(handler: @escaping Handler) -> Any {
        let token = Token()
        targets.append((token, handler))
        changed?()
        return token
    }

    /// nil: all of them.
    public func removeTarget(_ target: Any?) {
        let token = target as AnyObject?
        targets.removeAll { target == nil || $0.token === token }
        changed?()
    }

    var hasTargets: Bool { !targets.isEmpty }

    /// All targets are called, in the order they came; nil: there is none, or it is off.
    func send(_ event: MPRemoteCommandEvent) -> MPRemoteCommandHandlerStatus? {
        guard isEnabled, !targets.isEmpty else { return nil }
        let all = targets.map { $0.handler(event) }
        return all.first { $0 != .success } ?? .success
    }
}

/// Seconds to skip. (MPRIS asks for places, so the intervals are told to nobody.)
@MainActor @preconcurrency
public final class MPSkipIntervalCommand: MPRemoteCommand {
    /// Seconds; kept, and told to nobody.
    public var preferredIntervals: [NSNumber] = []
}
/// To go to a place; its event tells which.
@MainActor @preconcurrency
public final class MPChangePlaybackPositionCommand: MPRemoteCommand {}
/// The least and the greatest of the rates are told as the bounds.
@MainActor @preconcurrency
public final class MPChangePlaybackRateCommand: MPRemoteCommand {
    /// Factors, in any order; what is not above 0 is passed over, and 1 is always among them. None: 1 only.
    public var supportedPlaybackRates: [NSNumber] = [] { didSet { changed?() } }
}
/// To repeat one thing, all or nothing; its event tells which.
@MainActor @preconcurrency
public final class MPChangeRepeatModeCommand: MPRemoteCommand {
    /// What the desktop is told, where the command has a target. Default: `.off`.
    public var currentRepeatType = MPRepeatType.off { didSet { changed?() } }
}
/// To play in another order or not; its event tells which.
@MainActor @preconcurrency
public final class MPChangeShuffleModeCommand: MPRemoteCommand {
    /// What the desktop is told, on unless it is `.off`, where the command has a target. Default: `.off`.
    public var currentShuffleType = MPShuffleType.off { didSet { changed?() } }
}
/// MPRIS has no ratings: never sent.
@MainActor @preconcurrency
public final class MPRatingCommand: MPRemoteCommand {
    /// The bounds of a rating; kept, and told to nobody.
    public var minimumRating: Float = 0, maximumRating: Float = 1
}
/// MPRIS has none of these: never sent.
@MainActor @preconcurrency
public final class MPFeedbackCommand: MPRemoteCommand {
    /// Kept, and told to nobody. Default false.
    public var isActive = false
    /// Kept, and told to nobody. Default: empty.
    public var localizedTitle = "", localizedShortTitle = ""
}

/// What is repeated. MediaPlayer's numbers.
public enum MPRepeatType: Int, Sendable {
    /// Nothing.
    case off = 0
    /// The one thing that plays; the whole list.
    case one, all
}
/// What is played in another order. MediaPlayer's numbers.
public enum MPShuffleType: Int, Sendable {
    /// Nothing.
    case off = 0
    /// Single items; whole albums or lists, for which MPRIS has no word.
    case items, collections
}
/// Which end of a seek it is. MediaPlayer's numbers.
public enum MPSeekCommandEventType: UInt, Sendable {
    /// The key went down.
    case beginSeeking = 0
    /// The key came up.
    case endSeeking
}

// MARK: events

/// A command as it comes. Main actor.
@MainActor @preconcurrency
public class MPRemoteCommandEvent {
    /// Which command it was.
    public let command: MPRemoteCommand
    /// Seconds since the machine was started.
    public let timestamp: TimeInterval
    init(_ command: MPRemoteCommand) { (self.command, timestamp) = (command, MPNowPlayingInfoCenter.now) }
}
/// The event of an `MPChangePlaybackPositionCommand`. Main actor.
@MainActor @preconcurrency
public final class MPChangePlaybackPositionCommandEvent: MPRemoteCommandEvent {
    /// Seconds.
    public let positionTime: TimeInterval
    init(_ command: MPRemoteCommand, _ time: TimeInterval) {
        positionTime = time
        super.init(command)
    }
}
/// The event of an `MPChangePlaybackRateCommand`. Main actor.
@MainActor @preconcurrency
public final class MPChangePlaybackRateCommandEvent: MPRemoteCommandEvent {
    /// How many times as fast as normal.
    public let playbackRate: Float
    init(_ command: MPRemoteCommand, _ rate: Float) {
        playbackRate = rate
        super.init(command)
    }
}
/// The event of an `MPChangeRepeatModeCommand`. Main actor.
@MainActor @preconcurrency
public final class MPChangeRepeatModeCommandEvent: MPRemoteCommandEvent {
    /// What is to be repeated.
    public let repeatType: MPRepeatType
    /// MPRIS does not tell; true.
    public let preservesRepeatMode = true
    init(_ command: MPRemoteCommand, _ type: MPRepeatType) {
        repeatType = type
        super.init(command)
    }
}
/// The event of an `MPChangeShuffleModeCommand`. Main actor.
@MainActor @preconcurrency
public final class MPChangeShuffleModeCommandEvent: MPRemoteCommandEvent {
    /// `.items` or `.off`: MPRIS knows on and off only.
    public let shuffleType: MPShuffleType
    /// MPRIS does not tell; true.
    public let preservesShuffleMode = true
    init(_ command: MPRemoteCommand, _ type: MPShuffleType) {
        shuffleType = type
        super.init(command)
    }
}
/// The event of an `MPSkipIntervalCommand`. MPRIS asks for places, so none ever comes.
@MainActor @preconcurrency
public final class MPSkipIntervalCommandEvent: MPRemoteCommandEvent {
    /// Seconds.
    public let interval: TimeInterval
    init(_ command: MPRemoteCommand, _ interval: TimeInterval) {
        self.interval = interval
        super.init(command)
    }
}
/// The event of a seek that lasts as long as a key is held. MPRIS has none, so none ever comes.
@MainActor @preconcurrency
public final class MPSeekCommandEvent: MPRemoteCommandEvent {
    /// Whether it begins or ends.
    public let type: MPSeekCommandEventType
    init(_ command: MPRemoteCommand, _ type: MPSeekCommandEventType) {
        self.type = type
        super.init(command)
    }
}
/// The event of an `MPRatingCommand`. MPRIS has no ratings, so none ever comes.
@MainActor @preconcurrency
public final class MPRatingCommandEvent: MPRemoteCommandEvent {
    /// Between the command's `minimumRating` and `maximumRating`.
    public let rating: Float
    init(_ command: MPRemoteCommand, _ rating: Float) {
        self.rating = rating
        super.init(command)
    }
}
/// The event of an `MPFeedbackCommand`. MPRIS has none, so none ever comes.
@MainActor @preconcurrency
public final class MPFeedbackCommandEvent: MPRemoteCommandEvent {
    /// The opposite is meant: a like is taken back.
    public let isNegative: Bool
    init(_ command: MPRemoteCommand, _ isNegative: Bool) {
        self.isNegative = isNegative
        super.init(command)
    }
}
/// The event of a choice of language. MPRIS has none, so none ever comes.
@MainActor @preconcurrency
public final class MPChangeLanguageOptionCommandEvent: MPRemoteCommandEvent {
    /// The language that was chosen.
    public let languageOption: MPNowPlayingInfoLanguageOption
    init(_ command: MPRemoteCommand, _ option: MPNowPlayingInfoLanguageOption) {
        languageOption = option
        super.init(command)
    }
}
