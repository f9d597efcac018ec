import Foundation

/// The element of a lazy container: a list, a lazy stack or a lazy grid.
///
/// It creates and lays out only the lines near the visible area: rows, or lines of a grid. The length of a line that is
/// not created yet is estimated from the others, so the total length becomes exact as the user scrolls, as in SwiftUI.
/// Scrolling takes a time that depends on the lines near the visible area, not on the number of lines.
@_spi(Graph) @MainActor
open class LazyLinesElement: Element, LazyContainer, PositionFollower {
    package let axis: Axis
    package let watches = RowWatches()
    /// The lengths of the lines for the breadths that were requested, the newest last. A breadth is a size across the
    /// axis, or nil if it is free.
    private var lengths: [(breadth: CGFloat?, lines: LineLengths)] = []
    private static let maximumBreadths = 4
    /// The breadth of the last layout. Nil before the first.
    private var laidOutBreadth: CGFloat?
    /// The estimated length of a line for that breadth.
    private var estimate: (length: LineLengths.Estimate, usual: CGFloat)?
    private var structure: Structure?
    /// The children near the visible area and those that are not lazy, in order.
    private var shown: [Element] = []

    /// What is known about the children as long as they stay the same.
    private struct Structure {
        var indices: [ObjectIdentifier: Int] = [:]
        /// Whether each child is created when it comes near the visible area. Others are not in a collection, and exist
        /// from the beginning.
        var isLazy: [Bool] = []
        var notLazy: [Int] = []
    }

    package init(axis: Axis) {
        self.axis = axis
        super.init()
    }

    // MARK: overrides for kinds of containers

    /// The distance between lines, in points.
    open var lineSpacing: CGFloat { 0 }
    /// The length of a line while none was measured, in points.
    open var usualLength: CGFloat { 44 }
    /// Returns the number of children in a line, at least 1.
    open func childrenPerLine(_ breadth: CGFloat?) -> Int { 1 }
    /// Returns the length of a created child along the axis, in points.
    open func length(ofChild index: Int, _ breadth: CGFloat?) -> CGFloat { 0 }
    /// Returns whether lines that are not created are estimated from the line of this child.
    open func isSample(_ index: Int) -> Bool { true }
    /// Returns the size across the axis for an offered breadth, in points.
    open func breadth(_ offered: CGFloat?) -> CGFloat { 0 }
    /// Returns the frame of a child's cell: its part of the line, in this element's space.
    open func cell(ofChild index: Int, start: CGFloat, length: CGFloat) -> CGRect {
        axis == .vertical
            ? CGRect(x: 0, y: start, width: frame.width, height: length)
            : CGRect(x: start, y: 0, width: length, height: frame.height)
    }
    /// Places a child.
    /// - Parameters:
    ///   - index: The index of the child.
    ///   - start: The position of the child's line along the axis, in points.
    ///   - length: The length of the line, in points.
    ///   - size: The size of this element.
    open func place(_ index: Int, start: CGFloat, length: CGFloat, in size: CGSize) {}
    /// Called at the end of each layout.
    open func linesChanged() {}

    // MARK: children

    package final func along(_ size: CGSize) -> CGFloat { axis == .vertical ? size.height : size.width }
    package final func across(_ size: CGSize) -> CGFloat { axis == .vertical ? size.width : size.height }

    private func knownStructure() -> Structure {
        if let structure { return structure }
        var new = Structure()
        new.indices.reserveCapacity(children.count)
        for (index, child) in children.enumerated() {
            new.indices[ObjectIdentifier(child)] = index
            new.isLazy.append(child.lazyRow != nil)
            if !new.isLazy[index] { new.notLazy.append(index) }
        }
        structure = new
        return new
    }

    /// Returns the index of a child, or nil for another element.
    package final func index(of child: Element) -> Int? { knownStructure().indices[ObjectIdentifier(child)] }

    /// Returns the first created children, in order.
    package final func createdChildren(_ breadth: CGFloat?, limit: Int) -> [Int] {
        let lines = lines(breadth)
        let width = childrenPerLine(breadth)
        var result: [Int] = []
        var number = 0
        while result.count < limit, let line = lines.measuredLine(number) {
            result += childRange(line, width).filter(isCreated).prefix(limit - result.count)
            number += 1
        }
        return result
    }

    private func isCreated(_ index: Int) -> Bool { children[index].lazyRow?.isCreated != false }
    private func childRange(_ line: Int, _ width: Int) -> Range<Int> {
        min(children.count, line * width)..<min(children.count, (line + 1) * width)
    }

    open override var shownChildren: [Element] { structure == nil ? children : shown }

    /// No child sets the position of an alignment for the container.
    open override func definesGuide(_ key: AlignmentKey) -> Bool { false }

    // MARK: lengths

    open override func forgetArrangement(of child: Element?) {
        guard let child, let known = structure, let index = known.indices[ObjectIdentifier(child)],
            known.isLazy[index] == (child.lazyRow != nil)
        else {
            structure = nil
            lengths.removeAll(keepingCapacity: true)
            return
        }
        for (breadth, lines) in lengths { lines.setOutdated(index / childrenPerLine(breadth)) }
    }

    /// Forgets the lengths for a breadth, because the lines have other children now.
    package final func forgetLengths(_ breadth: CGFloat?) { lengths.removeAll { $0.breadth == breadth } }

