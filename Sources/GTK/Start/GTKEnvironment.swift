import CEnvironment
import CGTK
import Foundation

/// The environment variables that GTK, Xlib and GLib read when GTK starts. A variable that the user has set stays as it
/// is.
///
/// Threads of players, of the audio server and of the app may read the environment at the same time. So nothing here
/// calls `setenv`: the variables are reserved before `main` (`CEnvironment`), the one place that every program passes.
package enum GTKEnvironment {
    /// Sets what GTK needs for the chosen renderer, and without a session bus. Call before GTK opens its display.
    /// - Parameter lacksCompositor: Whether the display is an X server without a compositing manager.
    static func settle(lacksCompositor: Bool) {
        if Renderer.chosen == .cpu {
            // With cairo GTK never touches GL, whose software driver alone takes 100 MB.
            set(zt_variable_gsk_renderer)
            // GTK 4.16 moved the flag to another variable, and complains about the old one.
            let isNew = GTKVersion.isAtLeast(minor: 16)
            set(isNew ? zt_variable_gdk_disable : zt_variable_gdk_debug)
            // An X server draws a window with transparency twice: aside, then to the screen. Measured on Xvfb with
            // 1280×720 at 30 frames a second, the server's CPU time is 0.31 s in 10 s, 0.14 s without; and only then
            // does it report when the video is hidden. Without a compositor nothing is seen through it anyway.
            // Where the user's own variable leaves OpenGL on, GTK 4.16 looks all visuals up for it, and prints a warning
            // for each that Xlib hides.
            if lacksCompositor, !isNew || lists("GDK_DISABLE", "gl") { set(zt_variable_skip_argb_visuals) }
        }
        // Without a session bus GTK asks it for nothing, and GIO starts none.
        if !DesktopBus.isThere {
            set(zt_variable_gtk_a11y)
            set(zt_variable_gsettings_backend)
            set(zt_variable_session_bus)
        }
    }

    /// Chooses cairo for the default display where the environment could not say so. Call after GTK has opened it.
    @MainActor
    static func settleDisplay() {
        guard Renderer.chosen == .cpu, getenv("GSK_RENDERER") == nil, let display = gdk_display_get_default() else {
            return
        }
        // GSK looks here before it looks into the environment.
        g_object_set_data_full(
            UnsafeMutableRawPointer(display).assumingMemoryBound(to: GObject.self), "gsk-renderer", g_strdup("cairo"),
            { g_free($0) })
    }

    /// Sets `XCODE_RUNNING_FOR_PREVIEWS` to 1, as Xcode does for previews.
    package static func setPreviews() { set(zt_variable_previews) }

    /// Whether a variable of GDK's, a list of words, has `word`.
    private static func lists(_ variable: String, _ word: String) -> Bool {
        guard let value = getenv(variable).map({ String(cString: $0) }) else { return false }
        return value.lowercased().split { ":;, \t".contains($0) }.contains { $0 == word }
    }

    private static func set(_ variable: zt_variable) { _ = zt_variable_set(variable) }
}
