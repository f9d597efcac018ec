import Foundation
@_spi(Graph) import ViewGraph

/// A thin line across the direction of the stack that contains it. Outside a stack, it is horizontal. Matches SwiftUI's
/// `Divider`.
public struct Divider: _PrimitiveView {
    /// Creates a line that is 1 point thick and as long as proposed, or 10 points without a proposal. Can be called on
    /// any thread.
    nonisolated public init() {}
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        LeafFiber(view, inputs, DividerElement()) { element, _, fiber in
            element.isDark = fiber.environment.colorScheme == .dark
            element.setNeedsDisplay()
        }
    }
}

final class DividerElement: Element, DrawnElement {
    /// The thickness of the line, in points.
    private static let thickness = Space.line
    var isDark = false

    /// Whether the line is vertical, as in a horizontal stack.
    private var isVertical: Bool {
        var element = parent
        while let wrapper = element as? WrapperElement { element = wrapper.parent }
        return
            ((element as? StackElement)?.axis ?? (element as? LazyStackElement)?.axis
            ?? (element as? any StackLike)?.stackAxis) == .horizontal
    }

    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        // Without a proposal, the line is only 10 points long, so that the other views in a stack determine its length.
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
