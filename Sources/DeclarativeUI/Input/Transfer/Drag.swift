import CGTK
import Foundation
import GTK
@_spi(Graph) import ViewGraph

struct DragModifier: ElementModifier {
    let data: @MainActor () -> NSItemProvider
    func makeElement() -> DragElement { DragElement() }
    func update(_ element: DragElement, _ fiber: _Fiber) {
        element.data = data
        element.isEnabled = fiber.environment.isEnabled
    }
}

/// An element whose content can be dragged.
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
        isEnabled && hit(point) != nil ? data?() : nil
    }
}

/// A `GtkDragSource` on a widget.
@MainActor
private final class DragSource {
    private let widget: GTKWidget
    private let source = GTKDragSource()
    private let signals = Signals()
    private let provide: (CGPoint) -> NSItemProvider?

    init(on widget: GTKWidget, _ provide: @escaping (CGPoint) -> NSItemProvider?) {
        self.widget = widget
        self.provide = provide
        widget.add(source)
        signals.answer(source, "prepare") { [weak self] (x: Double, y: Double) -> OpaquePointer? in
            let item = self?.provide(CGPoint(x: x, y: y))
            self?.title = item?.title
            return item.flatMap { DragSource.content($0) }
        }
        signals.on(source, "drag-begin") { [weak self] (drag: OpaquePointer?) in self?.dragBegan(drag) }
    }
    private var title: String?

    private func dragBegan(_ drag: OpaquePointer?) {
        guard let drag, let title else { return }
        let label = GTKLabel(title)
        label.setEllipsize(PANGO_ELLIPSIZE_MIDDLE)
        label.setMostCharacters(40)
        label.addClass("zoetrope-dragged")
        DragSource.style.ensure()
        GTKDragSource.setIcon(label, of: drag)
    }
    private static let style = Stylesheet(
        """
        .zoetrope-dragged { padding: 6px 12px; color: @theme_fg_color; background: @theme_bg_color;
            border: 1px solid @borders; border-radius: 6px; }
        """)

    func remove() {
        signals.disconnect()
        widget.remove(source)
    }

    /// Returns a new `GdkContentProvider`, owned by the caller.
    private static func content(_ item: NSItemProvider) -> OpaquePointer? {
        switch item.content {
        case .url(let url):
            url.isFileURL ? GTKDragSource.content(file: url) : GTKDragSource.content(text: url.absoluteString)
        case .text(let text): GTKDragSource.content(text: text)
        }
    }
}
