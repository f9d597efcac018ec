/// A reusable change to a view, applied with `modifier(_:)`. Mirrors SwiftUI's protocol.
///
/// ```swift
/// struct Watermark: ViewModifier {
///     let text: String
///
///     func body(content: Content) -> some View {
///         content.overlay(alignment: .topTrailing) { Text(text).opacity(0.5).padding(8) }
///     }
/// }
/// extension View {
///     func watermark(_ text: String) -> some View { modifier(Watermark(text: text)) }
/// }
/// ```
@MainActor @preconcurrency
public protocol ViewModifier: _PropertyHolder {
    /// The type of the modified view.
    associatedtype Body: View
    /// The type of the view to which the modifier is applied.
    typealias Content = _ViewModifier_Content<Self>
    /// Returns the modified view. The modifier may have `@State` and other dynamic properties, as a view may.
    @ViewBuilder @MainActor @preconcurrency func body(content: Content) -> Body
}

/// The view to which a modifier is applied.
public struct _ViewModifier_Content<Modifier: ViewModifier>: View {
    let view: AnyView
    public var body: AnyView { view }
}

/// A view with a modifier applied. Mirrors SwiftUI's type.
public struct ModifiedContent<Content, Modifier> {
    /// The view to which the modifier is applied.
    public var content: Content
    /// The applied modifier.
    public var modifier: Modifier
    /// Creates a modified view, as `modifier(_:)` does.
    public init(content: Content, modifier: Modifier) {
        self.content = content
        self.modifier = modifier
    }
}

extension ModifiedContent: View where Content: View, Modifier: ViewModifier {
    // A separate view evaluates the modifier, so that the modifier owns its dynamic properties.
    public var body: some View { _ModifierBody(content: content, modifier: modifier) }
}

struct _ModifierBody<Content: View, Modifier: ViewModifier>: View {
    let content: Content
    let modifier: Modifier
    var body: Modifier.Body { modifier.body(content: _ViewModifier_Content(view: AnyView(content))) }
}

/// A modifier without effect, for `if` in modifiers. Mirrors SwiftUI's type.
public struct EmptyModifier: ViewModifier {
    /// The only value of this type.
    public static let identity = EmptyModifier()
    /// Creates the modifier.
    nonisolated public init() {}
    public func body(content: Content) -> some View { content }
}

extension View {
    /// Applies `modifier` to this view.
    public func modifier<T: ViewModifier>(_ modifier: T) -> ModifiedContent<Self, T> {
        ModifiedContent(content: self, modifier: modifier)
    }
}
