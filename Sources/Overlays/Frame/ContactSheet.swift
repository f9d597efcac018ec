import CDrawing
import Filters
import Foundation
import MediaCore
import MediaEngine

/// What filters look like, side by side in one picture, each with its name below.
package enum ContactSheet {
    private static let tileWidth = 240, gap = 12, caption = 22

    /// - Returns: the sheet, and why a filter has an empty place in it.
    package static func draw(_ names: [String], of frame: VideoFrame) throws -> (VideoFrame, [AVError]) {
        let shape = frame.presentationSize
        let tileHeight = max(1, Int((Double(tileWidth) * shape.height / max(1, shape.width)).rounded()))
        let columns = max(
            1,
            Int((Double(names.count) * Double(tileHeight + caption) * 1.4 / Double(tileWidth)).squareRoot().rounded()))
        let rows = (names.count + columns - 1) / columns
        let width = columns * (tileWidth + gap) + gap
        let height = rows * (tileHeight + caption + gap) + gap
        var problems: [AVError] = []
        let sheet = try VideoFrame.bgra(width: width, height: height, presentationTime: frame.presentationTime) {
            pixels, stride in
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
            for (index, name) in names.enumerated() {
                let x = gap + index % columns * (tileWidth + gap)
                let y = gap + index / columns * (tileHeight + caption + gap)
                cairo_move_to(cr, Double(x), Double(y + tileHeight + 15))
                cairo_show_text(cr, name)
                cairo_surface_flush(surface)
                do {
                    let tile = try self.tile(name, of: frame, height: tileHeight)
                    copy(tile, to: base + y * stride + x * 4, stride: stride)
                    cairo_surface_mark_dirty(surface)
                } catch {
                    problems.append(error as? AVError ?? AVError(.unknown, at: name, reason: "\(error)"))
                }
            }
            cairo_surface_flush(surface)
        }
        return (sheet, problems)
    }

    /// The filter at its standard values. A second picture, where it takes one, is the first turned upside down.
    private static func tile(_ name: String, of frame: VideoFrame, height: Int) throws -> VideoFrame {
        guard let filter = CIFilter(name: name) else {
            throw AVError(.invalidArgument, at: name, reason: "there is no filter with this name")
        }
        let whole = CGRect(origin: .zero, size: frame.presentationSize)
        let other = CIImage.source(whole.size).transformed(
            by: CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: whole.height))
        for key in filter.inputKeys where key != kCIInputImageKey {
            guard let attributes = filter.attributes[key] as? [String: Any] else { continue }
            if attributes[kCIAttributeType] as? String == kCIAttributeTypeImage { filter.setValue(other, forKey: key) }
            // Standard centres are for pictures of 300 by 300.
            if attributes[kCIAttributeType] as? String == kCIAttributeTypePosition, key == kCIInputCenterKey {
                filter.setValue(CIVector(x: whole.midX, y: whole.midY), forKey: key)
            }
        }
        var settings = PictureSettings()
        settings.add(filter)
        return try OfflineComposer(settings: settings).compose(
            frame, at: frame.presentationTime, size: (tileWidth, height))
    }

    private static func copy(_ tile: VideoFrame, to target: UnsafeMutablePointer<UInt8>, stride: Int) {
        tile.withAVFrame { picture in
            guard let source = picture.pointee.data.0 else { return }
            for row in 0..<tile.height {
                (target + row * stride).update(
                    from: source + row * Int(picture.pointee.linesize.0), count: tile.width * 4)
            }
        }
    }
}
