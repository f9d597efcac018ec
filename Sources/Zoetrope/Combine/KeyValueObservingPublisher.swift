import DeclarativeUI
import Foundation
import MediaEngine
import OpenCombine
import Synchronization

extension KeyPathObservable {
    /// The value of `keyPath`: with `.initial`, the default, the present one first, then each it changes to. Also
    /// through another object, where that tells its owner (`\.currentItem?.duration` of a player). Values come on the
    /// main actor.
    ///
    /// What changes while nothing is asked for (a subscriber's demand) is given when something is: the newest only.
    public func publisher<Value>(
        for keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [.initial, .new]
    ) -> NSObject.KeyValueObservingPublisher<Self, Value> {
        NSObject.KeyValueObservingPublisher(observe: { [self] tell in
            observe(keyPath, options: options.union(.new)) { _, change in
                if let value = change.newValue { tell(value) }
            }
        })
    }
}

extension NSObject {
    /// What `publisher(for:options:)` gives. Keeps the observed object.
    public struct KeyValueObservingPublisher<Subject: KeyPathObservable, Value>: Publisher {
        /// What it gives: the property's values.
        public typealias Output = Value
        /// It never fails.
        public typealias Failure = Never
        let observe: @MainActor (@escaping @MainActor (Value) -> Void) -> NSKeyValueObservation

        /// Begins to observe, on the main actor, for one subscriber; ends with its subscription. Any thread may call
        /// it.
        public func receive<S: Subscriber>(subscriber: S) where S.Input == Value, S.Failure == Never {
            let subscription = KeyValueSubscription(subscriber)
            subscriber.receive(subscription: subscription)
            let observe = observe
            OnMain.run { subscription.begin(observe) }
        }
    }
}

private final class KeyValueSubscription<Downstream: Subscriber>: Subscription, @unchecked Sendable
where Downstream.Failure == Never {
    // `state` is guarded by `lock`; `observation` belongs to the main actor. Downstream is called without the lock.
    private struct State {
        var downstream: Downstream?
        var demand = Subscribers.Demand.none
        /// Came when nothing was asked for.
        var kept: Downstream.Input?
    }
    private let lock = NSLock()
    private var state: State
    @MainActor private var observation: NSKeyValueObservation?

    init(_ downstream: Downstream) { state = State(downstream: downstream) }

    @MainActor
    func begin(_ observe: @MainActor (@escaping @MainActor (Downstream.Input) -> Void) -> NSKeyValueObservation) {
        guard lock.withLock({ state.downstream != nil }) else { return }
        let made = observe { [weak self] in self?.give($0) }
        // Whoever was given the first value may have had enough.
        if lock.withLock({ state.downstream != nil }) { observation = made } else { made.invalidate() }
    }

    private func give(_ value: Downstream.Input) {
        lock.lock()
        guard let downstream = state.downstream else { return lock.unlock() }
        guard state.demand > .none else {
            state.kept = value
            return lock.unlock()
        }
        state.demand -= 1
        lock.unlock()
        let more = downstream.receive(value)
        lock.withLock { state.demand += more }
    }

    func request(_ demand: Subscribers.Demand) {
        lock.lock()
        state.demand += demand
        let kept = state.demand > .none ? state.kept : nil
        if kept != nil { state.kept = nil }
        lock.unlock()
        if let kept { give(kept) }
    }

    func cancel() {
        lock.lock()
        state.downstream = nil
        state.kept = nil
        lock.unlock()
        OnMain.run { [self] in
            observation?.invalidate()
            observation = nil
        }
    }
}
