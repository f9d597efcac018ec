/// A piece of user interface, described by its `body`. SwiftUI's protocol.
///
/// A view is a value that is made anew whenever something it read has changed; what lives on between two
/// values of it (its `@State`, its place on the screen) is kept by the graph, at the view's place in the
/// tree. Main actor.
@MainActor @preconcurrency
public protocol View {
    /// The type of `body`; `Never` for views that the graph knows itself.
    associatedtype Body: View
    /// What this view consists of. Evaluated again when something that it read has changed, and only then.
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
    /// Not for apps: makes what stands for this view in the graph.
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self>
}

extension View {
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        CompositeFiber(view, inputs)
    }
}

extension Never: View {
    /// Never has no body.
    public typealias Body = Never
    public var body: Never { self }
    public static func _makeFiber(_ view: Never, _ inputs: _FiberInputs) -> _ViewFiber<Never> {}
}

/// A view without a body: the graph knows it itself.
public protocol _PrimitiveView: View where Body == Never {}

extension _PrimitiveView {
    public var body: Never { preconditionFailure("\(Self.self) has no body; only the graph evaluates views") }
}

/// Nothing: takes no place and draws nothing.
public struct EmptyView: _PrimitiveView {
    /// Makes nothing. On any thread.
    nonisolated public init() {}
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> { _ViewFiber(view, inputs) }
}

/// Several views, as `ViewBuilder` makes them of the lines of a block.
public struct TupleView<each Content: View>: _PrimitiveView {
    // Immutable: a builder that is on no actor makes it too.
    nonisolated(unsafe) package let content: (repeat each Content)
    package nonisolated init(_ content: repeat each Content) { self.content = (repeat each content) }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> { TupleFiber(view, inputs) }
}

/// The view of an `if`/`else` or a `switch`: one of two, each with an identity of its own.
public struct _ConditionalContent<TrueContent: View, FalseContent: View>: _PrimitiveView {
    package enum Storage {
        case first(TrueContent)
        case second(FalseContent)
    }
    nonisolated(unsafe) package let storage: Storage  // as of `TupleView`
    nonisolated init(_ storage: Storage) { self.storage = storage }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ConditionalFiber(view, inputs)
    }
}

extension Optional: View where Wrapped: View {
    /// An optional view has no body: it is what it wraps, or nothing.
    public typealias Body = Never
    public var body: Never { preconditionFailure("an optional view has no body; only the graph evaluates views") }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        OptionalFiber(view, inputs)
    }
}

/// Several views as one, without a layout of their own.
public struct Group<Content: View>: View {
    package let content: Content
    /// Makes a group of the views of `content`.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public var body: Content { content }
}

/// A view whose type is hidden. Where the hidden type changes, identity and state end.
public struct AnyView: _PrimitiveView {
    let box: AnyViewBox
    /// Hides the type of `view`; one that is an `AnyView` already is taken as it is.
    public init<V: View>(_ view: V) { box = (view as? AnyView)?.box ?? TypedViewBox(view) }
    /// The same as `init(_:)`.
    public init<V: View>(erasing view: V) { self.init(view) }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        AnyViewFiber(view, inputs)
    }
}

@MainActor
class AnyViewBox {
    func makeFiber(_ inputs: _FiberInputs) -> _Fiber { _Fiber(inputs) }
    /// False when `fiber` stands for a view of another type.
    func update(_ fiber: _Fiber, _ environment: EnvironmentValues) -> Bool { false }
}

final class TypedViewBox<V: View>: AnyViewBox {
    let view: V
    init(_ view: V) { self.view = view }
    override func makeFiber(_ inputs: _FiberInputs) -> _Fiber { V._makeFiber(view, inputs) }
    override func update(_ fiber: _Fiber, _ environment: EnvironmentValues) -> Bool {
        guard let typed = fiber as? _ViewFiber<V> else { return false }
        typed.update(view, environment)
        return true
    }
}
