import CGTK
import Foundation

/// The object that defines the behavior of an `ElementWidget`.
@MainActor
package protocol WidgetOwner: AnyObject {
    func measure(_ orientation: GtkOrientation, _ forSize: Int) -> (minimum: Int, natural: Int)
    func allocated(_ width: Int, _ height: Int)
    func snapshot(_ snapshot: GTKSnapshot)
    /// Returns whether a point of the widget's space belongs to the widget. The point may be outside of its bounds.
    func widgetContains(_ point: CGPoint, isInBounds: Bool) -> Bool
    /// Moves the keyboard focus. Returns whether the focus stays in the widget, or nil to let GTK move it.
    func moveFocus(_ direction: GtkDirectionType) -> Bool?
}

extension WidgetOwner {
    package func measure(_ orientation: GtkOrientation, _ forSize: Int) -> (minimum: Int, natural: Int) { (0, 0) }
    package func allocated(_ width: Int, _ height: Int) {}
    package func snapshot(_ snapshot: GTKSnapshot) {}
    package func widgetContains(_ point: CGPoint, isInBounds: Bool) -> Bool { isInBounds }
    package func moveFocus(_ direction: GtkDirectionType) -> Bool? { nil }
}

/// A subclass of GtkWidget whose virtual functions call a Swift object. Registered once, with GObject's C functions.
@MainActor
package enum ElementWidget {
    private static let key = g_quark_from_static_string("zoetrope-owner")

    private final class OwnerBox {
        weak var owner: (any WidgetOwner)?
        init(_ owner: (any WidgetOwner)?) { self.owner = owner }
    }

    /// Creates a widget with a floating reference, like every new widget. The widget keeps only a weak reference to
    /// `owner`.
    package static func make(role: GtkAccessibleRole, owner: (any WidgetOwner)?) -> GTKWidget? {
        guard type != 0, let raw = zt_gtk_new_with_role(type, role) else { return nil }
        let widget = GTKWidget(raw)
        let box = Unmanaged.passRetained(OwnerBox(owner)).toOpaque()
        g_object_set_qdata_full(widget.raw(), key, box) { raw in
            if let raw { Unmanaged<OwnerBox>.fromOpaque(raw).release() }
        }
        return widget
    }

    /// Sets the owner of an existing widget, for owners that create the widget in their initializer.
    package static func set(_ owner: any WidgetOwner, of widget: GTKWidget) {
        guard let raw = g_object_get_qdata(widget.raw(), key) else { return }
        Unmanaged<OwnerBox>.fromOpaque(raw).takeUnretainedValue().owner = owner
    }

    /// Returns the owner of `widget`, or nil if the widget is of another class.
    package static func owner(of widget: GTKWidget) -> (any WidgetOwner)? { owner(widget.raw()) }

    private static func owner(_ widget: UnsafeMutablePointer<GtkWidget>?) -> (any WidgetOwner)? {
        guard let widget, let raw = g_object_get_qdata(UnsafeMutablePointer(OpaquePointer(widget)), key) else {
            return nil
        }
        return Unmanaged<OwnerBox>.fromOpaque(raw).takeUnretainedValue().owner
    }

    /// Returns whether another widget of this class, in the same window, contains `widget` and draws it.
    package static func isWithinAnother(_ widget: GTKWidget) -> Bool {
        let window = widget.native?.widget
        var current = widget
        while current != window, let parent = current.parent {
            if g_type_check_instance_is_a(parent.raw() as UnsafeMutablePointer<GTypeInstance>, type) != 0 {
                return true
            }
            current = parent
        }
        return false
    }

    /// GtkWidget's own implementation, which moves the focus by the positions of the children.
    private static var inheritedFocus:
        (@convention(c) (UnsafeMutablePointer<GtkWidget>?, GtkDirectionType) -> gboolean)?

    private static let type: GType = {
        var query = GTypeQuery()
        g_type_query(gtk_widget_get_type(), &query)
        var info = GTypeInfo()
        info.class_size = guint16(query.class_size)
        info.instance_size = guint16(query.instance_size)
        info.class_init = { raw, _ in
            guard let raw else { return }
            let methods = raw.assumingMemoryBound(to: GtkWidgetClass.self)
            let inherited = methods.pointee.focus
            MainActor.assumeIsolated { inheritedFocus = inherited }
            // GTK calls these functions on its own thread, which is the main actor's.
            methods.pointee.focus = { widget, direction in
                return MainThread.run(widget) { widget in
                    if let moved = ElementWidget.owner(widget)?.moveFocus(direction) { return moved ? 1 : 0 }
                    return inheritedFocus?(widget, direction) ?? 0
                }
            }
            methods.pointee.get_request_mode = { _ in GTK_SIZE_REQUEST_HEIGHT_FOR_WIDTH }
            methods.pointee.measure = { widget, orientation, size, minimum, natural, baseline, naturalBaseline in
                let answer = MainThread.run(widget) { widget in
                    ElementWidget.owner(widget)?.measure(orientation, Int(size)) ?? (minimum: 0, natural: 0)
                }
                minimum?.pointee = Int32(clamping: answer.minimum)
                natural?.pointee = Int32(clamping: max(answer.minimum, answer.natural))
                baseline?.pointee = -1
                naturalBaseline?.pointee = -1
            }
            methods.pointee.size_allocate = { widget, width, height, _ in
                MainThread.run(widget) { widget in ElementWidget.owner(widget)?.allocated(Int(width), Int(height)) }
            }
            methods.pointee.snapshot = { widget, snapshot in
                MainThread.run((widget, snapshot)) { widget, snapshot in
                    guard let snapshot else { return }
                    ElementWidget.owner(widget)?.snapshot(GTKSnapshot(snapshot))
                }
            }
            methods.pointee.contains = { widget, x, y in
                return MainThread.run(widget) { widget in
                    guard let widget else { return 0 }
                    let isInBounds =
                        x >= 0 && y >= 0 && x < Double(gtk_widget_get_width(widget))
                        && y < Double(gtk_widget_get_height(widget))
                    guard let owner = ElementWidget.owner(widget) else { return isInBounds.gboolean }
                    return owner.widgetContains(CGPoint(x: x, y: y), isInBounds: isInBounds).gboolean
                }
            }
        }
        return g_type_register_static(gtk_widget_get_type(), "ZoetropeElement", &info, GTypeFlags(0))
    }()
}
