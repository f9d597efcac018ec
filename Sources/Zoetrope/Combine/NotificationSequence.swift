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

        /// Carries a notification from who posts it to who listens; nobody else keeps it.
        struct Carried: @unchecked Sendable { let notification: Notification }

        /// Waits for the notifications one by one; stops observing when it is released.
        public struct AsyncIterator: AsyncIteratorProtocol {
            var base: AsyncStream<Carried>.AsyncIterator
            /// The next notification; nil once the task was cancelled.
            public mutating func next() async -> Notification? { await base.next()?.notification }
            /// The same without leaving an actor.
            public mutating func next(isolation actor: isolated (any Actor)?) async -> Notification? {
                await base.next(isolation: actor)?.notification
            }
        }

        /// Begins to observe; what is posted from now on is given.
        public func makeAsyncIterator() -> AsyncIterator {
            let stream = AsyncStream<Carried>(bufferingPolicy: .bufferingNewest(7)) { continuation in
                let observer = Observer(
                    center: center,
                    token: center.addObserver(forName: name, object: object, queue: nil) {
                        continuation.yield(Carried(notification: $0))
                    })
                continuation.onTermination = { _ in observer.end() }
            }
            return AsyncIterator(base: stream.makeAsyncIterator())
        }

        private struct Observer: @unchecked Sendable {
            let center: NotificationCenter
            let token: any NSObjectProtocol
            func end() { center.removeObserver(token) }
        }
    }
}
