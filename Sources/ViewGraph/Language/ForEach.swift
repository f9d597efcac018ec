/// A view for each of a collection's elements, told apart by an identity. SwiftUI's type.
///
/// Where an identity stays, so does its view's state, wherever in the order it moves. Of two elements with
/// one identity only the first is shown; a line in the log says so.
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
    /// The elements.
    public var data: Data
    /// Makes an element's view.
    public var content: (Data.Element) -> Content
    package let id: (Data.Element) -> ID
}

extension ForEach: View where Content: View {
    /// Views without a body.
    public typealias Body = Never
    public var body: Never { preconditionFailure("ForEach has no body; only the graph evaluates views") }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ForEachFiber(view, inputs)
    }
}

extension ForEach where Content: View {
    /// - Parameter id: what tells the elements apart.
    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content)
    {
        self.data = data
        self.id = { $0[keyPath: id] }
        self.content = content
    }
}

extension ForEach where Content: View, Data.Element: Identifiable, ID == Data.Element.ID {
    /// A view for each element, told apart by the element's own id.
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        self.data = data
        id = { $0.id }
        self.content = content
    }
}

extension ForEach where Content: View, Data == Range<Int>, ID == Int {
    /// A view for each number of a range, which may be another one next time.
    public init(_ data: Range<Int>, @ViewBuilder content: @escaping (Int) -> Content) {
        self.data = data
        id = { $0 }
        self.content = content
    }
}

extension ForEach where Content: View {
    /// Over the elements of a binding, each as a binding of its own.
    @MainActor @preconcurrency
    public init<C: _BoundCollection>(
        _ data: C, @ViewBuilder content: @escaping (Binding<C._Elements.Element>) -> Content
    )
    where
        C: _Bound1 & _Bound2 & _Bound3 & _Bound4 & _Bound5 & _Bound6 & _Bound7 & _Bound8,
        Data == [BindingElement<C._Elements, ID>], ID == C._Key
    {
        self.init(data._binding, id: C._path, content: content)
    }

    /// Over the elements of a binding, each as a binding of its own, which stays with its element wherever that moves.
    /// - Parameter id: what tells the elements apart.
    @MainActor @preconcurrency
    public init<C>(
        _ data: Binding<C>, id: KeyPath<C.Element, ID>, @ViewBuilder content: @escaping (Binding<C.Element>) -> Content
    )
    where Data == [BindingElement<C, ID>], C: MutableCollection & RandomAccessCollection {
        let elements = data.wrappedValue
        self.data = elements.indices.map {
            BindingElement(id: elements[$0][keyPath: id], binding: data.element(at: $0) { $0[keyPath: id] })
        }
        self.id = { $0.id }
        self.content = { content($0.binding) }
    }
}

/// One element of a bound collection.
public struct BindingElement<C: MutableCollection & RandomAccessCollection, ID: Hashable> {
    let id: ID
    let binding: Binding<C.Element>
}

/// Not for apps: a binding to a collection of things with identities.
///
/// `ForEach` takes one by this protocol and not as `Binding<C>`: where a body has an error, the compiler tries it with
/// every `ForEach` there is, wrong ones too, and with a `Binding` of it knows not what the elements' type is; so every
/// operator in the body is tried with each of its meanings (a misspelt modifier beside `film.seconds * 0.5 + 1`:
/// minutes). The protocols below say nothing; each counts as one more error where the data are no binding, so that what
/// is reported is the slip in the body (which counts as four) and not that.
@MainActor @preconcurrency
public protocol _BoundCollection {
    associatedtype _Elements: MutableCollection & RandomAccessCollection
    associatedtype _Key: Hashable
    var _binding: Binding<_Elements> { get }
    static var _path: KeyPath<_Elements.Element, _Key> { get }
}
public protocol _Bound1 {}
public protocol _Bound2 {}
public protocol _Bound3 {}
public protocol _Bound4 {}
public protocol _Bound5 {}
public protocol _Bound6 {}
public protocol _Bound7 {}
public protocol _Bound8 {}

extension Binding: _Bound1, _Bound2, _Bound3, _Bound4, _Bound5, _Bound6, _Bound7, _Bound8 {}

extension Binding: _BoundCollection
where Value: MutableCollection & RandomAccessCollection, Value.Element: Identifiable {
    public typealias _Elements = Value
    public typealias _Key = Value.Element.ID
    public var _binding: Binding<Value> { self }
    public static var _path: KeyPath<Value.Element, Value.Element.ID> { \.id }
}
