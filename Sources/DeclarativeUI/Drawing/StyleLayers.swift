import ViewGraph

extension View {
    /// Places a style in front of this view, over its whole size.
    /// - Parameter edges: Has no effect, because windows on Linux have no safe area.
    public func overlay(_ style: any ShapeStyle, ignoresSafeAreaEdges edges: Edge.Set = .all) -> some View {
        Layered(content: self, secondary: Rectangle().fill(style), alignment: .center, isBehind: false)
    }
    /// Places a shape filled with a style in front of this view.
    public func overlay<T: Shape>(_ style: any ShapeStyle, in shape: T, fillStyle: FillStyle = FillStyle()) -> some View
    {
        Layered(content: self, secondary: shape.fill(style, style: fillStyle), alignment: .center, isBehind: false)
    }
    /// Places a style behind this view, over its whole size.
    /// - Parameter edges: Has no effect, because windows on Linux have no safe area.
    public func background(_ style: any ShapeStyle, ignoresSafeAreaEdges edges: Edge.Set = .all) -> some View {
        Layered(content: self, secondary: Rectangle().fill(style), alignment: .center, isBehind: true)
    }
    /// Places a shape filled with a style behind this view.
    public func background<T: Shape>(_ style: any ShapeStyle, in shape: T, fillStyle: FillStyle = FillStyle())
        -> some View
    {
        Layered(content: self, secondary: shape.fill(style, style: fillStyle), alignment: .center, isBehind: true)
    }
}
