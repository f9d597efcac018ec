/// A view for each of a collection's elements, told apart by an identity. SwiftUI's type.
///
/// Where an identity stays, so does its view's state, wherever in the order it moves. Of two elements with
/// one identity only the first is shown; a line in the log says so.
public struct ForEach<Data: RandomAccessCollection, ID: Hashable, Content> {
    public var data: Data
    public var content: (Data.Element) -> Content
    let id: (Data.Element) -> ID
}

extension ForEach: View where Content: View {
    public typealias Body = Never
    public var body: Never { preconditionFailure("ForEach has no body; only the graph evaluates views") }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> { ForEachFiber(view, inputs) }
}

extension ForEach where Content: View {
    /// - Parameter id: what tells the elements apart.
    public init(_ data: Data, id: KeyPath<Data.Element, ID>, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        self.data = data
        self.id = { $0[keyPath: id] }
        self.content = content
    }
}

extension ForEach where Content: View, Data.Element: Identifiable, ID == Data.Element.ID {
    public init(_ data: Data, @ViewBuilder content: @escaping (Data.Element) -> Content) {
        self.data = data
        id = { $0.id }
        self.content = content
    }
}

extension ForEach where Content: View, Data == Range<Int>, ID == Int {
    public init(_ data: Range<Int>, @ViewBuilder content: @escaping (Int) -> Content) {
        self.data = data
        id = { $0 }
        self.content = content
    }
}

extension ForEach where Content: View {
    /// Over the elements of a binding, each as a binding of its own, which stays with its element wherever that moves.
    @MainActor @preconcurrency
    public init<C: _BoundCollection>(_ data: C, @ViewBuilder content: @escaping (C._Piece) -> Content)
    where Data == [_BoundPiece<C._Piece, C._Key>], ID == C._Key {
        self.data = data._pieces
        id = { $0.id }
        self.content = { content($0.piece) }
    }

    /// Over the elements of a binding, each as a binding of its own, which stays with its element wherever that moves.
    /// - Parameter id: what tells the elements apart.
    @MainActor @preconcurrency
    public init<C>(_ data: Binding<C>, id: KeyPath<C.Element, ID>, @ViewBuilder content: @escaping (Binding<C.Element>) -> Content)
    where Data == [BindingElement<C, ID>], C: MutableCollection & RandomAccessCollection {
        let elements = data.wrappedValue
        self.data = elements.indices.map { BindingElement(id: elements[$0][keyPath: id], binding: data.element(at: $0) { $0[keyPath: id] }) }
        self.id = { $0.id }
        self.content = { content($0.binding) }
    }
}

/// One element of a bound collection.
public struct BindingElement<C: MutableCollection & RandomAccessCollection, ID: Hashable> {
    let id: ID
    let binding: Binding<C.Element>
}

/// Not for apps: a binding to a collection of things with identities. A protocol of its own, with types of its own, so that the
/// compiler tells at once which `ForEach` is meant: where a body has an error, it otherwise tries all of it once for each.
@MainActor @preconcurrency
public protocol _BoundCollection {
    associatedtype _Piece
    associatedtype _Key: Hashable
    var _pieces: [_BoundPiece<_Piece, _Key>] { get }
}

/// One element of such a collection.
public struct _BoundPiece<Piece, Key: Hashable> {
    let id: Key
    let piece: Piece
}

extension Binding: _BoundCollection where Value: MutableCollection & RandomAccessCollection, Value.Element: Identifiable {
    public typealias _Piece = Binding<Value.Element>
    public typealias _Key = Value.Element.ID
    public var _pieces: [_BoundPiece<Binding<Value.Element>, Value.Element.ID>] {
        let elements = wrappedValue
        return elements.indices.map { _BoundPiece(id: elements[$0].id, piece: element(at: $0) { $0.id }) }
    }
}
