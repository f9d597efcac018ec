import Foundation
import Zoetrope

// The life cycle of an app with UIKit's names, as apps for iOS are written.

final class FilmDelegate: NSObject, UIApplicationDelegate {
    var isRunning = false
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        isRunning = true
        application.isIdleTimerDisabled = false
        return true
    }
    func applicationDidEnterBackground(_ application: UIApplication) { isRunning = false }
    func applicationWillTerminate(_ application: UIApplication) {}
    func application(_ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]) -> Bool
    {
        app.canOpenURL(url)
    }
    func application(
        _ application: UIApplication, supportedInterfaceOrientationsFor window: UIWindow?
    ) -> UIInterfaceOrientationMask { .allButUpsideDown }
}

class OldSceneDelegate: UIResponder, UIWindowSceneDelegate {
    var window: UIWindow?
    func scene(
        _ scene: UIScene, willConnectTo session: UISceneSession, options connectionOptions: UIScene.ConnectionOptions
    ) {
        guard let windowScene = scene as? UIWindowScene else { return }
        let window = UIWindow(windowScene: windowScene)
        window.rootViewController = UIHostingController(rootView: Text("Film"))
        self.window = window
        window.makeKeyAndVisible()
    }
    func sceneDidBecomeActive(_ scene: UIScene) {}
    func sceneWillResignActive(_ scene: UIScene) {}
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        for context in URLContexts { UIApplication.shared.open(context.url) }
    }
}

class OldDelegate: UIResponder, UIApplicationDelegate {
    var window: UIWindow?
    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let configuration = UISceneConfiguration(name: "Default", sessionRole: connectingSceneSession.role)
        configuration.delegateClass = OldSceneDelegate.self
        return configuration
    }
}

struct FilmApp: App {
    @UIApplicationDelegateAdaptor(FilmDelegate.self) private var delegate
    @Environment(\.scenePhase) private var phase
    var body: some Scene {
        WindowGroup { FilmScreen() }.onChange(of: phase) { _, new in
            if new == .background { UIApplication.shared.endBackgroundTask(.invalid) }
        }
    }
}

struct FilmScreen: View {
    @Environment(\.scenePhase) private var phase
    let width = UIScreen.main.bounds.width
    var body: some View {
        Text("\(UIScreen.main.scale)").frame(width: UIScreen.main.bounds.size.width / 2)
            .onReceive(NotificationCenter.default.publisher(for: UIApplication.willResignActiveNotification)) { _ in }
            .onChange(of: phase) { phase in if phase < .active {} }
    }
    var top: CGFloat {
        let scene = UIApplication.shared.connectedScenes.first as? UIWindowScene
        scene?.requestGeometryUpdate(.iOS(interfaceOrientations: .landscape)) { _ in }
        return scene?.windows.first?.safeAreaInsets.top ?? UIEdgeInsets.zero.top
    }
}

final class RuledView: UIView {
    let video = UIView()
    private var height: NSLayoutConstraint?
    func setUp() {
        video.translatesAutoresizingMaskIntoConstraints = false
        addSubview(video)
        height = video.heightAnchor.constraint(equalTo: video.widthAnchor, multiplier: 9.0 / 16)
        height?.priority = UILayoutPriority(999)
        NSLayoutConstraint.activate([
            video.topAnchor.constraint(equalTo: safeAreaLayoutGuide.topAnchor),
            video.leadingAnchor.constraint(equalTo: leadingAnchor),
            video.trailingAnchor.constraint(equalTo: trailingAnchor, constant: -8),
        ])
        height?.isActive = true
    }
}
