import Foundation
import MediaCore

/// The lock for the parts of states that other threads may use. It is held only for a few instructions, and no value
/// is released meanwhile: the deinitializer of a value may set another state.
private let stateLock = NSLock()

/// The storage of a value that belongs to a view, with the readers of the value.
///
/// As on Apple's platforms, apps in Swift 5 mode may get and set a state on any thread, for example in a completion
/// handler of `URLSession`. `get()` and `set(_:)` therefore work on any thread, although they belong to the main actor.
/// A value that another thread sets is handed to the main actor. Until it arrives, other threads see that value, and
/// the main actor sees the former one. A value that the main actor sets meanwhile replaces the handed one.
@MainActor
package final class StateLocation<Value>: DependencySource {
    /// The value. Changed only on the main actor, with the lock held. The main actor reads it without the lock.
    package private(set) var value: Value
    /// The last value from another thread that has not arrived. Used only with the lock held.
    private var handed: Handed?
    private var lastNumber = 0
    /// Whether the main actor will take the handed value in a later main loop iteration. Used only with the lock held.
    private var isTakingDue = false
    private var readers: [ObjectIdentifier: WeakReader] = [:]

    private struct WeakReader { weak var reader: (any DependencyReader)? }
    private struct Handed {
        let value: Value
        let transaction: Transaction?
        let number: Int
    }

    package init(_ value: Value) { self.value = value }

    /// Returns the value. On the main actor, also records that the current view reads it. Any thread.
    package func get() -> Value { MainActorQueue.isCurrent ? getHere() : getElsewhere() }

    /// Sets the value. Readers are notified unless the new value is equal to the old one. Any thread.
    package func set(_ new: Value) {
        if MainActorQueue.isCurrent { replace(new) } else { handOver(new) }
    }

    // MARK: main thread

    fileprivate func getHere() -> Value {
        Dependencies.read(self)
        return value
    }

    /// Sets the value.
    /// - Parameter number: The number of the handed value that is set; nil for a value of the main actor.
    fileprivate func replace(_ new: Value, handed number: Int? = nil) {
        let old = value
        let isSame = StateLocation.areEqual(old, new)
        stateLock.lock()
        let waiting = handed
        // The main actor may have set another value after this one was handed to it.
        let isReplaced = number != nil && waiting == nil
        if !isReplaced {
            value = new
            if number == nil || waiting?.number == number { handed = nil }
        }
        stateLock.unlock()
        withExtendedLifetime((old, waiting)) { @Sendable in }
        if !isReplaced, !isSame { changed() }
    }

    // MARK: other threads

    fileprivate func getElsewhere() -> Value {
        stateLock.lock()
        defer { stateLock.unlock() }
        return handed?.value ?? value
    }

    fileprivate func handOver(_ new: Value) {
        let transaction = Transaction.elsewhere
        stateLock.lock()
        let former = handed
        let wasTakingDue = isTakingDue
        lastNumber += 1
        handed = Handed(value: new, transaction: transaction, number: lastNumber)
        isTakingDue = true
        stateLock.unlock()
        withExtendedLifetime(former) { @Sendable in }
        if !wasTakingDue { OnMain.later { self.takeHanded() } }
    }

    private func takeHanded() {
        stateLock.lock()
        let taken = handed
        isTakingDue = false
        stateLock.unlock()
        // The main actor may have set another value meanwhile.
        guard let taken else { return }
        if let transaction = taken.transaction {
            withTransaction(transaction) { replace(taken.value, handed: taken.number) }
        } else {
            replace(taken.value, handed: taken.number)
        }
    }

    // MARK: readers

    func changed() {
        for entry in Array(readers.values) { entry.reader?.invalidate() }
    }

    static func areEqual(_ a: Value, _ b: Value) -> Bool { ErasedEquality.areEqual(a, b) ?? false }

    package func addReader(_ reader: any DependencyReader) -> Bool {
        readers.updateValue(WeakReader(reader: reader), forKey: ObjectIdentifier(reader)) == nil
    }
    package func removeReader(_ reader: any DependencyReader) { readers[ObjectIdentifier(reader)] = nil }
}

