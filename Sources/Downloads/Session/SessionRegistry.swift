import Foundation
import Synchronization

/// The libraries that sessions of this process have opened. Any thread.
final class SessionRegistry: Sendable {
    static let shared = SessionRegistry()
    private struct Weak { weak var engine: DownloadEngine? }
    private let engines = Mutex<[Weak]>([])

    func add(_ engine: DownloadEngine) {
        engines.withLock { engines in
            engines.removeAll { $0.engine == nil || $0.engine === engine }
            engines.append(Weak(engine: engine))
        }
    }

    /// Returns the location of a download of `url`, even if it is unfinished. Waits for the libraries' queue.
    func location(of url: URL) -> URL? {
        let asset = DownloadEngine.asset(url)
        var unfinished: URL?
        for engine in engines.withLock({ $0.compactMap(\.engine) }) {
            for snapshot in DownloadActor.sync({ engine.snapshots }) where DownloadEngine.asset(snapshot.url) == asset {
                if let playable = snapshot.playable { return playable }
                unfinished = snapshot.location
            }
        }
        return unfinished
    }
}
