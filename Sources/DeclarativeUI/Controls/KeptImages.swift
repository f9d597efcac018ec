import Foundation
import MediaCore
import Streaming
import Synchronization

/// A cache of up to 32 MiB of downloaded images. It is safe to use from any thread.
///
/// Each image is used as long as its server allows (RFC 9111 §5.2.2, `max-age`). A list that is scrolled back and forth
/// requests the same images repeatedly.
final class KeptImages: Sendable {
    private final class Kept {
        let data: Data
        /// The host time in nanoseconds until which the data may be used.
        let end: Int64
        init(_ data: Data, until end: Int64) { (self.data, self.end) = (data, end) }
    }
    private let cache: Mutex<NSCache<NSString, Kept>>
    private let clock: @Sendable () -> Int64
    static let bytes = 32 << 20
    /// The maximum time for which data is used, in seconds. A longer time from a server is shortened to this one.
    private static let longestAge: Int64 = 7 * 86_400

    init(clock: @escaping @Sendable () -> Int64 = { HostClock.now() }) {
        self.clock = clock
        let cache = NSCache<NSString, Kept>()
        cache.totalCostLimit = KeptImages.bytes
        self.cache = Mutex(cache)
    }

    func data(_ url: URL) -> Data? {
        cache.withLock { cache in
            guard let kept = cache.object(forKey: NSString(string: url.absoluteString)) else { return nil }
            if clock() < kept.end { return kept.data }
            cache.removeObject(forKey: NSString(string: url.absoluteString))
            return nil
        }
    }

    func keep(_ loaded: HTTPLoaded, for url: URL) {
        guard let seconds = KeptImages.freshness(loaded.response.headers), loaded.data.count <= KeptImages.bytes else {
            return
        }
        let end = clock() + seconds * 1_000_000_000
        cache.withLock { cache in
            cache.setObject(
                Kept(loaded.data, until: end), forKey: NSString(string: url.absoluteString), cost: loaded.data.count)
        }
    }

    /// Returns the number of seconds for which a response may be used again, or nil if it must not be cached.
    static func freshness(_ headers: [String: String]) -> Int64? {
        guard let control = headers["cache-control"]?.lowercased(), headers["vary"] != "*" else { return nil }
        let directives = control.split(separator: ",").map { $0.trimmingCharacters(in: .whitespaces) }
        guard !directives.contains(where: { $0.hasPrefix("no-store") || $0.hasPrefix("no-cache") }),
            let directive = directives.first(where: { $0.hasPrefix("max-age=") }),
            let age = Int64(directive.dropFirst(8).trimmingCharacters(in: ["\""])), age > 0
        else { return nil }
        let spent = headers["age"].flatMap { Int64($0) } ?? 0
        let left = min(age, longestAge) - min(max(spent, 0), longestAge)
        return left > 0 ? left : nil
    }
}