/// A value that belongs to a view and lives as long as the view's identity. Mirrors SwiftUI's property wrapper.
///
/// ```swift
/// struct MuteButton: View {
///     let player: AVPlayer
///     @State private var isMuted = false
///
///     var body: some View {
///         Button(isMuted ? "Unmute" : "Mute") {
///             isMuted.toggle()
///             player.isMuted = isMuted
///         }
///     }
/// }
/// ```
/// Views that read the value are evaluated again when it changes. Setting an equal value is not a change.
///
/// As in SwiftUI, code in Swift 5 mode may use the value on any thread. A value that another thread sets reaches the
/// views in a later main loop iteration, in the order in which the values were set. Of several values of one state, the
/// last one is used.
@propertyWrapper
public struct State<Value>: DynamicProperty {
    /// The object that all copies of one view value share. The graph sets its location to that of the view's identity.
    package final class Box {
        /// The location. Changed only on the main actor, with the lock held. The main actor reads it without the lock.
        @MainActor private(set) var location: StateLocation<Value>?
        /// The location that another thread has created because the view was in no graph. Used with the lock held.
        @MainActor private var early: StateLocation<Value>?
        package let initial: Value
        package nonisolated init(_ initial: Value) { self.initial = initial }

        /// Returns the location, which is created if the view is not in a graph yet. Main thread.
        @MainActor func made() -> StateLocation<Value> {
            if let location { return location }
            let fresh = StateLocation(initial)
            stateLock.lock()
            defer { stateLock.unlock() }
            let result = early ?? fresh
            location = result
            return result
        }
        /// Returns the location, which is created if the view is not in a graph yet. Other threads.
        @MainActor func madeElsewhere() -> StateLocation<Value> {
            let fresh = StateLocation(initial)
            stateLock.lock()
            defer { stateLock.unlock() }
            let result = location ?? early ?? fresh
            if location == nil { early = result }
            return result
        }
        @MainActor func set(_ new: StateLocation<Value>) {
            guard location !== new else { return }
            let old = location
            stateLock.lock()
            location = new
            stateLock.unlock()
            withExtendedLifetime(old) { @Sendable in }
        }
    }
    package let box: Box

    /// Creates a state with an initial value. Later values of the view do not change the state.
    nonisolated public init(wrappedValue value: Value) { box = Box(value) }
    /// Creates a state with an initial value, as `init(wrappedValue:)` does.
    nonisolated public init(initialValue value: Value) { box = Box(value) }

    /// The value. Setting another value evaluates the views that read it again.
    @MainActor @preconcurrency public var wrappedValue: Value {
        // Each read and write checks only once whether it is on the main actor: views read states often.
        get { MainActorQueue.isCurrent ? box.made().getHere() : box.madeElsewhere().getElsewhere() }
        nonmutating set {
            if MainActorQueue.isCurrent { box.made().replace(newValue) } else { box.madeElsewhere().handOver(newValue) }
        }
    }

    /// A binding to the value.
    @MainActor @preconcurrency public var projectedValue: Binding<Value> { Binding(location) }

    /// The storage of the value, which is created here if the view is not in a graph yet.
    @MainActor private var location: StateLocation<Value> {
        MainActorQueue.isCurrent ? box.made() : box.madeElsewhere()
    }
}

extension State where Value: ExpressibleByNilLiteral {
    /// Creates a state with the initial value nil.
    nonisolated public init() { self.init(wrappedValue: nil) }
}

extension State: GraphProperty {
    @MainActor func attach(_ slot: AnyObject?, to reader: any DependencyReader, _ fiber: _Fiber) -> AnyObject? {
        let kept = slot as? StateLocation<Value> ?? location
        box.set(kept)
        return kept
    }
    // The value belongs to the view's identity, regardless of the view's new value.
    @MainActor func isSame(as other: Any) -> Bool { other is State<Value> }
}
