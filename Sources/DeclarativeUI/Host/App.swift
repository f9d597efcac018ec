import Foundation
import Presentation

/// A program made of windows. SwiftUI's protocol: the type that conforms is marked `@main`.
@MainActor @preconcurrency
public protocol App {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
    @MainActor @preconcurrency init()
    /// What desktops know the program by (`WM_CLASS` on X11, the app id on Wayland): the name of its desktop file, in
    /// reverse DNS notation. Default: the bundle's identifier, else the executable's name.
    @MainActor @preconcurrency static var applicationID: String { get }
}

extension App {
    @MainActor @preconcurrency public static var applicationID: String { AppIdentity.identifier }

    /// Runs the program until its last window is closed. Without a display it says so and ends with exit code 1.
    /// With the argument `--preview NAME` it shows that preview in place of its windows: see `PreviewProvider`.
    public static func main() {
        AppIdentity.identifier = applicationID
        let preview = PreviewRun.asked(CommandLine.arguments)
        guard GTKStart.ensure() else {
            FileHandle.standardError.write(Data("\(CommandLine.arguments.first ?? "app"): \(GTKStart.problem)\n".utf8))
            exit(1)
        }
        let graph = ViewGraph()
        AppWindows.onLastClosed = { MainLoop.quit() }
        let appearance = AppearanceWatch { environment in graph.replaceEnvironment(AppView<Self>.self, environment) }
        let before = Appearance.environment()
        graph.mount(AppView(app: Self(), preview: preview), environment: before)
        // A view may have asked for another appearance before there was a root to tell it to.
        let after = Appearance.environment()
        if after.colorScheme != before.colorScheme { graph.replaceEnvironment(AppView<Self>.self, after) }
        MainLoop.run()
        graph.unmount()
        appearance.end()
    }
}

/// The app as the graph's root: its `@State` and the rest belong to it.
struct AppView<A: App>: View {
    let app: A
    /// Shown in place of the app's windows.
    var preview: KnownPreview?
    var body: AnyView { preview.map(PreviewRun.window) ?? A.Body._view(app.body) }
}

/// A part of an app: a window or several. SwiftUI's protocol.
@MainActor @preconcurrency
public protocol Scene {
    associatedtype Body: Scene
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
    /// Not for apps.
    static func _view(_ scene: Self) -> AnyView
}

extension Scene {
    public static func _view(_ scene: Self) -> AnyView { AnyView(SceneView(scene: scene)) }
}

struct SceneView<S: Scene>: View {
    let scene: S
    var body: AnyView { S.Body._view(scene.body) }
}

extension Never: Scene {
    public static func _view(_ scene: Never) -> AnyView {}
}

@resultBuilder @MainActor @preconcurrency
public struct SceneBuilder {
    public static func buildExpression<S: Scene>(_ scene: S) -> S { scene }
    public static func buildBlock<S: Scene>(_ scene: S) -> S { scene }
    @_disfavoredOverload
    public static func buildBlock<each S: Scene>(_ scene: repeat each S) -> some Scene {
        var views: [AnyView] = []
        for one in repeat each scene { views.append(viewOf(one)) }
        return SceneList(views: views)
    }
    private static func viewOf<S: Scene>(_ scene: S) -> AnyView { S._view(scene) }
}

struct SceneList: Scene {
    let views: [AnyView]
    var body: Never { preconditionFailure("only the graph evaluates scenes") }
    static func _view(_ scene: SceneList) -> AnyView {
        AnyView(ForEach(Array(scene.views.indices), id: \.self) { scene.views[$0] })
    }
}

/// A window with views. SwiftUI's scene; on Linux one window is opened.
public struct WindowGroup<Content: View>: Scene {
    let title: String?
    let content: Content
    var settings = WindowSettings()
    public init(@ViewBuilder content: () -> Content) {
        title = nil
        self.content = content()
    }
    public init(_ title: String, id: String = "", @ViewBuilder content: () -> Content) {
        self.title = title
        self.content = content()
    }
    public var body: Never { preconditionFailure("only the graph evaluates scenes") }
    public static func _view(_ scene: Self) -> AnyView {
        AnyView(WindowView(title: scene.title ?? ProcessInfo.processInfo.processName, settings: scene.settings, content: scene.content))
    }

    /// The size the window opens with, points, at most the screen's. Default: what its content likes best, at most 1280×720;
    /// where the content takes whatever it gets, 960×540 or what it likes best if that is more. A frame with an ideal
    /// width or height around the content says otherwise.
    public func defaultSize(width: CGFloat, height: CGFloat) -> WindowGroup { with(self) { $0.settings.size = CGSize(width: width, height: height) } }
    public func defaultSize(_ size: CGSize) -> WindowGroup { with(self) { $0.settings.size = size } }
}

/// What a window is opened with.
struct WindowSettings: Equatable {
    var size: CGSize?
}
