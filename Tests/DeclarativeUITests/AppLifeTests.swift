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

private struct PhaseView: View {
    @Environment(\.scenePhase) var phase
    var body: some View { Text(verbatim: "\(phase)") }
}

@MainActor @Suite("An app's life by UIKit's names", .serialized)
struct AppLifeTests {
    @Test("objects are made of classes known at run time")
    func objects() throws {
        let made = try #require(ObjectMaker.make(Made.self))
        #expect(made.words == ["a", "b"] && made.number == 7)
        let below: Made.Type = MadeBelow.self
        let other = try #require(ObjectMaker.make(below) as? MadeBelow)
        #expect(other.more == "more" && other.number == 7)
        #expect(ObjectMaker.make(Plain.self)?.text == "plain")
    }

    @Test("a made object is released as any other")
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

    @Test("the screen has a size and a rate also without a display")
    func screen() {
        #expect(UIScreen.main.bounds.width > 0 && UIScreen.main.bounds.height > 0)
        #expect(UIScreen.main.bounds.origin == .zero)
        #expect(UIScreen.main.maximumFramesPerSecond > 0 && UIScreen.main.scale >= 1)
        UIScreen.main.brightness = 2
        #expect(UIScreen.main.brightness == 1)
    }
}
