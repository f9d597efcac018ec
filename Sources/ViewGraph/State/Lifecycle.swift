import OpenCombine

struct AppearanceActions: FiberModifier {
    let appear: (() -> Void)?
    let disappear: (() -> Void)?
    func makeStorage(_ fiber: _Fiber) -> AppearanceWatch { AppearanceWatch(fiber) }
    func updated(_ storage: inout AppearanceWatch, _ fiber: _Fiber) {
        (storage.appeared, storage.disappeared) = (appear, disappear)
    }
    func removed(_ storage: AppearanceWatch, _ fiber: _Fiber) { storage.remove() }
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
        var publisher: P
        var action: (P.Output) -> Void
        var cancellable: AnyCancellable?
        init(_ publisher: P, _ action: @escaping (P.Output) -> Void) {
            self.publisher = publisher
            self.action = action
        }
        func subscribe() {
            // The new subscription begins before the old one ends, so that no value is lost that another thread sends
            // meanwhile.
            let former = cancellable
            cancellable = publisher.sinkOnMain { [weak self] value in self?.action(value) }
            former?.cancel()
        }
    }
    func makeStorage(_ fiber: _Fiber) -> Storage {
        let storage = Storage(publisher, action)
        storage.subscribe()
        return storage
    }
    func updated(_ storage: inout Storage, _ fiber: _Fiber) {
        storage.action = action
        guard !Receiver.areSame(storage.publisher, publisher) else { return }
        storage.publisher = publisher
        storage.subscribe()
    }

    /// Returns whether two publishers need only one subscription, because they send the same values.
    ///
    /// Publishers that are objects, such as subjects and timers, are compared by identity. Others are compared by their
    /// bytes, by `==`, or field by field. A type-erased publisher is compared by the publisher inside. Publishers that
    /// can't be compared count as different, as in SwiftUI. An example is `subject.filter { $0.id == id }`: with its
    /// first subscription, the filter would always compare with the first `id`.
    static func areSame(_ a: P, _ b: P) -> Bool {
        if ViewComparison.areSame(a, b) { return true }
        guard P.self == AnyPublisher<P.Output, Never>.self,
            let a = Mirror(reflecting: a).descendant("box", "base"),
            let b = Mirror(reflecting: b).descendant("box", "base")
        else { return false }
        return ViewComparison.areSame(a, b)
    }

    func removed(_ storage: Storage, _ fiber: _Fiber) { storage.cancellable?.cancel() }
}

struct TaskRunner: FiberModifier {
    let id: AnyHashable
    let priority: TaskPriority
    let action: @MainActor @Sendable () async -> Void
    @MainActor final class Storage {
        var runner: TaskRunner
        let watch: AppearanceWatch
        private var task: Task<Void, Never>?
        /// The id with which the task was last started.
        private var startedID: AnyHashable?
        init(_ runner: TaskRunner, _ fiber: _Fiber) {
            self.runner = runner
            watch = AppearanceWatch(fiber)
            watch.appeared = { [weak self] in self?.start() }
            watch.disappeared = { [weak self] in self?.cancel() }
        }
        func start() {
            cancel()
            startedID = runner.id
            let action = runner.action
            task = Task(priority: runner.priority) { @MainActor in await action() }
        }
        /// Starts the task again if the id has changed. A view that is not visible starts the task when it appears.
        func restart() {
            if watch.hasAppeared, watch.isVisible, startedID != runner.id { start() }
        }
        func cancel() {
            task?.cancel()
            task = nil
        }
    }
    func makeStorage(_ fiber: _Fiber) -> Storage { Storage(self, fiber) }
    func updated(_ storage: inout Storage, _ fiber: _Fiber) {
        let isOther = storage.runner.id != id
        storage.runner = self
        // The same update may hide the view, which must not start a task that is canceled at once.
        if isOther { fiber.graph.after(storage.restart) }
    }
    func removed(_ storage: Storage, _ fiber: _Fiber) {
        storage.watch.remove()
        storage.cancel()
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
    /// Runs an action each time that this view appears, after the update that inserted it.
    ///
    /// The view also appears again when the user returns to its tab, when the pages above its page of a navigation
    /// stack are removed, and when its row of a list, lazy stack or lazy grid scrolls back into the visible area. In a
    /// lazy container, the view appears when a part of its row is visible, even if the row was created before. A
    /// modifier of several rows together, such as all rows of a `ForEach`, responds only to their creation and removal.
    /// A hidden or minimized window, a sheet and a full-screen cover do not make views appear or disappear.
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
    /// Runs an action each time that this view disappears.
    ///
    /// A view disappears when it is removed, when another tab is selected, when another page of a navigation stack
    /// covers its page, or when its row scrolls out of the visible area.
    ///
    /// The view keeps its state while it is not visible. A video of a feed pauses when the user scrolls on:
    /// ```swift
    /// ScrollView {
    ///     LazyVStack(spacing: 0) {
    ///         ForEach(clips) { clip in
    ///             VideoPlayer(player: clip.player)
    ///                 .containerRelativeFrame([.horizontal, .vertical])
    ///                 .onAppear { clip.player.play() }
    ///                 .onDisappear { clip.player.pause() }
    ///         }
    ///     }
    /// }
    /// .scrollTargetBehavior(.paging)
    /// ```
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
    ///   - initial: Whether the action also runs once after the update that inserts this view.
    ///   - action: The action. It receives the old and the new value, which are the same after the insertion.
    public func onChange<V: Equatable>(
        of value: V, initial: Bool = false, _ action: @escaping (_ oldValue: V, _ newValue: V) -> Void
    ) -> some View {
        fiberModifier(ChangeObserver(value: value, initial: initial, action: action))
    }
    /// Runs an action after an update in which `value` has changed.
    /// - Parameters:
    ///   - value: The value to watch.
    ///   - initial: Whether the action also runs once after the update that inserts this view.
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
    /// If a later evaluation of the body passes another publisher, the view subscribes to that one instead. A publisher
    /// that is made in the body and equals the last one keeps its subscription. A timer that is made in the body is
    /// another object each time, so it starts again: store timers in a property.
    public func onReceive<P: Publisher>(_ publisher: P, perform action: @escaping (P.Output) -> Void) -> some View
    where P.Failure == Never {
        fiberModifier(Receiver(publisher: publisher, action: action))
    }
    /// Starts a task each time that this view appears, and cancels it when the view disappears. `onAppear` describes
    /// when a view appears.
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
    /// Starts a task each time that this view appears, and cancels it when the view disappears. When `id` changes while
    /// the view is visible, cancels the task and starts another one.
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
