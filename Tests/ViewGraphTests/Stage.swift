import Foundation
import Testing

@_spi(Graph) @testable import ViewGraph

/// A host without widgets, which lays out its views and draws nothing.
@MainActor
final class TestHost: ElementHost {
    let graph = ViewGraph { text, inputs in Text._makeFiber(Text(verbatim: text), inputs) }
    let root = LayersElement()
    private(set) var size = CGSize.zero
    private var isLaidOut = false
    private var isInLayout = false

    func layOut(_ size: CGSize) {
        self.size = size
        isInLayout = true
        let proposal = ProposedViewSize(size)
        // Repeat, because geometry readers create views during the layout, and the elements of these views need a
        // layout too.
        for _ in 0..<8 {
            isLaidOut = true
            let fits = root.sizeThatFits(proposal)
            let origin = CGPoint(x: (size.width - fits.width) / 2, y: (size.height - fits.height) / 2)
            root.place(CGRect(origin: origin, size: fits), proposal)
            graph.flush()
            if isLaidOut { break }
        }
        isInLayout = false
        graph.layoutAnimation = nil
    }

    func mount<V: View>(_ view: V) {
        root.attach(self)
        graph.mount(RootView(content: AnyView(view), root: root), environment: EnvironmentValues())
    }

    func close() {
        graph.unmount()
        root.detach(self)
    }

    // MARK: ElementHost

    var now: Double { graph.now() }
    var animation: Animation? { graph.transaction.effective }
    var layoutAnimation: Animation? { isInLayout ? graph.layoutAnimation : nil }
    func needsLayout() {
        isLaidOut = false
        if let animation { graph.layoutAnimation = animation }
    }
    func needsDisplay() {}
    func needsPlacement() {}
    func structureChanged() {}
    func animate() {}
    var allowsOwnSurface: Bool { false }
    var visibleRect: CGRect? { nil }
    var enclosing: Element? { nil }
}

private struct RootView: _PrimitiveView {
    let content: AnyView
    let root: Element
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        ContainerFiber(view, inputs, view.root, content: { $0.content }) { _, _, _ in }
    }
}

/// Views without a display, which a test evaluates, lays out and inspects.
@MainActor
final class Stage {
    let host = TestHost()
    var time = 0.0

    init<V: View>(_ width: CGFloat = 400, _ height: CGFloat = 300, @ViewBuilder _ content: () -> V) {
        host.graph.now = { [weak self] in self?.time ?? 0 }
        host.mount(content())
        layOut(width, height)
    }

    isolated deinit { host.close() }

    func layOut(_ width: CGFloat? = nil, _ height: CGFloat? = nil) {
        host.graph.flush()
        host.layOut(CGSize(width: width ?? host.size.width, height: height ?? host.size.height))
    }

    /// Every element, parents first.
    var elements: [Element] {
        var all: [Element] = []
        func walk(_ element: Element) {
            all.append(element)
            element.children.forEach(walk)
        }
        walk(host.root)
        return all
    }

    var texts: [String] { elements.compactMap { ($0 as? TextElement)?.text } }

    /// Returns the frame of the first view named `mark`, in the stage's coordinates, or nil if there is none.
    func frame(of mark: String) -> CGRect? {
        elements.first { ($0 as? TraitElement<Mark>)?.value.name == mark }?.frameInHost
    }
}

// MARK: views of the tests

/// A text whose letters are all 8 points wide and 16 points high.
struct Text: _PrimitiveView {
    let text: String
    init(_ text: String) { self.text = text }
    init(verbatim text: String) { self.text = text }
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        LeafFiber(view, inputs, TextElement()) { element, view, _ in element.text = view.text }
    }
}

final class TextElement: Element {
    var text = "" { didSet { if text != oldValue { setNeedsLayout() } } }
    override var stackItemKind: StackItemKind { .text }
    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        CGSize(width: 8 * CGFloat(text.count), height: 16)
    }
}

/// A view that fills the proposed space.
struct Color: _PrimitiveView {
    static let red = Color(), green = Color(), blue = Color(), black = Color()
    static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        LeafFiber(view, inputs, FillElement()) { _, _, _ in }
    }
}

final class FillElement: Element {
    override func measure(_ proposal: ProposedViewSize) -> CGSize { proposal.replacingUnspecifiedDimensions() }
}

struct Mark { let name: String }
extension View {
    /// Names the view for `Stage.frame(of:)`.
    func mark(_ name: String) -> some View { elementModifier(TraitModifier(value: Mark(name: name))) }
}
