import CWayland
import Foundation
import GTK
import MediaCore

/// The globals that the compositor offers on GTK's connection.
@MainActor
final class WaylandConnection {
    /// The display that was searched for globals, with the result.
    private static var known: (display: UnsafeMutableRawPointer, connection: WaylandConnection?)?

    let globals: zt_wayland_globals
    let display: OpaquePointer
    /// Whether the compositor reports when a frame became visible. Nil until this is known.
    var reportsPresentationTime: Bool?

    /// Returns the connection of a display. Nil if the compositor lacks a feature that video surfaces need.
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
        if globals.presentation == nil { reportsPresentationTime = false }
        (self.globals, self.display) = (globals, OpaquePointer(display))
    }

    /// Whether the compositor scales at no cost, which is assumed if there is a graphics device.
    let scalesFreely = Renderer.hasDevice

    /// The handlers of the compositor's events. Their context is a surface, which cancels its requests before it is
    /// freed.
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
