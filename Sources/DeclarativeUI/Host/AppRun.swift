import DesktopServices
import Foundation
import GTK

/// The start, the main loop and the end of an app. Both an `App` and a delegate marked `@main` use this code.
@MainActor
enum AppRun {
    /// Starts GTK, opens the app's windows, and runs the main loop until the last window is closed.
    ///
    /// If there is no display, or if a requested scene delegate can't be created and no window is open, the method
    /// writes an error to standard error and ends the process with exit code 1.
    /// - Parameters:
    ///   - reportsPlayback: Whether the desktop's media controls show what the app plays.
    ///   - make: Creates the app or its delegate.
    ///   - open: Opens the first windows. A scene's delegate opens its windows after this.
    static func run<Main>(reportsPlayback: Bool = true, make: () -> Main, open: (Main) -> Void = { _ in }) {
        guard GTKStart.ensure() else {
            writeError("\(GTKStart.problem)")
            exit(1)
        }
        // Starts before any code of the app, because that code may store values and end the process.
        StoredDefaults.begin()
        EndSignals.install {
            // Writes first, because the rest may take long.
            StoredDefaults.write()
            MainLoop.quit()
        }
        AppWindows.onLastClosed = { MainLoop.quit() }
        let appearance = AppearanceWatch { AppRoots.follow($0) }
        AppActivity.onChange = { AppRoots.follow(Appearance.environment()) }
        let oldEnvironment = Appearance.environment()
        let main = make()
        UIApplication.shared.launch()
        if reportsPlayback { NowPlayingWindow.startReporting() }
        open(main)
        // A view may have requested another appearance before its graph had a root to update.
        let newEnvironment = Appearance.environment()
        if newEnvironment.colorScheme != oldEnvironment.colorScheme { AppRoots.follow(newEnvironment) }
        let problem = UIApplication.shared.begin()
        if let problem { writeError(problem) } else { MainLoop.run() }
        UIApplication.shared.terminate()
        AppActivity.onChange = nil
        appearance.end()
        NowPlayingHub.shared.end()
        CastRoutes.shared.end()
        IdleInhibitor.shared.end()
        AppRoots.unmount()
        // Writes again, because views that disappear may have stored values.
        StoredDefaults.end()
        EndSignals.endByReceived()
        if problem != nil { exit(1) }
    }

    /// Writes an error to standard error, after the name of the program.
    static func writeError(_ problem: String) {
        FileHandle.standardError.write(Data("\(CommandLine.arguments.first ?? "app"): \(problem)\n".utf8))
    }
}

/// The root views of an app, which follow the desktop's appearance and the state of the app's windows.
@MainActor
enum AppRoots {
    private struct Root {
        weak var graph: ViewGraph?
        let follow: (ViewGraph, EnvironmentValues) -> Void
    }
    private static var roots: [Root] = []

    /// Mounts `view` as the root view of `graph`. The caller must keep the graph.
    static func mount<Root: View>(_ view: Root, in graph: ViewGraph) {
        roots.removeAll { $0.graph == nil || $0.graph === graph }
        roots.append(AppRoots.Root(graph: graph) { $0.replaceEnvironment(Root.self, $1) })
        graph.mount(view, environment: Appearance.environment())
    }
    /// Gives the root views another environment.
    static func follow(_ environment: EnvironmentValues) {
        for root in roots { root.graph.map { root.follow($0, environment) } }
    }
    /// Removes all views.
    static func unmount() {
        for root in roots { root.graph?.unmount() }
        roots = []
    }
}
