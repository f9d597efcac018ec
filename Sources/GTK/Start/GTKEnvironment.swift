import CEnvironment
import CGTK
import Foundation
import MediaCore

/// The environment variables that GTK, Xlib and GLib read when GTK starts. Variables that the user has set stay
/// unchanged.
///
/// Threads of players, the audio server and the app may read the environment at the same time. For this reason, no code
/// here calls `setenv`. `CEnvironment` reserves the variables before `main`, which is the only safe time.
package enum GTKEnvironment {
    /// Sets the variables for the chosen renderer, and those for a missing session bus. Call it before GTK opens its
    /// display.
    ///
    /// - Parameter lacksCompositor: Whether the display is an X server without a compositing manager.
    static func apply(lacksCompositor: Bool) {
        if Renderer.chosen == .cpu {
            // With cairo, GTK does not load OpenGL, whose software driver alone takes 100 MB.
            set(zt_variable_gsk_renderer)
            // GTK 4.16 moved the flag to another variable, and prints a warning about the old one.
            let isNew = GTKVersion.isAtLeast(minor: 16)
            set(isNew ? zt_variable_gdk_disable : zt_variable_gdk_debug)
            // An X server draws a window with transparency twice: into memory, then to the screen. Measured on Xvfb
            // with 1280×720 at 30 frames per second for 10 s, the server's CPU time is 0.31 s with transparency, 0.14 s
            // without. In addition, the server reports that the video is hidden only for windows without transparency.
            // Without a compositor, transparency has no effect anyway.
            //
            // If the user's own variable leaves OpenGL on, GTK 4.16 examines all visuals for OpenGL. For each visual
            // that Xlib hides, GTK prints a warning. In this case, transparency stays on.
            if lacksCompositor, !isNew || lists("GDK_DISABLE", "gl") { set(zt_variable_skip_argb_visuals) }
        }
        // These variables keep GTK from using the session bus, and GIO from starting one.
        if !DesktopBus.isAvailable {
            set(zt_variable_gtk_a11y)
            set(zt_variable_gsettings_backend)
            set(zt_variable_session_bus)
        }
    }

    /// Chooses cairo for the default display if the environment variable could not be set. Call it after GTK has opened
    /// the display.
    @MainActor
    static func applyToDisplay() {
        guard Renderer.chosen == .cpu, getenv("GSK_RENDERER") == nil, let display = gdk_display_get_default() else {
            return
        }
        // GSK reads this property before it reads the environment.
        g_object_set_data_full(
            UnsafeMutableRawPointer(display).assumingMemoryBound(to: GObject.self), "gsk-renderer", g_strdup("cairo"),
            { g_free($0) })
    }

    /// Sets `XCODE_RUNNING_FOR_PREVIEWS` to 1, like Xcode does for previews.
    package static func setPreviews() { set(zt_variable_previews) }

    /// Returns whether a GDK variable, which is a list of words, contains `word`.
    private static func lists(_ variable: String, _ word: String) -> Bool {
        guard let value = getenv(variable).map({ String(cString: $0) }) else { return false }
        return value.lowercased().split { ":;, \t".contains($0) }.contains { $0 == word }
    }

    private static func set(_ variable: zt_variable) { _ = zt_variable_set(variable) }
}
