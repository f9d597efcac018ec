import Foundation
import ViewGraph

extension View {
    /// A style in front, over all of this view; there is no safe area, so the edges have no effect.
    public func overlay(_ style: any ShapeStyle, ignoresSafeAreaEdges edges: Edge.Set = .all) -> some View {
        Layered(content: self, secondary: Rectangle().fill(style), alignment: .center, isBehind: false)
    }
    /// A shape of a style in front.
    public func overlay<T: Shape>(_ style: any ShapeStyle, in shape: T, fillStyle: FillStyle = FillStyle()) -> some View
    {
        Layered(content: self, secondary: shape.fill(style, style: fillStyle), alignment: .center, isBehind: false)
    }
    /// A style behind, over all of this view.
    public func background(_ style: any ShapeStyle, ignoresSafeAreaEdges edges: Edge.Set = .all) -> some View {
        Layered(content: self, secondary: Rectangle().fill(style), alignment: .center, isBehind: true)
    }
    /// A shape of a style behind.
    public func background<T: Shape>(_ style: any ShapeStyle, in shape: T, fillStyle: FillStyle = FillStyle())
        -> some View
    {
        Layered(content: self, secondary: shape.fill(style, style: fillStyle), alignment: .center, isBehind: true)
    }
}
