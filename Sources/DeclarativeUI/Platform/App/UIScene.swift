import Foundation

/// A part of an app with its windows. On a desktop, an app has one scene with all of its windows. Modeled on UIKit's
/// type.
@MainActor @preconcurrency
open class UIScene: UIResponder {
    /// The options with which a scene is connected.
    public final class ConnectionOptions {
        /// The URLs for which the app was launched. Always empty, because the desktop reports none.
        public let urlContexts: Set<UIOpenURLContext> = []
        init() {}
    }
    /// The state of a scene.
    public enum ActivationState: Int, Sendable {
        /// The scene has no windows yet. Never reported.
        case unattached = -1
        /// The states when a window of the app has the focus, another app has the focus, or all windows are minimized.
        case foregroundActive, foregroundInactive, background
    }
    /// The delegate, which manages the scene's windows.
    public var delegate: (any UISceneDelegate)? {
        didSet { UIApplication.shared.followURLs() }
    }
    /// The session of the scene.
    public private(set) lazy var session = UISceneSession()
    /// The state of the app's windows.
    public var activationState: ActivationState {
        switch AppActivity.phase {
        case .active: .foregroundActive
        case .inactive: .foregroundInactive
        case .background: .background
        }
    }
    /// Posted when the app starts, and after a window of the app has gained the keyboard focus from another app. Same
    /// as `UIApplication.didBecomeActiveNotification`.
    nonisolated public static let didActivateNotification = UIApplication.didBecomeActiveNotification
    /// Posted after another app has gained the keyboard focus. Same as `UIApplication.willResignActiveNotification`.
    nonisolated public static let willDeactivateNotification = UIApplication.willResignActiveNotification
    override init() { super.init() }
}

/// A URL that the desktop requests the app to open. Modeled on UIKit's type.
public final class UIOpenURLContext: NSObject, Sendable {
    /// The URL.
    public let url: URL
    init(_ url: URL) {
        self.url = url
        super.init()
    }
}

/// The session of a scene. Modeled on UIKit's type.
@MainActor @preconcurrency
public final class UISceneSession: NSObject {
    /// The role of a scene.
    public struct Role: RawRepresentable, Hashable, Sendable {
        /// UIKit's name of the role.
        public let rawValue: String
        /// Creates a role with a name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// The role of a scene with the app's windows.
        public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
    }
    /// The role, which is always `windowApplication`.
    public let role = Role.windowApplication
    /// The configuration of the scene.
    public let configuration = UISceneConfiguration(name: nil, sessionRole: .windowApplication)
    /// The identifier of the app's only scene.
    public let persistentIdentifier = "scene"
    override init() { super.init() }
}

/// The configuration of a scene. Modeled on UIKit's type.
@MainActor @preconcurrency
open class UISceneConfiguration: NSObject {
    /// The name of the configuration, which has no effect.
    public let name: String?
    /// The role of the scene.
    public let role: UISceneSession.Role
    /// The class of the scene's delegate, a subclass of `NSObject`. If it is nil, the scene uses the class that the
    /// app's Info.plist names, or `SceneDelegate` in the module of the app's delegate.
    open var delegateClass: AnyClass?
    /// Creates a configuration.
    public init(name: String?, sessionRole: UISceneSession.Role) {
        self.name = name
        role = sessionRole
        super.init()
    }
}

/// A delegate that is notified of scene events. Modeled on UIKit's protocol. Each method has a default.
@MainActor @preconcurrency
public protocol UISceneDelegate: AnyObject {
    /// Called when the scene begins. The delegate creates the scene's window here.
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
    /// A method for the end of a scene, which is never called on Linux, because the scene ends with the app.
    func sceneDidDisconnect(_ scene: UIScene)
    /// Called when the app starts, and after a window of the app has gained the keyboard focus from another app.
    func sceneDidBecomeActive(_ scene: UIScene)
    /// Called after another app has gained the keyboard focus.
    func sceneWillResignActive(_ scene: UIScene)
    /// Called when a window is shown again after all were minimized.
    func sceneWillEnterForeground(_ scene: UIScene)
    /// Called after all windows have been minimized. Never called on Wayland (see `UIApplication.State.background`).
    func sceneDidEnterBackground(_ scene: UIScene)
    /// Called when the desktop requests the app to open URLs and no view has `onOpenURL`.
    ///
    /// The default passes the URLs to the app's delegate.
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>)
}

