/// A view for each element of a collection, identified by an id. Mirrors SwiftUI's type.
///
/// ```swift
/// HStack {
///     ForEach(speeds, id: \.self) { speed in
///         Button("\(speed, specifier: "%g")×") { player.rate = speed }
///     }
/// }
/// ```
/// As long as an id exists, its view keeps its state, even if the element moves. If two elements have the same id, only
/// the first is shown, and a message is logged.
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
    /// The elements.
    public var data: Data
    /// Returns the view of an element.
    public var content: (Data.Element) -> Content
    package let id: (Data.Element) -> ID
}

extension ForEach {
    /// Returns a view for each of the same elements, with the same ids but other content.
    /// - Parameter content: Returns the view of an element and its id.
    package func mapping<Other>(_ content: @escaping (Data.Element, ID) -> Other) -> ForEach<Data, ID, Other> {
        let id = id
        return ForEach<Data, ID, Other>(data: data, content: { content($0, id($0)) }, id: id)
    }
}

extension ForEach: View where Content: View {
    /// `Never`, because the graph evaluates this view itself.
    public typealias Body = Never
    public var body: Never { preconditionFailure("ForEach has no body; only the graph evaluates views") }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ForEachFiber(view, inputs)
    }
}

extension ForEach where Content: View {
    /// Creates a view for each element of a collection, identified by a key path.
    /// - Parameters:
    ///   - data: The elements.
    ///   - id: The key path of each element's id.
    ///   - content: Returns the view of an element.
    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content)
    {
        self.data = data
        self.id = { $0[keyPath: id] }
        self.content = content
    }
}

extension ForEach where Content: View, Data.Element: Identifiable, ID == Data.Element.ID {
    /// Creates a view for each element of a collection, identified by the element's own id.
    /// - Parameters:
    ///   - data: The elements.
    ///   - content: Returns the view of an element.
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        self.data = data
        id = { $0.id }
        self.content = content
    }
}

extension ForEach where Content: View, Data == Range<Int>, ID == Int {
    /// Creates a view for each number of a range. The range may change later.
    /// - Parameters:
    ///   - data: The range.
    ///   - content: Returns the view of a number.
    public init(_ data: Range<Int>, @ViewBuilder content: @escaping (Int) -> Content) {
        self.data = data
        id = { $0 }
        self.content = content
    }
}

extension ForEach where Content: View {
    /// Creates a view for each element of a bound collection.
    /// - Parameters:
    ///   - data: A binding to the collection.
    ///   - content: Returns the view of an element. The closure receives a binding to the element.
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

    /// Creates a view for each element of a bound collection, identified by a key path.
    /// - Parameters:
    ///   - data: A binding to the collection.
    ///   - id: The key path of each element's id.
    ///   - content: Returns the view of an element. The closure receives a binding that follows the element if it
    ///     moves.
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

/// An element of a bound collection, with its id.
public struct BindingElement<C: MutableCollection & RandomAccessCollection, ID: Hashable> {
    let id: ID
    let binding: Binding<C.Element>
}

/// A binding to a collection of identifiable elements. Not for apps.
///
/// `ForEach` takes this protocol instead of `Binding<C>` so that the compiler reports errors quickly. If a body has an
/// error, the compiler tries every initializer of `ForEach`, even unsuitable ones. With a `Binding<C>` parameter, it
/// does not know the type of the elements and tries every overload of each operator in the body. A misspelled modifier
/// beside `film.seconds * 0.5 + 1` then takes minutes.
///
/// The protocols below are empty. If the data is not a binding, each protocol counts as one more error for the
/// compiler. It then reports the mistake in the body, which counts as four errors, instead of the missing binding.
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
