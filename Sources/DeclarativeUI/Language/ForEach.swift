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
    /// Over the elements of a binding, each as a binding of its own.
    @MainActor @preconcurrency
    public init<C>(_ data: Binding<C>, @ViewBuilder content: @escaping (Binding<C.Element>) -> Content)
    where Data == [BindingElement<C, ID>], ID == C.Element.ID, C: MutableCollection & RandomAccessCollection, C.Element: Identifiable {
        self.init(data, id: \.id, content: content)
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
