import Foundation
import Synchronization

/// The audio session of the program, with the API of AVFoundation's class of that name. Thread-safe.
///
/// Code for Apple’s platforms compiles unchanged:
/// ```swift
/// let session = AVAudioSession.sharedInstance()
/// try session.setCategory(.playback, mode: .moviePlayback)
/// try session.setActive(true)
/// ```
/// On Linux, the audio server needs no session. Category, mode, options and policy are stored but have no effect.
/// Activation does nothing. Events of the server (an interruption by a call, another output device) are posted as
/// notifications on the main thread. Players pause during an interruption, and most resume by
/// themselves (`AVPlayer.isInterrupted` tells when).
public final class AVAudioSession: Sendable {
    /// The kind of audio that a program plays or records. Stored so that it can be read; audio servers do not use it.
    public struct Category: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Audio that mixes with that of other programs. Has no effect.
        public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
        /// Audio that silences other programs. The default of a session. Has no effect.
        public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
        /// Audio that is central to the program. Has no effect.
        public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
        /// Recording. Has no effect.
        public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
        /// Recording and playback. Has no effect.
        public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
        /// Several output devices at the same time. Has no effect.
        public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
    }

    /// A more specific purpose of the audio in a category. Stored so that it can be read; it has no effect.
    public struct Mode: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        /// No specific use. The default of a session.
        public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
        /// Playback of movies. Has no effect.
        public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
        /// Playback of speech, such as audiobooks. Has no effect.
        public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
        /// Video calls. Has no effect.
        public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
        /// Voice calls. Has no effect.
        public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
        /// Short voice prompts. Has no effect.
        public static let voicePrompt = Mode(rawValue: "AVAudioSessionModeVoicePrompt")
        /// Voice chat in games. Has no effect.
        public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")
        /// Video recording. Has no effect.
        public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
        /// Audio with minimal signal processing. Has no effect.
        public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
    }

    /// The behavior toward the audio of other programs. Stored so that it can be read; audio servers mix all audio.
    public struct CategoryOptions: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Mixes with the audio of other programs. Audio servers always do.
        public static let mixWithOthers = CategoryOptions(rawValue: 1)
        /// Lowers the volume of other programs. Has no effect.
        public static let duckOthers = CategoryOptions(rawValue: 2)
        /// Allows calls on a headset. Has no effect: the desktop's settings decide.
        public static let allowBluetooth = CategoryOptions(rawValue: 4)
        /// Plays calls on the loudspeaker. Has no effect: the desktop's settings decide.
        public static let defaultToSpeaker = CategoryOptions(rawValue: 8)
        /// Pauses the speech of other programs. Has no effect.
        public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 17)
        /// Allows playback on Bluetooth loudspeakers. Has no effect: the desktop's settings decide.
        public static let allowBluetoothA2DP = CategoryOptions(rawValue: 32)
        /// Allows playback on cast devices. Has no effect: see `AVPlayer.allowsExternalPlayback`.
        public static let allowAirPlay = CategoryOptions(rawValue: 64)
        /// Continues recording while the microphone is muted. Has no effect.
        public static let overrideMutedMicrophoneInterruption = CategoryOptions(rawValue: 128)
    }

    /// The output route of long-form media. Stored so that it can be read; it has no effect.
    public enum RouteSharingPolicy: UInt, Sendable {
        /// The route of all other audio. The default of a session.
        case `default` = 0
        /// The route that the user chose for music and audiobooks.
        case longFormAudio = 1
        /// The route that the program chooses.
        case independent = 2
        /// The route that the user chose for movies.
        case longFormVideo = 3
    }

    /// The options for activating or deactivating a session.
    public struct SetActiveOptions: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Notifies other programs that they can resume. Has no effect.
        public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
    }

    /// The start or end of an interruption. `userInfo` contains its raw value for `AVAudioSessionInterruptionTypeKey`.
    public enum InterruptionType: UInt, Sendable {
        /// The interruption ended.
        case ended = 0
        /// Another program, such as a call, interrupted the audio.
        case began = 1
    }

    /// The options at the end of an interruption. `userInfo` contains their raw value for
    /// `AVAudioSessionInterruptionOptionKey`.
    public struct InterruptionOptions: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Playback can resume.
        public static let shouldResume = InterruptionOptions(rawValue: 1)
    }

    /// The reason for a change of the output device. `userInfo` contains its raw value for
    /// `AVAudioSessionRouteChangeReasonKey`. Only `.unknown`, `.newDeviceAvailable` and `.oldDeviceUnavailable` are
    /// reported.
    public enum RouteChangeReason: UInt, Sendable {
        /// The audio plays on another device, for an unknown reason.
        case unknown = 0
        /// The output device or the audio server is available again.
        case newDeviceAvailable = 1
        /// The output device or the audio server is no longer available.
        case oldDeviceUnavailable = 2
        /// The category changed. Never reported.
        case categoryChange = 3
        /// The route was overridden. Never reported.
        case override = 4
        /// The device woke from sleep. Never reported.
        case wakeFromSleep = 6
        /// No route is suitable for the category. Never reported.
        case noSuitableRouteForCategory = 7
        /// The configuration of the route changed. Never reported.
        case routeConfigurationChange = 8
    }

    /// A notification that the players of the process are interrupted, or that the interruption has ended. Posted on
    /// the main thread, once for all players.
    ///
    /// ```swift
    /// let interruptions = NotificationCenter.default.notifications(
    ///     named: AVAudioSession.interruptionNotification)
    /// for await notification in interruptions {
    ///     let type = notification.userInfo?[AVAudioSessionInterruptionTypeKey] as? UInt
    ///     isInterrupted = type == AVAudioSession.InterruptionType.began.rawValue
    /// }
    /// ```
    /// The object is the session. `userInfo` contains `AVAudioSessionInterruptionTypeKey`, and at the end
    /// `AVAudioSessionInterruptionOptionKey`, with raw values of type `UInt`.
    public static let interruptionNotification = Notification.Name("AVAudioSessionInterruptionNotification")
    /// A notification that the audio of the players changes to another device. Posted on the main thread, once for all
    /// players.
    ///
    /// ```swift
    /// let changes = NotificationCenter.default.notifications(named: AVAudioSession.routeChangeNotification)
    /// for await change in changes {
    ///     let reason = change.userInfo?[AVAudioSessionRouteChangeReasonKey] as? UInt
    ///     if reason == AVAudioSession.RouteChangeReason.oldDeviceUnavailable.rawValue { player.pause() }
    /// }
    /// ```
    /// The object is the session. `userInfo` contains `AVAudioSessionRouteChangeReasonKey`, with a raw value of type
    /// `UInt`.
    public static let routeChangeNotification = Notification.Name("AVAudioSessionRouteChangeNotification")

    private static let shared = AVAudioSession()
    /// Returns the session of the process.
    public static func sharedInstance() -> AVAudioSession { shared }

    private struct State {
        var category = Category.soloAmbient
        var mode = Mode.default
        var options: CategoryOptions = []
        var policy = RouteSharingPolicy.default
        /// The reason for a route change that has not been posted yet. It is posted later on the main queue, so that
        /// the changes of several players become one notification.
        var route: RouteChangeReason?
        var interrupted: Set<ObjectIdentifier> = []
        var volume = SessionVolume()
    }
    private let state = Mutex(State())

    init() {}

    /// The category that was set last; initially `.soloAmbient`.
    public var category: Category { state.withLock { $0.category } }
    /// The mode that was set last; initially `.default`.
    public var mode: Mode { state.withLock { $0.mode } }
    /// The options that were set last; initially empty.
    public var categoryOptions: CategoryOptions { state.withLock { $0.options } }
    /// The policy that was set last; initially `.default`.
    public var routeSharingPolicy: RouteSharingPolicy { state.withLock { $0.policy } }

    /// Sets the category. Resets the mode and the policy to `.default`, and removes all options. Never throws.
    public func setCategory(_ category: Category) throws { try setCategory(category, mode: .default, options: []) }
    /// Sets the category and the options, and keeps the mode. Resets the policy to `.default`. Never throws.
    public func setCategory(_ category: Category, options: CategoryOptions = []) throws {
        try setCategory(category, mode: mode, options: options)
    }
    /// Sets the category, the mode and the options. Resets the policy to `.default`. Never throws.
    public func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
        try setCategory(category, mode: mode, policy: .default, options: options)
    }
    /// Sets the category, the mode, the policy and the options. None of them affects the audio. Never throws.
    public func setCategory(_ category: Category, mode: Mode, policy: RouteSharingPolicy, options: CategoryOptions = [])
        throws
    {
        state.withLock { ($0.category, $0.mode, $0.policy, $0.options) = (category, mode, policy, options) }
    }
    /// Sets the mode. Never throws.
    public func setMode(_ mode: Mode) throws { state.withLock { $0.mode = mode } }
    /// Does nothing. Players play and pause independently of the session. Never throws.
    public func setActive(_ active: Bool, options: SetActiveOptions = []) throws {}

    /// The volume of the player that has started last.
    package var sessionVolume: SessionVolume { state.withLock { $0.volume } }

    // MARK: calls from players, on the main actor

    /// Takes the volume of the player that has started last, and notifies observers if it has changed.
    @MainActor
    func volumeMayHaveChanged() {
        let new =
            AVPlayer.sessionPlayer.map { SessionVolume(level: $0.outputVolume, hasPlayer: true) } ?? SessionVolume()
        let hasChanged = state.withLock { state in
            defer { state.volume = new }
            return state.volume != new
        }
        if hasChanged { keyPathObservers.objectDidChange() }
    }

    /// Records the start or end of an interruption of `player`. Posts a notification when the first player is
    /// interrupted, and when no player is interrupted any more.
    ///
    /// - Parameter resumes: Whether playback can resume.
    @MainActor
    func interruption(_ type: InterruptionType, of player: ObjectIdentifier, resumes: Bool = true) {
        let isNews = state.withLock { state in
            let before = state.interrupted.isEmpty
            if type == .began { state.interrupted.insert(player) } else { state.interrupted.remove(player) }
            return before != state.interrupted.isEmpty
        }
        guard isNews else { return }
        var info: [String: Any] = [AVAudioSessionInterruptionTypeKey: type.rawValue]
        if type == .ended {
            info[AVAudioSessionInterruptionOptionKey] = (resumes ? InterruptionOptions.shouldResume : []).rawValue
        }
        NotificationCenter.default.post(name: AVAudioSession.interruptionNotification, object: self, userInfo: info)
    }

    @MainActor
    func routeChanged(_ reason: RouteChangeReason) {
        let isFirst = state.withLock { state in
            defer { state.route = reason }
            return state.route == nil
        }
        guard isFirst else { return }
        DispatchQueue.main.async { [self] in
            let reason = state.withLock { state in
                defer { state.route = nil }
                return state.route
            }
            guard let reason else { return }
            NotificationCenter.default.post(
                name: AVAudioSession.routeChangeNotification, object: self,
                userInfo: [AVAudioSessionRouteChangeReasonKey: reason.rawValue])
        }
    }
}

/// The key of an interruption's type in `userInfo`: the raw value of an `AVAudioSession.InterruptionType`.
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
/// The key of an interruption's options in `userInfo`: the raw value of `AVAudioSession.InterruptionOptions`.
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
/// The key of a route change's reason in `userInfo`: the raw value of an `AVAudioSession.RouteChangeReason`.
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
