import CGTK
import GTK

/// The drop target of a page, and the frame around the page while something is dragged over it.
@MainActor
final class DropArea {
    let frame = GTKBox(GTK_ORIENTATION_HORIZONTAL)
    /// Called with the texts or file URLs that were dropped on the page. Returns whether they were accepted.
    var onDrop: (@MainActor ([String]) -> Bool)?
    /// Called with true when something is dragged over the page, and with false when the drag leaves the page or ends.
    var onHover: (@MainActor (Bool) -> Void)?
    private let signals = Signals()

    init() {
        frame.addClass("zoetrope-drop")
        frame.setCanTarget(false)
    }

    /// Adds the drop target to a page.
    /// - Parameter page: The widget with the pages and the shade. A drop on the shade counts as one on the page.
    func add(to page: GTKOverlay) {
        let target = GTKDropTarget()
        signals.answer(target, "enter") { [weak self] (_: Double, _: Double) -> UInt32 in
            self?.onHover?(true)
            return GTKDropTarget.answer(true)
        }
        signals.on(target, "leave") { [weak self] in self?.onHover?(false) }
        signals.answer(target, "drop") { [weak self] (value: OpaquePointer?) -> Bool in
            self?.onHover?(false)
            let texts: [String] =
                switch GTKDropTarget.dropped(value) {
                case nil: []
                case .text(let text): [text]
                case .files(let uris): uris
                }
            return self?.onDrop?(texts) ?? false
        }
        page.add(target)
    }

    func close() {
        signals.disconnect()
        onDrop = nil
        onHover = nil
    }
}
