/// A program made of windows. Same API as in SwiftUI: mark the conforming type with `@main`.
///
/// ```swift
/// @main struct PlayerApp: App {
///     static let applicationID = "com.example.Player"
///
///     var body: some Scene {
///         WindowGroup("Player") { ExtVideoPlayer(fileName: "film.mp4") }
///     }
/// }
/// ```
@MainActor @preconcurrency
public protocol App: _PropertyHolder {
    /// The type of the app's scenes.
    associatedtype Body: Scene
    /// The scenes of the app. The first one opens a window when the app starts.
    ///
    /// The property is evaluated again when a value that it reads changes.
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
    /// Creates the app. `main()` calls it once.
    @MainActor @preconcurrency init()
    /// The name by which desktops identify the program: `WM_CLASS` on X11, the app ID on Wayland.
    ///
    /// Use the name of the app's desktop file in reverse DNS notation. The default is the bundle's identifier, else the
    /// executable's name.
    @MainActor @preconcurrency static var applicationID: String { get }
}

extension App {
    /// The default identifier: the bundle's identifier, else the executable's name.
    @MainActor @preconcurrency public static var applicationID: String { AppIdentity.identifier }

    /// Opens the first scene's window and runs the program until its last window is closed.
    ///
    /// SIGINT, SIGTERM and SIGHUP also end the program. Views then disappear, and `UserDefaults.standard` is written to
    /// the disk. While the program runs, changes of `UserDefaults.standard` are written within a second.
    ///
    /// Without a display, the program prints an error and ends with exit code 1. With the argument `--preview NAME`, it
    /// shows that preview instead of its windows; see `PreviewProvider`.
    public static func main() {
        AppIdentity.identifier = applicationID
        let preview = PreviewRun.requestedPreview(CommandLine.arguments)
        let graph = ViewGraph()
        AppRun.run(reportsPlayback: preview == nil) {
            Self()
        } open: { app in
            AppRoots.mount(AppView(app: app, preview: preview), in: graph)
            if preview == nil { AppScenes.openFirst() }
        }
        withExtendedLifetime(graph) {}
    }
}

/// The root view of the app. The app's `@State` and other properties belong to it.
struct AppView<A: App>: View {
    let app: A
    /// The preview shown instead of the app's windows.
    var preview: KnownPreview?
    var body: AnyView { preview.map(PreviewRun.window) ?? A.Body._view(app.body) }
}
