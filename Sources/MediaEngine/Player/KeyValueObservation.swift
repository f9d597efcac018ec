import Foundation
import MediaCore

/// Options for the values that a key-path observer receives. The equivalent of Foundation's type on Apple platforms.
///
/// There is no option `prior`, because observers are called after a change.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The option to provide the change's `newValue`.
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    /// The option to provide the change's `oldValue`.
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    /// The option to call the observer immediately with the current value.
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
}

/// The kind of a change of an observed property. The equivalent of Foundation's type on Apple platforms.
public enum NSKeyValueChange: UInt, Sendable {
    /// A new value of the whole property.
    case setting = 1
    /// A change of some elements. Never reported: a changed array is a new value of the whole property.
    case insertion, removal, replacement
}

/// A change of an observed property.
public struct NSKeyValueObservedChange<Value> {
    /// The name of the kind of a change in Foundation on Apple platforms.
    public typealias Kind = NSKeyValueChange
    /// The kind of the change, which is always `.setting`.
    public var kind: Kind { .setting }
    /// The indices of changed elements, which are always nil, because whole values are reported.
    public var indexes: IndexSet? { nil }
    /// Whether the change is still to come. Always false, because observers are called after a change.
    public var isPrior: Bool { false }
    /// The value after the change; nil unless the options contain `.new`.
    public let newValue: Value?
    /// The value before the change; nil unless the options contain `.old`, and nil in the initial call.
    public let oldValue: Value?
}

/// A token that keeps an observation active. The observation ends with `invalidate()` or when the token is released.
@MainActor @preconcurrency
public final class NSKeyValueObservation {
    private var end: (@MainActor () -> Void)?
    init(_ end: @escaping @MainActor () -> Void) { self.end = end }

    /// Ends the observation. A second call does nothing.
    public func invalidate() {
        end?()
        end = nil
    }

    isolated deinit { invalidate() }
}

/// Observations are equal if they are the same object, so that an app can keep them in a set.
extension NSKeyValueObservation: Hashable {
    nonisolated public static func == (a: NSKeyValueObservation, b: NSKeyValueObservation) -> Bool { a === b }
    nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The observers of one object. All are called after a change of any property, and each checks whether its own property
/// has changed.
@MainActor @preconcurrency
public final class KeyPathObservers {
    private var checks: [Int: @MainActor () -> Void] = [:]
    private var next = 0
    /// The nesting depth of `performChanges`, and whether the observers must be called when the outermost call ends.
    private var nestingDepth = 0
    private var hasChanged = false
    private var pendingCalls: [@MainActor () -> Void] = []
    /// The observers of the object that has this object as a property, such as the player of a current item. They are
    /// called too, because their key paths can lead through that property.
    var owner: (@MainActor () -> KeyPathObservers?)?

    package init() {}

    /// Performs `body`, and then reports all its changes together. Observers see the final state, and `body` cannot
    /// overwrite their changes.
    func performChanges<T>(_ body: () -> T) -> T {
        nestingDepth += 1
        let result = body()
        nestingDepth -= 1
        guard nestingDepth == 0 else { return result }
        let others = pendingCalls
        pendingCalls = []
        if hasChanged {
            hasChanged = false
            objectDidChange()
        }
        ObservationScope.callOut { for other in others { other() } }
        return result
    }

    /// Calls `notify` immediately, or after the `performChanges` in progress.
    func afterChanges(_ notify: @escaping @MainActor () -> Void) {
        if nestingDepth > 0 { pendingCalls.append(notify) } else { ObservationScope.callOut(notify) }
    }

    func add(_ check: @escaping @MainActor () -> Void) -> Int {
        next += 1
        checks[next] = check
        return next
    }
    func remove(_ token: Int) { checks[token] = nil }

