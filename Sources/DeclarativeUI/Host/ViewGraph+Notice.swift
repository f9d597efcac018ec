@_spi(Graph) import ViewGraph

extension ViewGraph {
    /// Creates a graph that shows an error as text in place of a view that can't be evaluated.
    convenience init() { self.init { text, inputs in Text._makeFiber(Text(verbatim: text), inputs) } }
}
