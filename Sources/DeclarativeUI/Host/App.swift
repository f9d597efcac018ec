import DesktopServices
import Foundation
import GTK

/// A program made of windows. SwiftUI's protocol: the type that conforms is marked `@main`.
@MainActor @preconcurrency
public protocol App: _PropertyHolder {
    /// The type of the scenes that the app is made of.
    associatedtype Body: Scene
    /// The scenes of the app, of which the first opens a window when it starts. Evaluated again when something that it
    /// read has changed.
    @SceneBuilder @MainActor @preconcurrency var body: Body { get }
    /// Makes the app; called once, by `main()`.
    @MainActor @preconcurrency init()
    /// What desktops know the program by (`WM_CLASS` on X11, the app id on Wayland): the name of its desktop file, in
    /// reverse DNS notation. Default: the bundle's identifier, else the executable's name.
    @MainActor @preconcurrency static var applicationID: String { get }
}

extension App {
    /// The bundle's identifier, else the executable's name.
    @MainActor @preconcurrency public static var applicationID: String { AppIdentity.identifier }

    /// Opens the first scene's window and runs the program until its last window is closed, or until SIGINT, SIGTERM or
    /// SIGHUP ends it. Views then disappear, and `UserDefaults.standard` is written to the disk, as it is within a second
    /// of each change. Without a display it says so and ends with exit code 1. With the argument `--preview NAME` it
    /// shows that preview in place of its windows: see `PreviewProvider`.
    public static func main() {
        AppIdentity.identifier = applicationID
        let preview = PreviewRun.asked(CommandLine.arguments)
        guard GTKStart.ensure() else {
            FileHandle.standardError.write(Data("\(CommandLine.arguments.first ?? "app"): \(GTKStart.problem)\n".utf8))
            exit(1)
        }
        // Before anything of the app runs, which may store values and end the process.
        StoredDefaults.begin()
        EndSignals.install {
            // First of all: what follows may take long.
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
        // A view may have asked for another appearance before there was a root to tell it to.
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
        // Views that disappear may have stored something.
        StoredDefaults.end()
        appearance.end()
        EndSignals.endByReceived()
    }
}

/// The app as the graph's root: its `@State` and the rest belong to it.
struct AppView<A: App>: View {
    let app: A
    /// Shown in place of the app's windows.
    var preview: KnownPreview?
    var body: AnyView { preview.map(PreviewRun.window) ?? A.Body._view(app.body) }
}
