import CGTK
import Foundation
import GLibSupport
import GTKSupport
@_spi(Graph) import ViewGraph

struct DragModifier: ElementModifier {
    let data: @MainActor () -> NSItemProvider
    func makeElement() -> DragElement { DragElement() }
    func update(_ element: DragElement, _ fiber: _Fiber) {
        element.data = data
        element.isEnabled = fiber.environment.isEnabled
    }
}

/// Its content can be dragged.
final class DragElement: WrapperElement {
    var data: (@MainActor () -> NSItemProvider)?
    var isEnabled = true
    private var source: DragSource?

    override func attached(to host: any ElementHost) {
        guard let container = host.container else { return }
        source = DragSource(on: container) { [weak self] point in self?.provider(at: point) }
    }
    override func detached(from host: any ElementHost) {
        source?.remove()
        source = nil
    }
    private func provider(at point: CGPoint) -> NSItemProvider? {
        let rect = frameInHost
        guard isEnabled, !isInert, rect.contains(point),
            contains(CGPoint(x: point.x - rect.minX, y: point.y - rect.minY))
        else { return nil }
        return data?()
    }
}

/// A GtkDragSource on a widget.
@MainActor
private final class DragSource {
    private let widget: UnsafeMutablePointer<GtkWidget>
    private let source: OpaquePointer
    private let signals = Signals()
    private let provide: (CGPoint) -> NSItemProvider?

    init?(on widget: UnsafeMutablePointer<GtkWidget>, _ provide: @escaping (CGPoint) -> NSItemProvider?) {
        guard let source = gtk_drag_source_new() else { return nil }
        self.widget = widget
        self.source = source
        self.provide = provide
        gtk_drag_source_set_actions(source, GDK_ACTION_COPY)
        gtk_widget_add_controller(widget, source)
        signals.answer(source, "prepare") { [weak self] (x: Double, y: Double) -> OpaquePointer? in
            let item = self?.provide(CGPoint(x: x, y: y))
            self?.title = item?.title
            return item.flatMap { DragSource.content($0) }
        }
        signals.on(source, "drag-begin") { [weak self] (drag: OpaquePointer?) in self?.begins(drag) }
    }
    private var title: String?

    private func begins(_ drag: OpaquePointer?) {
        guard let drag, let title, let icon = gtk_drag_icon_get_for_drag(drag), let label = gtk_label_new(title) else {
            return
        }
        gtk_label_set_ellipsize(OpaquePointer(label), PANGO_ELLIPSIZE_MIDDLE)
        gtk_label_set_max_width_chars(OpaquePointer(label), 40)
        gtk_widget_add_css_class(label, "zoetrope-dragged")
        DragSource.style.ensure()
        gtk_drag_icon_set_child(OpaquePointer(icon), label)
    }
    private static let style = Stylesheet(
        """
        .zoetrope-dragged { padding: 6px 12px; color: @theme_fg_color; background: @theme_bg_color;
            border: 1px solid @borders; border-radius: 6px; }
        """)

    func remove() {
        signals.disconnect()
        gtk_widget_remove_controller(widget, source)
    }

    /// A GdkContentProvider, owned by the caller.
    private static func content(_ item: NSItemProvider) -> OpaquePointer? {
        var value = GValue()
        defer { g_value_unset(&value) }
        switch item.content {
        case .url(let url) where url.isFileURL:
            guard let file = g_file_new_for_uri(url.absoluteString) else { return nil }
            defer { g_object_unref(UnsafeMutableRawPointer(file)) }
            var files: [OpaquePointer?] = [file]
            g_value_init(&value, gdk_file_list_get_type())
            g_value_take_boxed(&value, UnsafeRawPointer(gdk_file_list_new_from_array(&files, 1)))
        case .url(let url):
            g_value_init(&value, FundamentalType.string)
            g_value_set_string(&value, url.absoluteString)
        case .text(let text):
            g_value_init(&value, FundamentalType.string)
            g_value_set_string(&value, text)
        }
        return gdk_content_provider_new_for_value(&value).map { OpaquePointer($0) }
    }
}
