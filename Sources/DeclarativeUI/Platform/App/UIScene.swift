import Foundation

/// A part of an app that has windows. UIKit's type: on a desktop an app has one, with all of its windows. Main actor.
@MainActor @preconcurrency
open class UIScene: UIResponder {
    /// How a scene begins.
    public final class ConnectionOptions {
        /// URLs that the app was started for: none that the desktop tells of.
        public let urlContexts: Set<UIOpenURLContext> = []
        init() {}
    }
    /// Whether a scene is in use.
    public enum ActivationState: Int, Sendable {
        /// It has no windows yet.
        case unattached = -1
        /// A window of the app has the keyboard; another program has it; all windows are minimized.
        case foregroundActive, foregroundInactive, background
    }
    /// What looks after the scene's windows.
    public var delegate: (any UISceneDelegate)?
    /// What the scene was made of.
    public private(set) lazy var session = UISceneSession()
    /// Whether the app's windows are in use.
    public var activationState: ActivationState {
        switch AppActivity.phase {
        case .active: .foregroundActive
        case .inactive: .foregroundInactive
        case .background: .background
        }
    }
    /// A window of the app has got the keyboard; UIKit's name, posted by `UIApplication` under its own.
    nonisolated public static let didActivateNotification = UIApplication.didBecomeActiveNotification
    /// Another program has got the keyboard; UIKit's name, posted by `UIApplication` under its own.
    nonisolated public static let willDeactivateNotification = UIApplication.willResignActiveNotification
    override init() { super.init() }
}

/// A URL that the desktop asks the app to open. UIKit's type.
public final class UIOpenURLContext: NSObject, Sendable {
    /// The URL.
    public let url: URL
    init(_ url: URL) {
        self.url = url
        super.init()
    }
}

/// What a scene is made of. UIKit's type.
@MainActor @preconcurrency
public final class UISceneSession: NSObject {
    /// A scene's kind.
    public struct Role: RawRepresentable, Hashable, Sendable {
        /// UIKit's name of the kind.
        public let rawValue: String
        /// Makes a kind of a name.
        public init(rawValue: String) { self.rawValue = rawValue }
        /// Windows that the user works with.
        public static let windowApplication = Role(rawValue: "UIWindowSceneSessionRoleApplication")
    }
    /// Always `windowApplication`.
    public let role = Role.windowApplication
    /// How the scene is made.
    public let configuration = UISceneConfiguration(name: nil, sessionRole: .windowApplication)
    /// The app's only scene has one name.
    public let persistentIdentifier = "scene"
    override init() { super.init() }
}

/// How a scene is made. UIKit's type.
@MainActor @preconcurrency
open class UISceneConfiguration: NSObject {
    /// Its name; of no effect here.
    public let name: String?
    /// Its kind.
    public let role: UISceneSession.Role
    /// The class of what looks after the scene's windows: one derived from `NSObject`.
    open var delegateClass: AnyClass?
    /// Makes a configuration.
    public init(name: String?, sessionRole: UISceneSession.Role) {
        self.name = name
        role = sessionRole
        super.init()
    }
}

/// What looks after a scene. UIKit's protocol; every method has a default that does nothing. Main actor.
@MainActor @preconcurrency
public protocol UISceneDelegate: AnyObject {
    /// The scene begins: make its window here.
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions)
    /// The scene has ended; never called on Linux, where it ends with the app.
    func sceneDidDisconnect(_ scene: UIScene)
    /// A window of the app has got the keyboard.
    func sceneDidBecomeActive(_ scene: UIScene)
    /// Another program has got the keyboard.
    func sceneWillResignActive(_ scene: UIScene)
    /// A window is shown again after all were minimized.
    func sceneWillEnterForeground(_ scene: UIScene)
    /// All windows have been minimized.
    func sceneDidEnterBackground(_ scene: UIScene)
    /// The desktop asks the app to open URLs.
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
    public func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {}
}

/// What looks after the windows of a scene. UIKit's protocol; main actor.
@MainActor @preconcurrency
public protocol UIWindowSceneDelegate: UISceneDelegate {
    /// The window that it makes.
    var window: UIWindow? { get set }
}
extension UIWindowSceneDelegate {
    public var window: UIWindow? {
        get { nil }
        set {}
    }
}

