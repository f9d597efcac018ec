import CGIO
import CGUPnP
import Foundation
import Presentation

/// A device in the network that plays what it is told the address of: a UPnP MediaRenderer with the services of DLNA.
/// Main actor.
@MainActor
package final class Renderer: Identifiable {
    /// Its UDN: the same wherever it is found.
    package nonisolated let id: String
    /// As its owner calls it.
    package nonisolated let name: String
    let transport: UPnPService
    /// nil: its volume is its own.
    let rendering: UPnPService?
    private let connections: UPnPService?
    /// Where it was found: what is served to it is served there.
    let context: UnsafeMutableRawPointer
    private var loudest: Int?
    private var sink: Set<String>?

    /// nil: it cannot be told to play anything.
    init?(_ device: UnsafeMutableRawPointer) {
        guard let upnp = UPnPLibrary.calls?.pointee, let udn = upnp.gupnp_device_info_get_udn(device),
            let context = upnp.gupnp_device_info_get_context(device)
        else { return nil }
        id = String(String(cString: udn).prefix(200))
        let own = upnp.gupnp_device_info_get_friendly_name(device)
        defer { g_free(own) }
        let words = own.map { String(cString: $0) }?.trimmingCharacters(in: .whitespacesAndNewlines) ?? ""
        // A line in a menu: what is said by a device is not more than that.
        name =
            words.isEmpty
            ? PlayerWords.localized("Unnamed Device") : String(words.map { $0.isNewline ? " " : $0 }.prefix(80))
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

    /// The network interface that it was found on, as `wlan0`.
    package var interface: String {
        UPnPLibrary.calls?.pointee.gssdp_client_get_interface(context).map { String(cString: $0) } ?? ""
    }

    /// What its volume is a part of.
    func volumeRange() async -> Int {
        if let loudest { return loudest }
        let found = await rendering?.loudest() ?? 100
        loudest = found
        return found
    }

    /// Media types it says it takes; empty: it does not say.
    func takes() async -> Set<String> {
        if let sink { return sink }
        let said = try? await connections?.call("GetProtocolInfo", answers: ["Sink"])["Sink"]
        // "http-get:*:video/mp4:*", with commas between; ConnectionManager:1 §2.5.2.
        let types = (said ?? "").split(separator: ",").compactMap { entry -> String? in
            let parts = entry.split(separator: ":", omittingEmptySubsequences: false)
            return parts.count >= 3 && parts[0].trimmingCharacters(in: .whitespaces) == "http-get"
                ? parts[2].split(separator: ";").first.map { $0.lowercased() } : nil
        }
        sink = Set(types)
        return Set(types)
    }
}
