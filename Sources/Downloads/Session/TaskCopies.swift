import Foundation
import Streaming
import Synchronization

/// The downloaded parts from which a task's asset is read. Empty until the download knows its resources.
///
/// Assigned to the asset when the task is made, because apps may create a player item immediately.
final class TaskCopies: Sendable {
    private let known = Mutex<LocalCopies?>(nil)

    var copies: LocalCopies {
        LocalCopies { [self] url, range in known.withLock { $0 }?.copy(of: url, range) }
    }
    /// Sets the downloaded parts. Nil if their files are deleted.
    func take(_ copies: LocalCopies?) { known.withLock { $0 = copies } }
}
