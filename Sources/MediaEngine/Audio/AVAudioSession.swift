import Foundation
import Synchronization

/// The program's sound as a whole, after AVFoundation's class of that name. Any thread.
///
/// A sound server needs none of what a session asks for on a phone: category, mode, options and whether it is active
/// are kept, and change nothing. What the server tells (a call cut in, sound went to another device) comes as
/// notifications, on the main thread; players pause for an interruption and go on by themselves
/// (`AVPlayer.isInterrupted`).
public final class AVAudioSession: Sendable {
    /// What kind of sound a program makes. Kept for what reads it back; sound servers ask for no such thing.
    public struct Category: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Sound that others' sound goes on beside. Changes nothing here.
        public static let ambient = Category(rawValue: "AVAudioSessionCategoryAmbient")
        /// Sound that others' sound stops for. The one a session begins with. Changes nothing here.
        public static let soloAmbient = Category(rawValue: "AVAudioSessionCategorySoloAmbient")
        /// Sound that is what the program is for. Changes nothing here.
        public static let playback = Category(rawValue: "AVAudioSessionCategoryPlayback")
        /// Recording. Changes nothing here.
        public static let record = Category(rawValue: "AVAudioSessionCategoryRecord")
        /// Recording and playing. Changes nothing here.
        public static let playAndRecord = Category(rawValue: "AVAudioSessionCategoryPlayAndRecord")
        /// Several devices at once. Changes nothing here.
        public static let multiRoute = Category(rawValue: "AVAudioSessionCategoryMultiRoute")
    }

    /// What sound is for, more closely. Kept for what reads it back.
    public struct Mode: RawRepresentable, Hashable, Sendable {
        public let rawValue: String
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Nothing in particular. The one a session begins with.
        public static let `default` = Mode(rawValue: "AVAudioSessionModeDefault")
        /// A film. Changes nothing here.
        public static let moviePlayback = Mode(rawValue: "AVAudioSessionModeMoviePlayback")
        /// Speech, as of a book that is read out. Changes nothing here.
        public static let spokenAudio = Mode(rawValue: "AVAudioSessionModeSpokenAudio")
        /// A call with pictures. Changes nothing here.
        public static let videoChat = Mode(rawValue: "AVAudioSessionModeVideoChat")
        /// A call. Changes nothing here.
        public static let voiceChat = Mode(rawValue: "AVAudioSessionModeVoiceChat")
        /// Short announcements. Changes nothing here.
        public static let voicePrompt = Mode(rawValue: "AVAudioSessionModeVoicePrompt")
        /// A call within a game. Changes nothing here.
        public static let gameChat = Mode(rawValue: "AVAudioSessionModeGameChat")
        /// Recording a film. Changes nothing here.
        public static let videoRecording = Mode(rawValue: "AVAudioSessionModeVideoRecording")
        /// Sound as untouched as can be. Changes nothing here.
        public static let measurement = Mode(rawValue: "AVAudioSessionModeMeasurement")
    }

    /// How a program's sound meets others'. Kept for what reads it back: sound servers mix all there is.
    public struct CategoryOptions: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Others' sound goes on. So it does here, always.
        public static let mixWithOthers = CategoryOptions(rawValue: 1)
        /// Others' sound becomes quieter. Changes nothing here.
        public static let duckOthers = CategoryOptions(rawValue: 2)
        /// Calls may go to a headset. Changes nothing here: the desktop's settings decide.
        public static let allowBluetooth = CategoryOptions(rawValue: 4)
        /// Calls go to the loudspeaker. Changes nothing here: the desktop's settings decide.
        public static let defaultToSpeaker = CategoryOptions(rawValue: 8)
        /// Others' speech pauses. Changes nothing here.
        public static let interruptSpokenAudioAndMixWithOthers = CategoryOptions(rawValue: 17)
        /// Sound may go to Bluetooth loudspeakers. Changes nothing here: the desktop's settings decide.
        public static let allowBluetoothA2DP = CategoryOptions(rawValue: 32)
        /// Sound may go into the network. Changes nothing here: see `AVPlayer.allowsExternalPlayback`.
        public static let allowAirPlay = CategoryOptions(rawValue: 64)
        /// Recording goes on when a microphone is switched off. Changes nothing here.
        public static let overrideMutedMicrophoneInterruption = CategoryOptions(rawValue: 128)
    }

    /// Where long programmes' sound goes. Kept for what reads it back.
    public enum RouteSharingPolicy: UInt, Sendable {
        /// With everybody else's. The one a session begins with.
        case `default` = 0
        /// Where the user sends music and books.
        case longFormAudio = 1
        /// Where the program says.
        case independent = 2
        /// Where the user sends films.
        case longFormVideo = 3
    }

    /// What happens to others when a session begins or ends.
    public struct SetActiveOptions: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Others are told that they may go on. Changes nothing here.
        public static let notifyOthersOnDeactivation = SetActiveOptions(rawValue: 1)
    }

    /// Raw values of `AVAudioSessionInterruptionTypeKey`.
    public enum InterruptionType: UInt, Sendable {
        /// It is over.
        case ended = 0
        /// Somebody cut in, such as a call.
        case began = 1
    }

    /// Raw values of `AVAudioSessionInterruptionOptionKey`.
    public struct InterruptionOptions: OptionSet, Hashable, Sendable {
        public let rawValue: UInt
        public init(rawValue: UInt) { self.rawValue = rawValue }
        /// Playing may go on.
        public static let shouldResume = InterruptionOptions(rawValue: 1)
    }

    /// Raw values of `AVAudioSessionRouteChangeReasonKey`. Of these `.unknown`, `.newDeviceAvailable` and
    /// `.oldDeviceUnavailable` come here.
    public enum RouteChangeReason: UInt, Sendable {
        /// Sound went to another device; the server does not tell why.
        case unknown = 0
        /// There is a device again.
        case newDeviceAvailable = 1
        /// The device, or the sound server, went away.
        case oldDeviceUnavailable = 2
        /// Never given here.
        case categoryChange = 3
        /// Never given here.
        case override = 4
        /// Never given here.
        case wakeFromSleep = 6
        /// Never given here.
        case noSuitableRouteForCategory = 7
        /// Never given here.
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
    /// The process' one session. Any thread.
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

    /// What was set last; `.soloAmbient` before.
    public var category: Category { state.withLock { $0.category } }
    /// What was set last; `.default` before.
    public var mode: Mode { state.withLock { $0.mode } }
    /// What was set last; none before.
    public var categoryOptions: CategoryOptions { state.withLock { $0.options } }
    /// What was set last; `.default` before.
    public var routeSharingPolicy: RouteSharingPolicy { state.withLock { $0.policy } }

    /// Never throws.
    public func setCategory(_ category: Category) throws { try setCategory(category, mode: .default, options: []) }
    /// Keeps the mode. Never throws.
    public func setCategory(_ category: Category, options: CategoryOptions = []) throws {
        try setCategory(category, mode: mode, options: options)
    }
    /// Sets the route's policy to `.default`. Never throws.
    public func setCategory(_ category: Category, mode: Mode, options: CategoryOptions = []) throws {
        try setCategory(category, mode: mode, policy: .default, options: options)
    }
    /// Keeps all four; none changes what is heard. Never throws.
    public func setCategory(_ category: Category, mode: Mode, policy: RouteSharingPolicy, options: CategoryOptions = [])
        throws
    {
        state.withLock { ($0.category, $0.mode, $0.policy, $0.options) = (category, mode, policy, options) }
    }
    /// Never throws.
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
