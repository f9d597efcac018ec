import Foundation
@_spi(Graph) import ViewGraph

/// Where a scroll view comes to rest. SwiftUI's protocol; only the behaviors below are known.
public protocol ScrollTargetBehavior: Sendable {
    /// Not for apps.
    var _rest: _ScrollRest { get }
}
/// Where a scroll view comes to rest.
public enum _ScrollRest: Hashable, Sendable {
    /// Anywhere; at whole pages of its own size; at a view of the layout that `scrollTargetLayout()` marks.
    case anywhere, pages, views
}
/// At whole pages: a notch of a wheel goes one page on.
public struct PagingScrollTargetBehavior: ScrollTargetBehavior {
    /// Makes the behavior; `.paging` is shorter.
    public init() {}
    public var _rest: _ScrollRest { .pages }
}
/// At the beginning of a view of the layout that `scrollTargetLayout()` marks.
public struct ViewAlignedScrollTargetBehavior: ScrollTargetBehavior {
    /// How many views one stroke goes at most; here the stroke decides, and the nearest view is where it rests.
    public enum LimitBehavior: Hashable, Sendable {
        /// As many as the stroke reaches.
        case automatic, always, never, alwaysByOne
    }
    /// Makes the behavior; `.viewAligned` is shorter.
    public init(limitBehavior: LimitBehavior = .automatic) {}
    public var _rest: _ScrollRest { .views }
}
extension ScrollTargetBehavior where Self == PagingScrollTargetBehavior {
    /// At whole pages of the scroll view's size.
    public static var paging: PagingScrollTargetBehavior { PagingScrollTargetBehavior() }
}
extension ScrollTargetBehavior where Self == ViewAlignedScrollTargetBehavior {
    /// At the beginning of a view.
    public static var viewAligned: ViewAlignedScrollTargetBehavior { ViewAlignedScrollTargetBehavior() }
    /// At the beginning of a view.
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

/// A layout whose views a scroll view rests at.
struct ScrollTargetMark {}

extension View {
    /// Where the scroll views below come to rest.
    public func scrollTargetBehavior<B: ScrollTargetBehavior>(_ behavior: B) -> some View {
        setting(\.scrollRest, behavior._rest)
    }
    /// Makes the views of this layout what a scroll view rests at, and what `scrollPosition(id:)` tells of.
    public func scrollTargetLayout(isEnabled: Bool = true) -> some View {
        elementModifier(TraitModifier<ScrollTargetMark?>(value: isEnabled ? ScrollTargetMark() : nil))
    }
}

/// Where a scroll view rests next.
struct ScrollRest {
    /// Points: of the page that `offset` is nearest to.
    static func page(_ offset: CGFloat, length: CGFloat, step: Int = 0) -> CGFloat {
        guard length > 0, offset.isFinite else { return offset }
        return ((offset / length).rounded() + CGFloat(step)) * length
    }
    /// The beginning of a view that `offset` is nearest to.
    static func view(_ offset: CGFloat, _ beginnings: [CGFloat]) -> CGFloat {
        beginnings.min { abs($0 - offset) < abs($1 - offset) } ?? offset
    }
}

extension ScrollElement {
    /// Where it rests from where it is; the same where it may rest anywhere.
    func restingPlace(step: Int = 0) -> CGPoint {
        var goal = offset
        let isAcross = axes.contains(.horizontal)
        switch rest {
        case .anywhere: break
        case .pages:
            if axes.contains(.vertical) { goal.y = ScrollRest.page(offset.y, length: frame.height, step: step) }
            if isAcross { goal.x = ScrollRest.page(offset.x, length: frame.width, step: step) }
        case .views:
            let places = targets.compactMap { place(of: $0) }
            if axes.contains(.vertical) { goal.y = ScrollRest.view(offset.y, places.map(\.minY)) }
            if isAcross { goal.x = ScrollRest.view(offset.x, places.map(\.minX)) }
        }
        return goal
    }

    /// The views of the layout that is marked.
    private var targets: [Element] {
        func marked(_ element: Element) -> Element? {
            let said = (element as? TraitElement<ScrollTargetMark?>)?.trait(ScrollTargetMark?.self) ?? nil
            if said != nil { return element }
            return element.children.lazy.compactMap(marked).first
        }
        var layout = marked(scrolledContent)
        // Down to where there are several, or rows of a lazy stack.
        while let here = layout, !(here is any LazyContainer), here.children.count == 1 { layout = here.children.first }
        return layout?.children ?? []
    }
}
