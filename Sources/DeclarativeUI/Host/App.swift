import DesktopServices
import Foundation
import GTK

/// A program made of windows. Same API as in SwiftUI: mark the conforming type with `@main`.
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
    /// the disk. While the program runs, it is written within a second of each change.
    ///
    /// Without a display, the program prints an error and ends with exit code 1. With the argument `--preview NAME`, it
    /// shows that preview instead of its windows; see `PreviewProvider`.
    public static func main() {
        AppIdentity.identifier = applicationID
        let preview = PreviewRun.asked(CommandLine.arguments)
        guard GTKStart.ensure() else {
            FileHandle.standardError.write(Data("\(CommandLine.arguments.first ?? "app"): \(GTKStart.problem)\n".utf8))
            exit(1)
        }
        // Starts before any code of the app, which may store values and end the process.
        StoredDefaults.begin()
        EndSignals.install {
            // Writes first, because the rest may take long.
            StoredDefaults.write()
            MainLoop.quit()
        }
        let graph = ViewGraph()
        AppWindows.onLastClosed = { MainLoop.quit() }
        let appearance = AppearanceWatch { environment in graph.replaceEnvironment(AppView<Self>.self, environment) }
        let before = Appearance.environment()
        let app = Self()
        AppActivity.onChange = { graph.replaceEnvironment(AppView<Self>.self, Appearance.environment()) }
        UIApplication.shared.launch()
        graph.mount(AppView(app: app, preview: preview), environment: before)
        if preview == nil {
            NowPlayingWindow.beginTelling()
            AppScenes.openFirst()
        }
        // A view may have requested another appearance before the graph had a root to update.
        let after = Appearance.environment()
        if after.colorScheme != before.colorScheme { graph.replaceEnvironment(AppView<Self>.self, after) }
        UIApplication.shared.begin()
        MainLoop.run()
        UIApplication.shared.terminate()
        AppActivity.onChange = nil
        NowPlayingHub.shared.end()
        CastRoutes.shared.end()
        IdleInhibitor.shared.end()
        graph.unmount()
        // Writes again, because views that disappear may have stored values.
        StoredDefaults.end()
        appearance.end()
        EndSignals.endByReceived()
    }
}

/// The root view of the app. The app's `@State` and other properties belong to it.
struct AppView<A: App>: View {
    let app: A
    /// The preview shown instead of the app's windows.
    var preview: KnownPreview?
    var body: AnyView { preview.map(PreviewRun.window) ?? A.Body._view(app.body) }
}
