import CGTK
import Foundation
import GTK
import Overlays

/// A widget in front of all others of a host that lets the views choose the receiver of pointer input.
///
/// GTK searches the widgets from front to back, so it checks this one first. The widget receives no input itself.
@MainActor
final class HitGate: WidgetOwner {
    var widget: GTKWidget { reference.object }
    private let reference: GTKReference<GTKWidget>
    /// The view that receives the input.
    let target = HitTarget()
    private let choose: @MainActor (CGPoint) -> Void
    private var isChoosing = false

    /// Creates the widget as the last child of `parent`. Returns nil if GTK can't create a widget.
    /// - Parameter choose: Called with a point of `parent` before GTK looks for a widget at that point.
    init?(in parent: GTKWidget, _ choose: @escaping @MainActor (CGPoint) -> Void) {
        guard let raw = ElementWidget.make(role: GTK_ACCESSIBLE_ROLE_PRESENTATION, owner: nil) else { return nil }
        reference = GTKReference(raw)
        self.choose = choose
        ElementWidget.set(self, of: raw)
        raw.setParent(parent)
    }

    func allocate(_ width: Int, _ height: Int) {
        // GTK warns about a widget that was not measured.
        _ = widget.measure(GTK_ORIENTATION_HORIZONTAL)
        widget.allocate(Int32(clamping: width), Int32(clamping: height), nil)
    }

    func widgetContains(_ point: CGPoint, isInBounds: Bool) -> Bool {
        // The views of an app may themselves search for a widget.
        guard !isChoosing else { return false }
        isChoosing = true
        choose(point)
        isChoosing = false
        return false
    }

    func remove() {
        widget.unparent()
        target.clear()
    }
}

/// The view that receives pointer input, and the widgets in front of it that must not.
@MainActor
final class HitTarget {
    /// The view with content that receives the input, or nil for none.
    private(set) weak var view: UIView?

    /// Finds the receiver of input at a point.
    /// - Parameters:
    ///   - point: A point of the space around `root`.
    ///   - root: The outermost view.
    ///   - widgets: The widgets of all views with content, in drawing order.
    ///   - parent: The widget whose space is the one around `root`.
    func choose(_ point: CGPoint, in root: UIView, _ widgets: [HostedWidget], of parent: GTKWidget) {
        let hit = root.hitTest(root.backing.convert(point, from: nil), with: UIEvent())
        // As in UIKit, recognizers of superviews receive the input of views without their own.
        var target = hit
        while let current = target, current.content == nil { target = current.superview }
        // A view that an override returns may be in another tree, whose host does not know that it was chosen.
        if target?.outermost !== root { target = nil }
        if view !== target { clear() }
        view = target
        target?.touches.takesAllInput = true
        var isBehind = false
        for hosted in widgets.reversed() {
            guard let owner = hosted.owner as? UIView else { continue }
            if owner === target { isBehind = true }
            if isBehind {
                // The content of the target may let the input through to its superviews.
                if target?.isDescendant(of: owner) == true { hosted.isBlocked = false }
            } else if !hosted.isBlocked, hosted.takesInput(at: point, of: parent) {
                hosted.isBlocked = true
            }
        }
    }

    /// Forgets the receiver, which then takes only the points of its content.
    func clear() {
        view?.touches.takesAllInput = false
        view = nil
    }
}
