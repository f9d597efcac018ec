@_spi(Graph) import ViewGraph

extension ViewGraph {
    /// Makes a graph that shows as text what keeps a view from being evaluated.
    convenience init() { self.init { text, inputs in Text._makeFiber(Text(verbatim: text), inputs) } }
}
