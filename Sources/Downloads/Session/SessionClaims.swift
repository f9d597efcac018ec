import Foundation
import Synchronization

/// Which session of this process has a download: the first that finds it. Any thread.
final class SessionClaims: Sendable {
    static let shared = SessionClaims()
    private let owners = Mutex<[UUID: ObjectIdentifier]>([:])

    /// - Returns: false: another session has it.
    func claim(_ id: UUID, for owner: AnyObject) -> Bool {
        owners.withLock { owners in
            if let known = owners[id] { return known == ObjectIdentifier(owner) }
            owners[id] = ObjectIdentifier(owner)
            return true
        }
    }
    func release(_ id: UUID) { owners.withLock { $0[id] = nil } }
    func release(_ owner: AnyObject) {
        let owner = ObjectIdentifier(owner)
        owners.withLock { owners in owners = owners.filter { $0.value != owner } }
    }
}
