import Foundation
@_spi(Graph) import ViewGraph

/// The rows of a list between the views and the space at the list's ends that `UITableView.appearance()` sets.
struct TableRows<Content: View>: View {
    let table: TableLook
    let content: Content
    var body: some View {
        if table.topSpace > 0 { space(table.topSpace) }
        if let header = table.header { TableEndRow(end: header) }
        content
        if let footer = table.footer { TableEndRow(end: footer) }
        if table.bottomSpace > 0 { space(table.bottomSpace) }
    }
    private func space(_ height: CGFloat) -> some View {
        Color.clear.frame(height: height).accessibilityHidden(true)
            .elementModifier(TraitModifier(value: RowKind.end))
    }
}

/// A view of UIKit above or below the rows of all lists. It keeps the height that it had when the app set it.
struct TableEnd: Equatable {
    let view: UIView
    /// The height in points, greater than 0.
    let height: CGFloat
    /// Returns nil without a view, and for a view without a height.
    @MainActor init?(_ view: UIView?) {
        guard let view, let height = CGFloat?(view.frame.height).side, height > 0 else { return nil }
        (self.view, self.height) = (view, height)
    }
}

private struct TableEndRow: View {
    let end: TableEnd
    var body: some View {
        TableEndContent(view: end.view).frame(maxWidth: .infinity).frame(height: end.height)
            .elementModifier(TraitModifier(value: RowKind.end))
    }
}

private struct TableEndContent: UIViewRepresentable {
    let view: UIView
    func makeUIView(context: Context) -> TableEndView { TableEndView() }
    func updateUIView(_ uiView: TableEndView, context: Context) { uiView.shown = view }
}

/// The place of a list for the view at one of its ends.
///
/// A view has only one superview, so the view is in the list that has appeared last. The other lists keep the space.
final class TableEndView: UIView {
    var shown: UIView? {
        didSet {
            guard shown !== oldValue else { return }
            if let oldValue, oldValue.superview === self { oldValue.removeFromSuperview() }
            take()
        }
    }
    private func take() {
        guard let shown, shown.superview !== self else { return }
        addSubview(shown)
        setNeedsLayout()
    }
    override func didMoveToWindow() {
        super.didMoveToWindow()
        if window != nil { take() }
    }
    override func layoutSubviews() {
        super.layoutSubviews()
        if let shown, shown.superview === self, shown.frame != bounds { shown.frame = bounds }
    }
}
