import Foundation

extension NotificationCenter {
    /// Returns an asynchronous sequence of the notifications with a name. Foundation on Linux has no such method.
    ///
    /// ```swift
    /// let ends = NotificationCenter.default.notifications(
    ///     named: AVPlayerItem.didPlayToEndTimeNotification, object: item)
    /// for await _ in ends {
    ///     print("The item has ended.")
    /// }
    /// ```
    /// Observation starts when the sequence's iterator is created. If the receiver is slow, only the seven newest
    /// notifications are kept.
    /// - Parameters:
    ///   - name: The name of the notifications.
    ///   - object: The sender of the notifications; nil for any sender.
    public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications {
        Notifications(center: self, name: name, object: object)
    }

    /// An asynchronous sequence of notifications, which `notifications(named:object:)` returns.
    public struct Notifications: AsyncSequence, @unchecked Sendable {
        // Sendable, because the properties are only read: a center may be used on any thread, and the object is only
        // compared.
        /// The notification as it was posted.
        public typealias Element = Notification
        let center: NotificationCenter
        let name: Notification.Name
        let object: AnyObject?

        /// An iterator that waits for one notification at a time. Observation ends when it is released.
        public struct AsyncIterator: AsyncIteratorProtocol {
            var base: AsyncStream<HandedOver<Notification>>.AsyncIterator
            /// Returns the next notification, or nil after the task was canceled.
            public mutating func next() async -> Notification? { await base.next()?.value }
            /// Returns the next notification without leaving `actor`, or nil after the task was canceled.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
                await base.next(isolation: actor)?.value
            }
        }

        /// Starts the observation, and returns an iterator over the notifications that are posted from then on.
        public func makeAsyncIterator() -> AsyncIterator {
            let stream = AsyncStream<HandedOver<Notification>>(bufferingPolicy: .bufferingNewest(7)) { continuation in
                let token = center.addObserver(forName: name, object: object, queue: nil) {
                    continuation.yield(HandedOver($0))
                }
                let observer = HandedOver((center: center, token: token))
                continuation.onTermination = { _ in observer.value.center.removeObserver(observer.value.token) }
            }
            return AsyncIterator(base: stream.makeAsyncIterator())
        }
    }
}
