import OpenCombine

struct AppearanceActions: FiberModifier {
    let appear: (() -> Void)?
    let disappear: (() -> Void)?
    final class Storage { var disappear: (() -> Void)? }
    func makeStorage(_ fiber: _Fiber) -> Storage {
        if let appear { fiber.graph.after(appear) }
        return Storage()
    }
    func updated(_ storage: inout Storage, _ fiber: _Fiber) { storage.disappear = disappear }
    func removed(_ storage: Storage, _ fiber: _Fiber) {
        if let disappear = storage.disappear { fiber.graph.after(disappear) }
    }
}

struct ChangeObserver<Value: Equatable>: FiberModifier {
    let value: Value
    let initial: Bool
    let action: (Value, Value) -> Void
    func makeStorage(_ fiber: _Fiber) -> Value? { nil }
    func updated(_ storage: inout Value?, _ fiber: _Fiber) {
        let (value, action) = (value, action)
        if let old = storage {
            guard old != value else { return }
            fiber.graph.after { action(old, value) }
        } else if initial {
            fiber.graph.after { action(value, value) }
        }
        storage = value
    }
}

struct Receiver<P: Publisher>: FiberModifier where P.Failure == Never {
    let publisher: P
    let action: (P.Output) -> Void
    @MainActor final class Storage {
        var action: (P.Output) -> Void
        var cancellable: AnyCancellable?
        init(_ action: @escaping (P.Output) -> Void) { self.action = action }
    }
    func makeStorage(_ fiber: _Fiber) -> Storage {
        let storage = Storage(action)
        storage.cancellable = publisher.sinkOnMain { [weak storage] value in storage?.action(value) }
        return storage
    }
    // As in SwiftUI, the subscription lasts as long as the view's identity. Only the action changes with the view's
    // value.
    func updated(_ storage: inout Storage, _ fiber: _Fiber) { storage.action = action }
    func removed(_ storage: Storage, _ fiber: _Fiber) { storage.cancellable?.cancel() }
}

struct TaskRunner: FiberModifier {
    let id: AnyHashable
    let priority: TaskPriority
    let action: @MainActor @Sendable () async -> Void
    final class Storage {
        var id: AnyHashable
        var task: Task<Void, Never>?
        init(_ id: AnyHashable) { self.id = id }
    }
    func makeStorage(_ fiber: _Fiber) -> Storage {
        let storage = Storage(id)
        start(storage)
        return storage
    }
    func updated(_ storage: inout Storage, _ fiber: _Fiber) {
        guard storage.id != id else { return }
        storage.id = id
        storage.task?.cancel()
        start(storage)
    }
    func removed(_ storage: Storage, _ fiber: _Fiber) { storage.task?.cancel() }
    private func start(_ storage: Storage) {
        let action = action
        storage.task = Task(priority: priority) { @MainActor in await action() }
    }
}

/// The `id(_:)` modifier. When the id changes, the content becomes another view with new state.
package struct Identified<Content: View, ID: Hashable>: _PrimitiveView {
    let content: Content
    package let id: ID
    package static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        IdentifiedFiber(view, inputs)
    }
}

package final class IdentifiedFiber<Content: View, ID: Hashable>: _ViewFiber<Identified<Content, ID>> {
    private var content: _ViewFiber<Content>?
    private var id: ID

    override init(_ view: Identified<Content, ID>, _ inputs: _FiberInputs) {
        id = view.id
        super.init(view, inputs)
        content = Content._makeFiber(view.content, self.inputs())
    }
    package override var children: [_Fiber] { content.map { [$0] } ?? [] }
    package override func update(_ view: Identified<Content, ID>, _ environment: EnvironmentValues) {
        super.update(view, environment)
        if view.id == id {
            content?.update(view.content, environment)
        } else {
            id = view.id
            content?.remove()
            content = Content._makeFiber(view.content, inputs())
            structureChanged()
        }
    }
}

