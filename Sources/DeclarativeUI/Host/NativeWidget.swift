import GTK
import Foundation
import MediaCore
@_spi(Graph) import ViewGraph

/// The owner of a widget of another module of the package, for example of a player.
@MainActor
package protocol NativeWidgetOwner: AnyObject {
    /// Returns the widget when the view is added to a window, or nil to show nothing. The owner keeps the widget.
    func makeWidget() -> GTKWidget?
    /// Called when the view is removed from its window.
    func widgetRemoved()
    /// Sets whether GTK must draw the widget, because an effect surrounds it or it is rotated or scrolled.
    func setCovered(_ covered: Bool)
    /// Called when the widget's frame in its parent widget has changed, in points. The frame is never empty.
    func placed(_ frame: CGRect)
    /// The preferred size in points, or nil if it is unknown.
    var idealSize: CGSize? { get }
}

/// A GTK widget as a view that takes all the space it is offered.
package struct NativeWidget: _PrimitiveView {
    let owner: any NativeWidgetOwner
    /// Creates a view of the owner's widget.
    package init(_ owner: any NativeWidgetOwner) { self.owner = owner }
    public static func _makeFiber(_ view: Self, _ inputs: _FiberInputs) -> _ViewFiber<Self> {
        LeafFiber(view, inputs, NativeWidgetElement(view.owner)) { _, _, _ in }
    }
}

final class NativeWidgetElement: WidgetElement {
    private let owner: any NativeWidgetOwner
    private var isCovered: Bool?
    private var reportedRect: CGRect?

    init(_ owner: any NativeWidgetOwner) { self.owner = owner }

    override func makeWidget() -> GTKWidget? {
        guard let widget = owner.makeWidget() else { return nil }
        widget.setCanTarget(false)
        // Counts as covered until the first drawing decides. Otherwise a video's own surface could briefly show the
        // frame without an effect.
        isCovered = true
        owner.setCovered(true)
        return widget
    }
    /// Whether the widget takes pointer input. False, so that gestures of the views around it receive the input.
    override var takesPointer: Bool { false }

    override func willRemove(_ widget: GTKWidget) {
        isCovered = nil
        reportedRect = nil
        owner.widgetRemoved()
    }

    override func measure(_ proposal: ProposedViewSize) -> CGSize {
        let ideal = owner.idealSize ?? CGSize(width: 320, height: 180)
        return proposal.replacingUnspecifiedDimensions(by: ideal)
    }

    override func located(_ transform: CGAffineTransform, _ size: CGSize) {
        super.located(transform, size)
        let rect = CGRect(origin: .zero, size: size).applying(transform)
        if rect.width > 0, rect.height > 0, rect != reportedRect {
            reportedRect = rect
            owner.placed(rect)
        }
    }

    override func draw(_ context: DrawContext, _ size: CGSize) {
        if let widget { context.widget(widget) }
        setCovered(!context.allowsVideoSurface || host?.allowsOwnSurface == false)
    }

    private func setCovered(_ covered: Bool) {
        guard covered != isCovered else { return }
        isCovered = covered
        // GTK is drawing now, so the owner gets the change later.
        OnMain.later { [weak self] in
            guard let self, let covered = self.isCovered else { return }
            self.owner.setCovered(covered)
        }
    }
}
