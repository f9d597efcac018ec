import CWayland
import Foundation
import GTK
import MediaCore

/// What the compositor at the other end of GTK's connection offers. Main thread only.
@MainActor
final class WaylandConnection {
    /// GTK's display, and what was found there.
    private static var known: (display: UnsafeMutableRawPointer, connection: WaylandConnection?)?

    let globals: zt_wayland_globals
    let display: OpaquePointer
    /// Whether the compositor tells when a frame was seen: nil until it has done so, or has failed to.
    var tellsWhenSeen: Bool?

    /// Nil when the compositor lacks what a surface of the video's own needs.
    static func of(_ display: GDKDisplay) -> WaylandConnection? {
        guard let display = display.waylandDisplay else { return nil }
        if let known, known.display == display { return known.connection }
        let connection = WaylandConnection(display)
        known = (display, connection)
        return connection
    }

    private init?(_ display: UnsafeMutableRawPointer) {
        zt_wayland_listen(WaylandConnection.events)
        var globals = zt_wayland_globals()
        guard zt_wayland_bind(display, &globals) else { return nil }
        if globals.presentation == nil { tellsWhenSeen = false }
        (self.globals, self.display) = (globals, OpaquePointer(display))
    }

    /// Whether the compositor scales on a graphics device, which costs nothing.
    let scalesFreely = Renderer.hasDevice

    /// The context of each is the surface, which lets go of what it has asked for before it goes.
    private static var events: zt_wayland_events {
        zt_wayland_events(
            next: { MainThread.run($0, as: WaylandVideoSurface.self) { $0.wantsNext() } },
            released: { surface, buffer in
                MainThread.run((surface, buffer)) { surface, buffer in
                    surface.map { Unmanaged<WaylandVideoSurface>.fromOpaque($0).takeUnretainedValue() }?.released(
                        buffer)
                }
            },
            seen: { surface, feedback, time, refresh in
                MainThread.run((surface, feedback)) { surface, feedback in
                    surface.map { Unmanaged<WaylandVideoSurface>.fromOpaque($0).takeUnretainedValue() }?.seen(
                        feedback, time == 0 ? nil : HostTime(nanoseconds: Int64(clamping: time)))
                }
            },
            scaled: { surface, scale in
                MainThread.run(surface, as: WaylandVideoSurface.self) { $0.prefers(Double(scale) / 120) }
            })
    }
}
