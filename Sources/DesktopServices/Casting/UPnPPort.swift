import Glibc

/// The port that this machine answers renderers on.
///
/// Left to GSSDP it is whatever number the kernel gave its UDP socket, and GUPnP then opens its HTTP server on the same
/// number of TCP: where a connection of any program has that one, the network is not searched at all.
enum UPnPPort {
    /// Above what Linux gives to connections by itself (`net.ipv4.ip_local_port_range`: up to 60,999).
    static let candidates: ClosedRange<UInt16> = 61_000...65_535

    /// A port that nobody has, of TCP and of UDP, at the moment it is asked for; 0 (any) where 40 tries found none.
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
