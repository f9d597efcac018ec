import Foundation

/// The visible part of a lazy container along the axis in which its rows follow each other.
package struct VisiblePart {
    /// The range in the container's space, in points, from the first row on. Nil if everything is visible.
    let range: ClosedRange<CGFloat>?
    /// The part of a row that must be visible, in points. Less may be visible because of rounding, after scrolling by
    /// pages.
    private static let least: CGFloat = 0.5
    /// The distance from the visible part within which rows are created, in points.
    private static let margin: CGFloat = 200

    /// Returns the range in which rows are created: the visible range with a margin on both sides, or the whole length
    /// of the container if everything is visible.
    package func rangeToCreate(in length: CGFloat) -> ClosedRange<CGFloat> {
        guard let range else { return 0...max(0, length) }
        return (range.lowerBound - VisiblePart.margin)...(range.upperBound + VisiblePart.margin)
    }

    /// Returns whether a row is visible.
    /// - Parameters:
    ///   - start: The distance of the row from the container's first edge, in points.
    ///   - length: The length of the row, in points.
    package func contains(_ start: CGFloat, _ length: CGFloat) -> Bool {
        guard let range else { return true }
        let overlap = min(start + length, range.upperBound) - max(start, range.lowerBound)
        // A row without a length is visible at its position, for example a mark at the end of the rows.
        return overlap > VisiblePart.least
            || (length <= VisiblePart.least && overlap >= 0 && range.upperBound > range.lowerBound)
    }
}

extension Element {
    /// The visible part of this element along an axis, without a margin.
    package func visiblePart(_ axis: Axis) -> VisiblePart {
        guard let visible = host?.visibleRect else { return VisiblePart(range: nil) }
        let own = frameInHost
        let start =
            axis == .vertical
            ? visible.minY - own.minY : isMirrored ? own.maxX - visible.maxX : visible.minX - own.minX
        return VisiblePart(range: start...(start + max(0, axis == .vertical ? visible.height : visible.width)))
    }
}

/// The visibility of a view in a row that its lazy container creates at once, because the row does not belong to a
/// collection.
///
/// The visibility of the rows of a collection is known to their `LazyElement`.
@MainActor
final class RowWatch {
    private weak var container: (any LazyContainer)?
    private weak var fiber: _Fiber?
    private weak var row: Element?
    private let changed: () -> Void
    /// Whether the row is visible.
    private(set) var isOn = false

    private init(_ fiber: _Fiber, _ row: Element, _ container: any LazyContainer, _ changed: @escaping () -> Void) {
        (self.fiber, self.row, self.container, self.changed) = (fiber, row, container, changed)
    }

    /// Returns a watch for the view of `fiber`, or nil if a `LazyElement` or no lazy container contains the view. Also
    /// nil for a view that consists of several rows, and for one without any: it appears when it is created.
    static func watching(_ fiber: _Fiber, _ changed: @escaping () -> Void) -> RowWatch? {
        guard let (row, container) = place(of: fiber) else { return nil }
        let watch = RowWatch(fiber, row, container, changed)
        container.watches.add(watch)
        // Otherwise the next layout sets the visibility.
        if container.isPlaced {
            watch.isOn = watch.isVisible(in: container, container.visiblePart(container.axis))
        }
        return watch
    }

    private static func place(of fiber: _Fiber) -> (row: Element, container: any LazyContainer)? {
        let elements = fiber.elements
        guard elements.count == 1, var element = elements.first else { return nil }
        while !(element is LazyElement), let parent = element.enclosingElement {
            if let container = parent as? any LazyContainer {
                return element.lazyRow == nil ? (element, container) : nil
            }
            element = parent
        }
        return nil
    }

    func end() { container?.watches.remove(self) }

    fileprivate func update(in container: any LazyContainer, _ part: VisiblePart) {
        let new = isVisible(in: container, part)
        guard new != isOn else { return }
        isOn = new
        changed()
    }

    private func isVisible(in container: any LazyContainer, _ part: VisiblePart) -> Bool {
        // The elements of the view may have been replaced.
        if row?.parent !== container { row = fiber.flatMap { RowWatch.place(of: $0)?.row } }
        // A view that now consists of several rows, or of none, is visible while it exists.
        guard let row else { return true }
        guard let frame = container.estimatedFrame(of: row) else { return false }
        return container.axis == .vertical
            ? part.contains(frame.minY, frame.height) : part.contains(frame.minX, frame.width)
    }
}

/// The watched rows of a lazy container.
@MainActor
package final class RowWatches {
    private var all: [RowWatch] = []
    package init() {}

    fileprivate func add(_ watch: RowWatch) { all.append(watch) }
    fileprivate func remove(_ watch: RowWatch) { all.removeAll { $0 === watch } }

    /// Updates the visibility of the rows. The container calls this method after each layout.
    package func update(in container: any LazyContainer) {
        guard !all.isEmpty else { return }
        let part = container.visiblePart(container.axis)
        for watch in all { watch.update(in: container, part) }
    }
}
