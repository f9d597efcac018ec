import Overlays

/// The content of an app over a video. It is drawn once when it changes, and the video's presenter blends it into each
/// frame.
package struct VideoCover: Equatable {
    /// A rectangle of the cover that has content.
    package struct Tile: Equatable {
        /// The content, in the view's space and in device pixels.
        package let bitmap: OverlayBitmap
        /// The opacity, 0…255. Content that fades is drawn once and then only blended.
        package let share: UInt8

        package init(_ bitmap: OverlayBitmap, share: UInt8 = 255) {
            self.bitmap = bitmap
            self.share = share
        }
        package static func == (a: Tile, b: Tile) -> Bool { a.bitmap === b.bitmap && a.share == b.share }

        /// Returns the part of the tile within `area`, or nil if there is none.
        func part(of area: PicturePainter.Area) -> PicturePainter.Area? {
            area.common(PicturePainter.Area(x: bitmap.x, y: bitmap.y, width: bitmap.width, height: bitmap.height))
        }
    }
    /// The tiles in the order of blending. They may overlap.
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

    /// Returns areas that contain all pixels of `areas` and do not overlap. They may contain more pixels.
    static func apart(_ areas: [Self]) -> [Self] {
        var result: [Self] = []
        for area in areas {
            var grown = area
            // A grown area may overlap others.
            while let index = result.firstIndex(where: { $0.common(grown) != nil }) {
                grown = grown.around(result.remove(at: index))
            }
            result.append(grown)
        }
        return result
    }
}
