import Foundation

/// A view that arranges views in rows and columns. Mirrors SwiftUI's view.
///
/// ```swift
/// Grid(alignment: .leading) {
///     GridRow {
///         Text("Codec")
///         Text(codec)
///     }
///     GridRow {
///         Text("Frame rate")
///         Text("\(frameRate, specifier: "%.3g") fps")
///     }
/// }
/// ```
/// Each column is as wide as its widest cell. A view that is not a `GridRow` fills a row of its own, across all
/// columns.
public struct Grid<Content: View>: _PrimitiveView {
    let alignment: Alignment
    let horizontalSpacing: CGFloat?
    let verticalSpacing: CGFloat?
    let content: Content
    /// Creates a grid.
    /// - Parameters:
    ///   - alignment: The alignment of each view in its cell.
    ///   - horizontalSpacing: The distance between columns, in points. Nil is 8.
    ///   - verticalSpacing: The distance between rows, in points. Nil is 8.
    ///   - content: The rows.
    public init(
        alignment: Alignment = .center, horizontalSpacing: CGFloat? = nil, verticalSpacing: CGFloat? = nil,
        @ViewBuilder content: () -> Content
    ) {
        self.alignment = alignment
        self.horizontalSpacing = horizontalSpacing
        self.verticalSpacing = verticalSpacing
        self.content = content()
    }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ContainerFiber(view, inputs, GridElement(), content: { $0.content }) { element, view, _ in
            element.set(view.alignment, view.horizontalSpacing, view.verticalSpacing)
        }
    }
}

/// A row of cells in a `Grid`. Outside of a grid, it acts like a `Group`. Mirrors SwiftUI's view.
public struct GridRow<Content: View>: View {
    let alignment: VerticalAlignment?
    let content: Content
    /// Creates a row.
    /// - Parameters:
    ///   - alignment: The vertical alignment of the row's cells. If nil, the alignment of the grid applies.
    ///   - content: The cells.
    public init(alignment: VerticalAlignment? = nil, @ViewBuilder content: () -> Content) {
        self.alignment = alignment
        self.content = content()
    }
    public var body: some View { content.elementModifier(GridRowModifier(alignment: alignment)) }
}

/// The row to which a cell belongs.
struct GridRowTrait: Equatable {
    let row: ObjectIdentifier
    let alignment: VerticalAlignment?
}

struct GridRowModifier: ElementModifier {
    let alignment: VerticalAlignment?
    func makeElement() -> GridCellElement { GridCellElement() }
    func update(_ element: GridCellElement, _ fiber: _Fiber) {
        let row = GridRowTrait(row: ObjectIdentifier(fiber), alignment: alignment)
        guard element.row != row else { return }
        element.row = row
        element.setNeedsLayout()
    }
}

final class GridCellElement: WrapperElement {
    var row: GridRowTrait?
    override func trait<T>(_ type: T.Type) -> T? { row as? T ?? super.trait(type) }
}

struct GridCellColumns: Equatable { let count: Int }
struct GridCellAnchor: Equatable { let point: UnitPoint }
struct GridColumnAlignment: Equatable { let alignment: HorizontalAlignment }
struct GridUnsizedAxes: Equatable { let axes: Axis.Set }

extension View {
    /// Sets the number of `Grid` columns that this cell occupies.
    /// - Parameter count: The number of columns, clamped to 1…10,000.
    public func gridCellColumns(_ count: Int) -> some View {
        elementModifier(LayoutTraitModifier(value: GridCellColumns(count: min(10_000, max(1, count)))))
    }
    /// Aligns this view in its cell of a `Grid` at a point.
    /// - Parameter anchor: The point of the view that coincides with the same point of the cell.
    public func gridCellAnchor(_ anchor: UnitPoint) -> some View {
        elementModifier(LayoutTraitModifier(value: GridCellAnchor(point: anchor.sanitized)))
    }
    /// Sets the horizontal alignment of the `Grid` column that contains this cell. If several cells of the column set
    /// an alignment, the first one applies.
    public func gridColumnAlignment(_ guide: HorizontalAlignment) -> some View {
        elementModifier(LayoutTraitModifier(value: GridColumnAlignment(alignment: guide)))
    }
    /// Gives this cell of a `Grid` the size that the other cells of its column and row need, along some axes. The cell
    /// itself requests no space along these axes.
    public func gridCellUnsizedAxes(_ axes: Axis.Set) -> some View {
        elementModifier(LayoutTraitModifier(value: GridUnsizedAxes(axes: axes)))
    }
}

final class GridElement: Element {
    private var alignment = Alignment.center
    private var horizontal: CGFloat?
    private var vertical: CGFloat?
    private var arrangements: [(proposal: ProposedViewSize, places: [(CGRect, ProposedViewSize)], size: CGSize)] = []

    func set(_ alignment: Alignment, _ horizontal: CGFloat?, _ vertical: CGFloat?) {
        guard alignment != self.alignment || horizontal != self.horizontal || vertical != self.vertical else { return }
        (self.alignment, self.horizontal, self.vertical) = (alignment, horizontal, vertical)
        setNeedsLayout()
    }

    override func forgetArrangement(of child: Element?) { arrangements.removeAll(keepingCapacity: true) }
    override var usesBaselines: Bool { GridArrangement.usesBaselines(children, alignment) }

    private func arrange(_ proposal: ProposedViewSize) -> (places: [(CGRect, ProposedViewSize)], size: CGSize) {
        if let known = arrangements.first(where: { $0.proposal == proposal }) { return (known.places, known.size) }
        let fresh = GridArrangement(children, alignment, horizontal, vertical).arrange(proposal)
        if arrangements.count >= 4 { arrangements.removeFirst() }
        arrangements.append((proposal, fresh.places, fresh.size))
        return fresh
    }

    override func measure(_ proposal: ProposedViewSize) -> CGSize { arrange(proposal).size }
    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        for (child, (rect, offered)) in zip(children, arrange(proposal).places) { child.place(rect, offered) }
    }
    override func guide(_ key: AlignmentKey, _ size: CGSize) -> CGFloat? {
        key.position(in: children, arrange(ProposedViewSize(size)).places.map(\.0))
    }
}
