import CGTK
import CGUPnP
import Foundation

/// Looks for renderers on every network this machine is in (SSDP, by GUPnP), as long as somebody wants to know. Main
/// actor.
@MainActor
final class RendererBrowser {
    private let upnp: zu_calls?
    private let manager: UnsafeMutableRawPointer?
    private var points: [UnsafeMutableRawPointer] = []
    private let came: @MainActor (Renderer) -> Void
    private let went: @MainActor (String) -> Void

    init(came: @escaping @MainActor (Renderer) -> Void, went: @escaping @MainActor (String) -> Void) {
        (self.came, self.went) = (came, went)
        upnp = UPnPLibrary.calls?.pointee
        // 0: UPnP Device Architecture 1.0; any port.
        manager = upnp?.gupnp_context_manager_create_full(0, G_SOCKET_FAMILY_IPV4, 0)
        guard let manager else { return }
        let available: @convention(c) (OpaquePointer?, OpaquePointer?, UnsafeMutableRawPointer?) -> Void = {
            _, context, me in
            nonisolated(unsafe) let context = context
            nonisolated(unsafe) let me = me
            MainActor.assumeIsolated {
                guard let context, let me else { return }
                Unmanaged<RendererBrowser>.fromOpaque(me).takeUnretainedValue().browse(UnsafeMutableRawPointer(context))
            }
        }
        connect(manager, "context-available", unsafeBitCast(available, to: GCallback.self))
    }

    /// Nothing is looked for any more; what was found stays usable.
    func stop() {
        for point in points {
            g_signal_handlers_disconnect_matched(
                point, G_SIGNAL_MATCH_DATA, 0, 0, nil, nil, Unmanaged.passUnretained(self).toOpaque())
            _ = upnp?.gssdp_resource_browser_set_active(point, 0)
            g_object_unref(point)
        }
        points = []
        guard let manager else { return }
        g_signal_handlers_disconnect_matched(
            manager, G_SIGNAL_MATCH_DATA, 0, 0, nil, nil, Unmanaged.passUnretained(self).toOpaque())
        g_object_unref(manager)
    }

    private func connect(_ object: UnsafeMutableRawPointer, _ signal: String, _ handler: GCallback) {
        g_signal_connect_data(object, signal, handler, Unmanaged.passUnretained(self).toOpaque(), nil, GConnectFlags(0))
    }

    /// On one network more.
    private func browse(_ context: UnsafeMutableRawPointer) {
        guard let upnp, let point = upnp.gupnp_control_point_new(context, "urn:schemas-upnp-org:device:MediaRenderer:1")
        else { return }
        points.append(point)
        typealias Handler = @convention(c) (OpaquePointer?, OpaquePointer?, UnsafeMutableRawPointer?) -> Void
        let came: Handler = { _, device, me in
            nonisolated(unsafe) let device = device
            nonisolated(unsafe) let me = me
            MainActor.assumeIsolated {
                guard let device, let me else { return }
                guard let renderer = Renderer(UnsafeMutableRawPointer(device)) else { return }
                Unmanaged<RendererBrowser>.fromOpaque(me).takeUnretainedValue().came(renderer)
            }
        }
        let went: Handler = { _, device, me in
            nonisolated(unsafe) let device = device
            nonisolated(unsafe) let me = me
            MainActor.assumeIsolated {
                guard let device, let me,
                    let udn = UPnPLibrary.calls?.pointee.gupnp_device_info_get_udn(UnsafeMutableRawPointer(device))
                else { return }
                Unmanaged<RendererBrowser>.fromOpaque(me).takeUnretainedValue().went(
                    String(String(cString: udn).prefix(200)))
            }
        }
        connect(point, "device-proxy-available", unsafeBitCast(came, to: GCallback.self))
        connect(point, "device-proxy-unavailable", unsafeBitCast(went, to: GCallback.self))
        _ = upnp.gssdp_resource_browser_set_active(point, 1)
        // With the network it goes, and what was found there with it.
        if let manager { upnp.gupnp_context_manager_manage_control_point(manager, point) }
    }
}
