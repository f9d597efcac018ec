@_spi(Graph) import ViewGraph

/// The upper or the lower edge. SwiftUI's type.
@frozen public enum VerticalEdge: Int8, CaseIterable, Sendable {
    /// In this order, from 0.
    case top, bottom
    /// None, one or both of the edges.
    public struct Set: OptionSet, Sendable {
        /// One bit an edge: 1 is the top, 2 the bottom.
        public let rawValue: Int8
        /// Makes a set of raw bits; bits other than 1 and 2 mean nothing.
        public init(rawValue: Int8) { self.rawValue = rawValue }
        /// Makes a set of one edge.
        public init(_ edge: VerticalEdge) { rawValue = 1 << edge.rawValue }
        /// The upper edge alone, and the lower edge alone.
        public static let top = Set(.top), bottom = Set(.bottom)
        /// Both edges.
        public static let all: Set = [.top, .bottom]
    }
}

/// What a row says of the lines at its edges; nil where it says nothing.
struct RowSeparators {
    var top: Visibility?, bottom: Visibility?
    var topTint: Color?, bottomTint: Color?

    /// Whether there is a line between two rows: unless one of them wants none.
    @MainActor static func isShown(_ above: Element, _ below: Element) -> Bool {
        above.trait(RowSeparators.self)?.bottom != .hidden && below.trait(RowSeparators.self)?.top != .hidden
    }
    /// The upper row's word comes first.
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

/// Adds what it says to what is said below.
final class RowSeparatorElement: WrapperElement {
    var change: @MainActor (inout RowSeparators) -> Void = { _ in }
    override func trait<T>(_ type: T.Type) -> T? {
        guard type == RowSeparators.self else { return super.trait(type) }
        return with(super.trait(RowSeparators.self) ?? RowSeparators()) { change(&$0) } as? T
    }
}

extension View {
    /// Whether a list shows the lines at this row's edges. A line between two rows is there unless one of them hides
    /// it.
    public func listRowSeparator(_ visibility: Visibility, edges: VerticalEdge.Set = .all) -> some View {
        elementModifier(
            RowSeparatorModifier {
                if edges.contains(.top) { $0.top = visibility }
                if edges.contains(.bottom) { $0.bottom = visibility }
            })
    }
    /// The colour of the lines at this row's edges; nil is the list's own.
    public func listRowSeparatorTint(_ color: Color?, edges: VerticalEdge.Set = .all) -> some View {
        elementModifier(
            RowSeparatorModifier {
                if edges.contains(.top) { $0.topTint = color }
                if edges.contains(.bottom) { $0.bottomTint = color }
            })
    }
}
