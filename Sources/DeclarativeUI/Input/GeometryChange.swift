import Foundation
@_spi(Graph) import ViewGraph

extension View {
    /// Called with what `transform` makes of this view's size and place: at first, and when that becomes another value.
    public func onGeometryChange<T: Equatable>(
        for type: T.Type, of transform: @escaping (GeometryProxy) -> T, action: @escaping (_ newValue: T) -> Void
    ) -> some View { onGeometryChange(for: type, of: transform) { _, new in action(new) } }
    /// Called with what `transform` makes of this view's size and place: at first with the same value twice, and when it
    /// becomes another value with both.
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
    /// Puts a view beside this one, which gives it room.
    /// - Parameter spacing: Points between them; nil is 0.
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
    /// Puts a view beside this one, which gives it room.
    /// - Parameter spacing: Points between them; nil is 0.
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
    /// Keeps this view clear of its edges, as `padding` does: no display that GTK serves has other areas to keep clear.
    public func safeAreaPadding(_ edges: Edge.Set = .all, _ length: CGFloat? = nil) -> some View {
        padding(edges, length)
    }
    /// Keeps this view clear of its edges, as `padding` does.
    public func safeAreaPadding(_ length: CGFloat) -> some View { padding(length) }
}
