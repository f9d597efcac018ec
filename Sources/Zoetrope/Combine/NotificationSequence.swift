import Foundation

extension NotificationCenter {
    /// The notifications of this name (and, when given, of `object`) as they are posted, from when the sequence is
    /// first asked for its iterator on. Missing on Linux.
    public func notifications(named name: Notification.Name, object: AnyObject? = nil) -> Notifications {
        Notifications(center: self, name: name, object: object)
    }

    /// See `notifications(named:object:)`. Who listens too slowly is told the seven newest.
    public struct Notifications: AsyncSequence, @unchecked Sendable {
        // Only read; a centre may be used on any thread, and the object is only compared.
        /// What it gives: notifications as they were posted.
        public typealias Element = Notification
        let center: NotificationCenter
        let name: Notification.Name
        let object: AnyObject?

        /// Waits for the notifications one by one; stops observing when it is released.
        public struct AsyncIterator: AsyncIteratorProtocol {
            var base: AsyncStream<HandedOver<Notification>>.AsyncIterator
            /// The next notification; nil once the task was cancelled.
            public mutating func next() async -> Notification? { await base.next()?.value }
            /// The same without leaving an actor.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
                await base.next(isolation: actor)?.value
            }
        }

        /// Begins to observe; what is posted from now on is given.
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