/// The app's windows. UIKit's type; main actor.
@MainActor @preconcurrency
public final class UIWindowScene: UIScene {
    static let shared = UIWindowScene()

    /// Those that are open, the oldest first.
    public var windows: [UIWindow] { UIApplication.shared.windows }
    /// The window that has the keyboard; nil while that is another program's.
    public var keyWindow: UIWindow? { UIApplication.shared.keyWindow }
    /// The screen of the window with the keyboard.
    public var screen: UIScreen { .main }
    /// `.landscapeLeft` while the app's window is at least as wide as it is high, else `.portrait`.
    public var interfaceOrientation: UIInterfaceOrientation {
        switch UIDevice.current.orientation {
        case .landscapeLeft: .landscapeLeft
        case .portrait: .portrait
        default: .unknown
        }
    }

    /// What the app would like its window to be.
    public class GeometryPreferences: NSObject {
        /// How a device is to be held.
        public final class iOS: GeometryPreferences {
            /// The ways that suit.
            public var interfaceOrientations: UIInterfaceOrientationMask?
            /// Makes a wish.
            public init(interfaceOrientations: UIInterfaceOrientationMask? = nil) {
                self.interfaceOrientations = interfaceOrientations
                super.init()
            }
        }
    }
    /// On a device, turns what is shown. Nobody turns a desktop: a window that is to be seen in landscape goes to full
    /// screen, one that is to be seen in portrait leaves it.
    /// - Parameter errorHandler: Never called.
    public func requestGeometryUpdate(
        _ geometryPreferences: GeometryPreferences, errorHandler: (@MainActor (any Error) -> Void)? = nil
    ) {
        guard let wanted = (geometryPreferences as? GeometryPreferences.iOS)?.interfaceOrientations,
            let host = HostWindow.all.first(where: \.isActive) ?? HostWindow.all.first
        else { return }
        if wanted.isSubset(of: .landscape) { host.fullScreen.set(true) }
        if wanted.isSubset(of: [.portrait, .portraitUpsideDown]) { host.fullScreen.set(false) }
    }

    /// Has the delegate that the app's names make its window.
    func connect(_ application: any UIApplicationDelegate) {
        let options = ConnectionOptions()
        let configuration = application.application(
            .shared, configurationForConnecting: session, options: options)
        guard let type = configuration.delegateClass as? NSObject.Type else { return }
        delegate = ObjectMaker.make(type) as? any UISceneDelegate
        delegate?.scene(self, willConnectTo: session, options: options)
        delegate?.sceneDidBecomeActive(self)
    }
}

/// How what is shown stands. UIKit's type.
public enum UIInterfaceOrientation: Int, Sendable {
    /// Not known; upright; upside down.
    case unknown, portrait, portraitUpsideDown
    /// On a long side.
    case landscapeRight, landscapeLeft
    /// It lies on one of its long sides.
    public var isLandscape: Bool { self == .landscapeLeft || self == .landscapeRight }
    /// It stands on one of its short sides.
    public var isPortrait: Bool { self == .portrait || self == .portraitUpsideDown }
}

/// Ways in which what is shown may stand. UIKit's type.
public struct UIInterfaceOrientationMask: OptionSet, Sendable {
    /// UIKit's bits.
    public let rawValue: UInt
    /// Makes a set of raw bits.
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// Upright.
    public static let portrait = UIInterfaceOrientationMask(rawValue: 1 << 1)
    /// Upside down.
    public static let portraitUpsideDown = UIInterfaceOrientationMask(rawValue: 1 << 2)
    /// On a long side.
    public static let landscapeRight = UIInterfaceOrientationMask(rawValue: 1 << 3),
        landscapeLeft = UIInterfaceOrientationMask(rawValue: 1 << 4)
    /// On either long side.
    public static let landscape: UIInterfaceOrientationMask = [.landscapeLeft, .landscapeRight]
    /// All but upside down.
    public static let allButUpsideDown: UIInterfaceOrientationMask = [.portrait, .landscape]
    /// Any.
    public static let all: UIInterfaceOrientationMask = [.allButUpsideDown, .portraitUpsideDown]
}
