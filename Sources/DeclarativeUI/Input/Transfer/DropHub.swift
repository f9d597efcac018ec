import CGTK
import Foundation
import GLibSupport
import MediaCore
@_spi(Graph) import ViewGraph

/// What is dragged over a host's widget, given to the innermost of its elements that takes such things. GTK lets one
/// target a widget have a drop, so all elements of a host share it; and the innermost of several targets has it whatever
/// it says, so where none of them takes it, a scrolled host asks the one around it.
@MainActor
final class DropHub {
    private static var hubs: [ObjectIdentifier: DropHub] = [:]
    private struct Entry { weak var element: DropElement? }
    private var entries: [Entry] = []
    private let target: OpaquePointer
    private let signals = Signals()
    private let container: UnsafeMutablePointer<GtkWidget>
    private weak var current: DropElement?
    private weak var host: (any ElementHost)?

    static func join(_ element: DropElement, _ host: any ElementHost) {
        guard let container = host.container, let hub = hubs[ObjectIdentifier(host)] ?? DropHub(container) else {
            return
        }
        hub.host = host
        hubs[ObjectIdentifier(host)] = hub
        hub.entries.removeAll { $0.element == nil || $0.element === element }
        hub.entries.append(Entry(element: element))
    }
    static func leave(_ element: DropElement, _ host: any ElementHost) {
        guard let hub = hubs[ObjectIdentifier(host)] else { return }
        hub.entries.removeAll { $0.element == nil || $0.element === element }
        if hub.current === element { hub.current = nil }
        guard hub.entries.isEmpty else { return }
        hub.remove()
        hubs[ObjectIdentifier(host)] = nil
    }

    private init?(_ container: UnsafeMutablePointer<GtkWidget>) {
        guard let target = gtk_drop_target_new(GType(0), GDK_ACTION_COPY) else { return nil }
        self.target = target
        self.container = container
        // Files first: what a file manager drags is also text.
        var types = [gdk_file_list_get_type(), DropHub.text]
        gtk_drop_target_set_gtypes(target, &types, gsize(types.count))
        gtk_widget_add_controller(container, target)
        g_object_ref(container)
        connect()
    }
    private static let text = FundamentalType.string

    private func remove() {
        signals.disconnect()
        gtk_widget_remove_controller(container, target)
        g_object_unref(container)
    }

    private func connect() {
        for signal in ["enter", "motion"] {
            signals.answer(target, signal) { [weak self] (x: Double, y: Double) in
                self?.moved(CGPoint(x: x, y: y)) ?? false ? GDK_ACTION_COPY.rawValue : 0
            }
        }
        signals.on(target, "leave") { [weak self] in self?.left() }
        signals.answer(target, "drop") { [weak self] (value: OpaquePointer?, x: Double, y: Double) in
            self?.dropped(value.map { UnsafePointer<GValue>($0) }, CGPoint(x: x, y: y)) ?? false
        }
    }

    // MARK: what happens

    /// Who takes it, and where that is in the host of that one.
    private func taker(at point: CGPoint, files: Bool, text: Bool) -> (element: DropElement, point: CGPoint)? {
        // Those within others, and those over others, came later.
        let own = entries.last { entry in
            guard let element = entry.element, element.isUnder(point) else { return false }
            return files && element.takesFiles || text && element.takesText
        }?.element
        if let own { return (own, point) }
        guard let host, let around = host.enclosing, let outer = around.host else { return nil }
        let (seen, at) = (host.visibleRect?.origin ?? .zero, around.frameInHost.origin)
        return DropHub.hubs[ObjectIdentifier(outer)]?.taker(
            at: CGPoint(x: point.x + at.x - seen.x, y: point.y + at.y - seen.y), files: files, text: text)
    }

    private func moved(_ point: CGPoint) -> Bool {
        let formats = gtk_drop_target_get_current_drop(target).flatMap { gdk_drop_get_formats($0) }.map {
            gdk_content_formats_union_deserialize_gtypes(gdk_content_formats_ref($0))
        }
        defer { if let formats { gdk_content_formats_unref(formats) } }
        let files = formats.map { gdk_content_formats_contain_gtype($0, gdk_file_list_get_type()) != 0 } ?? false
        target(taker(at: point, files: files, text: !files)?.element)
        return current != nil
    }

    private func target(_ element: DropElement?) {
        guard element !== current else { return }
        current?.isTargeted = false
        current = element
        element?.isTargeted = true
    }

    private func left() { target(nil) }

    private func dropped(_ value: UnsafePointer<GValue>?, _ point: CGPoint) -> Bool {
        defer { target(nil) }
        guard let value else { return false }
        let items = DropHub.items(value)
        let isText = value.pointee.g_type == DropHub.text
        return taker(at: point, files: !isText, text: isText).map { $0.element.drop(items, $0.point) } ?? false
    }

    private static func items(_ value: UnsafePointer<GValue>) -> [NSItemProvider] {
        if value.pointee.g_type == text {
            return g_value_get_string(value).map { [NSItemProvider(.text(String(cString: $0)))] } ?? []
        }
        guard value.pointee.g_type == gdk_file_list_get_type(), let list = g_value_get_boxed(value) else { return [] }
        var items: [NSItemProvider] = []
        var node = gdk_file_list_get_files(OpaquePointer(list))
        let first = node
        while let current = node {
            if let file = current.pointee.data, let uri = g_file_get_uri(OpaquePointer(file)) {
                if let url = URL(string: String(cString: uri)) { items.append(NSItemProvider(.url(url))) }
                g_free(uri)
            }
            node = current.pointee.next
        }
        g_slist_free(first)
        return items
    }
}
