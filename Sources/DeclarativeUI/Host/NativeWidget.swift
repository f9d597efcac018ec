import GTK
import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

/// What stands behind a widget of another module of the package: a player's.
@MainActor
package protocol NativeWidgetOwner: AnyObject {
    /// Made when the view comes into a window; nil: nothing is shown. Owned by the owner.
    func makeWidget() -> GTKWidget?
    /// The view leaves its window.
    func widgetRemoved()
    /// It goes through an effect, or is turned or scrolled: it must be drawn by GTK.
    func setCovered(_ covered: Bool)
    /// Where it lies in its window, points. Never empty.
    func placed(_ frame: CGRect)
    /// The size it likes best; nil when it does not know.
    var idealSize: CGSize? { get }
}

/// A GTK widget as a view that takes all that is offered.
package struct NativeWidget: _PrimitiveView {
    let owner: any NativeWidgetOwner
    package init(_ owner: any NativeWidgetOwner) { self.owner = owner }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        LeafFiber(view, inputs, NativeWidgetElement(view.owner)) { _, _, _ in }
    }
}

final class NativeWidgetElement: WidgetElement {
    private let owner: any NativeWidgetOwner
    private var isCovered: Bool?
    private var told: CGRect?

    init(_ owner: any NativeWidgetOwner) { self.owner = owner }

    override func makeWidget() -> GTKWidget? {
        guard let widget = owner.makeWidget() else { return nil }
        widget.setCanTarget(false)
        // Until the first drawing tells: a surface over an effect would show the picture whole for a moment.
        isCovered = true
        owner.setCovered(true)
        return widget
    }
    /// Gestures of views around it are theirs.
    override var takesPointer: Bool { false }

    override func willRemove(_ widget: GTKWidget) {
        isCovered = nil
        told = nil
        owner.widgetRemoved()
    }

    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        let ideal = owner.idealSize ?? CGSize(width: 320, height: 180)
        return proposal.replacingUnspecifiedDimensions(by: ideal)
    }

    override func located(_ transform: CGAffineTransform, _ size: CGSize) {
        super.located(transform, size)
        let rect = CGRect(origin: .zero, size: size).applying(transform)
        if rect.width > 0, rect.height > 0, rect != told {
            told = rect
            owner.placed(rect)
        }
    }

    override func draw(_ context: DrawContext, _ size: CGSize) {
        if let widget { context.widget(widget) }
        settle(!context.isFree || host?.allowsOwnSurface == false)
    }

    private func settle(_ covered: Bool) {
        guard covered != isCovered else { return }
        isCovered = covered
        // Not now: GTK is drawing.
        OnMain.later { [weak self] in
            guard let self, let covered = self.isCovered else { return }
            self.owner.setCovered(covered)
        }
    }
}
