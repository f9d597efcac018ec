import Foundation
@_spi(Graph) import ViewGraph

struct RowInsets { let insets: EdgeInsets }

/// The background of a list's row.
struct RowBackground { weak var element: RowBackgroundElement? }

/// A row that is a link: where a click anywhere on it goes.
struct RowLink { weak var button: ButtonElement? }

struct BackedRow<Content: View, Background: View>: _PrimitiveView {
    let content: Content
    let background: Background
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> { BackedRowFiber(view, inputs) }
}

/// Each element of the content is a row, with a background of its own.
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

    /// True when there are other rows now.
    private func wrap() -> Bool {
        let elements = content?.elements ?? []
        let before = rows
        var next: [Row] = []
        for element in elements {
            // The place of a single row stays its place, whatever fills it.
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

private final class RowGround: LayersElement {
    var isOut = false {
        didSet { if isOut != oldValue { setNeedsDisplay() } }
    }
    override var isHidden: Bool { isOut }
}

/// A row's content over its background, which reaches over the row's edges.
final class RowBackgroundElement: WrapperElement {
    let front = LayersElement()
    private let back = RowGround()
    private var area = CGRect.zero
    override var content: Element? { front }
    /// What is out of sight has no ground either.
    override var isHidden: Bool { lazyRow?.isOut ?? false }

    override init() {
        super.init()
        setChildren([back, front])
    }
    func set(_ content: [Element], behind: [Element]) {
        front.setChildren(content)
        back.setChildren(behind)
    }
    /// - Parameter rect: the row's, in this element's space; nil: there is no background to be seen.
    func fill(_ rect: CGRect?) {
        back.isOut = rect == nil
        guard let rect, rect != area else { return }
        area = rect
        placeBack()
    }
    private func placeBack() {
        let offered = ProposedViewSize(area.size)
        let size = back.sizeThatFits(offered)
        back.place(
            CGRect(
                x: area.midX - size.width / 2, y: area.midY - size.height / 2, width: size.width, height: size.height),
            offered)
    }
    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        front.place(CGRect(origin: .zero, size: size), proposal)
        if area == .zero { area = CGRect(origin: .zero, size: size) }
        placeBack()
    }
    override func trait<T>(_ type: T.Type) -> T? {
        RowBackground(element: self) as? T ?? front.children.first?.trait(type)
    }
}

extension View {
    /// What lies behind this row of a list, from edge to edge; nil is the list's own.
    public func listRowBackground<V: View>(_ view: V?) -> some View { BackedRow(content: self, background: view) }
    /// Room between this row's content and the row's edges, points; nil is the list's own.
    public func listRowInsets(_ insets: EdgeInsets?) -> some View {
        elementModifier(TraitModifier<RowInsets?>(value: insets.map { RowInsets(insets: $0) }))
    }
}
