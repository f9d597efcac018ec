import Foundation

/// The arrangement of elements in the rows and columns of a grid.
///
/// Columns share the width like the views of a stack. The least flexible column comes first. Each column is offered an
/// equal share of the remaining width, but at least its minimum. If columns are too narrow for a cell that occupies
/// several of them, they widen evenly. After that, rows share the height in the same way.
@MainActor
struct GridArrangement {
    private struct Cell {
        let element: Element
        let row: Int
        let column: Int
        let span: Int
        let unsized: Axis.Set
    }
    private let cells: [Cell]
    private let columns: Int
    private let rows: Int
    private let rowAlignments: [VerticalAlignment]
    private let columnAlignments: [HorizontalAlignment]
    private let columnSpacing: CGFloat
    private let rowSpacing: CGFloat

    init(_ elements: [Element], _ alignment: Alignment, _ horizontal: CGFloat?, _ vertical: CGFloat?) {
        columnSpacing = (horizontal ?? 8).bounded
        rowSpacing = (vertical ?? 8).bounded
        var lines: [(row: GridRowTrait?, elements: [Element])] = []
        for element in elements {
            let row = element.trait(GridRowTrait.self)
            if let row, let last = lines.indices.last, lines[last].row?.row == row.row {
                lines[last].elements.append(element)
            } else {
                lines.append((row, [element]))
            }
        }
        let span: (Element) -> Int = { $0.trait(GridCellColumns.self)?.count ?? 1 }
        let count = max(1, lines.filter { $0.row != nil }.map { $0.elements.reduce(0) { $0 + span($1) } }.max() ?? 1)
        var cells: [Cell] = []
        var alignments: [Int: HorizontalAlignment] = [:]
        for (number, line) in lines.enumerated() {
            var column = 0
            for element in line.elements {
                let width = line.row == nil ? count : span(element)
                if let ownAlignment = element.trait(GridColumnAlignment.self)?.alignment, alignments[column] == nil {
                    alignments[column] = ownAlignment
                }
                cells.append(
                    Cell(
                        element: element, row: number, column: column, span: width,
                        unsized: element.trait(GridUnsizedAxes.self)?.axes ?? []))
                column += width
            }
        }
        self.cells = cells
        columns = count
        rows = lines.count
        rowAlignments = lines.map { $0.row?.alignment ?? alignment.vertical }
        columnAlignments = (0..<count).map { alignments[$0] ?? alignment.horizontal }
    }

    /// Returns whether any row aligns its cells by their text baselines.
    static func usesBaselines(_ elements: [Element], _ alignment: Alignment) -> Bool {
        alignment.vertical.isBaseline
            || elements.contains { $0.trait(GridRowTrait.self)?.alignment?.isBaseline == true }
    }

    /// Divides a length between columns or rows. The least flexible one takes its share first.
    private func share(_ available: CGFloat?, _ count: Int, _ spacing: CGFloat, _ length: (Int, CGFloat?) -> CGFloat)
        -> [CGFloat]
    {
        guard let available else { return (0..<count).map { length($0, nil) } }
        let minimums = (0..<count).map { length($0, 0) }
        let flexibility = (0..<count).map { length($0, .infinity) - minimums[$0] }
        var result = [CGFloat](repeating: 0, count: count)
        var remaining = available - spacing * CGFloat(max(0, count - 1))
        var otherMinimums = minimums.reduce(0, +)
        var remainingCount = count
        for index in (0..<count).sorted(by: {
            flexibility[$0] == flexibility[$1] ? $0 < $1 : flexibility[$0] < flexibility[$1]
        }) {
            otherMinimums -= minimums[index]
            result[index] = length(
                index, max(minimums[index], min(max(0, remaining / CGFloat(remainingCount)), remaining - otherMinimums))
            )
            remaining -= result[index]
            remainingCount -= 1
        }
        return result
    }

