import CGIO
import CGUPnP
import Foundation
import Presentation

/// A device in the network that plays URLs: a UPnP MediaRenderer with the services of DLNA.
@MainActor
package final class Renderer: Identifiable {
    /// The device's UDN, which is the same on every network.
    package nonisolated let id: String
    /// The name that the owner has given the device.
    package nonisolated let name: String
    let transport: UPnPService
    /// The service for the volume, or nil if the volume cannot be controlled.
    let rendering: UPnPService?
    private let connections: UPnPService?
    /// The GUPnP context of the network on which the device was found. Files are served to the device there.
    let context: UnsafeMutableRawPointer
    private var maximumVolume: Int?
    private var sink: Set<String>?

    /// Creates a renderer for a GUPnP device, or returns nil if the device has no AVTransport service.
    init?(_ device: UnsafeMutableRawPointer) {
        guard let upnp = UPnPLibrary.calls?.pointee, let udn = upnp.gupnp_device_info_get_udn(device),
            let context = upnp.gupnp_device_info_get_context(device)
        else { return nil }
        id = String(String(cString: udn).prefix(200))
        let own = upnp.gupnp_device_info_get_friendly_name(device)
        defer { g_free(own) }
        let friendlyName = own.map { String(cString: $0) }?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        // The name is shown as a single line in a menu, so limit its length and remove line breaks.
        name =
            friendlyName.isEmpty
            ? PlayerWords.localized("Unnamed Device") : String(friendlyName.map { $0.isNewline ? " " : $0 }.prefix(80))
        guard let transport = UPnPService("urn:schemas-upnp-org:service:AVTransport:1", of: device, named: name) else {
            return nil
        }
        self.transport = transport
        rendering = UPnPService("urn:schemas-upnp-org:service:RenderingControl:1", of: device, named: name)
        connections = UPnPService("urn:schemas-upnp-org:service:ConnectionManager:1", of: device, named: name)
        self.context = context
        g_object_ref(context)
    }
    isolated deinit { g_object_unref(context) }

    /// Returns the maximum value of the device's volume.
    func volumeRange() async -> Int {
        if let maximumVolume { return maximumVolume }
        let found = await rendering?.loudest() ?? 100
        maximumVolume = found
        return found
    }

    /// Returns the MIME types that the device supports, or an empty set if it does not report them.
    func takes() async -> Set<String> {
        if let sink { return sink }
        let protocolInfo = try? await connections?.call("GetProtocolInfo", answers: ["Sink"])["Sink"]
        // The format is "http-get:*:video/mp4:*", separated by commas (ConnectionManager:1 §2.5.2).
        let types = (protocolInfo ?? "").split(separator: ",").compactMap { entry -> String? in
            let parts = entry.split(separator: ":", omittingEmptySubsequences: false)
            return parts.count >= 3 && parts[0].trimmingCharacters(in: .whitespaces) == "http-get"
                ? parts[2].split(separator: ";").first.map { $0.lowercased() } : nil
        }
        sink = Set(types)
        return Set(types)
    }
}
