import CGTK
import CX11
import Foundation
import MediaCore

/// GTK, started once a process.
///
/// Views and windows of this library start it when the first of them is made. A program that makes widgets of its own
/// before that calls `ensure()` in place of `gtk_init`: what pictures are drawn with is settled then, and cannot be any
/// more once GTK has opened its display.
@MainActor @preconcurrency
public enum GTKStart {
    private static var isStarted: Bool?
    /// Whether GTK has been started and has a display; asking starts nothing.
    package static var hasStarted: Bool { isStarted == true }
    /// Why it could not be started.
    public private(set) static var problem = AVError(
        .operationNotSupported, at: "", reason: "no display is available to open a window on",
        suggestion: "Set DISPLAY or WAYLAND_DISPLAY")

    /// False when there is no display to open, or none that answers within ten seconds: see `problem`.
    public static func ensure() -> Bool {
        if let isStarted { return isStarted }
        if let old = GTKVersion.problem {
            problem = old
            isStarted = false
            return false
        }
        AppIdentity.tell()
        // GDK sets its own handler, which ends the program without a word, when its class is made: before ours is set.
        _ = g_type_class_ref(gdk_x11_display_get_type())
        DisplayLoss.install()
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
        GTKEnvironment.settle(lacksCompositor: server.map { X11Compositor.isMissing(on: $0) } == true)
        // GTK's words, and which way they are read, are the user's; numbers are not: a decimal comma would get into
        // what libraries parse.
        gtk_disable_setlocale()
        for category in [LC_CTYPE, LC_MESSAGES, LC_TIME] { setlocale(category, "") }
        let started = gtk_init_check() != 0
        if started { GTKEnvironment.settleDisplay() }
        isStarted = started
        return started
    }
}
