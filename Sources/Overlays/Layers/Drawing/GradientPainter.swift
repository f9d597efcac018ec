import CDrawing
import Filters
import Foundation

/// A painter that fills cairo's clip region with a gradient.
enum GradientPainter {
    /// Fills the clip region.
    ///
    /// - Parameter scale: The number of device pixels per point, which is the resolution of conic gradients.
    static func paint(_ cr: OpaquePointer, _ gradient: GradientValues, _ bounds: CGRect, _ scale: CGFloat) {
        guard let last = gradient.colors.last else { return }
        let start = position(gradient.startPoint, bounds)
        let end = position(gradient.endPoint, bounds)
        switch gradient.type {
        case .radial:
            let rx = abs(end.x - start.x)
            let ry = abs(end.y - start.y)
            guard rx > 1e-6, ry > 1e-6, let pattern = cairo_pattern_create_radial(0, 0, 0, 0, 0, 1) else {
                return solid(cr, last)
            }
            var matrix = cairo_matrix_t(xx: 1 / rx, yx: 0, xy: 0, yy: 1 / ry, x0: -start.x / rx, y0: -start.y / ry)
            cairo_pattern_set_matrix(pattern, &matrix)
            fill(cr, pattern, gradient)
        case .conic:
            conic(cr, gradient, bounds, start, atan2(Double(end.y - start.y), Double(end.x - start.x)), scale)
        default:
            guard start.distance(end) > 1e-6, let pattern = cairo_pattern_create_linear(start.x, start.y, end.x, end.y)
            else { return solid(cr, last) }
            fill(cr, pattern, gradient)
        }
    }
    private static func position(_ p: CGPoint, _ bounds: CGRect) -> CGPoint {
        CGPoint(x: bounds.minX + p.x * bounds.width, y: bounds.minY + p.y * bounds.height)
    }
    private static func solid(_ cr: OpaquePointer, _ color: CGColor) {
        cairo_set_source_rgba(cr, color.red, color.green, color.blue, color.alpha)
        cairo_paint(cr)
    }
    private static func fill(_ cr: OpaquePointer, _ pattern: OpaquePointer, _ gradient: GradientValues) {
        for (color, location) in zip(gradient.colors, gradient.places) {
            cairo_pattern_add_color_stop_rgba(pattern, location, color.red, color.green, color.blue, color.alpha)
        }
        cairo_set_source(cr, pattern)
        cairo_paint(cr)
        cairo_pattern_destroy(pattern)
    }

    /// Draws a conic gradient as an image in the device's resolution, because cairo has no conic gradients.
    private static func conic(
        _ cr: OpaquePointer, _ gradient: GradientValues, _ bounds: CGRect, _ center: CGPoint, _ begin: Double,
        _ scale: CGFloat
    ) {
        let w = Int(min(max((bounds.width * scale).rounded(.up), 1), 4096))
        let h = Int(min(max((bounds.height * scale).rounded(.up), 1), 4096))
        let table = ramp(gradient)
        let dx = Double(bounds.width) / Double(w)
        let dy = Double(bounds.height) / Double(h)
        var pixels = [UInt32](repeating: 0, count: w * h)
        for y in 0..<h {
            let py = Double(bounds.minY - center.y) + (Double(y) + 0.5) * dy
            for x in 0..<w {
                let px = Double(bounds.minX - center.x) + (Double(x) + 0.5) * dx
                var fraction = (atan2(py, px) - begin) / (2 * .pi)
                fraction -= fraction.rounded(.down)
                pixels[y * w + x] = table[min(Int(fraction * Double(table.count)), table.count - 1)]
            }
        }
        pixels.withUnsafeMutableBytes { bytes in
            guard
                let surface = cairo_image_surface_create_for_data(
                    bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32,
                    Int32(w), Int32(h), Int32(w * 4))
            else { return }
            cairo_save(cr)
            cairo_translate(cr, bounds.minX, bounds.minY)
            cairo_scale(cr, dx, dy)
            cairo_set_source_surface(cr, surface, 0, 0)
            cairo_pattern_set_extend(cairo_get_source(cr), CAIRO_EXTEND_PAD)
            cairo_paint(cr)
            cairo_restore(cr)
            cairo_surface_finish(surface)
            cairo_surface_destroy(surface)
        }
    }
    /// Returns the colors of the gradient in 2048 steps, premultiplied.
    private static func ramp(_ gradient: GradientValues) -> [UInt32] {
        let colors = gradient.colors
        let locations = gradient.places.map { Double($0) }
        var upper = 0
        return (0..<2048).map { i in
            let t = (Double(i) + 0.5) / 2048
            while upper < locations.count, locations[upper] < t { upper += 1 }
            let a = colors[max(0, upper - 1)]
            let b = colors[min(upper, colors.count - 1)]
            let from = locations[max(0, upper - 1)]
            let to = locations[min(upper, locations.count - 1)]
            let k = to > from ? min(max((t - from) / (to - from), 0), 1) : 1
            let mix: (CGFloat, CGFloat) -> Double = { Double($0) + (Double($1) - Double($0)) * k }
            let alpha = mix(a.alpha, b.alpha)
            let byte: (Double) -> UInt32 = { UInt32(min(max(($0 * 255).rounded(), 0), 255)) }
            return byte(alpha) << 24 | byte(mix(a.red, b.red) * alpha) << 16 | byte(mix(a.green, b.green) * alpha) << 8
                | byte(mix(a.blue, b.blue) * alpha)
        }
    }
}