extension UISceneDelegate {
    public func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {}
    public func sceneDidDisconnect(_ scene: UIScene) {}
    public func sceneDidBecomeActive(_ scene: UIScene) {}
    public func sceneWillResignActive(_ scene: UIScene) {}
    public func sceneWillEnterForeground(_ scene: UIScene) {}
    public func sceneDidEnterBackground(_ scene: UIScene) {}
    public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        for context in URLContexts { UIApplication.shared.openByDelegate(context.url) }
    }
}

/// A delegate that manages the windows of a scene. Modeled on UIKit's protocol.
@MainActor @preconcurrency
public protocol UIWindowSceneDelegate: UISceneDelegate {
    /// The window that the delegate has created. The delegate declares a stored property: the default is always nil,
    /// and setting it has no effect.
    var window: UIWindow? { get set }
}
extension UIWindowSceneDelegate {
    public var window: UIWindow? {
        get { nil }
        set {}
    }
}

/// The scene that contains the app's windows. Modeled on UIKit's type.
@MainActor @preconcurrency
public final class UIWindowScene: UIScene {
    static let shared = UIWindowScene()

    /// The open windows, the oldest first.
    public var windows: [UIWindow] { UIApplication.shared.windows }
    /// The window with the keyboard focus, or nil if another app has the focus.
    public var keyWindow: UIWindow? { UIApplication.shared.keyWindow }
    /// The screen of the window with the keyboard focus.
    public var screen: UIScreen { .main }
    /// The orientation of the app's window: `.landscapeLeft` if it is at least as wide as high, otherwise `.portrait`.
    ///
    /// The value is `.unknown` until the first window is shown.
    public var interfaceOrientation: UIInterfaceOrientation {
        switch UIDevice.current.orientation {
        case .landscapeLeft: .landscapeLeft
        case .portrait: .portrait
        default: .unknown
        }
    }

    /// The geometry that an app requests for its window.
    public class GeometryPreferences: NSObject {
        /// A requested orientation of a device.
        public final class iOS: GeometryPreferences {
            /// The requested orientations.
            public var interfaceOrientations: UIInterfaceOrientationMask?
            /// Creates a request.
            public init(interfaceOrientations: UIInterfaceOrientationMask? = nil) {
                self.interfaceOrientations = interfaceOrientations
                super.init()
            }
        }
    }
    /// Requests an orientation. On a desktop, the window enters or leaves full screen instead.
    ///
    /// A window enters full screen if only landscape orientations are requested. The window leaves full screen if only
    /// portrait orientations are requested. A request for both kinds, or for none, has no effect.
    /// - Parameters:
    ///   - geometryPreferences: The requested orientations.
    ///   - errorHandler: Is never called.
    public func requestGeometryUpdate(
        _ geometryPreferences: GeometryPreferences, errorHandler: (@MainActor (any Error) -> Void)? = nil
    ) {
        guard let requested = (geometryPreferences as? GeometryPreferences.iOS)?.interfaceOrientations,
            let host = HostWindow.all.first(where: \.isActive) ?? HostWindow.all.first
        else { return }
        if let isFullScreen = requested.isFullScreen { host.fullScreen.set(isFullScreen) }
    }

