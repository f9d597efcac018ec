import Foundation

/// A delegate that is notified of app events. Modeled on UIKit's protocol. Each method has a default that does nothing.
///
/// An `App` declares its delegate with `@UIApplicationDelegateAdaptor`. A delegate that is marked `@main` starts the
/// app itself, and its scene's delegate creates the windows.
@MainActor @preconcurrency
public protocol UIApplicationDelegate: AnyObject {
    /// Called when the app is about to launch. The result has no effect.
    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
    /// Called after the app has launched, before its first window is opened. The result has no effect.
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
    /// Called when the app starts, and after a window of the app has gained the keyboard focus from another app.
    func applicationDidBecomeActive(_ application: UIApplication)
    /// Called after another app has gained the keyboard focus.
    func applicationWillResignActive(_ application: UIApplication)
    /// Called after all windows have been minimized. Never called on Wayland (see `UIApplication.State.background`).
    func applicationDidEnterBackground(_ application: UIApplication)
    /// Called when a window is shown again after all were minimized.
    func applicationWillEnterForeground(_ application: UIApplication)
    /// Called after the last window has been closed or the app has been requested to quit.
    func applicationWillTerminate(_ application: UIApplication)
    /// A method for low memory, which is never called on Linux.
    func applicationDidReceiveMemoryWarning(_ application: UIApplication)
    /// Called when the desktop requests the app to open a URL that no view and no scene delegate handles.
    ///
    /// Views handle URLs with `onOpenURL`, and scene delegates with `scene(_:openURLContexts:)`. The result has no
    /// effect.
    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool
    /// Returns the configuration of the scene, whose `delegateClass` creates the app's windows.
    ///
    /// Without a `delegateClass`, the scene uses the class that the app's Info.plist names, or a class named
    /// `SceneDelegate` in the delegate's module. The default returns the session's configuration.
    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration
    /// A method for discarded scenes, which is never called on Linux, because an app has one scene.
    func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>)
    /// Returns the supported orientations. Never called on a desktop, because windows can have any shape.
    func application(
        _ application: UIApplication, supportedInterfaceOrientationsFor window: UIWindow?
    ) -> UIInterfaceOrientationMask
    /// A method for downloads in the background, which is never called on Linux, because downloads end with the app.
    func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void)
    /// The app's window, for delegates that create one themselves. Such a delegate declares a stored property: the
    /// default is always nil, and setting it has no effect.
    var window: UIWindow? { get set }
}

extension UIApplicationDelegate {
    public func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool { true }
    public func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool { true }
    public func applicationDidBecomeActive(_ application: UIApplication) {}
    public func applicationWillResignActive(_ application: UIApplication) {}
    public func applicationDidEnterBackground(_ application: UIApplication) {}
    public func applicationWillEnterForeground(_ application: UIApplication) {}
    public func applicationWillTerminate(_ application: UIApplication) {}
    public func applicationDidReceiveMemoryWarning(_ application: UIApplication) {}
    public func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool { false }
    public func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        connectingSceneSession.configuration
    }
    public func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>) {}
    public func application(
        _ application: UIApplication, supportedInterfaceOrientationsFor window: UIWindow?
    ) -> UIInterfaceOrientationMask { .all }
    public func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void
    ) { completionHandler() }
    public var window: UIWindow? {
        get { nil }
        set {}
    }
}

extension UIApplicationDelegate where Self: NSObject {
    /// Starts an app whose delegate is marked `@main`, and returns after the last window is closed.
    ///
    /// SIGINT, SIGTERM and SIGHUP also end the app. Views then disappear, and `UserDefaults.standard` is written to the
    /// disk. If there is no display, or if a requested scene delegate can't be created and no window is open, the
    /// method writes an error to standard error and ends the process with exit code 1.
    public static func main() {
        AppRun.run { UIApplication.shared.delegate = UIApplicationDelegates.make(Self.self) }
    }
}

/// A factory of delegates.
@MainActor
enum UIApplicationDelegates {
    static func make<D: NSObject>(_ type: D.Type) -> D {
        guard let delegate = ObjectMaker.make(type) else {
            preconditionFailure("Can't make a \(type): Foundation's NSObject is not as expected. Report this as a bug.")
        }
        return delegate
    }
}

/// A property wrapper that creates the app's delegate. Modeled on SwiftUI's property wrapper, for a property of an
/// `App`.
@propertyWrapper @MainActor @preconcurrency
public struct UIApplicationDelegateAdaptor<DelegateType: NSObject & UIApplicationDelegate>: DynamicProperty {
    /// The delegate, which exists as long as the app.
    public let wrappedValue: DelegateType
    /// Creates the app's delegate. An app has one delegate; an existing one of this type is used again.
    public init(_ delegateType: DelegateType.Type = DelegateType.self) {
        if let known = UIApplication.shared.delegate as? DelegateType {
            wrappedValue = known
        } else {
            wrappedValue = UIApplicationDelegates.make(delegateType)
            UIApplication.shared.delegate = wrappedValue
        }
    }
}
