import CGTK
import Filters
import Foundation
import MediaCore

extension UIImage {
    /// Draws the image in its own size into the current graphics context. Has no effect without one.
    /// - Parameter point: The top left corner, in points.
    public func draw(at point: CGPoint) { draw(at: point, blendMode: .normal, alpha: 1) }
    /// Draws the image in its own size into the current graphics context. Has no effect without one.
    /// - Parameters:
    ///   - point: The top left corner, in points.
    ///   - blendMode: The way in which the image is combined with the pixels below.
    ///   - alpha: The opacity, clamped to 0…1.
    public func draw(at point: CGPoint, blendMode: CGBlendMode, alpha: CGFloat) {
        draw(in: CGRect(origin: point, size: size), blendMode: blendMode, alpha: alpha)
    }
    /// Draws the image, stretched to a rectangle in points, into the current graphics context. Has no effect without
    /// one.
    ///
    /// Symbols and template images without a color of their own are black.
    public func draw(in rect: CGRect) { draw(in: rect, blendMode: .normal, alpha: 1) }
    /// Draws the image, stretched to a rectangle, into the current graphics context. Has no effect without one.
    ///
    /// Symbols and template images without a color of their own are black.
    /// - Parameters:
    ///   - rect: The rectangle, in points.
    ///   - blendMode: The way in which the image is combined with the pixels below.
    ///   - alpha: The opacity, clamped to 0…1.
    public func draw(in rect: CGRect, blendMode: CGBlendMode, alpha: CGFloat) {
        UIGraphicsGetCurrentContext()?.drawing(blendMode: blendMode) { cr, own in
            paint(on: cr, in: rect, template: .black, alpha: own * min(1, max(0, alpha)))
        }
    }

    /// Draws the image with cairo.
    /// - Parameters:
    ///   - rect: The rectangle in the context's space.
    ///   - template: The color of symbols and template images that have no color of their own.
    ///   - alpha: The opacity, 0…1.
    func paint(on cr: OpaquePointer, in rect: CGRect, template: UIColor, alpha: CGFloat = 1) {
        let rect = rect.standardized
        guard rect.width > 0, rect.height > 0, rect.isFinite, !alpha.isNaN else { return }
        let color = (ownColor ?? template).cgColor
        func setColor() {
            cairo_set_source_rgba(
                cr, Double(color.red), Double(color.green), Double(color.blue), Double(color.alpha * alpha))
        }
        cairo_save(cr)
        defer { cairo_restore(cr) }
        if case .symbol(let name) = source {
            let steps = SymbolComposition.steps(name) ?? SymbolComposition.placeholder
            let weight = Font.Weight.regular.symbolLine
            let ink = SymbolComposition.ink(name, weight: weight)
            return steps.draw(cr, in: rect, weight: weight, ink: ink, source: { setColor() })
        }
        guard let box else { return }
        let (width, height) = (gdk_texture_get_width(box.texture), gdk_texture_get_height(box.texture))
        guard let surface = cairo_image_surface_create(CAIRO_FORMAT_ARGB32, width, height) else { return }
        defer { cairo_surface_destroy(surface) }
        cairo_surface_flush(surface)
        guard cairo_surface_status(surface) == CAIRO_STATUS_SUCCESS, let data = cairo_image_surface_get_data(surface)
        else { return }
        gdk_texture_download(box.texture, data, gsize(cairo_image_surface_get_stride(surface)))
        cairo_surface_mark_dirty(surface)
        cairo_translate(cr, rect.minX, rect.minY)
        cairo_scale(cr, rect.width / Double(width), rect.height / Double(height))
        if ownColor != nil || renderingMode == .alwaysTemplate {
            setColor()
            return cairo_mask_surface(cr, surface, 0, 0)
        }
        // Without the clip and the extension, the pixels at the edges would be mixed with transparent ones.
        cairo_new_path(cr)
        cairo_rectangle(cr, 0, 0, Double(width), Double(height))
        cairo_clip(cr)
        cairo_set_source_surface(cr, surface, 0, 0)
        cairo_pattern_set_extend(cairo_get_source(cr), CAIRO_EXTEND_PAD)
        cairo_paint_with_alpha(cr, Double(alpha))
    }
}
