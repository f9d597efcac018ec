import Foundation
import Synchronization

/// The recently measured throughput of each host, so that the next stream does not have to begin with the lowest
/// variant.
package final class ThroughputMemory: Sendable {
    package static let shared = ThroughputMemory()
    private let rates = Mutex<[String: Double]>([:])

    package func remember(_ bitRate: Double, for url: URL) {
        rates.withLock { rates in
            if rates.count > 64 { rates = [:] }
            rates[Self.name(url)] = bitRate
        }
    }

    func bitRate(for url: URL) -> Double? { rates.withLock { $0[Self.name(url)] } }

    private static func name(_ url: URL) -> String { "\(url.host() ?? ""):\(url.port ?? 0)" }
}
