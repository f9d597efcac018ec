import CGTK
import Foundation
import Overlays
import Presentation

/// A rectangle of the views over a video, and its bitmap. The bitmap is drawn again only when its content changes.
@MainActor
struct CoverTile {
    /// The size in device pixels. Two tiles with the same size and pieces have the same pixels, even at different
    /// positions.
    private let width: Int, height: Int
    private let scale: Int
    /// The pieces, in the tile's own space.
    private let pieces: [CoverPiece]
    let bitmap: OverlayBitmap
    /// The opacity of the whole tile, from 0 to 255.
    let share: UInt8

    /// A part of a view's cover that is separate from the other parts.
    struct Plan {
        /// The area in the view's space, in device pixels.
        var area: PicturePainter.Area
        var pieces: [CoverPiece]
    }

    /// Creates a tile, and uses a bitmap of the previous drawing again if it is still valid.
    /// - Parameters:
    ///   - plan: The plan, with its pieces in the view's space.
    ///   - known: The tiles of the previous drawing.
    init?(_ plan: Plan, scale: Int, known: [CoverTile]) {
        let area = plan.area
        let corner = CGPoint(x: Double(area.x) / Double(scale), y: Double(area.y) / Double(scale))
        let pieces = plan.pieces.map { $0.relative(to: corner) }
        (width, height, self.scale, self.pieces) = (area.width, area.height, scale, pieces)
        share = UInt8(min(255, max(0, ((pieces.first?.opacity ?? 1) * 255).rounded())))
        if DrawingCache.isEnabled, let reusable = known.first(where: { $0.isSame(area, scale, pieces) }) {
            if reusable.bitmap.x == area.x, reusable.bitmap.y == area.y {
                bitmap = reusable.bitmap
            } else {
                guard
                    let moved = OverlayBitmap(
                        x: area.x, y: area.y, width: area.width, height: area.height, pixels: reusable.bitmap.pixels)
                else { return nil }
                bitmap = moved
            }
            return
        }
        let pixels = CoverTile.pixels(area, scale, pieces)
        // If cairo has drawn the same pixels as before, keep the old bitmap. If GTK draws the frames, a new bitmap
        // would make it draw everything again.
        if let reusable = known.first(where: {
            $0.bitmap.x == area.x && $0.bitmap.y == area.y && $0.width == area.width && $0.bitmap.pixels == pixels
        }) {
            bitmap = reusable.bitmap
            return
        }
        guard
            let newBitmap = OverlayBitmap(x: area.x, y: area.y, width: area.width, height: area.height, pixels: pixels)
        else { return nil }
        bitmap = newBitmap
    }

    private func isSame(_ area: PicturePainter.Area, _ scale: Int, _ pieces: [CoverPiece]) -> Bool {
        width == area.width && height == area.height && self.scale == scale && self.pieces.count == pieces.count
            && zip(self.pieces, pieces).allSatisfy { $0.looks(like: $1) }
    }

    /// Returns the premultiplied pixels at full opacity.
    private static func pixels(_ area: PicturePainter.Area, _ scale: Int, _ pieces: [CoverPiece]) -> [UInt32] {
        var pixels = [UInt32](repeating: 0, count: area.width * area.height)
        pixels.withUnsafeMutableBytes { raw in
            // Cairo adds no padding to rows of 32-bit pixels.
            guard
                let surface = cairo_image_surface_create_for_data(
                    raw.baseAddress?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32,
                    Int32(area.width), Int32(area.height), Int32(area.width * 4))
            else { return }
            defer { cairo_surface_destroy(surface) }
            guard let cr = cairo_create(surface) else { return }
            cairo_scale(cr, Double(scale), Double(scale))
            for piece in pieces { piece.draw(cr) }
            cairo_destroy(cr)
            cairo_surface_finish(surface)
        }
        return pixels
    }

    /// Returns rectangles that contain `pieces`. Separate pieces get separate rectangles: a title at the top and a bar
    /// at the bottom give two small rectangles.
    /// - Parameters:
    ///   - pieces: The pieces in the view's space, in the order of drawing.
    ///   - width: The width of the view in device pixels.
    ///   - height: The height of the view in device pixels.
    ///   - scale: The number of device pixels per point.
    static func plans(_ pieces: [CoverPiece], width: Int, height: Int, scale: Int) -> [Plan] {
        let whole = PicturePainter.Area(x: 0, y: 0, width: width, height: height)
        var plans: [Plan] = []
        var layer = 0
        var group: Int?
        for piece in pieces {
            // Pieces that fade as a group are blended as one layer, before later pieces.
            if piece.group != group {
                (group, layer) = (piece.group, plans.count)
            }
            guard let area = piece.area(scale)?.common(whole) else { continue }
            var grown = Plan(area: area, pieces: [piece])
            while let index = plans.indices.dropFirst(layer).first(where: { plans[$0].area.common(grown.area) != nil })
            {
                let other = plans.remove(at: index)
                grown.area = grown.area.around(other.area)
                // Older pieces are drawn first. The plans that a new piece joins do not overlap each other, so their
                // order is free.
                grown.pieces = other.pieces + grown.pieces
            }
            plans.append(grown)
        }
        return plans
    }
}

extension CoverPiece {
    /// Returns the device pixels into which the piece may draw, or nil if its bounds are not finite or empty.
    fileprivate func area(_ scale: Int) -> PicturePainter.Area? {
        let limit = 1_000_000.0
        let pixelsPerPoint = Double(scale)
        let edges = [
            bounds.minX * pixelsPerPoint, bounds.minY * pixelsPerPoint, bounds.maxX * pixelsPerPoint,
            bounds.maxY * pixelsPerPoint,
        ]
        guard edges.allSatisfy(\.isFinite) else { return nil }
        let whole = edges.enumerated().map { Int(min(limit, max(-limit, $1)).rounded($0 < 2 ? .down : .up)) }
        guard whole[2] > whole[0], whole[3] > whole[1] else { return nil }
        return PicturePainter.Area(x: whole[0], y: whole[1], width: whole[2] - whole[0], height: whole[3] - whole[1])
    }
}
