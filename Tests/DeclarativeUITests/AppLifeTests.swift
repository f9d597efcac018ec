import Foundation
import Testing

@_spi(Graph) @testable import DeclarativeUI
@_spi(Graph) @testable import ViewGraph

private class Made: NSObject {
    var words = ["a", "b"]
    let number: Int
    override init() {
        number = 7
        super.init()
    }
}
private class MadeBelow: Made { var more = "more" }
private final class Plain: NSObject { var text = "plain" }

private final class Delegate: NSObject, UIApplicationDelegate {
    var calls: [String] = []
    func application(
        _ application: UIApplication,
        didFinishLaunchingWithOptions launchOptions: [UIApplication.LaunchOptionsKey: Any]? = nil
    ) -> Bool {
        calls.append("launched")
        return true
    }
    func applicationDidBecomeActive(_ application: UIApplication) { calls.append("active") }
    func applicationWillResignActive(_ application: UIApplication) { calls.append("inactive") }
    func applicationDidEnterBackground(_ application: UIApplication) { calls.append("background") }
    func applicationWillEnterForeground(_ application: UIApplication) { calls.append("foreground") }
    func applicationWillTerminate(_ application: UIApplication) { calls.append("end") }
}

private final class URLDelegate: NSObject, UIApplicationDelegate {
    var opened: [String] = []
    func application(
        _ app: UIApplication, open url: URL, options: [UIApplication.OpenURLOptionsKey: Any] = [:]
    ) -> Bool {
        opened.append(url.absoluteString)
        return true
    }
}
private final class URLScene: NSObject, UISceneDelegate {
    var opened: [String] = []
    func scene(_ scene: UIScene, openURLContexts URLContexts: Set<UIOpenURLContext>) {
        opened += URLContexts.map(\.url.absoluteString)
    }
}
private final class PlainScene: NSObject, UISceneDelegate {}

/// Scene delegates that are found by name.
final class SceneDelegate: NSObject, UISceneDelegate {}
final class ListedSceneDelegate: NSObject, UISceneDelegate {}
/// An app delegate like the one in Xcode's template.
private final class TemplateDelegate: NSObject, UIApplicationDelegate {
    var sceneClass: AnyClass?
    func application(
        _ application: UIApplication, configurationForConnecting connectingSceneSession: UISceneSession,
        options: UIScene.ConnectionOptions
    ) -> UISceneConfiguration {
        let configuration = UISceneConfiguration(
            name: "Default Configuration", sessionRole: connectingSceneSession.role)
        configuration.delegateClass = sceneClass
        return configuration
    }
}

private struct PhaseView: View {
    @Environment(\.scenePhase) var phase
    var body: some View { Text(verbatim: "\(phase)") }
}

/// A scene whose view shows the window's settings as text.
private struct SettingsScene: Scene {
    struct Shown: View {
        @Environment(\.windowSettings) var settings
        var body: some View {
            Text(verbatim: "\(settings.isPlain) \(settings.resizability.kind) \(settings.size?.width ?? 0)")
        }
    }
    static func _view(_ scene: Self) -> AnyView { AnyView(Shown()) }
    var body: some Scene { self }
}

@MainActor @Suite("An app's life by UIKit's names", .serialized)
struct AppLifeTests {
    @Test("objects are created from classes known only at run time")
    func objects() throws {
        let made = try #require(ObjectMaker.make(Made.self))
        #expect(made.words == ["a", "b"] && made.number == 7)
        let below: Made.Type = MadeBelow.self
        let other = try #require(ObjectMaker.make(below) as? MadeBelow)
        #expect(other.more == "more" && other.number == 7)
        #expect(ObjectMaker.make(Plain.self)?.text == "plain")
    }

    @Test("an object created at run time is released normally")
    func release() throws {
        weak var gone: Plain?
        do {
            let made = try #require(ObjectMaker.make(Plain.self))
            gone = made
            #expect(gone != nil)
        }
        #expect(gone == nil)
    }

    @Test("the delegate follows windows from active to background and back")
    func delegate() {
        let application = UIApplication.shared
        let delegate = Delegate()
        application.delegate = delegate
        defer { application.delegate = nil }
        application.follow(from: .active, to: .inactive)
        application.follow(from: .inactive, to: .background)
        application.follow(from: .background, to: .inactive)
        application.follow(from: .inactive, to: .active)
        application.terminate()
        #expect(delegate.calls == ["inactive", "background", "foreground", "active", "end"])
    }

    @Test("URLs reach the scene's delegate, otherwise the app's delegate")
    func urls() throws {
        let url = try #require(URL(string: "https://example.org/a"))
        let (application, scene) = (URLDelegate(), URLScene())
        defer { (UIApplication.shared.delegate, UIWindowScene.shared.delegate) = (nil, nil) }
        func open() { OpenURLReceivers.shared.application?(url) }
        UIWindowScene.shared.delegate = scene
        open()
        UIApplication.shared.delegate = application
        open()
        #expect(scene.opened.count == 2 && application.opened.isEmpty)
        UIWindowScene.shared.delegate = PlainScene()
        open()
        UIWindowScene.shared.delegate = nil
        open()
        #expect(scene.opened.count == 2 && application.opened == [url.absoluteString, url.absoluteString])
        UIApplication.shared.delegate = nil
        #expect(OpenURLReceivers.shared.application == nil)
    }

