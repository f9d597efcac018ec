import CGTK
import Foundation

/// How long things take to move, and how: steps of the visual language (docs/design.md). Main actor.
@MainActor
package enum Motion {
    /// Seconds: what answers the pointer.
    nonisolated package static let quickSeconds = 0.12
    /// Seconds: what comes and goes, as a player's controls.
    nonisolated package static let standardSeconds = 0.2
    /// Seconds: what crosses the window, as a page.
    nonisolated package static let slowSeconds = 0.25

    /// The user wants nothing to move that need not: GTK's `gtk-enable-animations` is off, which desktops turn off with
    /// their own switch. Then `withAnimation` and `animation(_:)` change at once too.
    package private(set) static var isReduced = false

    /// Of the step; nil, at once, where motion is reduced.
    package static var quick: Animation? { isReduced ? nil : .easeOut(duration: quickSeconds) }
    package static var standard: Animation? { isReduced ? nil : .easeOut(duration: standardSeconds) }
    package static var slow: Animation? { isReduced ? nil : .easeOut(duration: slowSeconds) }
    /// What holds of an animation that an app asks for.
    static func honoured(_ animation: Animation?) -> Animation? { isReduced ? nil : animation }

    /// Asks the settings anew.
    static func follow() {
        guard let settings = gtk_settings_get_default() else { return }
        var animates: gboolean = 1
        zt_gtk_settings_get_boolean(settings, "gtk-enable-animations", &animates)
        isReduced = animates == 0
    }
}
