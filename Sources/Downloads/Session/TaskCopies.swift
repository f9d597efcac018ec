import Foundation
import Streaming
import Synchronization

/// What the asset of a task is read from besides the network: nothing before the download knows what it loads, what has
/// come after that. Given to the asset when the task is made, as apps make their player item right then.
final class TaskCopies: Sendable {
    private let known = Mutex<LocalCopies?>(nil)

    var copies: LocalCopies {
        LocalCopies { [self] url, range in known.withLock { $0 }?.copy(of: url, range) }
    }
    /// Nil: nothing of it is kept.
    func take(_ copies: LocalCopies?) { known.withLock { $0 = copies } }
}
