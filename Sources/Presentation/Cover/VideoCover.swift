import Overlays

/// What of the app's lies over a video: drawn once when it changes, and blended into each picture by the video's own
/// presenter.
package struct VideoCover: Equatable {
    /// A rectangle of it where there is something.
    package struct Tile: Equatable {
        /// In the view's space, device pixels.
        package let bitmap: OverlayBitmap
        /// 0…255: what fades is drawn once, and only blended otherwise.
        package let share: UInt8

        package init(_ bitmap: OverlayBitmap, share: UInt8 = 255) {
            self.bitmap = bitmap
            self.share = share
        }
        package static func == (a: Tile, b: Tile) -> Bool { a.bitmap === b.bitmap && a.share == b.share }

        /// What of it lies in `area`; nil is nothing.
        func part(of area: PicturePainter.Area) -> PicturePainter.Area? {
            area.common(PicturePainter.Area(x: bitmap.x, y: bitmap.y, width: bitmap.width, height: bitmap.height))
        }
    }
    /// In the order of blending; they may lie over each other.
    package var tiles: [Tile]
    package init(_ tiles: [Tile] = []) { self.tiles = tiles }
}

extension PicturePainter.Area {
    package func common(_ other: Self) -> Self? {
        let left = max(x, other.x)
        let top = max(y, other.y)
        let right = min(x + width, other.x + other.width)
        let bottom = min(y + height, other.y + other.height)
        return left < right && top < bottom ? Self(x: left, y: top, width: right - left, height: bottom - top) : nil
    }

    package func around(_ other: Self) -> Self {
        let left = min(x, other.x)
        let top = min(y, other.y)
        return Self(
            x: left, y: top, width: max(x + width, other.x + other.width) - left,
            height: max(y + height, other.y + other.height) - top)
    }

    /// The same pixels, none of them in two areas.
    static func apart(_ areas: [Self]) -> [Self] {
        var result: [Self] = []
        for area in areas {
            var grown = area
            // One that has grown may reach others.
            while let index = result.firstIndex(where: { $0.common(grown) != nil }) {
                grown = grown.around(result.remove(at: index))
            }
            result.append(grown)
        }
        return result
    }
}
