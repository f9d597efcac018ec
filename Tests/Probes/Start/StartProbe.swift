import CGTK
import Downloads
import Foundation
import MPlayerKit
import Zoetrope

/// A program that initializes GTK in one of several ways: `Start WAY FILM`. Once a window is shown, it prints `shown`,
/// the environment variables that GTK saw, and whether an OpenGL driver is loaded. Then it ends.
enum StartProbe {
    @MainActor private static var players: [AVPlayer] = []
    @MainActor private static var views: [PlayerView] = []
    @MainActor private static var library: DownloadLibrary?

    @MainActor private static var film: URL { URL(fileURLWithPath: Probes.arguments.dropFirst(2).first ?? "") }

    @MainActor
    static func main() {
        switch Probes.arguments.dropFirst().first {
        case "app": PlayerFirst.main()
        // A player plays before the first GTK object is created.
        case "player": runsPlayer { window() }
        // The same, but the program initializes GTK itself.
        case "late":
            runsPlayer {
                print(GTKStart.ensure() ? "started" : "\(GTKStart.problem)"); window()
            }
        case "queue": AVQueuePlayer(url: film).play(); runsPlayer { window() }
        case "looper":
            let queue = AVQueuePlayer()
            let looper = AVPlayerLooper(player: queue, templateItem: AVPlayerItem(url: film))
            queue.play()
            players.append(queue)
            runsPlayer { window() }
            withExtendedLifetime(looper) {}
        case "model":
            let model = PlayerModel()
            model.play()
            runsPlayer { window() }
            withExtendedLifetime(model) {}
        case "thread":
            // A thread of the program, not of Zoetrope.
            Thread.detachNewThread { while true { _ = getenv("HOME") } }
            runsPlayer { window() }
        case "cleared":
            // A program that has cleared its environment, and with it the entries that Zoetrope had reserved.
            let names: [String] = [
                "DISPLAY", "XAUTHORITY", "HOME", "PULSE_SERVER", "ZOETROPE_RENDERER", "ENVIRONMENT_GUARD",
            ]
            let kept = names.compactMap { name in getenv(name).map { (name, String(cString: $0)) } }
            clearenv()
            for (name, value) in kept { setenv(name, value, 1) }
            setenv("DBUS_SESSION_BUS_ADDRESS", "disabled:", 1)
            runsPlayer { window() }
        case "download":
            library = try? DownloadLibrary(
                at: FileManager.default.temporaryDirectory.appendingPathComponent("zt-start-\(getpid())"))
            runsPlayer { window() }
        case "closed": closesWindow()
        default: exit(64)
        }
    }

    /// Opens a player window, closes it as a user does, and then uses and closes it again from the program.
    @MainActor
    private static func closesWindow() {
        guard let window = try? PlayerWindow(player: AVPlayer(url: film), title: "Start") else { exit(1) }
        window.onClose = {
            window.close()
            // GTK frees the window after this closure. The visible text's time ends before the calls.
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(50)) {
                MainActor.assumeIsolated { usesClosed(window) }
            }
        }
        // A full-screen window appears at once, but a normal window waits for the video's size.
        window.present(fullscreen: true)
        DispatchQueue.main.async {
            MainActor.assumeIsolated {
                window.showMessage("Start", seconds: 0.03)
                window.perform(.close)
            }
        }
        MainLoop.run()
    }

    @MainActor
    private static func usesClosed(_ window: PlayerWindow) {
        window.title = "Closed"
        window.showError("closed")
        window.present()
        window.present(fullscreen: true)
        window.toggleFullscreen()
        window.close()
        FileHandle.standardOutput.write(Data("closed with \(window.views.count) views\n".utf8))
        MainLoop.quit()
    }

    /// Runs `then` after a player has decoded a frame, so that all of its threads exist.
    @MainActor
    private static func runsPlayer(_ then: @escaping @MainActor () -> Void) {
        let player = AVPlayer(url: film)
        players.append(player)
        player.play()
        whenReady(player, then)
        MainLoop.run()
    }

    @MainActor
    private static func whenReady(_ player: AVPlayer, _ then: @escaping @MainActor () -> Void) {
        DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(10)) {
            MainActor.assumeIsolated {
                player.currentItem?.status == .readyToPlay ? then() : whenReady(player, then)
            }
        }
    }

    @MainActor
    private static func window() {
        guard let view = PlayerView(), let raw = gtk_window_new() else {
            print("no window: \(GTKStart.problem)")
            exit(1)
        }
        views.append(view)
        view.player = players.first
        let window = UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GtkWindow.self)
        gtk_window_set_child(window, view.widget.pointer(to: GtkWidget.self))
        gtk_window_set_default_size(window, 320, 180)
        gtk_window_present(window)
        whenShown(raw)
    }

    @MainActor
    fileprivate static func whenShown(_ widget: UnsafeMutablePointer<GtkWidget>) {
        DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(10)) {
            MainActor.assumeIsolated { gtk_widget_get_mapped(widget) != 0 ? shown() : whenShown(widget) }
        }
    }

    /// Prints the state and ends the program.
    @MainActor
    static func shown() {
        let maps = (try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)) ?? ""
        let names = ["GSK_RENDERER", "GDK_DEBUG", "GDK_DISABLE", "GTK_A11Y", "GSETTINGS_BACKEND"]
        let values = names.map { name in "\(name)=\(getenv(name).map { String(cString: $0) } ?? "")" }
        let isGL = maps.contains("swrast") || maps.contains("libLLVM")
        print("shown \(values.joined(separator: " ")) gl=\(isGL) renderer=\(renderer) gtk=\(gtk_get_minor_version())")
        fflush(nil)
        exit(0)
    }

    /// The name of the renderer that GTK uses for the first window.
    @MainActor private static var renderer: String {
        guard let windows = gtk_window_get_toplevels(), let window = g_list_model_get_item(windows, 0) else {
            return ""
        }
        defer { g_object_unref(window) }
        guard let renderer = gtk_native_get_renderer(OpaquePointer(window)) else { return "" }
        let instance = UnsafeMutableRawPointer(renderer).assumingMemoryBound(to: GTypeInstance.self)
        return g_type_name_from_instance(instance).map { String(cString: $0) } ?? ""
    }

    /// An app with a player as a property, which is created before the first view.
    private struct PlayerFirst: App {
        private let player = AVPlayer(url: StartProbe.film)

        init() { player.play() }

        var body: some Scene {
            WindowGroup("Start") {
                VideoPlayer(player: player).frame(width: 320, height: 180)
                    .onAppear { whenPlaying() }
            }
        }

        private func whenPlaying() {
            DispatchQueue.main.asyncAfter(deadline: .now() + .milliseconds(10)) {
                MainActor.assumeIsolated {
                    player.currentTime().seconds > 0.1 ? StartProbe.shown() : whenPlaying()
                }
            }
        }
    }
}