extension View {
    /// Runs an action when this view appears, after the update that inserted it.
    ///
    /// The last row of a list loads the next page:
    /// ```swift
    /// List {
    ///     ForEach(titles, id: \.self) { Text($0) }
    ///     ProgressView().onAppear { loadNextPage() }
    /// }
    /// ```
    public func onAppear(perform action: (() -> Void)? = nil) -> some View {
        fiberModifier(AppearanceActions(appear: action, disappear: nil))
    }
    /// Runs an action when this view disappears, after the update that removed it.
    public func onDisappear(perform action: (() -> Void)? = nil) -> some View {
        fiberModifier(AppearanceActions(appear: nil, disappear: action))
    }
    /// Runs an action after an update in which `value` has changed.
    public func onChange<V: Equatable>(of value: V, perform action: @escaping (_ newValue: V) -> Void) -> some View {
        fiberModifier(ChangeObserver(value: value, initial: false) { _, new in action(new) })
    }
    /// Runs an action after an update in which `value` has changed.
    ///
    /// ```swift
    /// Slider(value: $speed, in: 0.5...2)
    ///     .onChange(of: speed) { _, new in PlaybackControl(player).setSpeed(Float(new)) }
    /// ```
    /// - Parameters:
    ///   - value: The value to watch.
    ///   - initial: Whether the action also runs when this view appears.
    ///   - action: The action. It receives the old and the new value, which are the same on appearance.
    public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
    ) -> some View {
        fiberModifier(ChangeObserver(value: value, initial: initial, action: action))
    }
    /// Runs an action after an update in which `value` has changed.
    /// - Parameters:
    ///   - value: The value to watch.
    ///   - initial: Whether the action also runs when this view appears.
    ///   - action: The action.
    public func onChange(of value: any Equatable, initial: Bool = false, _ action: @escaping () -> Void) -> some View {
        fiberModifier(ChangeObserver(value: WatchedValue(value), initial: initial) { _, _ in action() })
    }
    /// Runs an action on the main actor for each value of a publisher, while this view exists.
    ///
    /// ```swift
    /// .onReceive(NotificationCenter.default.publisher(for: AVPlayerItem.didPlayToEndTimeNotification)) { _ in
    ///     showsNextVideo = true
    /// }
    /// ```
    /// The view subscribes once, when it appears. Another publisher in a later evaluation has no effect.
    public func onReceive<P: Publisher>(_ publisher: P, perform action: @escaping (P.Output) -> Void) -> some View
    where P.Failure == Never {
        fiberModifier(Receiver(publisher: publisher, action: action))
    }
    /// Starts a task when this view appears, and cancels it when the view disappears.
    ///
    /// ```swift
    /// @State private var text = "Loading…"
    ///
    /// var body: some View {
    ///     Text(text)
    ///         .task {
    ///             do {
    ///                 text = TimeText.clock(try await asset.load(.duration).seconds)
    ///             } catch {
    ///                 text = error.localizedDescription
    ///             }
    ///         }
    /// }
    /// ```
    public func task(priority: TaskPriority = .userInitiated, _ action: @escaping @MainActor @Sendable () async -> Void)
        -> some View
    {
        fiberModifier(TaskRunner(id: 0, priority: priority, action: action))
    }
    /// Starts a task when this view appears, and cancels it when the view disappears. When `id` changes, cancels the
    /// task and starts another one.
    ///
    /// ```swift
    /// Text(status)
    ///     .task(id: url) { status = await describe(url) }
    /// ```
    public func task(
        id: any Hashable, priority: TaskPriority = .userInitiated,
        _ action: @escaping @MainActor @Sendable () async -> Void
    ) -> some View {
        fiberModifier(TaskRunner(id: AnyHashable(id), priority: priority, action: action))
    }
    /// Sets the identity of this view. With another id, the view is another one, with new state.
    ///
    /// Each file gets its own player, with new state:
    /// ```swift
    /// ExtVideoPlayer(fileName: name)
    ///     .id(name)
    /// ```
    public func id<ID: Hashable>(_ id: ID) -> some View { Identified(content: self, id: id) }
}
