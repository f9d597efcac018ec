import Foundation
import Synchronization

/// The recently measured throughput of each host, so that the next stream does not have to begin with the lowest
/// variant.
package final class ThroughputMemory: Sendable {
    package static let shared = ThroughputMemory()
    /// The maximum number of hosts. Beyond it, the host that was measured longest ago is forgotten.
    static let mostHosts = 64

    /// The throughput of each host, in the order of the measurements.
    private let rates = Mutex<[(host: String, bitRate: Double)]>([])

    /// Stores the throughput of the host of `url`, in bits per second. Any thread.
    package func remember(_ bitRate: Double, for url: URL) {
        let host = Self.name(url)
        rates.withLock { rates in
            rates.removeAll { $0.host == host }
            rates.append((host, bitRate))
            if rates.count > Self.mostHosts { rates.removeFirst() }
        }
    }

    func bitRate(for url: URL) -> Double? {
        let host = Self.name(url)
        return rates.withLock { rates in rates.first { $0.host == host }?.bitRate }
    }

    private static func name(_ url: URL) -> String { "\(url.host() ?? ""):\(url.port ?? 0)" }
}
