import CGTK
import CX11
import Foundation
import MediaCore

/// The start of GTK, once per process.
///
/// Zoetrope's views and windows start GTK when the first of them is created. A program that creates widgets before that
/// calls `ensure()` instead of `gtk_init`, because the renderer cannot be changed after GTK has opened its display.
@MainActor @preconcurrency
public enum GTKStart {
    private static var isStarted: Bool?
    /// Whether GTK has started and has a display. Reading this property does not start GTK.
    package static var hasStarted: Bool { isStarted == true }
    /// The reason why GTK could not start. Valid after `ensure()` has returned false.
    public private(set) static var problem = AVError(
        .operationNotSupported, at: "", reason: "no display is available to open a window on",
        suggestion: "Set DISPLAY or WAYLAND_DISPLAY")

    /// Starts GTK, unless it has started already. After a failure, later calls return false without another attempt.
    ///
    /// - Returns: Whether GTK is running. False if there is no display, if the display does not respond within ten
    ///   seconds or lacks required Wayland interfaces, or if GTK is older than 4.8; `problem` has the reason.
    public static func ensure() -> Bool {
        if let isStarted { return isStarted }
        if let old = GTKVersion.problem {
            problem = old
            isStarted = false
            return false
        }
        AppIdentity.passToGLib()
        // GDK installs its own handler, which ends the program without a message, when this class is created. Creating
        // the class first lets `DisplayLoss` replace that handler.
        _ = g_type_class_ref(gdk_x11_display_get_type())
        DisplayLoss.install()
        let server: OpaquePointer?
        do throws(AVError) {
            server = try DisplayProbe.connect()
        } catch {
            problem = error
            isStarted = false
            return false
        }
        // The connection stays open until GTK has its own. An X server resets when its last client disconnects, and
        // would drop a client that is just connecting.
        defer { if let server { XCloseDisplay(server) } }
        GTKEnvironment.apply(lacksCompositor: server.map { X11Compositor.isMissing(on: $0) } == true)
        // The user's locale applies to texts and their direction, but not to numbers: libraries that parse numbers
        // would fail with a decimal comma.
        gtk_disable_setlocale()
        for category in [LC_CTYPE, LC_MESSAGES, LC_TIME] { setlocale(category, "") }
        let started = gtk_init_check() != 0
        if started { GTKEnvironment.applyToDisplay() }
        isStarted = started
        return started
    }
}
