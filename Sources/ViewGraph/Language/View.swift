/// A part of the user interface, described by its `body`. Mirrors SwiftUI's protocol.
///
/// ```swift
/// struct TitleBar: View {
///     let title: String
///
///     var body: some View {
///         HStack {
///             Text(title).font(.headline)
///             Spacer()
///         }
///         .padding()
///     }
/// }
/// ```
/// A view is a value that is created again each time the body around it is evaluated. The graph keeps the data that
/// outlives these values, such as `@State` and the position on the screen, for the view's identity.
@MainActor @preconcurrency
public protocol View {
    /// The type of `body`. `Never` for views that the graph evaluates itself.
    associatedtype Body: View
    /// The content of this view. Evaluated again only if the view's stored properties have changed, or a value that the
    /// body has read.
    @ViewBuilder @MainActor @preconcurrency var body: Body { get }
    /// Creates the fiber that represents this view in the graph. Not for apps.
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self>
}

extension View {
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        CompositeFiber(view, inputs)
    }
}

extension Never: View {
    /// `Never`, because a value of this type cannot exist.
    public typealias Body = Never
    public var body: Never { self }
    public static func _makeFiber(_ view: Never, _ inputs: _FiberInputs) -> _ViewFiber<Never> {}
}

/// A view without a body, which the graph evaluates itself.
public protocol _PrimitiveView: View where Body == Never {}

extension _PrimitiveView {
    public var body: Never { preconditionFailure("\(Self.self) has no body; only the graph evaluates views") }
}

/// A view that takes no space and draws nothing. Mirrors SwiftUI's view.
public struct EmptyView: _PrimitiveView {
    /// Creates an empty view.
    nonisolated public init() {}
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> { _ViewFiber(view, inputs) }
}

/// Several views, which `ViewBuilder` creates from the statements of a block. Mirrors SwiftUI's view.
public struct TupleView<each Content: View>: _PrimitiveView {
    // The property is immutable, and therefore safe to set outside of the main actor, where a builder may run.
    nonisolated(unsafe) package let content: (repeat each Content)
    package nonisolated init(_ content: repeat each Content) { self.content = (repeat each content) }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> { TupleFiber(view, inputs) }
}

/// The view of an `if`/`else` or a `switch`: one of two views, each with its own identity.
public struct _ConditionalContent<TrueContent: View, FalseContent: View>: _PrimitiveView {
    package enum Storage {
        case first(TrueContent)
        case second(FalseContent)
    }
    nonisolated(unsafe) package let storage: Storage  // immutable, as in `TupleView`
    nonisolated init(_ storage: Storage) { self.storage = storage }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ConditionalFiber(view, inputs)
    }
}

extension Optional: View where Wrapped: View {
    /// `Never`, because an optional view is either the wrapped view or nothing.
    public typealias Body = Never
    public var body: Never { preconditionFailure("an optional view has no body; only the graph evaluates views") }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        OptionalFiber(view, inputs)
    }
}

/// Several views as one, without a layout of their own. Mirrors SwiftUI's view.
///
/// One modifier for several views:
/// ```swift
/// HStack {
///     Group {
///         Button("Previous") { showPrevious() }
///         Button("Next") { showNext() }
///     }
///     .disabled(isEmpty)
/// }
/// ```
public struct Group<Content: View>: View {
    package let content: Content
    /// Creates a group of the views of `content`.
    public init(@ViewBuilder content: () -> Content) { self.content = content() }
    public var body: Content { content }
}

/// A view whose type is erased. If the erased type changes, the view's identity and state end. Mirrors SwiftUI's view.
public struct AnyView: _PrimitiveView {
    let box: AnyViewBox
    /// Creates a view that hides the type of `view`. An `AnyView` is not wrapped a second time.
    public init<V: View>(_ view: V) { box = (view as? AnyView)?.box ?? TypedViewBox(view) }
    /// Creates a view that hides the type of `view`, as `init(_:)` does.
    public init<V: View>(erasing view: V) { self.init(view) }
    /// The view whose type is hidden.
    package var erased: any View { box.erased }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        AnyViewFiber(view, inputs)
    }
}

@MainActor
class AnyViewBox {
    var erased: any View { EmptyView() }
    func makeFiber(_ inputs: _FiberInputs) -> _Fiber { _Fiber(inputs) }
    /// Updates `fiber` with the view. Returns false if the fiber belongs to a view of another type.
    func update(_ fiber: _Fiber, _ environment: EnvironmentValues) -> Bool { false }
}

final class TypedViewBox<V: View>: AnyViewBox {
    let view: V
    init(_ view: V) { self.view = view }
    override var erased: any View { view }
    override func makeFiber(_ inputs: _FiberInputs) -> _Fiber { V._makeFiber(view, inputs) }
    override func update(_ fiber: _Fiber, _ environment: EnvironmentValues) -> Bool {
        guard let typed = fiber as? _ViewFiber<V> else { return false }
        typed.update(view, environment)
        return true
    }
}
