import Foundation
@_spi(Graph) import ViewGraph

extension View {
    /// Calls `action` with a value computed from this view's size and position, at first and whenever the value
    /// changes.
    ///
    /// ```swift
    /// ExtVideoPlayer(fileName: "film.mp4")
    ///     .onGeometryChange(for: CGSize.self) { $0.size } action: { size = $0 }
    /// ```
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - transform: Computes the value from the view's geometry.
    ///   - action: The closure to call with the new value. Runs on the main actor.
    public func onGeometryChange<T: Equatable>(
        for type: T.Type, of transform: @escaping (GeometryProxy) -> T, action: @escaping (_ newValue: T) -> Void
    ) -> some View { onGeometryChange(for: type, of: transform) { _, new in action(new) } }
    /// Calls `action` with the old and the new value computed from this view's size and position.
    ///
    /// - Parameters:
    ///   - type: The type of the value.
    ///   - transform: Computes the value from the view's geometry.
    ///   - action: The closure to call. The first call has the same value twice; later calls follow a change of the
    ///     value. Runs on the main actor.
    public func onGeometryChange<T: Equatable>(
        for type: T.Type, of transform: @escaping (GeometryProxy) -> T,
        action: @escaping (_ oldValue: T, _ newValue: T) -> Void
    ) -> some View {
        background {
            GeometryReader { proxy in
                Color.clear.allowsHitTesting(false).onChange(of: transform(proxy), initial: true, action)
            }
        }
    }
    /// Places a view above or below this one and gives this view the remaining height.
    ///
    /// - Parameters:
    ///   - edge: The edge at which `content` is placed.
    ///   - alignment: The horizontal alignment of the two views.
    ///   - spacing: The distance between the two views, in points. Nil means 0.
    ///   - content: The view to place.
    public func safeAreaInset<V: View>(
        edge: VerticalEdge, alignment: HorizontalAlignment = .center, spacing: CGFloat? = nil,
        @ViewBuilder content: () -> V
    ) -> some View {
        let bar = content()
        return VStack(alignment: alignment, spacing: spacing ?? 0) {
            if edge == .top { bar }
            frame(maxWidth: .infinity, maxHeight: .infinity)
            if edge == .bottom { bar }
        }
    }
    /// Places a view before or after this one and gives this view the remaining width.
    ///
    /// - Parameters:
    ///   - edge: The edge at which `content` is placed.
    ///   - alignment: The vertical alignment of the two views.
    ///   - spacing: The distance between the two views, in points. Nil means 0.
    ///   - content: The view to place.
    public func safeAreaInset<V: View>(
        edge: HorizontalEdge, alignment: VerticalAlignment = .center, spacing: CGFloat? = nil,
        @ViewBuilder content: () -> V
    ) -> some View {
        let bar = content()
        return HStack(alignment: alignment, spacing: spacing ?? 0) {
            if edge == .leading { bar }
            frame(maxWidth: .infinity, maxHeight: .infinity)
            if edge == .trailing { bar }
        }
    }
    /// Adds padding to this view, like `padding(_:_:)`. GTK reports no display areas that must stay free.
    ///
    /// - Parameters:
    ///   - edges: The edges to pad.
    ///   - length: The padding in points, or nil for the default padding.
    public func safeAreaPadding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
        padding(edges, length)
    }
    /// Adds padding of `length` points at all edges of this view, like `padding(_:)`.
    public func safeAreaPadding(_ length: CGFloat) -> some View { padding(length) }
}
