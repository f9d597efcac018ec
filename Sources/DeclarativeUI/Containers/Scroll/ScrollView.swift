import CGTK
import Foundation
@_spi(Graph) import ViewGraph

/// A view whose content scrolls by wheel, touch, keys and focus. Matches SwiftUI's `ScrollView`.
///
/// ```swift
/// ScrollView(.horizontal) {
///     LazyHStack(spacing: 12) {
///         ForEach(posters, id: \.self) { url in
///             AsyncImage(url: url).frame(width: 120, height: 180)
///         }
///     }
/// }
/// ```
/// Along its axes, the view takes the proposed size. Along the other axis, it takes its content's size. Several views
/// in it are laid out below each other, as in a `VStack` with the default spacing.
public struct ScrollView<Content: View>: _PrimitiveView {
    /// The views that scroll.
    public var content: Content
    /// The axes along which the view scrolls. Along the other axis, the view takes its content's size.
    public var axes: Axis.Set
    /// Whether the view may show scroll bars. `scrollIndicators(_:axes:)` around the view can still hide them.
    public var showsIndicators: Bool
    /// Whether assistive technology treats the content as the rows of a list.
    var isList = false
    /// Creates a view that scrolls along `axes`. With an empty set, it does not scroll.
    public init(_ axes: Axis.Set = .vertical, showsIndicators: Bool = true, @ViewBuilder content: () -> Content) {
        self.axes = axes
        self.showsIndicators = showsIndicators
        self.content = content()
    }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ContainerFiber(
            view, inputs,
            ScrollElement(
                graph: inputs.graph, role: view.isList ? GTK_ACCESSIBLE_ROLE_LIST : GTK_ACCESSIBLE_ROLE_GROUP),
            content: { $0.content }
        ) { element, view, fiber in
            element.settling.rule = fiber.environment.scrollRest
            element.set(
                ScrollBars(
                    axes: view.axes,
                    showsIndicators: view.showsIndicators && fiber.environment.scrollIndicators != .hidden
                        && fiber.environment.scrollIndicators != .never,
                    hidden: UIScrollView.appearance().hiddenBars))
        }
    }
}

/// The visibility of scroll bars. Matches SwiftUI's `ScrollIndicatorVisibility`.
public struct ScrollIndicatorVisibility: Hashable, Sendable {
    private let name: String
    /// Scroll bars that are visible during scrolling, the same as `visible`.
    public static let automatic = ScrollIndicatorVisibility(name: "automatic")
    /// Scroll bars that are visible during scrolling, as usual in GTK.
    public static let visible = ScrollIndicatorVisibility(name: "visible")
    /// Hidden scroll bars.
    public static let hidden = ScrollIndicatorVisibility(name: "hidden")
    /// Hidden scroll bars, the same as `hidden`.
    public static let never = ScrollIndicatorVisibility(name: "never")
}

private struct ScrollIndicatorsKey: EnvironmentKey { static let defaultValue = ScrollIndicatorVisibility.automatic }
extension EnvironmentValues {
    var scrollIndicators: ScrollIndicatorVisibility {
        get { self[ScrollIndicatorsKey.self] }
        set { self[ScrollIndicatorsKey.self] = newValue }
    }
}

extension View {
    /// Shows or hides the scroll bars of the scroll views and lists in this view. Visible bars appear only during
    /// scrolling.
    ///
    /// - Parameters:
    ///   - visibility: Whether scroll bars are visible.
    ///   - axes: Has no effect.
    public func scrollIndicators(_ visibility: ScrollIndicatorVisibility, axes: Axis.Set = [.vertical, .horizontal])
        -> some View
    {
        setting(\.scrollIndicators, visibility)
    }
}
