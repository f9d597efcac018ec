import Foundation

/// The element of a lazy grid, which creates and lays out only lines near the visible area.
///
/// A line has as many views as there are tracks. The length of a line that is not created yet is estimated from the
/// others, as in a lazy stack.
package final class LazyGridElement: Element, LazyContainer, PositionFollower {
    package let axis: Axis
    package let watches = RowWatches()
    private var items: [GridItem] = []
    private var alignment: AlignmentKey
    private var spacing: CGFloat = 8
    /// The lengths of measured views, for the tracks of the last layout.
    private var lengths: [ObjectIdentifier: CGFloat] = [:] { didSet { frames = nil } }
    private var measuredTracks: GridTracks?
    private var measuredLengths: (sum: CGFloat, count: Int) = (0, 0) { didSet { frames = nil } }
    /// The frames of all children, some of them estimated. Nil if they are not known since lengths have changed.
    private var frames: [ObjectIdentifier: CGRect]?

    init(axis: Axis) {
        self.axis = axis
        alignment = axis == .horizontal ? VerticalAlignment.center.key : HorizontalAlignment.center.key
    }

    func set(_ items: [GridItem], _ alignment: AlignmentKey, _ spacing: CGFloat) {
        let spacing = spacing.bounded
        guard items != self.items || alignment != self.alignment || spacing != self.spacing else { return }
        (self.items, self.alignment, self.spacing) = (items, alignment, spacing)
        setNeedsLayout()
    }

    package override func forgetArrangement() { lengths.removeAll(keepingCapacity: true) }

    package func positionChanged() { layoutChildren(frame.size, proposal) }

    private func along(_ size: CGSize) -> CGFloat { axis == .vertical ? size.height : size.width }
    private func across(_ size: CGSize) -> CGFloat { axis == .vertical ? size.width : size.height }
    private func proposal(_ track: GridTracks.Track) -> ProposedViewSize {
        axis == .vertical
            ? ProposedViewSize(width: track.length, height: nil) : ProposedViewSize(width: nil, height: track.length)
    }
    private func isCreated(_ child: Element) -> Bool { child.lazyRow?.isCreated != false }

    private func tracks(_ available: CGFloat?) -> GridTracks {
        let finite = available.flatMap { $0.isFinite ? $0 : nil }
        let ideal =
            finite == nil
            ? children.filter(isCreated).prefix(20).reduce(0) { max($0, across($1.sizeThatFits(.unspecified))) } : 0
        return GridTracks(items, available: finite, ideal: ideal)
    }

    private func lines(_ tracks: GridTracks) -> [ArraySlice<Element>] {
        let count = tracks.tracks.count
        return stride(from: 0, to: children.count, by: count).map { children[$0..<min(children.count, $0 + count)] }
    }

    private var estimate: CGFloat {
        measuredLengths.count > 0 ? measuredLengths.sum / CGFloat(measuredLengths.count) : 44
    }

    /// Returns the length of a line, which is that of its longest created view. The length is estimated if no view is
    /// created.
    private func length(_ line: ArraySlice<Element>, _ tracks: GridTracks) -> CGFloat {
        let created = zip(line, tracks.tracks).filter { isCreated($0.0) }
        guard !created.isEmpty else { return estimate }
        let isOwn = tracks == measuredTracks
        return created.reduce(0) { longest, next in
            let (child, track) = next
            if isOwn, let length = lengths[ObjectIdentifier(child)] { return max(longest, length) }
            let length = along(child.sizeThatFits(proposal(track)))
            if isOwn { lengths[ObjectIdentifier(child)] = length }
            return max(longest, length)
        }
    }

    package override func measure(_ proposal: ProposedViewSize) -> CGSize {
        let given = axis == .vertical ? proposal.width : proposal.height
        if measuredLengths.count == 0, let first = children.first { first.lazyRow?.create() }
        let tracks = tracks(given)
        let lines = lines(tracks)
        if measuredLengths.count == 0, let first = lines.first { measuredLengths = (length(first, tracks), 1) }
        let total = lines.reduce(0) { $0 + length($1, tracks) } + spacing * CGFloat(max(0, lines.count - 1))
        let breadth = given.flatMap { $0.isFinite ? max($0, tracks.length) : nil } ?? tracks.length
        return axis == .vertical ? CGSize(width: breadth, height: total) : CGSize(width: total, height: breadth)
    }

    package override func layoutChildren(_ size: CGSize, _ proposal: ProposedViewSize) {
        let tracks = tracks(across(size))
        if measuredTracks != tracks {
            measuredTracks = tracks
            lengths.removeAll(keepingCapacity: true)
            measuredLengths = (0, 0)
        }
        let visiblePart = visiblePart(axis)
        let visibleRange = visiblePart.rangeToCreate(in: along(size))
        let block =
            axis == .vertical
            ? CGSize(width: tracks.length, height: size.height) : CGSize(width: size.width, height: tracks.length)
        let edge =
            alignment.defaultValue(ViewDimensions(width: size.width, height: size.height, element: nil))
            - alignment.defaultValue(ViewDimensions(width: block.width, height: block.height, element: nil))
        var offset: CGFloat = 0
        var grew = false
        for line in lines(tracks) {
            var length = length(line, tracks)
            let isNear = offset + length >= visibleRange.lowerBound && offset <= visibleRange.upperBound
            let rows = line.compactMap(\.lazyRow)
            for lazy in rows {
                if isNear, !lazy.isCreated {
                    lazy.create()
                    grew = true
                }
                lazy.isOffscreen = !isNear
            }
            if isNear {
                length = self.length(line, tracks)
                measuredLengths.sum += length
                measuredLengths.count += 1
            }
            let isVisible = visiblePart.contains(offset, length)
            for lazy in rows { lazy.isVisible = isVisible }
            for (child, track) in zip(line, tracks.tracks) where isNear || child.lazyRow == nil {
                let offered = self.proposal(track)
                let inner = child.sizeThatFits(offered)
                let cell =
                    axis == .vertical
                    ? CGRect(x: edge + track.start, y: offset, width: track.length, height: length)
                    : CGRect(x: offset, y: edge + track.start, width: length, height: track.length)
                let inside = track.alignment.origin(of: child, inner, in: cell.size)
                child.place(
                    CGRect(x: cell.minX + inside.x, y: cell.minY + inside.y, width: inner.width, height: inner.height),
                    offered)
            }
            offset += length + spacing
        }
        watches.update(in: self)
        if grew { setNeedsLayout() }
    }

    package func estimatedFrame(of child: Element) -> CGRect? {
        guard let measuredTracks else { return nil }
        let known = frames ?? estimatedFrames(measuredTracks)
        frames = known
        return known[ObjectIdentifier(child)]
    }
    private func estimatedFrames(_ tracks: GridTracks) -> [ObjectIdentifier: CGRect] {
        var result: [ObjectIdentifier: CGRect] = [:]
        var offset: CGFloat = 0
        for line in lines(tracks) {
            let length = length(line, tracks)
            for (child, track) in zip(line, tracks.tracks) {
                result[ObjectIdentifier(child)] =
                    axis == .vertical
                    ? CGRect(x: track.start, y: offset, width: track.length, height: length)
                    : CGRect(x: offset, y: track.start, width: length, height: track.length)
            }
            offset += length + spacing
        }
        return result
    }
}
