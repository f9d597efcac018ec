import Foundation

/// What came of a command. MediaPlayer's numbers.
public enum MPRemoteCommandHandlerStatus: Int, Sendable {
    /// It was done.
    case success = 0
    /// What was asked for is not there.
    case noSuchContent = 100
    /// Nothing plays that it could be done to.
    case noActionableNowPlayingItem = 110
    /// The device that it is about is not there.
    case deviceNotFound = 120
    /// It could not be done for another reason.
    case commandFailed = 200
}

/// Something that a desktop, a keyboard or a headset can ask of the app. MediaPlayer's class; main actor.
@MainActor @preconcurrency
public class MPRemoteCommand {
    /// What a target does with a command, on the main actor. The desktop is told of an error where it returns anything
    /// but `.success`.
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
/// To a place in what plays: MPRIS' `SetPosition`, and `Seek` from where it stands.
@MainActor @preconcurrency
public final class MPChangePlaybackPositionCommand: MPRemoteCommand {}
/// The least and the greatest of the rates are told as the bounds.
@MainActor @preconcurrency
public final class MPChangePlaybackRateCommand: MPRemoteCommand {
    /// The rates that may be asked for; none: any.
    public var supportedPlaybackRates: [NSNumber] = [] { didSet { changed?() } }
}
/// Over and over, once, or all: MPRIS' `LoopStatus`.
@MainActor @preconcurrency
public final class MPChangeRepeatModeCommand: MPRemoteCommand {
    /// What is so now: the app says so, and the desktop is told.
    public var currentRepeatType = MPRepeatType.off { didSet { changed?() } }
}
/// In any order, or as they come: MPRIS' `Shuffle`.
@MainActor @preconcurrency
public final class MPChangeShuffleModeCommand: MPRemoteCommand {
    /// What is so now: the app says so, and the desktop is told.
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
    /// Told to nobody.
    public var isActive = false
    /// Told to nobody.
    public var localizedTitle = "", localizedShortTitle = ""
}

/// What is repeated. MediaPlayer's type.
public enum MPRepeatType: Int, Sendable {
    /// Nothing.
    case off = 0
    /// The one item, or all of them.
    case one, all
}
/// What comes in any order. MediaPlayer's type.
public enum MPShuffleType: Int, Sendable {
    /// Nothing.
    case off = 0
    /// Items, or whole albums; MPRIS makes no difference.
    case items, collections
}
/// Whether a seek begins or ends. MediaPlayer's type; MPRIS asks for places, so that none is sent.
public enum MPSeekCommandEventType: UInt, Sendable {
    /// The button is held.
    case beginSeeking = 0
    /// The button was let go.
    case endSeeking
}

// MARK: events

/// A command as it comes. Main actor.
@MainActor @preconcurrency
public class MPRemoteCommandEvent {
    /// What it is an event of.
    public let command: MPRemoteCommand
    /// Seconds since the machine was started.
    public let timestamp: TimeInterval
    init(_ command: MPRemoteCommand) { (self.command, timestamp) = (command, MPNowPlayingInfoCenter.now) }
}
/// A place was asked for.
@MainActor @preconcurrency
public final class MPChangePlaybackPositionCommandEvent: MPRemoteCommandEvent {
    /// Seconds.
    public let positionTime: TimeInterval
    init(_ command: MPRemoteCommand, _ time: TimeInterval) {
        positionTime = time
        super.init(command)
    }
}
/// A rate was asked for.
@MainActor @preconcurrency
public final class MPChangePlaybackRateCommandEvent: MPRemoteCommandEvent {
    /// 1 is as recorded.
    public let playbackRate: Float
    init(_ command: MPRemoteCommand, _ rate: Float) {
        playbackRate = rate
        super.init(command)
    }
}
/// Repeating was asked for.
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
/// An order was asked for.
@MainActor @preconcurrency
public final class MPChangeShuffleModeCommandEvent: MPRemoteCommandEvent {
    /// What is to come in any order.
    public let shuffleType: MPShuffleType
    /// MPRIS does not tell; true.
    public let preservesShuffleMode = true
    init(_ command: MPRemoteCommand, _ type: MPShuffleType) {
        shuffleType = type
        super.init(command)
    }
}
/// A skip was asked for.
@MainActor @preconcurrency
public final class MPSkipIntervalCommandEvent: MPRemoteCommandEvent {
    /// Seconds.
    public let interval: TimeInterval
    init(_ command: MPRemoteCommand, _ interval: TimeInterval) {
        self.interval = interval
        super.init(command)
    }
}
/// A seek begins or ends; never sent.
@MainActor @preconcurrency
public final class MPSeekCommandEvent: MPRemoteCommandEvent {
    /// Which of the two.
    public let type: MPSeekCommandEventType
    init(_ command: MPRemoteCommand, _ type: MPSeekCommandEventType) {
        self.type = type
        super.init(command)
    }
}
/// A rating was given; never sent.
@MainActor @preconcurrency
public final class MPRatingCommandEvent: MPRemoteCommandEvent {
    /// Between the command's `minimumRating` and `maximumRating`.
    public let rating: Float
    init(_ command: MPRemoteCommand, _ rating: Float) {
        self.rating = rating
        super.init(command)
    }
}
/// It is liked, disliked or to be remembered; never sent.
@MainActor @preconcurrency
public final class MPFeedbackCommandEvent: MPRemoteCommandEvent {
    /// Taken back.
    public let isNegative: Bool
    init(_ command: MPRemoteCommand, _ isNegative: Bool) {
        self.isNegative = isNegative
        super.init(command)
    }
}
/// A language was chosen or left; never sent.
@MainActor @preconcurrency
public final class MPChangeLanguageOptionCommandEvent: MPRemoteCommandEvent {
    /// Which one.
    public let languageOption: MPNowPlayingInfoLanguageOption
    init(_ command: MPRemoteCommand, _ option: MPNowPlayingInfoLanguageOption) {
        languageOption = option
        super.init(command)
    }
}
