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
