import Downloads
import Foundation
import Synchronization

/// The libraries that sessions of this process have opened. Any thread.
final class SessionRegistry: Sendable {
    static let shared = SessionRegistry()
    private struct Weak { weak var door: SessionDoor? }
    private let doors = Mutex<[Weak]>([])

    func add(_ door: SessionDoor) {
        doors.withLock { doors in
            doors.removeAll { $0.door == nil }
            doors.append(Weak(door: door))
        }
    }

    /// Where lies, or is going to, what was downloaded from `url`. Waits for the libraries.
    func location(of url: URL) -> URL? {
        let asset = SessionDoor.asset(url)
        var begun: URL?
        for door in doors.withLock({ $0.compactMap(\.door) }) {
            for snapshot in door.sync({ door.snapshots }) where SessionDoor.asset(snapshot.url) == asset {
                if let playable = snapshot.playable { return playable }
                begun = snapshot.location
            }
        }
        return begun
    }
}
