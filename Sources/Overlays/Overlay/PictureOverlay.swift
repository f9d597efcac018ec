import MediaCore

/// Something drawn over the picture: vector layers, subtitles. Called by one display at a time, on any thread.
package protocol PictureOverlay: AnyObject, Sendable {
    /// What stands over the picture.
    ///
    /// - Parameters:
    ///   - itemTime: the time of the picture shown, in the item's timeline.
    ///   - hostTime: when it is seen; what moves by itself (animations) moves by it.
    func content(at itemTime: CMTime, hostTime: HostTime, in geometry: OverlayGeometry) -> OverlayContent

    /// It changes by itself between pictures: a display must go on ticking though the video stands.
    func isAnimating(at hostTime: HostTime) -> Bool

    /// Called, on any thread, when it has changed while nothing moves. Nil removes it.
    func onChange(_ action: (@Sendable () -> Void)?)
}

/// Where an overlay is drawn. Device pixels, the origin at the top left.
package struct OverlayGeometry: Hashable, Sendable {
    /// The whole space of the view.
    package var width: Int, height: Int
    /// The picture in it (it may be larger than the space when it fills it).
    package var pictureX: Int, pictureY: Int, pictureWidth: Int, pictureHeight: Int
    /// Device pixels a point.
    package var scale: Double
    /// The height of what covers the lower end of the view, such as a bar of controls: subtitles move above it.
    package var coveredBottom: Int
    package init(
        width: Int, height: Int, pictureX: Int, pictureY: Int, pictureWidth: Int, pictureHeight: Int, scale: Double,
        coveredBottom: Int = 0
    ) {
        self.width = width
        self.height = height
        self.pictureX = pictureX
        self.pictureY = pictureY
        self.pictureWidth = pictureWidth
        self.pictureHeight = pictureHeight
        self.scale = scale
        self.coveredBottom = coveredBottom
    }
}

package struct OverlayContent: Sendable {
    /// Equal versions of the same overlay in the same geometry are the very same pixels.
    package var version: UInt64
    /// Drawn in this order; parts outside the space are cut off.
    package var bitmaps: [OverlayBitmap]
    package init(version: UInt64, bitmaps: [OverlayBitmap]) {
        self.version = version
        self.bitmaps = bitmaps
    }
    package static let nothing = OverlayContent(version: 0, bitmaps: [])
}

/// A rectangle of pixels over the picture: native 32-bit words 0xAARRGGBB, premultiplied (cairo's ARGB32). Immutable.
package final class OverlayBitmap: Sendable {
    /// Device pixels in the view's space.
    package let x: Int, y: Int
    package let width: Int, height: Int
    /// `width` × `height`, rows from the top, no padding.
    package let pixels: [UInt32]
    package init?(x: Int, y: Int, width: Int, height: Int, pixels: [UInt32]) {
        guard width > 0, height > 0, pixels.count == width * height else { return nil }
        self.x = x
        self.y = y
        self.width = width
        self.height = height
        self.pixels = pixels
    }
}

extension OverlayBitmap {
    /// Moves the bitmaps that reach below `limit` up, and those above that they would then overlap, all by the same
    /// distance, so that lines keep their order and spacing.
    ///
    /// What begins in the upper half of that space is not moved: it belongs to its place in the picture.
    /// - Returns: nil when nothing has to move.
    static func raised(_ bitmaps: [OverlayBitmap], above limit: Int) -> [OverlayBitmap]? {
        let candidates = bitmaps.indices.filter { bitmaps[$0].y >= limit / 2 }
        var moved = candidates.filter { bitmaps[$0].y + bitmaps[$0].height > limit }
        guard let lowest = moved.map({ bitmaps[$0].y + bitmaps[$0].height }).max() else { return nil }
        let distance = min(lowest - limit, moved.map { bitmaps[$0].y }.min() ?? 0)
        var index = 0
        while index < moved.count {
            let one = bitmaps[moved[index]]
            for other in candidates where !moved.contains(other) {
                let next = bitmaps[other]
                let isReached =
                    next.x < one.x + one.width && one.x < next.x + next.width && next.y < one.y + one.height
                    && one.y - distance < next.y + next.height
                if isReached { moved.append(other) }
            }
            index += 1
        }
        return bitmaps.indices.map { index in
            let one = bitmaps[index]
            guard moved.contains(index) else { return one }
            return OverlayBitmap(
                x: one.x, y: max(0, one.y - distance), width: one.width, height: one.height, pixels: one.pixels) ?? one
        }
    }
}
