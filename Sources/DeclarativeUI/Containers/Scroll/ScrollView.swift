import CGTK
import Foundation
@_spi(Graph) import ViewGraph

/// Views in an area that scrolls, by wheel, touch, keys and focus. SwiftUI's view.
///
/// Along its axes it takes what it is offered; across, what its content takes. Several views lie one below the other,
/// 8 points between.
public struct ScrollView<Content: View>: _PrimitiveView {
    /// The views that scroll.
    public var content: Content
    /// The directions it scrolls in; across the others it takes its content's size.
    public var axes: Axis.Set
    /// Whether it may show scroll bars; `scrollIndicators(_:axes:)` around it can hide them all the same.
    public var showsIndicators: Bool
    /// Its content are rows, to assistive technology.
    var isList = false
    /// Makes an area that scrolls along `axes`; without any it does not scroll.
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
            element.rest = fiber.environment.scrollRest
            element.set(
                axes: view.axes,
                showsIndicators: view.showsIndicators && fiber.environment.scrollIndicators != .hidden
                    && fiber.environment.scrollIndicators != .never)
        }
    }
}

/// Whether bars tell how far something is scrolled.
public struct ScrollIndicatorVisibility: Hashable, Sendable {
    private let name: String
    /// Bars are shown while something scrolls; the same as `visible`.
    public static let automatic = ScrollIndicatorVisibility(name: "automatic")
    /// Bars are shown while something scrolls, as GTK does.
    public static let visible = ScrollIndicatorVisibility(name: "visible")
    /// No bars.
    public static let hidden = ScrollIndicatorVisibility(name: "hidden")
    /// No bars; the same as `hidden`.
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
    /// Whether the scroll views and lists below show bars; GTK shows them while one scrolls.
    public func scrollIndicators(_ visibility: ScrollIndicatorVisibility, axes: Axis.Set = [.vertical, .horizontal])
        -> some View
    {
        setting(\.scrollIndicators, visibility)
    }
}
