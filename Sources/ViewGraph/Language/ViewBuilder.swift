/// A result builder that creates one view from a block of views, with `if`, `else`, `switch`, `if let` and `if
/// #available`. Mirrors SwiftUI's type.
@resultBuilder @MainActor @preconcurrency
public struct ViewBuilder {
    /// Returns a view unchanged.
    nonisolated public static func buildExpression<Content: View>(_ content: Content) -> Content { content }
    /// Returns an empty view for an empty block.
    nonisolated public static func buildBlock() -> EmptyView { EmptyView() }
    /// Returns the only view of a block unchanged.
    nonisolated public static func buildBlock<Content: View>(_ content: Content) -> Content { content }
    /// Returns the views of a block, in their order.
    @_disfavoredOverload
    nonisolated public static func buildBlock<each Content: View>(_ content: repeat each Content) -> TupleView<
        repeat each Content
    > {
        TupleView(repeat each content)
    }
    /// Returns the view of an `if` without `else`. Nil shows nothing.
    nonisolated public static func buildIf<Content: View>(_ content: Content?) -> Content? { content }
    /// Returns the view of the first branch. It has another identity and other state than the view of the second
    /// branch.
    nonisolated public static func buildEither<First: View, Second: View>(first: First) -> _ConditionalContent<
        First, Second
    > {
        _ConditionalContent(.first(first))
    }
    /// Returns the view of the second branch.
    nonisolated public static func buildEither<First: View, Second: View>(second: Second) -> _ConditionalContent<
        First, Second
    > {
        _ConditionalContent(.second(second))
    }
    /// Returns the view of an `if #available`.
    public static func buildLimitedAvailability<Content: View>(_ content: Content) -> AnyView {
        AnyView(content)
    }
}