    /// Returns the lengths of the lines for a breadth. All created lines are measured.
    private func lines(_ breadth: CGFloat?) -> LineLengths {
        let lines: LineLengths
        let width = childrenPerLine(breadth)
        let count = (children.count + width - 1) / width
        let known = lengths.firstIndex { $0.breadth == breadth }
        if let known, lengths[known].lines.count == count {
            lines = lengths[known].lines
        } else {
            if let known { lengths.remove(at: known) }
            lines = LineLengths(count: count, spacing: lineSpacing, usual: usualLength)
            for index in children.indices where isCreated(index) { lines.setOutdated(index / width) }
            // The lengths for the breadth of the layout are kept.
            if lengths.count >= Self.maximumBreadths,
                let old = lengths.firstIndex(where: { $0.breadth != laidOutBreadth })
            {
                lengths.remove(at: old)
            }
            lengths.append((breadth, lines))
            measure(lines.takeOutdated(), of: lines, breadth)
            // The estimate must be the same before and after a layout, or rows would not be where they are drawn.
            if breadth == laidOutBreadth, let estimate, estimate.usual == usualLength {
                self.estimate = lines.settle(estimate.length).map { ($0, usualLength) }
            }
        }
        measure(lines.takeOutdated(), of: lines, breadth)
        return lines
    }

    private func measure(_ numbers: [Int], of lines: LineLengths, _ breadth: CGFloat?) {
        let width = childrenPerLine(breadth)
        for line in numbers {
            let created = childRange(line, width).filter(isCreated)
            guard let first = created.first else { continue }
            let longest = created.reduce(0) { max($0, length(ofChild: $1, breadth)) }
            lines.set(longest, of: line, isSample: isSample(first))
        }
    }

    open override func measure(_ proposal: ProposedViewSize) -> CGSize {
        let offered = axis == .vertical ? proposal.width : proposal.height
        var lines = lines(offered)
        if !lines.hasSamples, let first = children.first, let lazy = first.lazyRow, !lazy.isCreated {
            lazy.create()
            lines = self.lines(offered)
        }
        let breadth = breadth(offered)
        return axis == .vertical
            ? CGSize(width: breadth, height: lines.total) : CGSize(width: lines.total, height: breadth)
    }

    /// Returns the position and the length of a child's line. Both are estimated if lines are not created yet. Nil
    /// before the first layout.
    package final func line(ofChild index: Int) -> (start: CGFloat, length: CGFloat)? {
        guard let laidOutBreadth, children.indices.contains(index) else { return nil }
        let lines = lines(laidOutBreadth)
        let line = index / childrenPerLine(laidOutBreadth)
        return (lines.start(of: line), lines.length(of: line))
    }

    /// Returns the line at a position, or nil if there is none, or before the first layout.
    package final func line(at position: CGFloat) -> Int? {
        guard position >= 0, let laidOutBreadth else { return nil }
        let lines = lines(laidOutBreadth)
        let line = lines.line(endingAfter: position)
        return line < lines.count ? line : nil
    }

    package final func estimatedFrame(of child: Element) -> CGRect? {
        guard let index = index(of: child), let line = line(ofChild: index) else { return nil }
        return cell(ofChild: index, start: line.start, length: line.length)
    }

    // MARK: layout

    package final func positionChanged() { layoutChildren(frame.size, proposal) }

    open override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        let breadth = across(size)
        if breadth != laidOutBreadth || usualLength != estimate?.usual { estimate = nil }
        laidOutBreadth = breadth
        // The layout of a child can run actions of views, which may change the children. Their next layout follows.
        let structure = knownStructure()
        let lines = lines(breadth)
        let width = childrenPerLine(breadth)
        let part = visiblePart(axis)
        let range = part.rangeToCreate(in: along(size))
        var line = lines.line(endingFrom: range.lowerBound)
        var start = lines.start(of: line)
        var resized: Element?
        let first = line
        while line < lines.count, start <= range.upperBound {
            let rows = childRange(line, width).compactMap { children[$0].lazyRow }
            let estimate = lines.length(of: line)
            var isNew = false
            for row in rows where !row.isCreated {
                row.create()
                isNew = true
            }
            if isNew { measure([line], of: lines, breadth) }
            let length = lines.length(of: line)
            if abs(length - estimate) > 0.001 { resized = children[childRange(line, width).lowerBound] }
            let isVisible = part.contains(start, length)
            for row in rows {
                row.isOffscreen = false
                row.isVisible = isVisible
            }
            for index in childRange(line, width) {
                place(index, start: start, length: length, in: size)
                guard self.structure != nil else { return }
            }
            start += length + lineSpacing
            line += 1
        }
        let near = childRange(first, width).lowerBound..<childRange(line, width).lowerBound
        let notLazy = structure.notLazy
        for index in notLazy where !near.contains(index) {
            let line = index / width
            place(index, start: lines.start(of: line), length: lines.length(of: line), in: size)
            guard self.structure != nil else { return }
        }
        estimate = lines.settle(nil).map { ($0, usualLength) }
        show(notLazy.filter { $0 < near.lowerBound } + near + notLazy.filter { $0 >= near.upperBound })
        watches.update(in: self)
        linesChanged()
        // Only this child is measured again, but all elements around it are laid out again.
        resized?.setNeedsLayout()
    }

    /// Hides the children that are no longer near the visible area, and releases what they have cached.
    private func show(_ indices: [Int]) {
        let old = shown
        shown = indices.map { children[$0] }
        let kept = Set(shown.map(ObjectIdentifier.init))
        // A removed child stays visible while its removal is animated.
        for child in old where !kept.contains(ObjectIdentifier(child)) && index(of: child) != nil {
            child.lazyRow?.isOffscreen = true
            child.lazyRow?.isVisible = false
            child.setMoved()
            // Its own size is kept: it is needed whenever rows are added or removed.
            for part in child.children { part.releaseSizes() }
        }
    }
}
