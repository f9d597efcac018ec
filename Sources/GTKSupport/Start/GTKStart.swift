import CGTK
import CX11
import Foundation
import GLibSupport
import MediaCore

/// GTK, started once a process.
///
/// Views and windows of this library start it when the first of them is made. A program that makes widgets of its own
/// before that calls `ensure()` in place of `gtk_init`: what pictures are drawn with is settled then, and cannot be any
/// more once GTK has opened its display.
@MainActor @preconcurrency
public enum GTKStart {
    private static var isStarted: Bool?
    /// Why it could not be started.
    public private(set) static var problem = AVError(
        .operationNotSupported, at: "display", reason: "no display to open a window on",
        suggestion: "Set DISPLAY or WAYLAND_DISPLAY, or play with --headless")

    /// False when there is no display to open, or none that answers within ten seconds: see `problem`.
    public static func ensure() -> Bool {
        if let isStarted { return isStarted }
        AppIdentity.tell()
        // GDK sets its own handler, which ends the program without a word, when its class is made: before ours is set.
        _ = g_type_class_ref(gdk_x11_display_get_type())
        DisplayLoss.install()
        // The user's own words win; else what the renderer needs. With cairo GTK never touches GL,
        // whose software driver alone takes 100 MB.
        let server: OpaquePointer?
        do throws(AVError) {
            server = try DisplayProbe.reach()
        } catch {
            problem = error
            isStarted = false
            return false
        }
        // Only once GTK is connected: a bare X server resets when its last client goes, and drops who is just coming.
        defer { if let server { XCloseDisplay(server) } }
        if Renderer.chosen == .cpu {
            setenv("GSK_RENDERER", "cairo", 0)
            setenv("GDK_DEBUG", "gl-disable", 0)
            // A window with transparency is drawn twice by the server: aside, then to the screen. Measured on
            // Xvfb with 1280×720 at 30 a second, its CPU is 0.31 s in 10 s, 0.14 s without; and only then does it
            // tell when the video is hidden. Without a compositor nothing would be seen through it anyway.
            if let server, X11Compositor.isMissing(on: server) { setenv("XLIB_SKIP_ARGB_VISUALS", "1", 0) }
        }
        DesktopBus.settle()
        // GTK's words, and which way they are read, are the user's; numbers are not: a decimal comma would get into
        // what libraries parse.
        gtk_disable_setlocale()
        for category in [LC_CTYPE, LC_MESSAGES, LC_TIME] { setlocale(category, "") }
        let started = gtk_init_check() != 0
        isStarted = started
        return started
    }
}
