import Glibc

/// The port on which this computer serves renderers.
///
/// By default, GSSDP uses the number that the kernel assigns to its UDP socket. GUPnP then opens its HTTP server on the
/// same number of TCP. If a connection of any program already uses that number, GUPnP does not search the network.
enum UPnPPort {
    /// The ports above those that Linux assigns by itself (`net.ipv4.ip_local_port_range`: up to 60,999).
    static let candidates: ClosedRange<UInt16> = 61_000...65_535

    /// Returns a port that is unused by TCP and UDP at this moment, or 0 (any port) after 40 tries.
    static func free(
        among candidates: ClosedRange<UInt16> = candidates, isFree: (UInt16) -> Bool = isFree
    ) -> UInt32 {
        for _ in 0..<40 {
            let port = UInt16.random(in: candidates)
            if isFree(port) { return UInt32(port) }
        }
        return 0
    }

    static func isFree(_ port: UInt16) -> Bool { binds(port, SOCK_STREAM) && binds(port, SOCK_DGRAM) }

    private static func binds(_ port: UInt16, _ kind: __socket_type) -> Bool {
        let descriptor = socket(AF_INET, Int32(kind.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
        guard descriptor >= 0 else { return false }
        defer { close(descriptor) }
        var address = sockaddr_in()
        address.sin_family = sa_family_t(AF_INET)
        address.sin_port = port.bigEndian
        return withUnsafePointer(to: &address) {
            $0.withMemoryRebound(to: sockaddr.self, capacity: 1) {
                bind(descriptor, $0, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
            }
        }
    }
}
