import CGIO
import CGUPnP
import Foundation
import GTK

/// A search for renderers on every network of this computer (SSDP, by means of GUPnP), until `stop()` is called.
@MainActor
final class RendererBrowser {
    private let upnp: zu_calls?
    private let manager: UnsafeMutableRawPointer?
    private let signals = Signals()
    private var points: [UnsafeMutableRawPointer] = []
    private let onFound: @MainActor (Renderer) -> Void
    private let onLost: @MainActor (String) -> Void

    init(onFound: @escaping @MainActor (Renderer) -> Void, onLost: @escaping @MainActor (String) -> Void) {
        (self.onFound, self.onLost) = (onFound, onLost)
        upnp = UPnPLibrary.calls?.pointee
        // The value 0 stands for UPnP Device Architecture 1.0.
        manager = upnp?.gupnp_context_manager_create_full(0, G_SOCKET_FAMILY_IPV4, UPnPPort.free())
        guard let manager else { return }
        signals.on(manager, "context-available") { [weak self] (context: OpaquePointer?) in
            if let context { self?.browse(UnsafeMutableRawPointer(context)) }
        }
    }

    /// Ends the search. Renderers that were found stay usable.
    func stop() {
        signals.disconnect()
        for point in points {
            _ = upnp?.gssdp_resource_browser_set_active(point, 0)
            g_object_unref(point)
        }
        points = []
        if let manager { g_object_unref(manager) }
    }

    /// Searches on an additional network.
    private func browse(_ context: UnsafeMutableRawPointer) {
        guard let upnp, let point = upnp.gupnp_control_point_new(context, "urn:schemas-upnp-org:device:MediaRenderer:1")
        else { return }
        points.append(point)
        signals.on(point, "device-proxy-available") { [weak self] (device: OpaquePointer?) in
            guard let device, let renderer = Renderer(UnsafeMutableRawPointer(device)) else { return }
            self?.onFound(renderer)
        }
        signals.on(point, "device-proxy-unavailable") { [weak self] (device: OpaquePointer?) in
            guard let device,
                let udn = UPnPLibrary.calls?.pointee.gupnp_device_info_get_udn(UnsafeMutableRawPointer(device))
            else { return }
            self?.onLost(String(String(cString: udn).prefix(200)))
        }
        _ = upnp.gssdp_resource_browser_set_active(point, 1)
        // The manager removes the control point and its devices together with the network.
        if let manager { upnp.gupnp_context_manager_manage_control_point(manager, point) }
    }
}