    private func widths(_ available: CGFloat?) -> [CGFloat] {
        let single = Dictionary(
            grouping: cells.filter { $0.span == 1 && !$0.unsized.contains(.horizontal) }, by: \.column)
        var widths = share(available, columns, columnSpacing) { column, offered in
            (single[column] ?? []).reduce(0) {
                max($0, $1.element.sizeThatFits(ProposedViewSize(width: offered, height: nil)).width)
            }
        }
        for cell in cells where cell.span > 1 && !cell.unsized.contains(.horizontal) {
            let range = cell.column..<min(columns, cell.column + cell.span)
            let rest =
                widths.indices.filter { !range.contains($0) }.reduce(0) { $0 + widths[$1] } + columnSpacing
                * CGFloat(columns - range.count)
            let needed = cell.element.sizeThatFits(
                ProposedViewSize(width: available.map { max(0, $0 - rest) }, height: nil)
            ).width
            let missingWidth = needed - length(widths, range, columnSpacing)
            if missingWidth > 0 { for column in range { widths[column] += missingWidth / CGFloat(range.count) } }
        }
        return widths
    }

    private func length(_ lengths: [CGFloat], _ range: Range<Int>, _ spacing: CGFloat) -> CGFloat {
        range.reduce(0) { $0 + lengths[$1] } + spacing * CGFloat(max(0, range.count - 1))
    }

    func arrange(_ proposal: ProposedViewSize) -> (places: [(CGRect, ProposedViewSize)], size: CGSize) {
        guard !cells.isEmpty else { return ([], .zero) }
        let widths = widths(proposal.width)
        let width: (Cell) -> CGFloat = { length(widths, $0.column..<min(columns, $0.column + $0.span), columnSpacing) }
        let byRow = Dictionary(grouping: cells, by: \.row)
        let heights = share(proposal.height, rows, rowSpacing) { row, offered in
            let sized = (byRow[row] ?? []).filter { !$0.unsized.contains(.vertical) }
            let line = sized.map {
                lines(row, $0, $0.element.sizeThatFits(ProposedViewSize(width: width($0), height: offered)))
            }
            return (line.map(\.above).max() ?? 0) + (line.map(\.below).max() ?? 0)
        }
        var placements: [(CGRect, ProposedViewSize)] = []
        for cell in cells {
            let cellRect = CGRect(
                x: length(widths, 0..<cell.column, columnSpacing) + (cell.column > 0 ? columnSpacing : 0),
                y: length(heights, 0..<cell.row, rowSpacing) + (cell.row > 0 ? rowSpacing : 0),
                width: width(cell), height: heights[cell.row])
            let offered = ProposedViewSize(cellRect.size)
            let size = cell.element.sizeThatFits(offered)
            placements.append(
                (CGRect(origin: origin(cell, size, cellRect, byRow[cell.row] ?? [], width), size: size), offered))
        }
        return (
            placements,
            CGSize(width: length(widths, 0..<columns, columnSpacing), height: length(heights, 0..<rows, rowSpacing))
        )
    }

    /// Returns the extent of a cell above and below the alignment line of its row.
    private func lines(_ row: Int, _ cell: Cell, _ size: CGSize) -> (above: CGFloat, below: CGFloat) {
        // An infinite height has no alignment line.
        guard size.height < .infinity else { return (0, .infinity) }
        let guide = ViewDimensions(width: size.width, height: size.height, element: cell.element)[rowAlignments[row]]
        return (guide, size.height - guide)
    }

    private func origin(_ cell: Cell, _ size: CGSize, _ cellRect: CGRect, _ row: [Cell], _ width: (Cell) -> CGFloat)
        -> CGPoint
    {
        if let anchor = cell.element.trait(GridCellAnchor.self)?.point {
            return CGPoint(
                x: cellRect.minX + (cellRect.width - size.width) * anchor.x,
                y: cellRect.minY + (cellRect.height - size.height) * anchor.y)
        }
        let whole = ViewDimensions(width: cellRect.width, height: cellRect.height, element: nil)
        let part = ViewDimensions(width: size.width, height: size.height, element: cell.element)
        let column = columnAlignments[min(cell.column, columns - 1)]
        let x = cellRect.minX + whole[column] - part[column]
        // The texts of a row share the baseline of the cell that extends farthest above it. Other alignments depend
        // only on the row's height.
        let alignment = rowAlignments[cell.row]
        guard alignment.isBaseline else { return CGPoint(x: x, y: cellRect.minY + whole[alignment] - part[alignment]) }
        let line =
            row.map { neighbor -> CGFloat in
                lines(
                    cell.row, neighbor,
                    neighbor.element.sizeThatFits(ProposedViewSize(width: width(neighbor), height: cellRect.height))
                )
                .above
            }.max() ?? 0
        return CGPoint(x: x, y: cellRect.minY + line - part[alignment])
    }
}
