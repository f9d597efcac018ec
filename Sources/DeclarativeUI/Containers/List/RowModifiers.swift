import Foundation

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

final class BackedRowFiber<Content: View, Background: View>: _ViewFiber<BackedRow<Content, Background>> {
    private var content: _ViewFiber<Content>?
    private var background: _ViewFiber<Background>?
    private let element = RowBackgroundElement()

    override init(_ view: BackedRow<Content, Background>, _ inputs: _FiberInputs) {
        super.init(view, inputs)
        content = Content._makeFiber(view.content, self.inputs())
        background = Background._makeFiber(view.background, self.inputs())
        structureChanged()
    }
    override var children: [_Fiber] { [content, background].compactMap { $0 } }
    override var elements: [Element] { [element] }
    override func update(_ view: BackedRow<Content, Background>, _ environment: EnvironmentValues) {
        super.update(view, environment)
        content?.update(view.content, environment)
        background?.update(view.background, environment)
    }
    override func structureChanged() { element.set(content?.elements ?? [], behind: background?.elements ?? []) }
}

/// A row's content over its background, which reaches over the row's edges.
final class RowBackgroundElement: WrapperElement {
    private let front = LayersElement(), back = LayersElement()
    private var area = CGRect.zero
    override var content: Element? { front }

    override init() {
        super.init()
        setChildren([back, front])
    }
    func set(_ content: [Element], behind: [Element]) {
        front.setChildren(content)
        back.setChildren(behind)
    }
    /// - Parameter rect: the row's, in this element's space.
    func fill(_ rect: CGRect) {
        guard rect != area else { return }
        area = rect
        placeBack()
    }
    private func placeBack() {
        let offered = ProposedViewSize(area.size), size = back.sizeThatFits(offered)
        back.place(CGRect(x: area.midX - size.width / 2, y: area.midY - size.height / 2, width: size.width, height: size.height), offered)
    }
    override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        front.place(CGRect(origin: .zero, size: size), proposal)
        if area == .zero { area = CGRect(origin: .zero, size: size) }
        placeBack()
    }
    override func trait<T>(_ type: T.Type) -> T? { RowBackground(element: self) as? T ?? front.children.first?.trait(type) }
}

extension View {
    /// What lies behind this row of a list, from edge to edge; nil is the list's own.
    public func listRowBackground<V: View>(_ view: V?) -> some View { BackedRow(content: self, background: view) }
    /// Room between this row's content and the row's edges, points; nil is the list's own.
    public func listRowInsets(_ insets: EdgeInsets?) -> some View { elementModifier(TraitModifier<RowInsets?>(value: insets.map { RowInsets(insets: $0) })) }
}
