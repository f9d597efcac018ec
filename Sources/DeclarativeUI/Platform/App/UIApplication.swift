import DesktopServices
import Foundation

/// The app. Modeled on UIKit's type.
@MainActor @preconcurrency
public final class UIApplication: UIResponder {
    /// The only instance.
    public static let shared = UIApplication()
    private override init() { super.init() }

    /// The state of the app's windows.
    public enum State: Int, Sendable {
        /// A window of the app has the keyboard focus.
        case active
        /// Another app has the keyboard focus.
        case inactive
        /// All windows are minimized. Never reported on Wayland, where apps cannot know whether a window is minimized.
        case background
    }
    /// A key of the dictionary with the reasons of a launch. The dictionary is empty, because desktops report no
    /// reasons.
    public struct LaunchOptionsKey: RawRepresentable, Hashable, Sendable {
        /// UIKit's name of the key.
        public let rawValue: String
        /// Creates a key with a name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The URL for which the app was launched.
        public static let url = LaunchOptionsKey(rawValue: "UIApplicationLaunchOptionsURLKey")
    }
    /// A key of the options with which a URL is opened. The dictionary is empty, because desktops report no options.
    public struct OpenURLOptionsKey: RawRepresentable, Hashable, Sendable {
        /// UIKit's name of the key.
        public let rawValue: String
        /// Creates a key with a name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The app that sent the URL.
        public static let sourceApplication = OpenURLOptionsKey(
            rawValue: "UIApplicationOpenURLOptionsSourceApplicationKey")
    }
    /// A key of the options for opening a URL in another app. The options have no effect on a desktop.
    public struct OpenExternalURLOptionsKey: RawRepresentable, Hashable, Sendable {
        /// UIKit's name of the key.
        public let rawValue: String
        /// Creates a key with a name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The option that opens the URL only in an app that is registered for it.
        public static let universalLinksOnly = OpenExternalURLOptionsKey(
            rawValue: "UIApplicationOpenURLOptionUniversalLinksOnly")
    }

    /// The delegate, which is notified of app events. `UIApplicationDelegateAdaptor` or the app sets it.
    public var delegate: (any UIApplicationDelegate)? {
        didSet { followURLs() }
    }
    /// The state of the app's windows.
    public var applicationState: State {
        switch AppActivity.phase {
        case .active: .active
        case .inactive: .inactive
        case .background: .background
        }
    }
    /// Whether the screen stays awake even if no video is playing. A playing video keeps the screen awake by itself.
    public var isIdleTimerDisabled = false {
        didSet { if isIdleTimerDisabled != oldValue { IdleInhibitor.shared.keepAwake(isIdleTimerDisabled) } }
    }

    // MARK: windows

    private var known: [ObjectIdentifier: UIWindow] = [:]
    /// The window whose views are being created. They may already request it.
    weak var opening: UIWindow?
    /// The open windows, the oldest first.
    public var windows: [UIWindow] {
        let hosts = HostWindow.all
        let open = Set(hosts.map { ObjectIdentifier($0) })
        known = known.filter { open.contains($0.key) }
        return hosts.map { host in
            let window = known[ObjectIdentifier(host)] ?? opening?.opened(host) ?? UIWindow(showing: host)
            known[ObjectIdentifier(host)] = window
            return window
        }
    }
    /// The window with the keyboard focus, or nil if another app has the focus.
    public var keyWindow: UIWindow? { windows.first(where: \.isKeyWindow) }
    /// The app's only scene, which contains all windows.
    public var connectedScenes: Set<UIScene> { [UIWindowScene.shared] }
    /// The session of the app's only scene.
    public var openSessions: Set<UISceneSession> { [UIWindowScene.shared.session] }
    /// Whether the app can have several windows. Always true.
    public var supportsMultipleScenes: Bool { true }

    // MARK: URLs

    /// Returns whether the desktop has a program for the URL's scheme. For a file URL, returns whether the file exists.
    public func canOpenURL(_ url: URL) -> Bool { OpenURLAction.hasProgram(for: url) }
    /// Opens a URL with the desktop's program for it.
    /// - Parameters:
    ///   - url: The URL.
    ///   - options: Has no effect.
    ///   - completion: Called with true if a program has accepted the URL. Runs before the method returns.
    public func open(
        _ url: URL, options: [OpenExternalURLOptionsKey: Any] = [:],
        completionHandler completion: (@MainActor @Sendable (Bool) -> Void)? = nil
    ) { OpenURLAction()(url) { completion?($0) } }

