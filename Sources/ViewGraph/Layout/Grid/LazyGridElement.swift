import Foundation

/// The element of a lazy grid. A line has as many views as there are tracks.
package final class LazyGridElement: LazyLinesElement {
    private var items: [GridItem] = []
    private var alignment: AlignmentKey
    private var spacing: CGFloat = 8
    /// The tracks for the breadths that were requested.
    private var tracks: [CGFloat?: GridTracks] = [:]

    override init(axis: Axis) {
        alignment = axis == .horizontal ? VerticalAlignment.center.key : HorizontalAlignment.center.key
        super.init(axis: axis)
    }

    func set(_ items: [GridItem], _ alignment: AlignmentKey, _ spacing: CGFloat) {
        let spacing = spacing.bounded
        guard items != self.items || alignment != self.alignment || spacing != self.spacing else { return }
        (self.items, self.alignment, self.spacing) = (items, alignment, spacing)
        setNeedsLayout()
    }

    package override func forgetArrangement(of child: Element?) {
        // The tracks without an offered breadth depend on the views.
        let old = tracks.removeValue(forKey: nil)
        if child == nil { tracks.removeAll() }
        super.forgetArrangement(of: child)
        if let old, old != tracks(nil) { forgetLengths(nil) }
    }

    private func tracks(_ breadth: CGFloat?) -> GridTracks {
        let finite = breadth.flatMap { $0.isFinite ? $0 : nil }
        if let known = tracks[finite] { return known }
        let new = GridTracks(items, available: finite, ideal: finite == nil ? idealLength : 0)
        if tracks.count >= 8 { tracks.removeAll() }
        tracks[finite] = new
        return new
    }

    /// The ideal size across the axis of the broadest of the first created views.
    private var idealLength: CGFloat {
        children.lazy.filter { $0.lazyRow?.isCreated != false }.prefix(20)
            .reduce(0) { max($0, across($1.sizeThatFits(.unspecified))) }
    }

    private func proposal(_ track: GridTracks.Track) -> ProposedViewSize {
        axis == .vertical
            ? ProposedViewSize(width: track.length, height: nil) : ProposedViewSize(width: nil, height: track.length)
    }

    package override var lineSpacing: CGFloat { spacing }
    package override func childrenPerLine(_ breadth: CGFloat?) -> Int { tracks(breadth).tracks.count }

    private func track(_ index: Int, _ breadth: CGFloat?) -> GridTracks.Track {
        let tracks = tracks(breadth).tracks
        return tracks[index % tracks.count]
    }

    package override func length(ofChild index: Int, _ breadth: CGFloat?) -> CGFloat {
        along(children[index].sizeThatFits(proposal(track(index, breadth))))
    }

    package override func breadth(_ offered: CGFloat?) -> CGFloat {
        let length = tracks(offered).length
        return offered.flatMap { $0.isFinite ? max($0, length) : nil } ?? length
    }

    package override func cell(ofChild index: Int, start: CGFloat, length: CGFloat) -> CGRect {
        cell(index, start, length, in: frame.size)
    }

    private func cell(_ index: Int, _ start: CGFloat, _ length: CGFloat, in size: CGSize) -> CGRect {
        let breadth = across(size)
        let track = track(index, breadth)
        let used = tracks(breadth).length
        let block =
            axis == .vertical ? CGSize(width: used, height: size.height) : CGSize(width: size.width, height: used)
        let edge =
            alignment.defaultValue(ViewDimensions(width: size.width, height: size.height, element: nil))
            - alignment.defaultValue(ViewDimensions(width: block.width, height: block.height, element: nil))
        return axis == .vertical
            ? CGRect(x: edge + track.start, y: start, width: track.length, height: length)
            : CGRect(x: start, y: edge + track.start, width: length, height: track.length)
    }

    package override func place(_ index: Int, start: CGFloat, length: CGFloat, in size: CGSize) {
        let child = children[index]
        let track = track(index, across(size))
        let offered = proposal(track)
        let inner = child.sizeThatFits(offered)
        let cell = cell(index, start, length, in: size)
        let inside = track.alignment.origin(of: child, inner, in: cell.size)
        child.place(
            CGRect(x: cell.minX + inside.x, y: cell.minY + inside.y, width: inner.width, height: inner.height), offered)
    }
}
