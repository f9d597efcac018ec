import Foundation
@_spi(Graph) import ViewGraph

/// A rule for where a scroll view comes to rest. Matches SwiftUI's `ScrollTargetBehavior`; only the types of this
/// module are supported.
public protocol ScrollTargetBehavior: Sendable {
    /// The rule in the form that scroll views use. Not intended for apps.
    var _rest: _ScrollRest { get }
}
/// A rule for where a scroll view comes to rest. Not intended for apps.
public enum _ScrollRest: Hashable, Sendable {
    /// Anywhere, at whole pages of the visible area, or at a view of the layout that `scrollTargetLayout()` marks.
    case anywhere, pages, views
}
/// A behavior that rests at whole pages. A notch of the wheel scrolls one page.
public struct PagingScrollTargetBehavior: ScrollTargetBehavior {
    /// Creates the behavior. The short form is `.paging`.
    public init() {}
    public var _rest: _ScrollRest { .pages }
}
/// A behavior that rests at the beginning of a view of the layout that `scrollTargetLayout()` marks. Without such a
/// layout, scrolling rests anywhere.
public struct ViewAlignedScrollTargetBehavior: ScrollTargetBehavior {
    /// The maximum number of views that one gesture scrolls. Has no effect: scrolling rests at the nearest view.
    public enum LimitBehavior: Hashable, Sendable {
        /// The values of SwiftUI's type, which all have the same effect.
        case automatic, always, never, alwaysByOne
    }
    /// Creates the behavior. The short form is `.viewAligned`. `limitBehavior` has no effect.
    public init(limitBehavior: LimitBehavior = .automatic) {}
    public var _rest: _ScrollRest { .views }
}
extension ScrollTargetBehavior where Self == PagingScrollTargetBehavior {
    /// A behavior that rests at whole pages of the visible area.
    public static var paging: PagingScrollTargetBehavior { PagingScrollTargetBehavior() }
}
extension ScrollTargetBehavior where Self == ViewAlignedScrollTargetBehavior {
    /// A behavior that rests at the beginning of a view.
    public static var viewAligned: ViewAlignedScrollTargetBehavior { ViewAlignedScrollTargetBehavior() }
    /// Returns a behavior that rests at the beginning of a view. `limitBehavior` has no effect.
    public static func viewAligned(limitBehavior: ViewAlignedScrollTargetBehavior.LimitBehavior)
        -> ViewAlignedScrollTargetBehavior
    { ViewAlignedScrollTargetBehavior(limitBehavior: limitBehavior) }
}

private struct ScrollRestKey: EnvironmentKey { static let defaultValue = _ScrollRest.anywhere }
extension EnvironmentValues {
    var scrollRest: _ScrollRest {
        get { self[ScrollRestKey.self] }
        set { self[ScrollRestKey.self] = newValue }
    }
}

/// A mark for a layout whose views are resting positions of a scroll view.
struct ScrollTargetMark {}

extension View {
    /// Sets where the scroll views in this view come to rest.
    ///
    /// A feed whose videos fill the view one at a time:
    /// ```swift
    /// ScrollView {
    ///     LazyVStack(spacing: 0) {
    ///         ForEach(names, id: \.self) { name in
    ///             ExtVideoPlayer(fileName: name).containerRelativeFrame([.horizontal, .vertical])
    ///         }
    ///     }
    /// }
    /// .scrollTargetBehavior(.paging)
    /// ```
    public func scrollTargetBehavior<B: ScrollTargetBehavior>(_ behavior: B) -> some View {
        setting(\.scrollRest, behavior._rest)
    }
    /// Makes the views of this layout the resting positions of scroll views with the behavior `.viewAligned`.
    ///
    /// - Parameter isEnabled: Whether the modifier has an effect.
    public func scrollTargetLayout(isEnabled: Bool = true) -> some View {
        elementModifier(TraitModifier<ScrollTargetMark?>(value: isEnabled ? ScrollTargetMark() : nil))
    }
}

/// The calculation of resting positions.
struct ScrollRest {
    /// Returns the beginning of the page that is nearest to `offset`, moved by `step` pages. In points.
    static func page(_ offset: CGFloat, length: CGFloat, step: Int = 0) -> CGFloat {
        guard length > 0, offset.isFinite else { return offset }
        return ((offset / length).rounded() + CGFloat(step)) * length
    }
    /// Returns the value of `beginnings` that is nearest to `offset`, or `offset` if `beginnings` is empty. In points.
    static func view(_ offset: CGFloat, _ beginnings: [CGFloat]) -> CGFloat {
        beginnings.min { abs($0 - offset) < abs($1 - offset) } ?? offset
    }
}

extension ScrollElement {
    /// Returns the offset at which scrolling comes to rest from the current offset, or the current offset if the area
    /// may rest anywhere.
    ///
    /// - Parameter step: The number of pages to move along each axis. Has an effect only if the area rests at pages.
    func restingOffset(step: (x: Int, y: Int) = (0, 0)) -> CGPoint {
        var goal = offset
        let isHorizontal = bars.axes.contains(.horizontal)
        switch settling.rule {
        case .anywhere: break
        case .pages:
            if bars.axes.contains(.vertical) { goal.y = ScrollRest.page(offset.y, length: frame.height, step: step.y) }
            if isHorizontal { goal.x = ScrollRest.page(offset.x, length: frame.width, step: step.x) }
        case .views:
            let frames = targets.compactMap { contentFrame(of: $0) }
            if bars.axes.contains(.vertical) { goal.y = ScrollRest.view(offset.y, frames.map(\.minY)) }
            if isHorizontal { goal.x = ScrollRest.view(offset.x, frames.map(\.minX)) }
        }
        return goal
    }

    /// The views of the marked layout.
    private var targets: [Element] {
        func marked(_ element: Element) -> Element? {
            let mark = (element as? TraitElement<ScrollTargetMark?>)?.trait(ScrollTargetMark?.self) ?? nil
            if mark != nil { return element }
            return element.children.lazy.compactMap(marked).first
        }
        var layout = marked(scrolledContent)
        // Descend to the first element with several children, or to a lazy container.
        while let current = layout, !(current is any LazyContainer), current.children.count == 1 {
            layout = current.children.first
        }
        return layout?.children ?? []
    }
}
