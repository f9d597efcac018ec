import Foundation
@_spi(Graph) import ViewGraph

/// A thin line across its stack; a horizontal one outside of stacks. SwiftUI's view.
public struct Divider: _PrimitiveView {
    /// Makes the line: 1 point thick, as long as it is offered, 10 points where it is offered nothing. On any thread.
    nonisolated public init() {}
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        LeafFiber(view, inputs, DividerElement()) { element, _, fiber in
            element.isDark = fiber.environment.colorScheme == .dark
            element.setNeedsDisplay()
        }
    }
}

final class DividerElement: Element, DrawnElement {
    /// Points.
    private static let thickness = Space.line
    var isDark = false

    /// Upright in a row.
    private var isVertical: Bool {
        var element = parent
        while let wrapper = element as? WrapperElement { element = wrapper.parent }
        return
            ((element as? StackElement)?.axis ?? (element as? LazyStackElement)?.axis
            ?? (element as? any StackLike)?.stackAxis) == .horizontal
    }

    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        // Without a bound it has no length of its own; a stack then gives it what the others take.
        isVertical
            ? CGSize(width: DividerElement.thickness, height: proposal.height ?? 10)
            : CGSize(width: proposal.width ?? 10, height: DividerElement.thickness)
    }

    override func contains(_ point: CGPoint) -> Bool { false }

    func draw(_ context: DrawContext, _ size: CGSize) {
        guard size.width.isFinite, size.height.isFinite else { return }
        context.color(Shade.line.resolved(dark: isDark, accent: nil), CGRect(origin: .zero, size: size))
    }
}

extension DividerElement: InspectableElement {
    var inspection: String? { Shade.line.resolved(dark: isDark, accent: nil).inspection }
}
