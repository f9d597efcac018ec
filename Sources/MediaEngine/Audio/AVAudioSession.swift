import Foundation
import Synchronization

/// The program's sound as a whole, after AVFoundation's class of that name. Any thread.
///
/// A sound server needs none of what a session asks for on a phone: category, mode, options and whether it is active
/// are kept, and change nothing. What the server tells (a call cut in, sound went to another device) comes as
/// notifications, on the main thread; players pause for an interruption and go on by themselves
/// (`AVPlayer.isInterrupted`).
public final class AVAudioSession: Sendable {
    public struct Category: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
        public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
        public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
        public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
        public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
        public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
    }

    public struct Mode: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
        public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
        public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
        public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
        public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
        public static let voicePrompt = Mode(rawValue: "AVAudioSessionModeVoicePrompt")
        public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")
        public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
        public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
    }

    public struct CategoryOptions: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let mixWithOthers = CategoryOptions(rawValue: 1)
        public static let duckOthers = CategoryOptions(rawValue: 2)
        public static let allowBluetooth = CategoryOptions(rawValue: 4)
        public static let defaultToSpeaker = CategoryOptions(rawValue: 8)
        public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 17)
        public static let allowBluetoothA2DP = CategoryOptions(rawValue: 32)
        public static let allowAirPlay = CategoryOptions(rawValue: 64)
        public static let overrideMutedMicrophoneInterruption = CategoryOptions(rawValue: 128)
    }

    public enum RouteSharingPolicy: UInt, Sendable {
        case `default` = 0
        case longFormAudio = 1
        case independent = 2
        case longFormVideo = 3
    }

    public struct SetActiveOptions: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
    }

    public enum InterruptionType: UInt, Sendable {
        case ended = 0
        case began = 1
    }

    public struct InterruptionOptions: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Playing may go on.
        public static let shouldResume = InterruptionOptions(rawValue: 1)
    }

    public enum RouteChangeReason: UInt, Sendable {
        /// Sound went to another device; the server does not tell why.
        case unknown = 0
        /// There is a device again.
        case newDeviceAvailable = 1
        /// The device, or the sound server, went away.
        case oldDeviceUnavailable = 2
        case categoryChange = 3
        case override = 4
        case wakeFromSleep = 6
        case noSuitableRouteForCategory = 7
        case routeConfigurationChange = 8
    }

    /// Posted with the session as object when players are interrupted (once, however many play), and when that is over.
    /// `userInfo` has `AVAudioSessionInterruptionTypeKey`, and at the end `AVAudioSessionInterruptionOptionKey`; raw
    /// values, `UInt`.
    public static let interruptionNotification = Notification.Name("AVAudioSessionInterruptionNotification")
    /// Posted with the session as object when players' sound goes to another device (once, however many play).
    /// `userInfo` has `AVAudioSessionRouteChangeReasonKey`; raw value, `UInt`.
    public static let routeChangeNotification = Notification.Name("AVAudioSessionRouteChangeNotification")

    private static let shared = AVAudioSession()
    public static func sharedInstance() -> AVAudioSession { shared }

    private struct State {
        var category = Category.soloAmbient
        var mode = Mode.default
        var options: CategoryOptions = []
        var policy = RouteSharingPolicy.default
        /// Why sound went elsewhere; told in the next turn, so that several players' news are one.
        var route: RouteChangeReason?
        var interrupted: Set<ObjectIdentifier> = []
    }
    private let state = Mutex(State())

    init() {}

    public var category: Category { state.withLock { $0.category } }
    public var mode: Mode { state.withLock { $0.mode } }
    public var categoryOptions: CategoryOptions { state.withLock { $0.options } }
    public var routeSharingPolicy: RouteSharingPolicy { state.withLock { $0.policy } }

    /// Never throws.
    public func setCategory(_ category: Category) throws { try setCategory(category, mode: .default, options: []) }
    public func setCategory(_ category: Category, options: CategoryOptions = []) throws {
        try setCategory(category, mode: mode, options: options)
    }
    public func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
        try setCategory(category, mode: mode, policy: .default, options: options)
    }
    public func setCategory(_ category: Category, mode: Mode, policy: RouteSharingPolicy, options: CategoryOptions = [])
        throws
    {
        state.withLock { ($0.category, $0.mode, $0.policy, $0.options) = (category, mode, policy, options) }
    }
    public func setMode(_ mode: Mode) throws { state.withLock { $0.mode = mode } }
    /// Never throws, and stops nobody: players play and pause as they are told.
    public func setActive(_ active: Bool, options: SetActiveOptions = []) throws {}

    // MARK: from the players, on the main actor

    /// `resumes`: whoever was playing may go on.
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
            let told = state.withLock { state in
                defer { state.route = nil }
                return state.route
            }
            guard let told else { return }
            NotificationCenter.default.post(
                name: AVAudioSession.routeChangeNotification, object: self,
                userInfo: [AVAudioSessionRouteChangeReasonKey: told.rawValue])
        }
    }
}

/// `AVAudioSession.InterruptionType`'s raw value.
public let AVAudioSessionInterruptionTypeKey = "AVAudioSessionInterruptionTypeKey"
/// `AVAudioSession.InterruptionOptions`' raw value.
public let AVAudioSessionInterruptionOptionKey = "AVAudioSessionInterruptionOptionKey"
/// `AVAudioSession.RouteChangeReason`'s raw value.
public let AVAudioSessionRouteChangeReasonKey = "AVAudioSessionRouteChangeReasonKey"
