import Foundation
@_spi(Graph) import ViewGraph

struct RowInsets: Equatable { let insets: EdgeInsets }

/// The background of a list row.
struct RowBackground { weak var element: RowBackgroundElement? }

/// The link that fills a list row. A click anywhere in the row follows it.
struct RowLink { weak var button: ButtonElement? }

struct BackedRow<Content: View, Background: View>: _PrimitiveView {
    let content: Content
    let background: Background
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> { BackedRowFiber(view, inputs) }
}

/// A fiber that makes each element of its content a row with its own background.
final class BackedRowFiber<Content: View, Background: View>: _ViewFiber<BackedRow<Content, Background>> {
    private struct Row {
        let element: RowBackgroundElement
        let background: _ViewFiber<Background>
    }
    private var content: _ViewFiber<Content>?
    private var rows: [Row] = []

    override init(_ view: BackedRow<Content, Background>, _ inputs: _FiberInputs) {
        super.init(view, inputs)
        content = Content._makeFiber(view.content, self.inputs())
        _ = wrap()
    }
    override var children: [_Fiber] { (content.map { [$0] } ?? []) + rows.map(\.background) }
    override var elements: [Element] { rows.map(\.element) }
    override func update(_ view: BackedRow<Content, Background>, _ environment: EnvironmentValues) {
        super.update(view, environment)
        content?.update(view.content, environment)
        for row in rows { row.background.update(view.background, environment) }
    }
    override func structureChanged() {
        if wrap() { super.structureChanged() }
    }

    /// Wraps the content's elements in rows, and returns whether the rows have changed.
    private func wrap() -> Bool {
        let elements = content?.elements ?? []
        let before = rows
        var next: [Row] = []
        for element in elements {
            // A single row keeps its wrapper when its content is replaced.
            let kept =
                elements.count == 1 && before.count == 1
                ? before.first : before.first { $0.element.front.children.first === element }
            let row =
                kept
                ?? Row(element: RowBackgroundElement(), background: Background._makeFiber(view.background, inputs()))
            row.element.set([element], behind: row.background.elements)
            next.append(row)
        }
        rows = next
        for row in before where !next.contains(where: { $0.element === row.element }) { row.background.remove() }
        return next.count != before.count || !zip(next, before).allSatisfy { $0.element === $1.element }
    }
}

private final class RowGround: LayersElement, DrawnElement {
    /// The outline that limits the drawing, in this element's coordinates, or nil for none.
    var outline: RoundedRect? {
        didSet { if outline != oldValue { setNeedsDisplay() } }
    }
    var isHiddenByParent = false {
        didSet { if isHiddenByParent != oldValue { setNeedsDisplay() } }
    }
    override var isHidden: Bool { isHiddenByParent }
    func draw(_ context: DrawContext, _ size: CGSize) {
        guard let outline else { return drawChildren(context) }
        context.clipped(outline) { drawChildren(context) }
    }
}

/// A row's content in front of its background. The background extends beyond the content to the row's edges.
final class RowBackgroundElement: WrapperElement {
    let front = LayersElement()
    private let back = RowGround()
    /// The area of the background that a list has set, in this element's coordinates. Nil outside of a list, where the
    /// background is as large as the content.
    private var area: CGRect?
    /// The outline of the card that the row is on, in this element's coordinates, or nil for none.
    private var card: RoundedRect?
    /// Whether a list sets the area. The background then has no place before the area is known.
    var isInRow = false
    override var content: Element? { front }
    /// Whether the row is outside the visible area. Its background is hidden too.
    override var isHidden: Bool { lazyRow?.isOffscreen ?? false }

    override init() {
        super.init()
        setChildren([back, front])
    }
    func set(_ content: [Element], behind: [Element]) {
        front.setChildren(content)
        back.setChildren(behind)
    }
    /// Sets the area of the background.
    ///
    /// - Parameters:
    ///   - rect: The frame of the row in this element's coordinates, or nil to hide the background.
    ///   - card: The outline of the card that limits the background, as wide as `rect`, or nil for none.
    func fill(_ rect: CGRect?, on card: RoundedRect?) {
        back.isHiddenByParent = rect == nil
        guard let rect, rect != area || card != self.card else { return }
        area = rect
        self.card = card
        placeBack(rect)
    }
    private func placeBack(_ area: CGRect) {
        let offered = ProposedViewSize(area.size)
        let size = back.sizeThatFits(offered)
        back.place(
            CGRect(
                x: area.midX - size.width / 2, y: area.midY - size.height / 2, width: size.width, height: size.height),
            offered)
        // Both have the same center, so a mirrored layout has the same outline.
        back.outline = card.map { card in
            with(card) {
                $0.rect.origin.x = (size.width - card.rect.width) / 2
                $0.rect.origin.y -= area.midY - size.height / 2
            }
        }
    }
    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        front.place(CGRect(origin: .zero, size: size), proposal)
        if let area = area ?? (isInRow ? nil : CGRect(origin: .zero, size: size)) { placeBack(area) }
    }
    override func trait<T>(_ type: T.Type) -> T? {
        RowBackground(element: self) as? T ?? front.children.first?.trait(type)
    }
}

extension View {
    /// Sets the view behind this row of a list. Nil keeps the list's own background.
    ///
    /// The view fills the row from edge to edge or, in a grouped list, the row's part of the card. Headers and footers
    /// do not show it.
    public func listRowBackground<V: View>(_ view: V?) -> some View { BackedRow(content: self, background: view) }
    /// Sets the space between this row's content and the row's edges, in points. Nil keeps the list's own space.
    public func listRowInsets(_ insets: EdgeInsets?) -> some View {
        elementModifier(LayoutTraitModifier<RowInsets?>(value: insets.map { RowInsets(insets: $0) }))
    }
}
