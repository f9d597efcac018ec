import Foundation

/// What came of a command. MediaPlayer's numbers.
public enum MPRemoteCommandHandlerStatus: Int, Sendable {
    case success = 0
    case noSuchContent = 100
    case noActionableNowPlayingItem = 110
    case deviceNotFound = 120
    case commandFailed = 200
}

/// Something that a desktop, a keyboard or a headset can ask of the app. MediaPlayer's class; main actor.
@MainActor @preconcurrency
public class MPRemoteCommand {
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
public final class MPSkipIntervalCommand: MPRemoteCommand { public var preferredIntervals: [NSNumber] = [] }
@MainActor @preconcurrency
public final class MPChangePlaybackPositionCommand: MPRemoteCommand {}
/// The least and the greatest of the rates are told as the bounds.
@MainActor @preconcurrency
public final class MPChangePlaybackRateCommand: MPRemoteCommand {
    public var supportedPlaybackRates: [NSNumber] = [] { didSet { changed?() } }
}
@MainActor @preconcurrency
public final class MPChangeRepeatModeCommand: MPRemoteCommand {
    public var currentRepeatType = MPRepeatType.off { didSet { changed?() } }
}
@MainActor @preconcurrency
public final class MPChangeShuffleModeCommand: MPRemoteCommand {
    public var currentShuffleType = MPShuffleType.off { didSet { changed?() } }
}
/// MPRIS has no ratings: never sent.
@MainActor @preconcurrency
public final class MPRatingCommand: MPRemoteCommand { public var minimumRating: Float = 0, maximumRating: Float = 1 }
/// MPRIS has none of these: never sent.
@MainActor @preconcurrency
public final class MPFeedbackCommand: MPRemoteCommand {
    public var isActive = false
    public var localizedTitle = "", localizedShortTitle = ""
}

public enum MPRepeatType: Int, Sendable {
    case off = 0
    case one, all
}
public enum MPShuffleType: Int, Sendable {
    case off = 0
    case items, collections
}
public enum MPSeekCommandEventType: UInt, Sendable {
    case beginSeeking = 0
    case endSeeking
}

// MARK: events

/// A command as it comes. Main actor.
@MainActor @preconcurrency
public class MPRemoteCommandEvent {
    public let command: MPRemoteCommand
    /// Seconds since the machine was started.
    public let timestamp: TimeInterval
    init(_ command: MPRemoteCommand) { (self.command, timestamp) = (command, MPNowPlayingInfoCenter.now) }
}
@MainActor @preconcurrency
public final class MPChangePlaybackPositionCommandEvent: MPRemoteCommandEvent {
    /// Seconds.
    public let positionTime: TimeInterval
    init(_ command: MPRemoteCommand, _ time: TimeInterval) {
        positionTime = time
        super.init(command)
    }
}
@MainActor @preconcurrency
public final class MPChangePlaybackRateCommandEvent: MPRemoteCommandEvent {
    public let playbackRate: Float
    init(_ command: MPRemoteCommand, _ rate: Float) {
        playbackRate = rate
        super.init(command)
    }
}
@MainActor @preconcurrency
public final class MPChangeRepeatModeCommandEvent: MPRemoteCommandEvent {
    public let repeatType: MPRepeatType
    /// MPRIS does not tell; true.
    public let preservesRepeatMode = true
    init(_ command: MPRemoteCommand, _ type: MPRepeatType) {
        repeatType = type
        super.init(command)
    }
}
@MainActor @preconcurrency
public final class MPChangeShuffleModeCommandEvent: MPRemoteCommandEvent {
    public let shuffleType: MPShuffleType
    public let preservesShuffleMode = true
    init(_ command: MPRemoteCommand, _ type: MPShuffleType) {
        shuffleType = type
        super.init(command)
    }
}
@MainActor @preconcurrency
public final class MPSkipIntervalCommandEvent: MPRemoteCommandEvent {
    /// Seconds.
    public let interval: TimeInterval
    init(_ command: MPRemoteCommand, _ interval: TimeInterval) {
        self.interval = interval
        super.init(command)
    }
}
@MainActor @preconcurrency
public final class MPSeekCommandEvent: MPRemoteCommandEvent {
    public let type: MPSeekCommandEventType
    init(_ command: MPRemoteCommand, _ type: MPSeekCommandEventType) {
        self.type = type
        super.init(command)
    }
}
@MainActor @preconcurrency
public final class MPRatingCommandEvent: MPRemoteCommandEvent {
    public let rating: Float
    init(_ command: MPRemoteCommand, _ rating: Float) {
        self.rating = rating
        super.init(command)
    }
}
@MainActor @preconcurrency
public final class MPFeedbackCommandEvent: MPRemoteCommandEvent {
    public let isNegative: Bool
    init(_ command: MPRemoteCommand, _ isNegative: Bool) {
        self.isNegative = isNegative
        super.init(command)
    }
}
@MainActor @preconcurrency
public final class MPChangeLanguageOptionCommandEvent: MPRemoteCommandEvent {
    public let languageOption: MPNowPlayingInfoLanguageOption
    init(_ command: MPRemoteCommand, _ option: MPNowPlayingInfoLanguageOption) {
        languageOption = option
        super.init(command)
    }
}
