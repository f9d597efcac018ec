import CGTK
import Foundation
import ZoetropeGTK

/// A GTK window, created with plain C calls, that has a player as one of its widgets.
@MainActor
final class FilmWindow {
    private let player: AVPlayer
    private let view: PlayerView
    private let window: UnsafeMutablePointer<GtkWindow>

    /// - Returns: nil if there is no display.
    init?(_ film: URL) {
        // Instead of `gtk_init`, because the renderer must be selected before GTK opens the display.
        guard GTKStart.ensure(), let view = PlayerView(), let raw = gtk_window_new(),
            let box = gtk_box_new(GTK_ORIENTATION_VERTICAL, 0),
            let button = gtk_button_new_with_label("Play or Pause")
        else { return nil }
        self.view = view
        player = AVPlayer(url: film)
        window = UnsafeMutableRawPointer(raw).assumingMemoryBound(to: GtkWindow.self)
        view.player = player

        let column = UnsafeMutableRawPointer(box).assumingMemoryBound(to: GtkBox.self)
        gtk_box_append(column, view.widget.pointer(to: GtkWidget.self))
        gtk_box_append(column, button)
        gtk_window_set_child(window, box)
        gtk_window_set_title(window, "Video")
        gtk_window_set_default_size(window, 640, 400)

        // GTK calls signal handlers on the main thread, where the main actor runs.
        let clicked: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> Void = { _, owner in
            guard let owner else { return }
            let film = Unmanaged<FilmWindow>.fromOpaque(owner)
            MainActor.assumeIsolated { film.takeUnretainedValue().toggle() }
        }
        g_signal_connect_data(
            button, "clicked", unsafeBitCast(clicked, to: GCallback.self), Unmanaged.passUnretained(self).toOpaque(),
            nil, GConnectFlags(0))
        let closed: @convention(c) (OpaquePointer?, UnsafeMutableRawPointer?) -> gboolean = { _, _ in
            MainLoop.quit()
            return 0
        }
        g_signal_connect_data(
            raw, "close-request", unsafeBitCast(closed, to: GCallback.self), nil, nil, GConnectFlags(0))
    }

    func present() {
        gtk_window_present(window)
        player.play()
    }

    private func toggle() { if player.rate == 0 { player.play() } else { player.pause() } }
}

@main
enum PlainGTK {
    static func main() {
        guard CommandLine.arguments.count == 2, let film = FilmWindow(URL(fileURLWithPath: CommandLine.arguments[1]))
        else {
            FileHandle.standardError.write(Data("Usage: PlainGTK FILE (needs a display)\n".utf8))
            exit(1)
        }
        film.present()
        // If the app runs its own GLib main loop, for example in a `GtkApplication`, call `MainLoop.attach()` instead.
        MainLoop.run()
        withExtendedLifetime(film) {}
    }
}
