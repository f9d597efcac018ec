import Foundation
@_spi(Graph) import ViewGraph

/// The limits of a column's width, in points.
struct ColumnWidth: Equatable {
    var least, ideal, most: CGFloat
    func clamped(_ width: CGFloat) -> CGFloat { max(least, min(width, max(least, most))) }
}

struct ColumnWidthKey: PreferenceKey {
    static let defaultValue: ColumnWidth? = nil
    static func reduce(value: inout ColumnWidth?, nextValue: () -> ColumnWidth?) { value = value ?? nextValue() }
}

/// A column with a line at its trailing edge that the user can drag.
struct SplitColumn<Content: View>: View {
    let content: Content
    let usual: ColumnWidth
    @State private var requestedWidth: ColumnWidth?
    /// The width to which the user has dragged the column, in points, or nil if the user has not dragged it.
    @State private var chosen: CGFloat?
    /// The width when the current drag began, in points, or nil if there is no drag.
    @GestureState private var start: CGFloat?
    @Environment(\.layoutDirection) private var direction

    private var range: ColumnWidth { requestedWidth ?? usual }
    private var width: CGFloat { range.clamped(chosen ?? range.ideal) }

    var body: some View {
        HStack(spacing: 0) {
            content.onPreferenceChange(ColumnWidthKey.self) { requestedWidth = $0 }.frame(width: width)
            Shade.line.frame(width: Space.line)
                .overlay {
                    Color.clear.frame(width: Space.regular + Space.line).contentShape(Rectangle())
                        .gesture(
                            DragGesture(minimumDistance: 1, coordinateSpace: .global)
                                .updating($start) { _, start, _ in start = start ?? width }
                                .onChanged {
                                    let x = $0.translation.width
                                    chosen = range.clamped((start ?? width) + (direction == .rightToLeft ? -x : x))
                                })
                }
                .zIndex(1)
        }
    }
}

/// The last column, which takes the width that the others leave, but no less than its minimum.
struct LastColumn<Content: View>: View {
    let content: Content
    @State private var requestedWidth: ColumnWidth?
    var body: some View {
        content.onPreferenceChange(ColumnWidthKey.self) { requestedWidth = $0 }.frame(
            minWidth: requestedWidth?.least, idealWidth: requestedWidth?.ideal)
    }
}

/// A modifier that can hide a column. A hidden column takes no space and is not visible, but keeps its state.
struct ColumnHiding: ElementModifier, FiberModifier {
    let isHidden: Bool
    func makeElement() -> HideableColumn { HideableColumn() }
    func update(_ element: HideableColumn, _ fiber: _Fiber) { element.isHiddenByParent = isHidden }

    func makeStorage(_ fiber: _Fiber) {}
    func updated(_ storage: inout Void, _ fiber: _Fiber) { fiber.graph.preferencesMayHaveChanged() }
    /// A hidden column contributes no preferences, such as the window's title.
    func preference<K: PreferenceKey>(_ key: K.Type, _ below: K.Value?, _ storage: Void) -> K.Value? {
        isHidden ? nil : below
    }
}
final class HideableColumn: WrapperElement {
    var isHiddenByParent = false {
        didSet { if isHiddenByParent != oldValue { setNeedsLayout() } }
    }
    override var isHidden: Bool { isHiddenByParent }
    override func measure(_ proposal: ProposedViewSize) -> CGSize { isHiddenByParent ? .zero : super.measure(proposal) }
    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        if !isHiddenByParent { super.layoutChildren(size, proposal) }
    }
    override func definesGuide(_ key: AlignmentKey) -> Bool { !isHiddenByParent && super.definesGuide(key) }
}
extension View {
    func columnHidden(_ isHidden: Bool) -> some View {
        let hiding = ColumnHiding(isHidden: isHidden)
        return elementModifier(hiding).fiberModifier(hiding)
    }
}

/// A style of split views. Matches SwiftUI's `NavigationSplitViewStyle`. Has no effect: columns are always side by
/// side.
public protocol NavigationSplitViewStyle {}
/// A style with columns side by side.
public struct AutomaticNavigationSplitViewStyle: NavigationSplitViewStyle {
    /// Creates the style. The short form is `.automatic`.
    public init() {}
}
/// A style with columns side by side, the same as the automatic style.
public struct BalancedNavigationSplitViewStyle: NavigationSplitViewStyle {
    /// Creates the style. The short form is `.balanced`.
    public init() {}
}
/// A style with columns side by side, the same as the automatic style. No column overlaps another on Linux.
public struct ProminentDetailNavigationSplitViewStyle: NavigationSplitViewStyle {
    /// Creates the style. The short form is `.prominentDetail`.
    public init() {}
}
extension NavigationSplitViewStyle where Self == AutomaticNavigationSplitViewStyle {
    /// A style with columns side by side.
    public static var automatic: Self { Self() }
}
extension NavigationSplitViewStyle where Self == BalancedNavigationSplitViewStyle {
    /// A style that is the same as `automatic`.
    public static var balanced: Self { Self() }
}
extension NavigationSplitViewStyle where Self == ProminentDetailNavigationSplitViewStyle {
    /// A style that is the same as `automatic`.
    public static var prominentDetail: Self { Self() }
}

extension View {
    /// Sets the width of the split view's column that contains this view.
    ///
    /// The last column takes the width that the others leave, and is never narrower than `width`.
    ///
    /// - Parameter width: The width in points, clamped to 1…100,000. A value that is not finite counts as 220.
    public func navigationSplitViewColumnWidth(_ width: CGFloat) -> some View {
        let width = max(1, width.within(100_000, else: 220))
        return preference(key: ColumnWidthKey.self, value: ColumnWidth(least: width, ideal: width, most: width))
    }
    /// Sets the limits within which the user can drag the width of this view's column, and the initial width.
    ///
    /// The last column takes the width that the others leave, and is never narrower than `min`.
    ///
    /// - Parameters:
    ///   - min: The minimum width in points, clamped to 0…`ideal`. Nil and a value that is not finite count as 100.
    ///   - ideal: The initial width in points, clamped to 1…100,000. A value that is not finite counts as 220.
    ///   - max: The maximum width in points, at least `ideal`. Nil and a value that is not finite count as twice
    ///     `ideal`.
    public func navigationSplitViewColumnWidth(min: CGFloat? = nil, ideal: CGFloat, max: CGFloat? = nil) -> some View {
        let ideal = Swift.max(1, ideal.within(100_000, else: 220))
        return preference(
            key: ColumnWidthKey.self,
            value: ColumnWidth(
                least: Swift.min(ideal, min.side ?? 100), ideal: ideal, most: Swift.max(ideal, max.side ?? ideal * 2)))
    }
    /// Has no effect: as on the Mac, columns are side by side in every style.
    public func navigationSplitViewStyle<S: NavigationSplitViewStyle>(_ style: S) -> Self { self }
}