    /// Creates the scene's delegate, which then creates the scene's window.
    /// - Parameter info: The contents of the app's Info.plist.
    /// - Returns: False if the app requests a delegate, but it could not be created.
    func connect(_ application: any UIApplicationDelegate, info: [String: Any]? = Bundle.main.infoDictionary) -> Bool {
        let options = ConnectionOptions()
        let configuration = application.application(
            .shared, configurationForConnecting: session, options: options)
        let name = configuration.delegateClassName(in: info)
        let isRequested = configuration !== session.configuration || name != nil
        if configuration.delegateClass == nil {
            configuration.delegateClass = UIWindowScene.delegateClass(name, for: application)
        }
        if let type = configuration.delegateClass as? NSObject.Type {
            delegate = ObjectMaker.make(type) as? any UISceneDelegate
        }
        guard let delegate else { return !isRequested }
        delegate.scene(self, willConnectTo: session, options: options)
        delegate.sceneDidBecomeActive(self)
        return true
    }

    /// Returns the class with the name from the app's Info.plist, otherwise `SceneDelegate` in the module of the app's
    /// delegate.
    private static func delegateClass(_ name: String?, for application: any UIApplicationDelegate) -> AnyClass? {
        let module = String(reflecting: type(of: application)).split(separator: ".").first.map(String.init) ?? ""
        // Only Xcode's builds replace the variable in “$(PRODUCT_MODULE_NAME).SceneDelegate”.
        let last = name?.split(separator: ".").last.map { "\(module).\($0)" }
        for case let candidate? in [name, last, "\(module).SceneDelegate"] {
            if let found = NSClassFromString(candidate) { return found }
        }
        return nil
    }
}

extension UISceneConfiguration {
    /// Returns the name of the delegate's class in an Info.plist: in the entry with this configuration's name, or in
    /// the first entry.
    fileprivate func delegateClassName(in info: [String: Any]?) -> String? {
        let manifest = info?["UIApplicationSceneManifest"] as? [String: Any]
        let roles = manifest?["UISceneConfigurations"] as? [String: Any]
        let entries = roles?[role.rawValue] as? [[String: Any]] ?? []
        let entry = entries.first { $0["UISceneConfigurationName"] as? String == name } ?? entries.first
        return entry?["UISceneDelegateClassName"] as? String
    }
}

/// The orientation of the user interface. Modeled on UIKit's type.
public enum UIInterfaceOrientation: Int, Sendable {
    /// Unknown, upright, and upside down.
    case unknown, portrait, portraitUpsideDown
    /// The long sides are horizontal.
    case landscapeRight, landscapeLeft
    /// Whether the long sides are horizontal.
    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
    /// Whether the long sides are vertical.
    public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
}

/// A set of orientations of the user interface. Modeled on UIKit's type.
public struct UIInterfaceOrientationMask: OptionSet, Sendable {
    /// The bit mask, with UIKit's values.
    public let rawValue: UInt
    /// Creates a set from a bit mask.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The upright orientation.
    public static let portrait = UIInterfaceOrientationMask(rawValue: 1 << 1)
    /// The orientation upside down.
    public static let portraitUpsideDown = UIInterfaceOrientationMask(rawValue: 1 << 2)
    /// The two landscape orientations.
    public static let landscapeRight = UIInterfaceOrientationMask(rawValue: 1 << 3),
        landscapeLeft = UIInterfaceOrientationMask(rawValue: 1 << 4)
    /// Both landscape orientations.
    public static let landscape: UIInterfaceOrientationMask = [.landscapeLeft, .landscapeRight]
    /// All orientations except upside down.
    public static let allButUpsideDown: UIInterfaceOrientationMask = [.portrait, .landscape]
    /// All orientations.
    public static let all: UIInterfaceOrientationMask = [.allButUpsideDown, .portraitUpsideDown]

    /// Whether a window with these orientations is in full screen. Nil if the set contains both kinds of orientations,
    /// or none.
    var isFullScreen: Bool? {
        let hasLandscape = !isDisjoint(with: .landscape)
        let hasPortrait = !isDisjoint(with: [.portrait, .portraitUpsideDown])
        return hasLandscape == hasPortrait ? nil : hasLandscape
    }
}
