import DeclarativeUI
import Foundation
import MediaEngine
import OpenCombine

extension KeyPathObservable {
    /// Returns a publisher of the values of the property at `keyPath`. Values are delivered on the main actor.
    ///
    /// ```swift
    /// player.publisher(for: \.timeControlStatus)
    ///     .sink { status in print(status == .playing ? "playing" : "paused or waiting") }
    ///     .store(in: &subscriptions)
    /// ```
    /// With `.initial`, which is part of the default, the first value is the current one. Then each new value follows.
    /// The key path may lead through another object that reports its changes to its owner, such as
    /// `\.currentItem?.duration` of a player.
    ///
    /// While the subscriber has no demand, the publisher keeps only the newest value. It delivers that value when the
    /// subscriber requests more.
    /// - Parameters:
    ///   - keyPath: The property to observe.
    ///   - options: With `.initial`, the current value is delivered first.
    public func publisher<Value>(
        for keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [.initial, .new]
    ) -> NSObject.KeyValueObservingPublisher<Self, Value> {
        NSObject.KeyValueObservingPublisher(
            object: self, keyPath: keyPath, options: options,
            observe: { [self] send in
                observe(keyPath, options: options.union(.new)) { _, change in
                    if let value = change.newValue { send(value) }
                }
            })
    }
}

extension NSObject {
    /// A publisher of a property's values, which `publisher(for:options:)` returns. It holds the observed object.
    ///
    /// Publishers are equal if they observe the same property of the same object with the same options.
    public struct KeyValueObservingPublisher<Subject: KeyPathObservable, Value>: Publisher, Equatable {
        /// The type of the property.
        public typealias Output = Value
        /// The publisher never fails.
        public typealias Failure = Never
        /// The observed object.
        public let object: Subject
        /// The key path of the observed property.
        public let keyPath: KeyPath<Subject, Value>
        /// The options of the observation.
        public let options: NSKeyValueObservingOptions
        let observe: @MainActor (@escaping @MainActor (Value) -> Void) -> NSKeyValueObservation

        /// Starts an observation on the main actor for one subscriber; it ends with the subscription. Any thread.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
            let subscription = KeyValueSubscription(subscriber)
            subscriber.receive(subscription: subscription)
            let observe = observe
            OnMain.run { subscription.begin(observe) }
        }

        public static func == (a: Self, b: Self) -> Bool {
            a.object === b.object && a.keyPath == b.keyPath && a.options == b.options
        }
    }
}

private final class KeyValueSubscription<Downstream: Subscriber>: Subscription, @unchecked Sendable
where Downstream.Failure == Never {
    // `lock` guards `state`. `observation` belongs to the main actor. Downstream is called without the lock.
    private struct State {
        var downstream: Downstream?
        var demand = Subscribers.Demand.none
        /// The newest value that arrived while the subscriber had no demand.
        var pending: Downstream.Input?
    }
    private let lock = NSLock()
    private var state: State
    @MainActor private var observation: NSKeyValueObservation?

    init(_ downstream: Downstream) { state = State(downstream: downstream) }

    @MainActor
    func begin(_ observe: @MainActor (@escaping @MainActor (Downstream.Input) -> Void) -> NSKeyValueObservation) {
        guard lock.withLock({ state.downstream != nil }) else { return }
        let newObservation = observe { [weak self] in self?.deliver($0) }
        // The subscriber may have canceled when it received the first value.
        if lock.withLock({ state.downstream != nil }) {
            observation = newObservation
        } else {
            newObservation.invalidate()
        }
    }

    /// Delivers `value`, which is newer than the pending one, or keeps it until the subscriber requests more.
    @MainActor
    private func deliver(_ value: Downstream.Input) {
        lock.lock()
        guard let downstream = state.downstream else { return lock.unlock() }
        guard state.demand > .none else {
            state.pending = value
            return lock.unlock()
        }
        state.demand -= 1
        state.pending = nil
        lock.unlock()
        request(downstream.receive(value))
    }

    func request(_ demand: Subscribers.Demand) {
        let isDue = lock.withLock {
            state.demand += demand
            return state.demand > .none && state.pending != nil
        }
        guard isDue else { return }
        // The subscriber may request more on any thread, and it may have received a newer value when this closure runs.
        OnMain.run { [self] in
            if let pending = lock.withLock({ state.pending }) { deliver(pending) }
        }
    }

    func cancel() {
        lock.lock()
        state.downstream = nil
        state.pending = nil
        lock.unlock()
        OnMain.run { [self] in
            observation?.invalidate()
            observation = nil
        }
    }
}