    @Test(
        "a scene without a delegate class uses Info.plist's class or SceneDelegate",
        arguments: [
            ("Default Configuration", "$(PRODUCT_MODULE_NAME).ListedSceneDelegate", true),
            ("Another", "ListedSceneDelegate", true), ("Default Configuration", "$(PRODUCT_MODULE_NAME).Absent", false),
            ("Default Configuration", nil, false),
        ] as [(String, String?, Bool)])
    func sceneDelegate(configuration: String, named: String?, isListed: Bool) {
        let scene = UIWindowScene.shared
        scene.delegate = nil
        defer { scene.delegate = nil }
        var entry = ["UISceneConfigurationName": configuration]
        entry["UISceneDelegateClassName"] = named
        let info: [String: Any] = [
            "UIApplicationSceneManifest": [
                "UISceneConfigurations": ["UIWindowSceneSessionRoleApplication": [entry] as [Any]] as [String: Any]
            ] as [String: Any]
        ]
        #expect(scene.connect(TemplateDelegate(), info: info))
        #expect(isListed ? scene.delegate is ListedSceneDelegate : scene.delegate is SceneDelegate)
    }

    @Test("connecting reports a requested scene delegate that can't be created")
    func noSceneDelegate() {
        let scene = UIWindowScene.shared
        scene.delegate = nil
        defer { scene.delegate = nil }
        let application = TemplateDelegate()
        // No scene delegate, although it is a class.
        application.sceneClass = Plain.self
        #expect(!scene.connect(application, info: nil))
        #expect(scene.delegate == nil)
        UIApplication.shared.delegate = application
        defer { UIApplication.shared.delegate = nil }
        #expect(UIApplication.shared.begin()?.contains("delegateClass") == true)
    }

    @Test("the latest appearance that a window requests counts until it is withdrawn")
    func appearances() {
        let (first, second) = (NSObject(), NSObject())
        let (one, two) = (ObjectIdentifier(first), ObjectIdentifier(second))
        var requests = AppearanceRequests()
        #expect(!requests.set(nil, by: one) && requests.current == nil)
        #expect(requests.set(.dark, by: one) && !requests.set(.dark, by: one) && requests.current == .dark)
        // A window without a request changes nothing.
        #expect(!requests.set(nil, by: two) && requests.current == .dark)
        #expect(requests.set(.light, by: two) && requests.current == .light)
        #expect(requests.set(nil, by: two) && requests.current == .dark)
        #expect(requests.set(nil, by: one) && requests.current == nil)
        withExtendedLifetime((first, second)) {}
    }

    @Test("an app is launched once, with its adapted delegate")
    func adaptor() {
        let adaptor = UIApplicationDelegateAdaptor(Delegate.self)
        defer { UIApplication.shared.delegate = nil }
        #expect(UIApplication.shared.delegate === adaptor.wrappedValue)
        #expect(UIApplicationDelegateAdaptor(Delegate.self).wrappedValue === adaptor.wrappedValue)
        UIApplication.shared.launch()
        UIApplication.shared.launch()
        #expect(adaptor.wrappedValue.calls == ["launched"])
    }

    @Test(
        "the phase is the windows'",
        arguments: [
            (true, [false, true], ScenePhase.active), (false, [false, true], .inactive), (false, [true], .background),
        ])
    func phases(isActive: Bool, areMinimized: [Bool], phase: ScenePhase) {
        #expect(AppActivity.phase(isActive: isActive, areMinimized: areMinimized) == phase)
        let stage = Stage { PhaseView().environment(\.scenePhase, phase) }
        #expect(stage.texts == ["\(phase)"])
    }

    @Test("the scene modifier closest to a window counts")
    func windowSettings() {
        func shown<S: Scene>(_ scene: S) -> [String] { Stage { S._view(scene) }.texts }
        let scene = SettingsScene()
        #expect(
            shown(scene.windowStyle(.titleBar).windowStyle(.plain).windowResizability(.contentSize)) == [
                "false contentSize 0.0"
            ])
        #expect(shown(scene.windowStyle(.plain).windowStyle(.titleBar)) == ["true automatic 0.0"])
        #expect(
            shown(scene.windowResizability(.automatic).windowResizability(.contentSize)) == ["false automatic 0.0"])
        #expect(
            shown(scene.defaultSize(width: 30, height: 20).defaultSize(width: 40, height: 20)) == [
                "false automatic 30.0"
            ])
    }

    @Test("a sheet has its smallest detent's height in its window")
    func sheetHeight() {
        let settings = SheetSettings(detents: [.height(600), .medium])
        #expect(settings.height(in: 800) == 400 && settings.height(in: 1600) == 600)
        #expect(SheetSettings().height(in: 800) == nil && SheetSettings(detents: [.height(3)]).height(in: 800) == 100)
        func detents(_ selection: PresentationDetent) -> Set<PresentationDetent>? {
            var settings: SheetSettings?
            _ = Stage {
                Color.red.presentationDetents([.medium, .large], selection: .constant(selection))
                    .onPreferenceChange(SheetSettingsKey.self) { settings = $0 }
            }
            return settings?.detents
        }
        #expect(detents(.large) == [.large] && detents(.height(5)) == [.medium, .large])
    }

    @Test(
        "only a request for one kind of orientation changes full screen",
        arguments: [
            (.landscape, true), (.landscapeLeft, true), (.portrait, false), ([.portrait, .portraitUpsideDown], false),
            ([], nil), (.all, nil), (.allButUpsideDown, nil),
        ] as [(UIInterfaceOrientationMask, Bool?)])
    func orientations(mask: UIInterfaceOrientationMask, isFullScreen: Bool?) {
        #expect(mask.isFullScreen == isFullScreen)
    }

    @Test("the screen has a size and a rate also without a display")
    func screen() {
        #expect(UIScreen.main.bounds.width > 0 && UIScreen.main.bounds.height > 0)
        #expect(UIScreen.main.bounds.origin == .zero)
        #expect(UIScreen.main.maximumFramesPerSecond > 0 && UIScreen.main.scale >= 1)
        UIScreen.main.brightness = 2
        #expect(UIScreen.main.brightness == 1)
    }
}
