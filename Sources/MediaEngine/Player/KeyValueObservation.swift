import Foundation
import MediaCore

/// What a key-path observer wants to be told. As Foundation's type on Apple platforms.
public struct NSKeyValueObservingOptions: OptionSet, Sendable {
    public let rawValue: UInt
    public init(rawValue: UInt) { self.rawValue = rawValue }
    /// The change's `newValue` is filled in.
    public static let new = NSKeyValueObservingOptions(rawValue: 1)
    /// The change's `oldValue` is filled in.
    public static let old = NSKeyValueObservingOptions(rawValue: 2)
    /// Call once at once, with the present value.
    public static let initial = NSKeyValueObservingOptions(rawValue: 4)
}

/// One change of an observed property.
public struct NSKeyValueObservedChange<Value> {
    /// Nil unless `.new` was asked for.
    public let newValue: Value?
    /// Nil unless `.old` was asked for, and on the initial call.
    public let oldValue: Value?
}

/// Keeps an observation alive; it ends with `invalidate()` or when this is released.
@MainActor @preconcurrency
public final class NSKeyValueObservation {
    private var end: (@MainActor () -> Void)?
    init(_ end: @escaping @MainActor () -> Void) { self.end = end }

    /// Ends the observation; the second time nothing happens. So does letting go of it.
    public func invalidate() {
        end?()
        end = nil
    }

    isolated deinit { invalidate() }
}

/// Observations are equal when they are the same object, so that they can be kept in a set.
extension NSKeyValueObservation: Hashable {
    nonisolated public static func == (a: NSKeyValueObservation, b: NSKeyValueObservation) -> Bool { a === b }
    nonisolated public func hash(into hasher: inout Hasher) { hasher.combine(ObjectIdentifier(self)) }
}

/// The observers of one object. Told after every change of any property; each looks at its own.
@MainActor @preconcurrency
public final class KeyPathObservers {
    private var checks: [Int: @MainActor () -> Void] = [:]
    private var next = 0
    /// Depth of `together`, and whether there is something to tell at its end.
    private var held = 0
    private var hasChanged = false
    private var waiting: [@MainActor () -> Void] = []
    /// Those of the object that shows this one as a property of its own now, if any: who observes a key path through it
    /// is told too.
    var owner: (@MainActor () -> KeyPathObservers?)?

    package init() {}

    /// Carries `body` out, then tells of all its changes: whoever is told finds it done, and what he does is not undone
    /// by it.
    func together<T>(_ body: () -> T) -> T {
        held += 1
        let result = body()
        held -= 1
        guard held == 0 else { return result }
        let others = waiting
        waiting = []
        if hasChanged {
            hasChanged = false
            objectDidChange()
        }
        ObservationScope.callOut { for other in others { other() } }
        return result
    }

    /// Tells somebody else of a change: after `together`, when one is under way.
    func afterwards(_ tell: @escaping @MainActor () -> Void) {
        if held > 0 { waiting.append(tell) } else { ObservationScope.callOut(tell) }
    }

    func add(_ check: @escaping @MainActor () -> Void) -> Int {
        next += 1
        checks[next] = check
        return next
    }
    func remove(_ token: Int) { checks[token] = nil }

    package func objectDidChange() {
        guard held == 0 else {
            hasChanged = true
            return
        }
        ObservationScope.callOut { for token in checks.keys.sorted() { checks[token]?() } }
        owner?()?.objectDidChange()
    }
}

/// An object whose properties can be observed: by `observe(_:options:changeHandler:)` in the shape of
/// Foundation's key-value observing, as an `AsyncSequence` by `values(of:)`, and through `@Observable`.
@MainActor @preconcurrency
public protocol KeyPathObservable: AnyObject {
    /// Who observes it. An object has one, and tells it after each change.
    var keyPathObservers: KeyPathObservers { get }
}

extension KeyPathObservable {
    /// Calls `changeHandler` on the main actor, synchronously after each change of `keyPath`'s value. A player's key
    /// path through its current item (`\.currentItem?.duration`) follows both: another item, and a change of the item's
    /// own.
    public func observe<Value>(
        _ keyPath: KeyPath<Self, Value>, options: NSKeyValueObservingOptions = [],
        changeHandler: @escaping @MainActor (Self, NSKeyValueObservedChange<Value>) -> Void
    ) -> NSKeyValueObservation {
        // Who observes is told: a view that begins to observe in its body does not depend on the value.
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

    /// The present value and every later one, in order, none left out.
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

/// Equality of two values of any type: `==` where there is one, identity for objects, else never equal.
private func isSame<Value>(_ a: Value, _ b: Value) -> Bool {
    if let equal = ErasedEquality.areEqual(a, b) { return equal }
    if ErasedEquality.areIdentical(a, b) { return true }
    // Optionals of things that know no equality, such as `Error?`: only nil is like nil.
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
