/// Makes one view of the lines of a block: any number of views, `if`, `else`, `switch`, `if let`, `if #available`.
@resultBuilder @MainActor @preconcurrency
public struct ViewBuilder {
    /// Takes a view as it is.
    nonisolated public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    /// An empty block: nothing is shown.
    nonisolated public static func buildBlock() -> EmptyView { EmptyView() }
    /// Takes the only view of a block as it is.
    nonisolated public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    /// Joins the views of a block, in their order.
    @_disfavoredOverload
    nonisolated public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        repeat each Content
    > {
        TupleView(repeat each content)
    }
    /// Takes what stands in an `if` without `else`; nil shows nothing.
    nonisolated public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    /// Takes the view of the branch after `if`; it is another one than that after `else`, with state of its own.
    nonisolated public static func buildEither<First: View, Second: View>(first: First) -> _ConditionalContent<
        First, Second
    > {
        _ConditionalContent(.first(first))
    }
    /// Takes the view of the branch after `else`.
    nonisolated public static func buildEither<First: View, Second: View>(second: Second) -> _ConditionalContent<
        First, Second
    > {
        _ConditionalContent(.second(second))
    }
    /// Takes the view after `if #available`.
    public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView {
        AnyView(content)
    }
}
