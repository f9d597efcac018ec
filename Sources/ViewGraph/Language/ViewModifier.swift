/// A change to a view that is named once and applied with `modifier(_:)`. SwiftUI's protocol.
@MainActor @preconcurrency
public protocol ViewModifier: _PropertyHolder {
    /// The type of what the modifier makes.
    associatedtype Body: View
    /// The type of what the modifier is applied to.
    typealias Content = _ViewModifier_Content<Self>
    /// `content` with the change; it may hold `@State` and the rest as a view may.
    @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
}

/// What a modifier is applied to.
public struct _ViewModifier_Content<Modifier: ViewModifier>: View {
    let view: AnyView
    public var body: AnyView { view }
}

/// A view with a modifier applied.
public struct ModifiedContent<Content, Modifier> {
    /// What the modifier is applied to.
    public var content: Content
    /// The modifier.
    public var modifier: Modifier
    /// Puts a view and a modifier together, as `modifier(_:)` does.
    public init(content: Content, modifier: Modifier) {
        self.content = content
        self.modifier = modifier
    }
}

extension ModifiedContent: View where Content: View, Modifier: ViewModifier {
    // The modifier is evaluated as a view of its own, so that its dynamic properties belong to it.
    public var body: some View { _ModifierBody(content: content, modifier: modifier) }
}

struct _ModifierBody<Content: View, Modifier: ViewModifier>: View {
    let content: Content
    let modifier: Modifier
    var body: Modifier.Body { modifier.body(content: _ViewModifier_Content(view: AnyView(content))) }
}

/// Nothing changed; for `if` in modifiers.
public struct EmptyModifier: ViewModifier {
    /// The one value there is.
    public static let identity = EmptyModifier()
    /// Makes the modifier. On any thread.
    nonisolated public init() {}
    public func body(content: Content) -> some View { content }
}

extension View {
    /// Applies `modifier` to this view.
    public func modifier<T: ViewModifier>(_ modifier: T) -> ModifiedContent<Self, T> {
        ModifiedContent(content: self, modifier: modifier)
    }
}
