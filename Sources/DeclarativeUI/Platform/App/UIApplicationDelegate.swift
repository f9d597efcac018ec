import Foundation
import GTK

/// What is told of an app's life. UIKit's protocol; every method has a default that does nothing. Main actor.
///
/// An `App` names its delegate with `@UIApplicationDelegateAdaptor`. A delegate that is marked `@main` itself starts the
/// app, with the windows that its scene's delegate makes.
@MainActor @preconcurrency
public protocol UIApplicationDelegate: AnyObject {
    /// The app is about to start. The result has no effect.
    func application(
        _ application: UIApplication,
        willFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
    /// The app has started; its first window follows. The result has no effect.
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]?
    ) -> Bool
    /// A window of the app has got the keyboard.
    func applicationDidBecomeActive(_ application: UIApplication)
    /// Another program has got the keyboard.
    func applicationWillResignActive(_ application: UIApplication)
    /// All windows have been minimized.
    func applicationDidEnterBackground(_ application: UIApplication)
    /// A window is shown again after all were minimized.
    func applicationWillEnterForeground(_ application: UIApplication)
    /// The last window was closed, or the app was asked to end.
    func applicationWillTerminate(_ application: UIApplication)
    /// The system is short of memory; never called on Linux.
    func applicationDidReceiveMemoryWarning(_ application: UIApplication)
    /// The desktop asks the app to open a URL, and no view has `onOpenURL`. The result has no effect.
    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any]
    ) -> Bool
    /// What looks after the app's windows: the class in the result's `delegateClass`. Default: a class called
    /// `SceneDelegate` in the delegate's module, if there is one.
    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration
    /// Scenes were closed; never called on Linux, where an app has one.
    func application(_ application: UIApplication, didDiscardSceneSessions sceneSessions: Set<UISceneSession>)
    /// How a device may be held; never asked on a desktop, whose windows have any shape.
    func application(
        _ application: UIApplication, supportedInterfaceOrientationsFor window: UIWindow?
    ) -> UIInterfaceOrientationMask
    /// Downloads went on while the app did not run; never called on Linux, where they end with the app.
    func application(
        _ application: UIApplication, handleEventsForBackgroundURLSession identifier: String,
        completionHandler: @escaping () -> Void)
    /// The app's window, for delegates that make one by themselves.
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
        let configuration = connectingSceneSession.configuration
        let module = String(reflecting: type(of: self)).split(separator: ".").first.map(String.init) ?? ""
        if configuration.delegateClass == nil {
            configuration.delegateClass = NSClassFromString("\(module).SceneDelegate")
        }
        return configuration
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
    /// Starts an app whose delegate is marked `@main`, and runs it until its last window is closed. Without a display
    /// it says so and ends with exit code 1.
    public static func main() {
        guard GTKStart.ensure() else {
            FileHandle.standardError.write(Data("\(CommandLine.arguments.first ?? "app"): \(GTKStart.problem)\n".utf8))
            exit(1)
        }
        let application = UIApplication.shared
        application.delegate = UIApplicationDelegates.make(Self.self)
        AppWindows.onLastClosed = { MainLoop.quit() }
        application.launch()
        application.begin()
        MainLoop.run()
        application.terminate()
    }
}

/// Makes delegates of their classes.
@MainActor
enum UIApplicationDelegates {
    static func make<D: NSObject>(_ type: D.Type) -> D {
        guard let delegate = ObjectMaker.make(type) else {
            preconditionFailure("Can't make a \(type): Foundation's NSObject is not as expected. Report this as a bug.")
        }
        return delegate
    }
}

/// Names the delegate of an app. SwiftUI's property wrapper, for a property of an `App`; main actor.
@propertyWrapper @MainActor @preconcurrency
public struct UIApplicationDelegateAdaptor<DelegateType: NSObject & UIApplicationDelegate>: DynamicProperty {
    /// The delegate, which lives as long as the app.
    public let wrappedValue: DelegateType
    /// Makes the app's delegate; an app has one.
    public init(_ delegateType: DelegateType.Type = DelegateType.self) {
        if let known = UIApplication.shared.delegate as? DelegateType {
            wrappedValue = known
        } else {
            wrappedValue = UIApplicationDelegates.make(delegateType)
            UIApplication.shared.delegate = wrappedValue
        }
    }
}