    /// Lets the delegates receive URLs. Called when the app's or the scene's delegate has changed.
    func followURLs() {
        let scene = UIWindowScene.shared
        guard delegate != nil || scene.delegate != nil else {
            OpenURLReceivers.shared.application = nil
            return
        }
        OpenURLReceivers.shared.application = { url in
            guard let receiver = scene.delegate else { return UIApplication.shared.openByDelegate(url) }
            receiver.scene(scene, openURLContexts: [UIOpenURLContext(url)])
        }
    }
    func openByDelegate(_ url: URL) { _ = delegate?.application(self, open: url, options: [:]) }

    // MARK: background tasks

    /// An identifier of a background task.
    public typealias BackgroundTaskIdentifier = UIBackgroundTaskIdentifier
    private var tasks = 0
    /// Returns an identifier for a background task.
    ///
    /// Desktop apps may run in the background without a limit, so `handler` is never called.
    public func beginBackgroundTask(
        withName taskName: String? = nil, expirationHandler handler: (@MainActor @Sendable () -> Void)? = nil
    ) -> UIBackgroundTaskIdentifier {
        tasks += 1
        return UIBackgroundTaskIdentifier(rawValue: tasks)
    }
    /// Ends a background task. Has no effect, because background tasks have no limit.
    public func endBackgroundTask(_ identifier: UIBackgroundTaskIdentifier) {}
    /// The remaining time in the background, in seconds. A desktop has no limit, so the value is the greatest finite
    /// number.
    public var backgroundTimeRemaining: TimeInterval { .greatestFiniteMagnitude }
    /// Has no effect: apps on a desktop always receive media keys.
    public func beginReceivingRemoteControlEvents() {}
    /// Has no effect: apps on a desktop always receive media keys.
    public func endReceivingRemoteControlEvents() {}

    // MARK: notifications

    /// Posted when the app starts, and after a window of the app has gained the keyboard focus from another app.
    nonisolated public static let didBecomeActiveNotification = Notification.Name(
        "UIApplicationDidBecomeActiveNotification")
    /// Posted after another app has gained the keyboard focus.
    nonisolated public static let willResignActiveNotification = Notification.Name(
        "UIApplicationWillResignActiveNotification")
    /// Posted after all windows have been minimized. Never posted on Wayland (see `State.background`).
    nonisolated public static let didEnterBackgroundNotification = Notification.Name(
        "UIApplicationDidEnterBackgroundNotification")
    /// Posted when a window is shown again after all were minimized.
    nonisolated public static let willEnterForegroundNotification = Notification.Name(
        "UIApplicationWillEnterForegroundNotification")
    /// Posted after the app has launched, before its first window is opened.
    nonisolated public static let didFinishLaunchingNotification = Notification.Name(
        "UIApplicationDidFinishLaunchingNotification")
    /// Posted when the app ends.
    nonisolated public static let willTerminateNotification = Notification.Name(
        "UIApplicationWillTerminateNotification")
    /// A notification about low memory. Never posted on Linux.
    nonisolated public static let didReceiveMemoryWarningNotification = Notification.Name(
        "UIApplicationDidReceiveMemoryWarningNotification")
    /// The URL string of an app's settings page in UIKit. Opening it fails, because a desktop has no such page.
    nonisolated public static let openSettingsURLString = "app-settings:"

    private func post(_ name: Notification.Name) { NotificationCenter.default.post(name: name, object: self) }

    // MARK: launch and end

    private var hasLaunched = false
    /// Notifies the delegate of the launch, before the first window is opened.
    func launch() {
        guard !hasLaunched else { return }
        hasLaunched = true
        _ = delegate?.application(self, willFinishLaunchingWithOptions: [:])
        _ = delegate?.application(self, didFinishLaunchingWithOptions: [:])
        post(UIApplication.didFinishLaunchingNotification)
    }
    /// Connects the scene, whose delegate may create the first window, and then reports that the app is active.
    /// - Returns: The reason why the app can't show a window, or nil.
    func begin() -> String? {
        if let delegate {
            if !UIWindowScene.shared.connect(delegate), HostWindow.all.isEmpty {
                return
                    "Can't show a window: the delegate of the scene could not be created. Set delegateClass of the app's UISceneConfiguration to a subclass of NSObject that conforms to UISceneDelegate, or name that class SceneDelegate."
            }
            delegate.applicationDidBecomeActive(self)
        }
        post(UIApplication.didBecomeActiveNotification)
        return nil
    }
    /// Reports the end of the app, after the last window is closed.
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

/// An identifier of a background task. Modeled on UIKit's type.
public struct UIBackgroundTaskIdentifier: RawRepresentable, Hashable, Sendable {
    /// The number of the task.
    public let rawValue: Int
    /// Creates an identifier from a number.
    public init(rawValue: Int) { self.rawValue = rawValue }
    /// The identifier of no task.
    public static let invalid = UIBackgroundTaskIdentifier(rawValue: 0)
}
