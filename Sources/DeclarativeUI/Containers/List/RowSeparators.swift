import Foundation
@_spi(Graph) import ViewGraph

/// A top or bottom edge. Matches SwiftUI's `VerticalEdge`.
@frozen public enum VerticalEdge: Int8, CaseIterable, Sendable {
    /// The top edge, with the raw value 0, and the bottom edge, with the raw value 1.
    case top, bottom
    /// A set of vertical edges.
    public struct Set: OptionSet, Sendable {
        /// The edges as bits: 1 is the top edge, 2 is the bottom edge.
        public let rawValue: Int8
        /// Creates a set from bits. Bits other than 1 and 2 have no effect.
        public init(rawValue: Int8) { self.rawValue = rawValue }
        /// Creates a set with one edge.
        public init(_ edge: VerticalEdge) { rawValue = 1 << edge.rawValue }
        /// The set with only the top edge, and the set with only the bottom edge.
        public static let top = Set(.top), bottom = Set(.bottom)
        /// The set with both edges.
        public static let all: Set = [.top, .bottom]
    }
}

/// The settings of a row for the separators at its edges. Nil leaves a setting to the list.
struct RowSeparators {
    var top: Visibility?, bottom: Visibility?
    var topTint: Color?, bottomTint: Color?

    /// Returns whether there is a separator between two rows: not if one of them hides it, otherwise if one of them
    /// shows it or the list has separators by default.
    @MainActor static func isShown(_ above: Element, _ below: Element, byDefault: Bool) -> Bool {
        let settings = [above.trait(RowSeparators.self)?.bottom, below.trait(RowSeparators.self)?.top]
        return !settings.contains(.hidden) && (byDefault || settings.contains(.visible))
    }
    /// Returns the color of the separator between two rows. The upper row's color has priority.
    @MainActor static func tint(_ above: Element, _ below: Element) -> Color? {
        above.trait(RowSeparators.self)?.bottomTint ?? below.trait(RowSeparators.self)?.topTint
    }

    /// The positions that limit a separator, in points from the leading edge of the row.
    struct Limits {
        /// The width of the row, and the space at its edges in which the list draws no separators.
        let width, margin: CGFloat
        /// The position of the row's content.
        let content: CGFloat
        /// The distances from the margins that the app has set for all lists, or nil for none.
        let insets: UIEdgeInsets?
    }
    /// Returns the positions at which the separator below a row starts and ends. The row's own guides have priority
    /// over the distances for all lists.
    @MainActor static func span(below row: Element, _ list: Limits) -> (start: CGFloat, end: CGFloat) {
        let last = max(list.margin, list.width - list.margin)
        func clamped(_ x: CGFloat) -> CGFloat { min(max(list.margin, x), last) }
        func guide(_ alignment: HorizontalAlignment) -> CGFloat? {
            row.explicitGuide(alignment.key, row.frame.size).map { list.content + $0 }
        }
        let start = clamped(
            guide(.listRowSeparatorLeading) ?? list.insets.map { list.margin + $0.left.bounded } ?? list.content)
        let end = clamped(guide(.listRowSeparatorTrailing) ?? last - (list.insets?.right.bounded ?? 0))
        return (start, max(start, end))
    }
}

extension HorizontalAlignment {
    private enum SeparatorLeading: AlignmentID {
        static func defaultValue(in context: ViewDimensions) -> CGFloat { 0 }
    }
    private enum SeparatorTrailing: AlignmentID {
        static func defaultValue(in context: ViewDimensions) -> CGFloat { context.width }
    }
    /// The position at which the separator below a list row starts.
    ///
    /// The separator starts below the title:
    /// ```swift
    /// HStack {
    ///     Image(systemName: "film")
    ///     Text(title).alignmentGuide(.listRowSeparatorLeading) { $0[.leading] }
    /// }
    /// ```
    /// The guide of a view in the row sets the position; in a stack, the first view with the guide. The position is
    /// clamped to the row, or to the row's part of the card. Without the guide, the separator starts at the row's
    /// content.
    public static let listRowSeparatorLeading = HorizontalAlignment(SeparatorLeading.self)
    /// The position at which the separator below a list row ends.
    ///
    /// The guide of a view in the row sets the position, as for `listRowSeparatorLeading`. Without the guide, the
    /// separator ends at the trailing edge of the row.
    public static let listRowSeparatorTrailing = HorizontalAlignment(SeparatorTrailing.self)
}

struct RowSeparatorModifier: ElementModifier {
    let change: @MainActor (inout RowSeparators) -> Void
    func makeElement() -> RowSeparatorElement { RowSeparatorElement() }
    func update(_ element: RowSeparatorElement, _ fiber: _Fiber) {
        element.change = change
        element.setNeedsDisplay()
    }
}

/// An element that adds its separator settings to those of its content.
final class RowSeparatorElement: WrapperElement {
    var change: @MainActor (inout RowSeparators) -> Void = { _ in }
    override func trait<T>(_ type: T.Type) -> T? {
        guard type == RowSeparators.self else { return super.trait(type) }
        return with(super.trait(RowSeparators.self) ?? RowSeparators()) { change(&$0) } as? T
    }
}

extension View {
    /// Shows or hides the separators at this row's edges.
    ///
    /// A separator between two rows is shown unless one of the rows hides it. If the `separatorStyle` of
    /// `UITableView.appearance()` is `.none`, a separator is shown only if one of the rows shows it. Lists with the
    /// style `.sidebar` have no separators.
    public func listRowSeparator(_ visibility: Visibility, edges: VerticalEdge.Set = .all) -> some View {
        elementModifier(
            RowSeparatorModifier {
                if edges.contains(.top) { $0.top = visibility }
                if edges.contains(.bottom) { $0.bottom = visibility }
            })
    }
    /// Sets the color of the separators at this row's edges. Nil keeps the list's own color.
    public func listRowSeparatorTint(_ color: Color?, edges: VerticalEdge.Set = .all) -> some View {
        elementModifier(
            RowSeparatorModifier {
                if edges.contains(.top) { $0.topTint = color }
                if edges.contains(.bottom) { $0.bottomTint = color }
            })
    }
}
