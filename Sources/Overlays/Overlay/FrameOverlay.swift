import MediaCore

/// An overlay that is drawn over the frame, such as vector layers or subtitles.
///
/// One display at a time calls an overlay, on any thread.
package protocol FrameOverlay: AnyObject, Sendable {
    /// Returns the bitmaps to draw over the frame.
    ///
    /// - Parameters:
    ///   - itemTime: The time of the displayed frame, in the item's timeline.
    ///   - hostTime: The time at which the frame becomes visible. Animations use it.
    func content(at itemTime: CMTime, hostTime: HostTime, in geometry: OverlayGeometry) -> OverlayContent

    /// Returns whether the overlay changes between frames. If true, the display keeps refreshing, even while the video
    /// is paused.
    func isAnimating(at hostTime: HostTime) -> Bool

    /// Sets the closure that is called, on any thread, when the overlay has changed without an animation. Nil removes
    /// the closure.
    func onChange(_ action: (@Sendable () -> Void)?)
}

/// The geometry of a view in which an overlay is drawn, in device pixels from the top left corner.
package struct OverlayGeometry: Hashable, Sendable {
    /// The size of the view.
    package var width: Int, height: Int
    /// The area of the frame in the view. It is larger than the view if the frame is cropped to fill the view.
    package var frameX: Int, frameY: Int, frameWidth: Int, frameHeight: Int
    /// The number of device pixels per point.
    package var scale: Double
    /// The height of the controls or other views that cover the lower end of the view. Subtitles move above it.
    package var coveredBottom: Int
    package init(
        width: Int, height: Int, frameX: Int, frameY: Int, frameWidth: Int, frameHeight: Int, scale: Double,
        coveredBottom: Int = 0
    ) {
        self.width = width
        self.height = height
        self.frameX = frameX
        self.frameY = frameY
        self.frameWidth = frameWidth
        self.frameHeight = frameHeight
        self.scale = scale
        self.coveredBottom = coveredBottom
    }
}

/// The bitmaps of an overlay at one time.
package struct OverlayContent: Sendable {
    /// The version of the pixels. Contents of the same overlay, in the same geometry and with the same version, have
    /// identical pixels.
    package var version: UInt64
    /// The bitmaps, in drawing order. Parts outside the view are cut off.
    package var bitmaps: [OverlayBitmap]
    package init(version: UInt64, bitmaps: [OverlayBitmap]) {
        self.version = version
        self.bitmaps = bitmaps
    }
    package static let nothing = OverlayContent(version: 0, bitmaps: [])
}

/// A rectangle of pixels over the frame: native 32-bit words 0xAARRGGBB, premultiplied (cairo's ARGB32). Immutable.
package final class OverlayBitmap: Sendable {
    /// The position in the view, in device pixels.
    package let x: Int, y: Int
    package let width: Int, height: Int
    /// The pixels: `width` × `height`, rows from the top, without padding.
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
    /// Moves bitmaps that extend below `limit` up, so that controls do not cover them.
    ///
    /// Bitmaps that they would then overlap move up too. All of these bitmaps move by the same distance, so that lines
    /// keep their order and spacing. Bitmaps that begin in the upper half of the space above `limit` are never moved,
    /// because their position in the frame is intended.
    /// - Returns: All bitmaps in their order, or nil if none has to move.
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
