import Zoetrope

/// A row of views that wraps to as many rows as the width requires.
struct FlowRow: Layout {
    /// The space between views and between rows, in points.
    var spacing: CGFloat = 8

    func sizeThatFits(proposal: ProposedViewSize, subviews: Subviews, cache: inout Void) -> CGSize {
        let rows = rows(subviews, width: proposal.width ?? .infinity)
        return CGSize(
            width: rows.map(\.width).max() ?? 0,
            height: rows.map(\.height).reduce(0, +) + spacing * CGFloat(max(0, rows.count - 1)))
    }

    func placeSubviews(in bounds: CGRect, proposal: ProposedViewSize, subviews: Subviews, cache: inout Void) {
        var y = bounds.minY
        for row in rows(subviews, width: bounds.width) {
            var x = bounds.minX
            for (index, size) in row.views {
                subviews[index].place(
                    at: CGPoint(x: x, y: y + (row.height - size.height) / 2), proposal: ProposedViewSize(size))
                x += size.width + spacing
            }
            y += row.height + spacing
        }
    }

    private struct Row {
        var views: [(index: Int, size: CGSize)] = []
        var width: CGFloat = 0, height: CGFloat = 0
    }

    private func rows(_ subviews: Subviews, width: CGFloat) -> [Row] {
        var rows: [Row] = []
        for (index, view) in subviews.enumerated() {
            var size = view.sizeThatFits(.unspecified)
            // A view wider than the row gets a separate row.
            if size.width > width { size = view.sizeThatFits(ProposedViewSize(width: width, height: nil)) }
            if let last = rows.last, last.width + spacing + size.width <= width {
                rows[rows.count - 1].width += spacing + size.width
                rows[rows.count - 1].height = max(last.height, size.height)
                rows[rows.count - 1].views.append((index, size))
            } else {
                rows.append(Row(views: [(index, size)], width: size.width, height: size.height))
            }
        }
        return rows
    }
}
