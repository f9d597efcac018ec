import Foundation
import MediaEngine

/// A counter of the postings of a notification.
@MainActor
package final class NotificationCounter {
    package private(set) var count = 0
    private var token: (any NSObjectProtocol)?
    package init(_ name: Notification.Name, _ item: AVPlayerItem) {
        token = NotificationCenter.default.addObserver(forName: name, object: item, queue: nil) { [weak self] _ in
            MainActor.assumeIsolated { self?.count += 1 }
        }
    }
}
