import Foundation

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
    /// What the user dragged it to, and what it was when the drag began.
    @State private var chosen: CGFloat?
    @State private var start: CGFloat?

    private var range: ColumnWidth { said ?? usual }
    private var width: CGFloat { range.clamped(chosen ?? range.ideal) }

    var body: some View {
        HStack(spacing: 0) {
            content.onPreferenceChange(ColumnWidthKey.self) { said = $0 }.frame(width: width)
            Color.primary.opacity(0.12).frame(width: 1)
                .overlay {
                    Color.clear.frame(width: 9).contentShape(Rectangle())
                        .gesture(DragGesture(minimumDistance: 1, coordinateSpace: .global)
                            .onChanged { drag in
                                let from = start ?? width
                                if start == nil { start = from }
                                chosen = range.clamped(from + drag.translation.width)
                            }
                            .onEnded { _ in start = nil })
                }
                .zIndex(1)
        }
    }
}

/// How a split view's columns share the room: side by side in any style. SwiftUI's protocol.
public protocol NavigationSplitViewStyle {}
public struct AutomaticNavigationSplitViewStyle: NavigationSplitViewStyle { public init() {} }
public struct BalancedNavigationSplitViewStyle: NavigationSplitViewStyle { public init() {} }
public struct ProminentDetailNavigationSplitViewStyle: NavigationSplitViewStyle { public init() {} }
extension NavigationSplitViewStyle where Self == AutomaticNavigationSplitViewStyle { public static var automatic: Self { Self() } }
extension NavigationSplitViewStyle where Self == BalancedNavigationSplitViewStyle { public static var balanced: Self { Self() } }
extension NavigationSplitViewStyle where Self == ProminentDetailNavigationSplitViewStyle { public static var prominentDetail: Self { Self() } }

extension View {
    /// The width of the split view's column that this view is in. - Parameter width: points; what is not more than 0 is 1.
    public func navigationSplitViewColumnWidth(_ width: CGFloat) -> some View {
        let width = max(1, width.within(100_000, else: 220))
        return preference(key: ColumnWidthKey.self, value: ColumnWidth(least: width, ideal: width, most: width))
    }
    /// The widths that the column may be dragged to, and the one it opens with. Points.
    public func navigationSplitViewColumnWidth(min: CGFloat? = nil, ideal: CGFloat, max: CGFloat? = nil) -> some View {
        let ideal = Swift.max(1, ideal.within(100_000, else: 220))
        return preference(key: ColumnWidthKey.self, value: ColumnWidth(least: Swift.min(ideal, min.side ?? 100), ideal: ideal, most: Swift.max(ideal, max.side ?? ideal * 2)))
    }
    /// Columns lie side by side in any style, as on the Mac: of no effect.
    public func navigationSplitViewStyle<S: NavigationSplitViewStyle>(_ style: S) -> Self { self }
}
