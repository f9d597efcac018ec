import Foundation
@_spi(Graph) import ViewGraph

/// How wide a column may be, points.
struct ColumnWidth: Equatable {
    var least, ideal, most: CGFloat
    func clamped(_ width: CGFloat) -> CGFloat { max(least, min(width, max(least, most))) }
}

struct ColumnWidthKey: PreferenceKey {
    static let defaultValue: ColumnWidth? = nil
    static func reduce(value: inout ColumnWidth?, nextValue: () -> ColumnWidth?) { value = value ?? nextValue() }
}

/// A column with the line at its trailing edge, which is dragged.
struct SplitColumn<Content: View>: View {
    let content: Content
    let usual: ColumnWidth
    @State private var said: ColumnWidth?
    /// What the user dragged it to, and what it was when the drag under way began.
    @State private var chosen: CGFloat?
    @GestureState private var start: CGFloat?

    private var range: ColumnWidth { said ?? usual }
    private var width: CGFloat { range.clamped(chosen ?? range.ideal) }

    var body: some View {
        HStack(spacing: 0) {
            content.onPreferenceChange(ColumnWidthKey.self) { said = $0 }.frame(width: width)
            Shade.line.frame(width: Space.line)
                .overlay {
                    Color.clear.frame(width: Space.regular + Space.line).contentShape(Rectangle())
                        .gesture(
                            DragGesture(minimumDistance: 1, coordinateSpace: .global)
                                .updating($start) { _, start, _ in start = start ?? width }
                                .onChanged { chosen = range.clamped((start ?? width) + $0.translation.width) })
                }
                .zIndex(1)
        }
    }
}

/// The column that takes what the others leave: no less than it says.
struct LastColumn<Content: View>: View {
    let content: Content
    @State private var said: ColumnWidth?
    var body: some View {
        content.onPreferenceChange(ColumnWidthKey.self) { said = $0 }.frame(
            minWidth: said?.least, idealWidth: said?.ideal)
    }
}

/// A column that may be hidden: it then takes no room and is not seen, but all in it stays as it is.
struct ColumnHiding: ElementModifier, FiberModifier {
    let isHidden: Bool
    func makeElement() -> HideableColumn { HideableColumn() }
    func update(_ element: HideableColumn, _ fiber: _Fiber) { element.isOut = isHidden }

    func makePlace(_ fiber: _Fiber) {}
    func updated(_ place: inout Void, _ fiber: _Fiber) { fiber.graph.preferencesMayHaveChanged() }
    /// What is not seen has no say in the window's title and the like.
    func preference<K: PreferenceKey>(_ key: K.Type, _ below: K.Value?, _ place: Void) -> K.Value? {
        isHidden ? nil : below
    }
}
final class HideableColumn: WrapperElement {
    var isOut = false {
        didSet { if isOut != oldValue { setNeedsLayout() } }
    }
    override var isHidden: Bool { isOut }
    override func measure(_ proposal: ProposedViewSize) -> CGSize { isOut ? .zero : super.measure(proposal) }
    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        if !isOut { super.layoutChildren(size, proposal) }
    }
    override func definesGuide(_ key: AlignmentKey) -> Bool { !isOut && super.definesGuide(key) }
}
extension View {
    func columnHidden(_ isHidden: Bool) -> some View {
        let hiding = ColumnHiding(isHidden: isHidden)
        return elementModifier(hiding).fiberModifier(hiding)
    }
}

/// How a split view's columns share the room: side by side in any style. SwiftUI's protocol.
public protocol NavigationSplitViewStyle {}
/// Columns side by side.
public struct AutomaticNavigationSplitViewStyle: NavigationSplitViewStyle {
    /// Makes the style; its short name, as `.automatic`, does the same.
    public init() {}
}
/// Columns side by side; the same as the automatic style.
public struct BalancedNavigationSplitViewStyle: NavigationSplitViewStyle {
    /// Makes the style; its short name, as `.automatic`, does the same.
    public init() {}
}
/// Columns side by side; the same as the automatic style: no column lies over another here.
public struct ProminentDetailNavigationSplitViewStyle: NavigationSplitViewStyle {
    /// Makes the style; its short name, as `.automatic`, does the same.
    public init() {}
}
extension NavigationSplitViewStyle where Self == AutomaticNavigationSplitViewStyle {
    /// Columns side by side.
    public static var automatic: Self { Self() }
}
extension NavigationSplitViewStyle where Self == BalancedNavigationSplitViewStyle {
    /// The same as `automatic`.
    public static var balanced: Self { Self() }
}
extension NavigationSplitViewStyle where Self == ProminentDetailNavigationSplitViewStyle {
    /// The same as `automatic`.
    public static var prominentDetail: Self { Self() }
}

extension View {
    /// The width of the split view's column that this view is in; the last column is no narrower, and takes what the
    /// others leave.
    /// - Parameter width: points; what is not more than 0 is 1.
    public func navigationSplitViewColumnWidth(_ width: CGFloat) -> some View {
        let width = max(1, width.within(100_000, else: 220))
        return preference(key: ColumnWidthKey.self, value: ColumnWidth(least: width, ideal: width, most: width))
    }
    /// The widths that the column may be dragged to, and the one it opens with; the last column is no narrower than
    /// `min`. Points.
    public func navigationSplitViewColumnWidth(min: CGFloat? = nil, ideal: CGFloat, max: CGFloat? = nil) -> some View {
        let ideal = Swift.max(1, ideal.within(100_000, else: 220))
        return preference(
            key: ColumnWidthKey.self,
            value: ColumnWidth(
                least: Swift.min(ideal, min.side ?? 100), ideal: ideal, most: Swift.max(ideal, max.side ?? ideal * 2)))
    }
    /// Columns lie side by side in any style, as on the Mac: of no effect.
    public func navigationSplitViewStyle<S: NavigationSplitViewStyle>(_ style: S) -> Self { self }
}
