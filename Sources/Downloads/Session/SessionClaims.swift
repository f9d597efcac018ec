import Foundation
import Synchronization

/// The owners of downloads among the sessions of this process: the first session that finds a download owns it. Any
/// thread.
final class SessionClaims: Sendable {
    static let shared = SessionClaims()
    private let owners = Mutex<[UUID: ObjectIdentifier]>([:])

    /// Claims a download for `owner`.
    ///
    /// - Returns: False if another session owns the download.
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
