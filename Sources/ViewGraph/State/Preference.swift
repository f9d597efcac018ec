/// The key of a value that views provide to their ancestors. Mirrors SwiftUI's protocol.
///
/// The width of the widest caption, for all captions:
/// ```swift
/// struct CaptionWidth: PreferenceKey {
///     static let defaultValue: CGFloat = 0
///     static func reduce(value: inout CGFloat, nextValue: () -> CGFloat) {
///         value = max(value, nextValue())
///     }
/// }
/// ```
public protocol PreferenceKey {
    /// The type of the value.
    associatedtype Value
    /// The value where no descendant provides one.
    static var defaultValue: Value { get }
    /// Combines the value of a view with that of a later sibling.
    static func reduce(value: inout Value, nextValue: () -> Value)
}

struct PreferenceWriter<Key: PreferenceKey>: FiberModifier {
    let value: Key.Value
    func makeStorage(_ fiber: _Fiber) {}
    func updated(_ storage: inout Void, _ fiber: _Fiber) { fiber.graph.preferencesMayHaveChanged() }
    func removed(_ storage: Void, _ fiber: _Fiber) { fiber.graph.preferencesMayHaveChanged() }
    func preference<K: PreferenceKey>(_ key: K.Type, _ below: K.Value?, _ storage: Void) -> K.Value? {
        // The view's own value takes precedence over those of its descendants, as in SwiftUI.
        key == Key.self ? value as? K.Value ?? below : below
    }
}

struct PreferenceTransform<Key: PreferenceKey>: FiberModifier {
    let change: (inout Key.Value) -> Void
    func makeStorage(_ fiber: _Fiber) {}
    func updated(_ storage: inout Void, _ fiber: _Fiber) { fiber.graph.preferencesMayHaveChanged() }
    func removed(_ storage: Void, _ fiber: _Fiber) { fiber.graph.preferencesMayHaveChanged() }
    func preference<K: PreferenceKey>(_ key: K.Type, _ below: K.Value?, _ storage: Void) -> K.Value? {
        guard key == Key.self, var value = (below ?? K.defaultValue) as? Key.Value else { return below }
        change(&value)
        return value as? K.Value
    }
}

struct PreferenceReader<Key: PreferenceKey>: FiberModifier where Key.Value: Equatable {
    let action: (Key.Value) -> Void

    final class Storage: PreferenceObserver {
        weak var fiber: _Fiber?
        var action: (Key.Value) -> Void
        private var last: Key.Value?
        let order: Int
        init(_ fiber: _Fiber, _ action: @escaping (Key.Value) -> Void) {
            self.fiber = fiber
            self.action = action
            order = fiber.depth
        }
        func check() {
            guard let fiber else { return }
            let value = fiber.children.first?.preference(Key.self) ?? Key.defaultValue
            let isFirst = last == nil && value == Key.defaultValue
            guard value != last else { return }
            last = value
            let action = action
            if !isFirst { fiber.graph.after { action(value) } }
        }
    }

    func makeStorage(_ fiber: _Fiber) -> Storage {
        let storage = Storage(fiber, action)
        fiber.graph.add(storage)
        return storage
    }
    func updated(_ storage: inout Storage, _ fiber: _Fiber) { storage.action = action }
    func removed(_ storage: Storage, _ fiber: _Fiber) { fiber.graph.remove(storage) }
}

extension View {
    /// Provides a value to the ancestors of this view.
    public func preference<K: PreferenceKey>(key: K.Type = K.self, value: K.Value) -> some View {
        fiberModifier(PreferenceWriter<K>(value: value))
    }
    /// Changes the value for `key` that this view provides to its ancestors.
    public func transformPreference<K: PreferenceKey>(
        _ key: K.Type = K.self, _ callback: @escaping (inout K.Value) -> Void
    ) -> some View {
        fiberModifier(PreferenceTransform<K>(change: callback))
    }
    /// Runs an action after an update in which the value for `key` of this view and the views inside it has changed.
    ///
    /// When this view is inserted, the action runs only if the value differs from the key's default.
    ///
    /// ```swift
    /// Captions()
    ///     .onPreferenceChange(CaptionWidth.self) { width = $0 }
    /// ```
    public func onPreferenceChange<K: PreferenceKey>(
        _ key: K.Type = K.self, perform action: @escaping (K.Value) -> Void
    ) -> some View where K.Value: Equatable {
        fiberModifier(PreferenceReader<K>(action: action))
    }
}
