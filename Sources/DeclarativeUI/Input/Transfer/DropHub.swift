import Foundation
import GTK
@_spi(Graph) import ViewGraph

/// The drop target of a host's widget, which delivers drops to the innermost element that accepts them.
///
/// GTK delivers a drop to one target per widget, so all elements of a host share this target. If targets are nested,
/// GTK chooses the innermost one, even if that one refuses the drop. Therefore, if no element of a scrolled host
/// accepts the drop, this object searches the host around it.
@MainActor
final class DropHub {
    private static var hubs: [ObjectIdentifier: DropHub] = [:]
    private struct Entry { weak var element: DropElement? }
    private var entries: [Entry] = []
    private let target = GTKDropTarget()
    private let signals = Signals()
    private let container: GTKReference<GTKWidget>
    private weak var current: DropElement?
    private weak var host: (any ElementHost)?

    static func join(_ element: DropElement, _ host: any ElementHost) {
        guard let container = host.container else { return }
        let hub = hubs[ObjectIdentifier(host)] ?? DropHub(container)
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

    private init(_ container: GTKWidget) {
        self.container = GTKReference(container)
        container.add(target)
        connect()
    }

    private func remove() {
        signals.disconnect()
        container.object.remove(target)
    }

    private func connect() {
        for signal in ["enter", "motion"] {
            signals.answer(target, signal) { [weak self] (x: Double, y: Double) in
                GTKDropTarget.answer(self?.pointerMoved(CGPoint(x: x, y: y)) ?? false)
            }
        }
        signals.on(target, "leave") { [weak self] in self?.pointerLeft() }
        signals.answer(target, "drop") { [weak self] (value: OpaquePointer?, x: Double, y: Double) in
            self?.dropped(GTKDropTarget.dropped(value), CGPoint(x: x, y: y)) ?? false
        }
    }

    // MARK: events

    /// Returns the element that accepts a drop at a point, and the point in the space of that element's host.
    private func acceptingElement(at point: CGPoint, files: Bool, text: Bool) -> (element: DropElement, point: CGPoint)?
    {
        // The last match is the innermost and frontmost one: elements inside or over others were added later.
        let own = entries.last { entry in
            guard let element = entry.element, element.accepts(at: point) else { return false }
            return files && element.takesFiles || text && element.takesText
        }?.element
        if let own { return (own, point) }
        guard let host, let enclosing = host.enclosing, let outer = enclosing.host else { return nil }
        let visibleOrigin = host.visibleRect?.origin ?? .zero
        return DropHub.hubs[ObjectIdentifier(outer)]?.acceptingElement(
            at: enclosing.toHost(CGPoint(x: point.x - visibleOrigin.x, y: point.y - visibleOrigin.y)), files: files,
            text: text)
    }

    private func pointerMoved(_ point: CGPoint) -> Bool {
        let files = target.hasFiles
        target(acceptingElement(at: point, files: files, text: !files)?.element)
        return current != nil
    }

    private func target(_ element: DropElement?) {
        guard element !== current else { return }
        current?.isTargeted = false
        current = element
        element?.isTargeted = true
    }

    private func pointerLeft() { target(nil) }

    private func dropped(_ dropped: GTKDropTarget.Dropped?, _ point: CGPoint) -> Bool {
        defer { target(nil) }
        let items: [NSItemProvider]
        let isText: Bool
        switch dropped {
        case nil: return false
        case .text(let text): (items, isText) = ([NSItemProvider(.text(text))], true)
        case .files(let uris):
            (items, isText) = (uris.compactMap { URL(string: $0).map { NSItemProvider(.url($0)) } }, false)
        }
        return acceptingElement(at: point, files: !isText, text: isText).map { $0.element.drop(items, $0.point) }
            ?? false
    }
}
