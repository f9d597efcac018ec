import CDrawing
import Filters
import Foundation
import MediaCore
import MediaEngine

/// A contact sheet: frames side by side in one image, each with its name below.
package enum ContactSheet {
    private static let gap = 12, caption = 22

    /// A cell of a sheet.
    package struct Tile {
        let name: String
        let frame: () throws -> VideoFrame

        /// - Parameter frame: A closure that makes the frame, in 32-bit RGB and in the size of a tile.
        package init(_ name: String, frame: @escaping () throws -> VideoFrame) {
            self.name = name
            self.frame = frame
        }
    }

    /// Draws `frame` with each of the named filters, one tile per filter.
    ///
    /// - Parameters:
    ///   - names: The names of the filters, in the order of the tiles.
    ///   - frame: The frame to which the filters are applied.
    /// - Returns: The sheet, and one error for each filter whose tile is empty.
    package static func draw(_ names: [String], of frame: VideoFrame) throws -> (VideoFrame, [AVError]) {
        let frameSize = frame.presentationSize
        let width = 240
        let height = max(1, Int((Double(width) * frameSize.height / max(1, frameSize.width)).rounded()))
        let columns = max(
            1, Int((Double(names.count) * Double(height + caption) * 1.4 / Double(width)).squareRoot().rounded()))
        return try draw(
            names.map { name in Tile(name) { try tile(name, of: frame, size: (width, height)) } }, columns: columns,
            tile: (width, height))
    }

    /// Draws `tiles` in rows, from left to right.
    ///
    /// - Parameters:
    ///   - columns: The number of tiles in a row, at least 1.
    ///   - size: The size of each tile, in pixels.
    /// - Returns: The sheet, and one error for each tile that is empty.
    /// - Throws: `.operationNotSupported` if the sheet would be larger than a frame can be.
    package static func draw(_ tiles: [Tile], columns: Int, tile size: (width: Int, height: Int)) throws -> (
        VideoFrame, [AVError]
    ) {
        let columns = max(1, columns)
        let rows = (tiles.count + columns - 1) / columns
        let width = columns * (size.width + gap) + gap
        let height = rows * (size.height + caption + gap) + gap
        let most = VideoFrame.maximumSide
        guard width <= most, height <= most else {
            throw AVError(
                .operationNotSupported, at: "",
                reason:
                    "the contact sheet would be \(width) × \(height) pixels, but the maximum is \(most) × \(most)",
                suggestion: "Choose fewer or smaller frames")
        }
        var problems: [AVError] = []
        let sheet = try VideoFrame.bgra(width: width, height: height, presentationTime: .zero) { pixels, stride in
            guard let base = pixels.baseAddress?.assumingMemoryBound(to: UInt8.self),
                let surface = cairo_image_surface_create_for_data(
                    base, CAIRO_FORMAT_RGB24, Int32(width), Int32(height), Int32(stride)),
                let cr = cairo_create(surface)
            else { return }
            defer {
                cairo_destroy(cr)
                cairo_surface_destroy(surface)
            }
            cairo_set_source_rgb(cr, 0.13, 0.13, 0.14)
            cairo_paint(cr)
            cairo_select_font_face(cr, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL)
            cairo_set_font_size(cr, 13)
            cairo_set_source_rgb(cr, 0.93, 0.93, 0.93)
            for (index, tile) in tiles.enumerated() {
                let x = gap + index % columns * (size.width + gap)
                let y = gap + index / columns * (size.height + caption + gap)
                cairo_move_to(cr, Double(x), Double(y + size.height + 15))
                cairo_show_text(cr, tile.name)
                cairo_surface_flush(surface)
                do {
                    copy(try tile.frame(), size, to: base + y * stride + x * 4, stride: stride)
                    cairo_surface_mark_dirty(surface)
                } catch {
                    problems.append(error as? AVError ?? AVError(.unknown, at: tile.name, reason: "\(error)"))
                }
            }
            cairo_surface_flush(surface)
        }
        return (sheet, problems)
    }

    /// Applies the filter with its default values. A filter that takes a second image gets the frame upside down.
    private static func tile(_ name: String, of frame: VideoFrame, size: (width: Int, height: Int)) throws -> VideoFrame
    {
        guard let filter = CIFilter(name: name) else {
            throw AVError(.invalidArgument, at: name, reason: "there is no filter with this name")
        }
        let whole = CGRect(origin: .zero, size: frame.presentationSize)
        let other = CIImage.source(whole.size).transformed(
            by: CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: whole.height))
        for key in filter.inputKeys where key != kCIInputImageKey {
            guard let attributes = filter.attributes[key] as? [String: Any] else { continue }
            if attributes[kCIAttributeType] as? String == kCIAttributeTypeImage { filter.setValue(other, forKey: key) }
            // Core Image's default centers are for images of 300 by 300 pixels.
            if attributes[kCIAttributeType] as? String == kCIAttributeTypePosition, key == kCIInputCenterKey {
                filter.setValue(CIVector(x: whole.midX, y: whole.midY), forKey: key)
            }
        }
        var settings = PictureSettings()
        settings.add(filter)
        return try OfflineComposer(settings: settings).compose(
            frame, at: frame.presentationTime, size: size)
    }

    private static func copy(
        _ tile: VideoFrame, _ size: (width: Int, height: Int), to target: UnsafeMutablePointer<UInt8>, stride: Int
    ) {
        tile.withAVFrame { avFrame in
            guard let source = avFrame.pointee.data.0 else { return }
            for row in 0..<min(tile.height, size.height) {
                (target + row * stride).update(
                    from: source + row * Int(avFrame.pointee.linesize.0), count: min(tile.width, size.width) * 4)
            }
        }
    }
}