    package func objectDidChange() {
        guard nestingDepth == 0 else {
            hasChanged = true
            return
        }
        ObservationScope.callOut { for token in checks.keys.sorted() { checks[token]?() } }
        owner?()?.objectDidChange()
    }
}

/// An object whose properties can be observed.
///
/// Use `observe(_:options:changeHandler:)`, which resembles Foundation's key-value observing, the `AsyncSequence` of
/// `values(of:)`, or `@Observable`.
@MainActor @preconcurrency
public protocol KeyPathObservable: AnyObject {
    /// The observers of the object, which are called after each change. Each object has its own.
    var keyPathObservers: KeyPathObservers { get }
}

extension KeyPathObservable {
    /// Calls `changeHandler` on the main actor, synchronously after each change of the value at `keyPath`.
    ///
    /// ```swift
    /// observation = player.observe(\.timeControlStatus, options: [.new]) { _, change in
    ///     print("The status is now \(change.newValue ?? .paused).")
    /// }
    /// ```
    /// A key path through a player's current item (`\.currentItem?.duration`) reports both a new item and a change in
    /// the item.
    ///
    /// - Returns: A token that keeps the observation active. Keep a reference to it.
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @MainActor (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        // The value is read untracked. A view that begins an observation in its body must not also depend on the value.
        var last = ObservationScope.untracked { self[keyPath: keyPath] }
        let token = keyPathObservers.add { [weak self] in
            guard let self else { return }
            let value = ObservationScope.untracked { self[keyPath: keyPath] }
            guard !isSame(last, value) else { return }
            let old = last
            last = value
            changeHandler(
                self,
                NSKeyValueObservedChange(
                    newValue: options.contains(.new) ? value : nil, oldValue: options.contains(.old) ? old : nil))
        }
        if options.contains(.initial) {
            let change = NSKeyValueObservedChange(newValue: options.contains(.new) ? last : nil, oldValue: nil)
            ObservationScope.callOut { changeHandler(self, change) }
        }
        return NSKeyValueObservation { [weak self] in self?.keyPathObservers.remove(token) }
    }

    /// Observes a value as `observe` does, for Zoetrope's own observers.
    ///
    /// If an app makes the change inside a `withObservationTracking` block, that block does not depend on the values
    /// that `changeHandler` reads. Call the app's handlers inside `ObservationScope.callOut`, so that they can track
    /// values.
    package func observeUntracked<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @MainActor (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        observe(keyPath, options: options) { object, change in
            ObservationScope.untracked { changeHandler(object, change) }
        }
    }

    /// Returns a stream of the current value and the value after each later change, in order. Values wait in the stream
    /// until they are read. The stream does not end by itself: leave the loop, or cancel its task.
    ///
    /// ```swift
    /// for await status in item.values(of: \.status) where status != .unknown {
    ///     print(status == .readyToPlay ? "Ready" : "Failed")
    ///     break
    /// }
    /// ```
    public func values<Value: Sendable>(of keyPath: KeyPath<Self, Value>) -> AsyncStream<Value> {
        AsyncStream { continuation in
            let observation = observe(keyPath, options: [.initial, .new]) { _, change in
                if let value = change.newValue { continuation.yield(value) }
            }
            continuation.onTermination = { _ in
                Task { @MainActor in observation.invalidate() }
            }
        }
    }
}

/// Returns whether two values of any type are equal: by `==` if the type is equatable, by identity for objects, else
/// never.
private func isSame<Value>(_ a: Value, _ b: Value) -> Bool {
    if let equal = ErasedEquality.areEqual(a, b) { return equal }
    if ErasedEquality.areIdentical(a, b) { return true }
    // For optionals of types without equality, such as `Error?`, nil equals only nil.
    let left = Mirror(reflecting: a)
    let right = Mirror(reflecting: b)
    if left.displayStyle == .optional, right.displayStyle == .optional {
        if left.children.isEmpty || right.children.isEmpty { return left.children.isEmpty && right.children.isEmpty }
        if let x = left.children.first?.value, let y = right.children.first?.value {
            return ErasedEquality.areIdentical(x, y)
        }
    }
    return false
}
