import DeclarativeUI
import Foundation

/// An app with an app delegate that stores the same values as `StoredProbe`. It ends only by a signal.
final class StoredKitProbe: NSObject, UIApplicationDelegate {
    var window: UIWindow?

    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        let window = UIWindow(frame: UIScreen.main.bounds)
        window.rootViewController = UIHostingController(rootView: StoredProbe.StoredView())
        window.makeKeyAndVisible()
        self.window = window
        return true
    }
    func applicationWillTerminate(_ application: UIApplication) {
        UserDefaults.standard.set("at the end", forKey: "last")
    }
}
