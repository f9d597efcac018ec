import DesktopServices
import Foundation
import GTK

/// The app. UIKit's type; main actor.
@MainActor @preconcurrency
public final class UIApplication: UIResponder {
    /// The app; there is one.
    public static let shared = UIApplication()
    private override init() { super.init() }

    /// Whether the app's windows are in use.
    public enum State: Int, Sendable {
        /// A window of the app has the keyboard.
        case active
        /// Another program has the keyboard.
        case inactive
        /// All windows are minimized.
        case background
    }
    /// Why the app was started; a desktop gives no reason, so that the dictionary of them is empty.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        /// UIKit's name of the key.
        public let rawValue: String
        /// Makes a key of a name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// A URL that the app was started for.
        public static let url = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsURLKey")
    }
    /// How a URL comes to the app; a desktop tells nothing, so that the dictionary of them is empty.
    public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
        /// UIKit's name of the key.
        public let rawValue: String
        /// Makes a key of a name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The program that the URL comes from.
        public static let sourceApplication = OpenURLOptionsKey(
            rawValue: "UIApplicationOpenURLOptionsSourceApplicationKey")
    }
    /// How a URL is opened by another program; of no effect on a desktop, which has one way.
    public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
        /// UIKit's name of the key.
        public let rawValue: String
        /// Makes a key of a name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Only by an app that is meant for it.
        public static let universalLinksOnly = OpenExternalURLOptionsKey(
            rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly")
    }

    /// What is told of the app's life: by `UIApplicationDelegateAdaptor`, or by the app.
    public var delegate: (any UIApplicationDelegate)? {
        didSet { followURLs() }
    }
    /// Whether the app's windows are in use.
    public var applicationState: State {
        switch AppActivity.phase {
        case .active: .active
        case .inactive: .inactive
        case .background: .background
        }
    }
    /// Whether the screen stays awake also while no video plays. A playing video keeps it awake by itself.
    public var isIdleTimerDisabled = false {
        didSet { if isIdleTimerDisabled != oldValue { IdleInhibitor.shared.keepAwake(isIdleTimerDisabled) } }
    }

    // MARK: windows

    private var known: [ObjectIdentifier: UIWindow] = [:]
    /// Those that are open, the oldest first.
    public var windows: [UIWindow] {
        let hosts = HostWindow.all
        let open = Set(hosts.map { ObjectIdentifier($0) })
        known = known.filter { open.contains($0.key) }
        return hosts.map { host in
            let window = known[ObjectIdentifier(host)] ?? UIWindow(showing: host)
            known[ObjectIdentifier(host)] = window
            return window
        }
    }
    func register(_ window: UIWindow, for host: HostWindow) { known[ObjectIdentifier(host)] = window }
    /// The window that has the keyboard; nil while that is another program's.
    public var keyWindow: UIWindow? { windows.first(where: \.isKeyWindow) }
    /// The app's only scene; all of its windows belong to it.
    public var connectedScenes: Set<UIScene> { [UIWindowScene.shared] }
    /// The only scene's session.
    public var openSessions: Set<UISceneSession> { [UIWindowScene.shared.session] }
    /// Desktops have many windows.
    public var supportsMultipleScenes: Bool { true }

    // MARK: URLs

    /// Whether the desktop has a program for the URL.
    public func canOpenURL(_ url: URL) -> Bool { OpenURLAction.hasProgram(for: url) }
    /// Opens a URL with the program that the desktop has for it.
    /// - Parameters:
    ///   - options: Of no effect on a desktop.
    ///   - completion: Called with whether a program took it.
    public func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) { OpenURLAction()(url) { completion?($0) } }

    private func followURLs() {
        OpenURLReceivers.shared.application = delegate.map { delegate in
            { url in _ = delegate.application(UIApplication.shared, open: url, options: [:]) }
        }
    }

    // MARK: work in the background

    /// Names a piece of work that goes on in the background.
    public typealias BackgroundTaskIdentifier = UIBackgroundTaskIdentifier
    private var tasks = 0
    /// Names a piece of work. A desktop's app goes on in the background by itself, so that `handler` is never called.
    public func beginBackgroundTask(
        withName taskName: String? = nil, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        tasks += 1
        return UIBackgroundTaskIdentifier(rawValue: tasks)
    }
    /// The work is done; nothing follows, as nothing limits it.
    public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
    /// Seconds that the app may go on in the background: no limit on a desktop.
    public var backgroundTimeRemaining: TimeInterval { .greatestFiniteMagnitude }
    /// Does nothing: a desktop's media keys reach the app in any case.
    public func beginReceivingRemoteControlEvents() {}
    /// Does nothing: a desktop's media keys reach the app in any case.
    public func endReceivingRemoteControlEvents() {}

    // MARK: notifications

    /// A window of the app has got the keyboard.
    nonisolated public static let didBecomeActiveNotification = Notification.Name(
        "UIApplicationDidBecomeActiveNotification")
    /// Another program has got the keyboard.
    nonisolated public static let willResignActiveNotification = Notification.Name(
        "UIApplicationWillResignActiveNotification")
    /// All windows have been minimized.
    nonisolated public static let didEnterBackgroundNotification = Notification.Name(
        "UIApplicationDidEnterBackgroundNotification")
    /// A window is shown again after all were minimized.
    nonisolated public static let willEnterForegroundNotification = Notification.Name(
        "UIApplicationWillEnterForegroundNotification")
    /// The app has started; its first window follows.
    nonisolated public static let didFinishLaunchingNotification = Notification.Name(
        "UIApplicationDidFinishLaunchingNotification")
    /// The app ends.
    nonisolated public static let willTerminateNotification = Notification.Name(
        "UIApplicationWillTerminateNotification")
    /// The system is short of memory; never posted on Linux.
    nonisolated public static let didReceiveMemoryWarningNotification = Notification.Name(
        "UIApplicationDidReceiveMemoryWarningNotification")
    /// A setting of UIKit's that apps open; there is no such page on a desktop, so that opening it fails.
    nonisolated public static let openSettingsURLString = "app-settings:"

    private func post(_ name: Notification.Name) { NotificationCenter.default.post(name: name, object: self) }

    // MARK: life

    private var hasLaunched = false
    /// Before the first window.
    func launch() {
        guard !hasLaunched else { return }
        hasLaunched = true
        _ = delegate?.application(self, willFinishLaunchingWithOptions: [:])
        _ = delegate?.application(self, didFinishLaunchingWithOptions: [:])
        post(UIApplication.didFinishLaunchingNotification)
    }
    /// With the first window, or before the one that the scene's delegate makes.
    func begin() {
        if let delegate {
            UIWindowScene.shared.connect(delegate)
            delegate.applicationDidBecomeActive(self)
        }
        post(UIApplication.didBecomeActiveNotification)
    }
    /// After the last window.
    func terminate() {
        delegate?.applicationWillTerminate(self)
        post(UIApplication.willTerminateNotification)
    }

    func follow(from old: ScenePhase, to new: ScenePhase) {
        let scene = UIWindowScene.shared
        if old == .active {
            delegate?.applicationWillResignActive(self)
            scene.delegate?.sceneWillResignActive(scene)
            post(UIApplication.willResignActiveNotification)
        }
        if new == .background {
            delegate?.applicationDidEnterBackground(self)
            scene.delegate?.sceneDidEnterBackground(scene)
            post(UIApplication.didEnterBackgroundNotification)
        } else if old == .background {
            delegate?.applicationWillEnterForeground(self)
            scene.delegate?.sceneWillEnterForeground(scene)
            post(UIApplication.willEnterForegroundNotification)
        }
        if new == .active {
            delegate?.applicationDidBecomeActive(self)
            scene.delegate?.sceneDidBecomeActive(scene)
            post(UIApplication.didBecomeActiveNotification)
        }
    }
}

/// Names a piece of work that goes on in the background. UIKit's type.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    /// Its number.
    public let rawValue: Int
    /// Makes a name of a number.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// No piece of work.
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}
