import CDrawing
import Filters
import Foundation
import MediaCore

/// A painter that draws layers with cairo into pixels. It shares no state with other painters and can be used on any
/// thread.
struct LayerPainter {
    private let cr: OpaquePointer
    /// The area to draw on, in device space.
    private let clip: CGRect

    /// Draws a layer tree into a bitmap of the area that it covers. Returns nil if that area is empty.
    ///
    /// - Parameter scale: The number of device pixels per point.
    static func bitmap(of layer: PresentedLayer, scale: CGFloat, width: Int, height: Int) -> OverlayBitmap? {
        bitmap(of: [(layer, CGAffineTransform(scaleX: scale, y: scale))], width: width, height: height)
    }
    /// Returns the area of a layer in the view, extended by one pixel for antialiasing; null if it is empty.
    static func area(_ layer: PresentedLayer, _ parent: CGAffineTransform, width: Int, height: Int) -> CGRect {
        let area = layer.coverage(parent).insetBy(dx: -1, dy: -1).intersection(
            CGRect(x: 0, y: 0, width: min(width, 16384), height: min(height, 16384)))
        return area.width > 0 && area.height > 0 ? area : .null
    }
    /// Draws several layers, from bottom to top, into one bitmap. Returns nil if they cover nothing.
    ///
    /// - Parameter layers: The layers, each with the transform from its superlayer's space to device space.
    static func bitmap(of layers: [(layer: PresentedLayer, parent: CGAffineTransform)], width: Int, height: Int)
        -> OverlayBitmap?
    {
        let space = CGRect(x: 0, y: 0, width: min(width, 16384), height: min(height, 16384))
        let area = layers.reduce(CGRect.null) {
            $0.union(LayerPainter.area($1.layer, $1.parent, width: width, height: height))
        }
        guard !area.isNull, area.width > 0, area.height > 0 else { return nil }
        let x = Int(area.minX.rounded(.down))
        let y = Int(area.minY.rounded(.down))
        let w = min(Int(area.maxX.rounded(.up)), Int(space.width)) - x
        let h = min(Int(area.maxY.rounded(.up)), Int(space.height)) - y
        guard w > 0, h > 0 else { return nil }
        var hasSurface = false
        let pixels = [UInt32](unsafeUninitializedCapacity: w * h) { buffer, count in
            buffer.initialize(repeating: 0)
            count = w * h
            hasSurface = withSurface(UnsafeMutableRawPointer(buffer.baseAddress), CAIRO_FORMAT_ARGB32, w, h, w * 4) {
                cr in
                let painter = LayerPainter(cr: cr, clip: CGRect(x: 0, y: 0, width: w, height: h))
                for (layer, parent) in layers {
                    painter.draw(
                        layer, parent.concatenating(CGAffineTransform(translationX: CGFloat(-x), y: CGFloat(-y))))
                }
            }
        }
        // After an error, such as a glyph too large for memory, cairo ignores all drawing. Earlier drawing stays.
        return hasSurface ? OverlayBitmap(x: x, y: y, width: w, height: h, pixels: pixels) : nil
    }

    /// Draws a layer with an existing cairo context, in the space of the layer's superlayer.
    static func draw(_ layer: PresentedLayer, on cr: OpaquePointer, area: CGRect) {
        cairo_save(cr)
        LayerPainter(cr: cr, clip: area).draw(layer, .identity)
        cairo_restore(cr)
    }

    /// Calls `body` with a context that draws into `data`. Returns false if cairo cannot create it.
    private static func withSurface(
        _ data: UnsafeMutableRawPointer?, _ format: cairo_format_t, _ w: Int, _ h: Int, _ stride: Int,
        _ body: (OpaquePointer) -> Void
    ) -> Bool {
        guard let data,
            let surface = cairo_image_surface_create_for_data(
                data.assumingMemoryBound(to: UInt8.self), format, Int32(w), Int32(h), Int32(stride))
        else { return false }
        defer { cairo_surface_destroy(surface) }
        guard let cr = cairo_create(surface) else { return false }
        defer { cairo_destroy(cr) }
        body(cr)
        cairo_surface_flush(surface)
        return true
    }

    // MARK: One layer

    /// - Parameter parent: The transform from the superlayer's space to the surface's.
    private func draw(_ layer: PresentedLayer, _ parent: CGAffineTransform) {
        guard layer.isSeen else { return }
        let m = layer.values.matrix.concatenating(parent)
        guard m.isDrawable else { return }
        let opacity = min(max(layer.values.opacity, 0), 1)
        guard opacity < 1 || !layer.mask.isEmpty else { return drawShadowAndBody(layer, m) }
        // The layer and its sublayers are drawn into a group, so that overlapping parts do not shine through.
        let area = layer.coverage(parent).insetBy(dx: -1, dy: -1).intersection(clip)
        guard !area.isNull, area.width > 0, area.height > 0 else { return }
        cairo_save(cr)
        defer { cairo_restore(cr) }
        setMatrix(.identity)
        cairo_rectangle(
            cr, area.minX.rounded(.down), area.minY.rounded(.down), area.width.rounded(.up) + 1,
            area.height.rounded(.up) + 1)
        cairo_clip(cr)
        cairo_push_group(cr)
        drawShadowAndBody(layer, m)
        let body = cairo_pop_group(cr)
        defer { cairo_pattern_destroy(body) }
        guard let mask = layer.mask.first else {
            setMatrix(.identity)
            cairo_set_source(cr, body)
            return cairo_paint_with_alpha(cr, opacity)
        }
        cairo_push_group_with_content(cr, CAIRO_CONTENT_ALPHA)
        draw(mask, m)
        let alpha = cairo_pop_group(cr)
        defer { cairo_pattern_destroy(alpha) }
        setMatrix(.identity)
        if opacity < 1 {
            cairo_push_group(cr)
            cairo_set_source(cr, body)
            cairo_mask(cr, alpha)
            cairo_pop_group_to_source(cr)
            cairo_paint_with_alpha(cr, opacity)
        } else {
            cairo_set_source(cr, body)
            cairo_mask(cr, alpha)
        }
    }

    private func drawShadowAndBody(_ layer: PresentedLayer, _ m: CGAffineTransform) {
        if layer.values.castsShadow { drawShadow(layer, m) }
        drawBody(layer, m)
    }

    private func drawBody(_ layer: PresentedLayer, _ m: CGAffineTransform) {
        let v = layer.values
        let hasBounds = v.bounds.width > 0 && v.bounds.height > 0
        if v.masksToBounds, !hasBounds { return }
        cairo_save(cr)
        defer { cairo_restore(cr) }
        setMatrix(m)
        if v.masksToBounds {
            roundedBounds(v, m)
            cairo_clip(cr)
        }
        // The background ends below the middle of an opaque border. If it reached the outer edge, it would shine
        // through the antialiased edge of the border.
        let inset = v.border.width > 0 && v.border.color?.alpha == 1 ? v.border.width / 2 : 0
        if hasBounds, let color = v.backgroundColor, color.alpha > 0 {
            roundedBounds(v, m, inset)
            fill(color)
        }
        if hasBounds, let gradient = v.gradient, !gradient.colors.isEmpty {
            cairo_save(cr)
            roundedBounds(v, m, inset)
            cairo_clip(cr)
            paint(gradient, v.bounds, m)
            cairo_restore(cr)
        }
        if let image = v.contents.image { paint(image, ContentsPlace.rect(image, v)) }
        if let shape = v.shape, let path = shape.path { draw(shape, path, m) }
        if let text = v.text, let color = text.foregroundColor, color.alpha > 0,
            let layout = TextLayout(text, in: v.bounds)
        {
            setSource(color)
            layout.draw(cr)
        }
        for sublayer in layer.sublayers { draw(sublayer, m) }
        if hasBounds, v.border.width > 0, let color = v.border.color, color.alpha > 0 {
            setMatrix(m)
            // The border is the area between two outlines, which is exact for any radius.
            roundedBounds(v, m)
            roundedBounds(v, m, v.border.width)
            cairo_set_fill_rule(cr, CAIRO_FILL_RULE_EVEN_ODD)
            fill(color)
            cairo_set_fill_rule(cr, CAIRO_FILL_RULE_WINDING)
        }
    }

    private func draw(_ shape: ShapeValues, _ path: PathData, _ m: CGAffineTransform) {
        if let color = shape.fillColor, color.alpha > 0 {
            emit(path, m)
            cairo_set_fill_rule(cr, shape.fillRule == .evenOdd ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING)
            fill(color)
            cairo_set_fill_rule(cr, CAIRO_FILL_RULE_WINDING)
        }
        guard shape.isStroked, let color = shape.strokeColor else { return }
        emit(path.trimmed(from: shape.strokeStart, to: shape.strokeEnd), m)
        cairo_set_line_width(cr, min(shape.lineWidth, LayerPainter.farthest / max(m.meanScale, 1e-6)))
        cairo_set_miter_limit(cr, max(shape.miterLimit, 1))
        cairo_set_line_cap(
            cr,
            shape.lineCap == .round
                ? CAIRO_LINE_CAP_ROUND : shape.lineCap == .square ? CAIRO_LINE_CAP_SQUARE : CAIRO_LINE_CAP_BUTT)
        cairo_set_line_join(
            cr,
            shape.lineJoin == .round
                ? CAIRO_LINE_JOIN_ROUND : shape.lineJoin == .bevel ? CAIRO_LINE_JOIN_BEVEL : CAIRO_LINE_JOIN_MITER)
        let dashes = shape.lineDashPattern.map { Double($0) }
        let sum = dashes.reduce(0, +)
        // More dashes would keep cairo busy for too long.
        if sum > 0, sum.isFinite, path.length / CGFloat(sum) * CGFloat(dashes.count) < 100_000 {
            let phase = Double(shape.lineDashPhase).truncatingRemainder(dividingBy: sum * 2)
            cairo_set_dash(cr, dashes, Int32(dashes.count), phase)
        }
        setSource(color)
        cairo_stroke(cr)
        cairo_set_dash(cr, nil, 0, 0)
    }

    // MARK: Shadow

    private func drawShadow(_ layer: PresentedLayer, _ m: CGAffineTransform) {
        let v = layer.values
        guard let color = v.shadow.color else { return }
        let sigma = Double(min(v.shadow.radius * m.meanScale, 500))
        let offset = CGSize(width: v.shadow.offset.width, height: v.shadow.offset.height).applying(m)
        let reach = CGFloat((3 * sigma).rounded(.up)) + 2
        // A layer outside the surface may cast its shadow onto it.
        let visibleArea = clip.offsetBy(dx: -offset.width, dy: -offset.height).insetBy(dx: -reach, dy: -reach)
        let caster = v.shadow.path.map { $0.controlBox.applying(m) } ?? layer.bodyCoverage(m)
        let area = caster.insetBy(dx: -reach, dy: -reach).intersection(visibleArea.insetBy(dx: -reach, dy: -reach))
        guard !area.isNull, area.width >= 1, area.height >= 1, area.width < 20000, area.height < 20000 else { return }
        let x = area.minX.rounded(.down)
        let y = area.minY.rounded(.down)
        let w = Int((area.maxX - x).rounded(.up))
        let h = Int((area.maxY - y).rounded(.up))
        let stride = Int(cairo_format_stride_for_width(CAIRO_FORMAT_A8, Int32(w)))
        guard w > 0, h > 0, stride >= w else { return }
        var alpha = [UInt8](repeating: 0, count: stride * h)
        let local = m.concatenating(CGAffineTransform(translationX: -x, y: -y))
        alpha.withUnsafeMutableBytes { bytes in
            let isDrawn = LayerPainter.withSurface(bytes.baseAddress, CAIRO_FORMAT_A8, w, h, stride) { cr in
                let painter = LayerPainter(cr: cr, clip: CGRect(x: 0, y: 0, width: w, height: h))
                if let path = v.shadow.path {
                    painter.setMatrix(local)
                    painter.emit(path, local)
                    painter.fill(.black)
                } else {
                    painter.drawBody(layer, local)
                }
            }
            guard isDrawn else { return }
            ShadowBlur.blur(bytes, width: w, height: h, stride: stride, sigma: sigma)
            guard
                let surface = cairo_image_surface_create_for_data(
                    bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_A8, Int32(w), Int32(h),
                    Int32(stride))
            else { return }
            cairo_save(cr)
            setMatrix(.identity)
            cairo_set_source_rgba(cr, color.red, color.green, color.blue, color.alpha * v.shadow.opacity)
            cairo_mask_surface(cr, surface, x + offset.width, y + offset.height)
            cairo_restore(cr)
            // Finishing the surface ends the target's reference to `bytes`, which exist only in this closure.
            cairo_surface_finish(surface)
            cairo_surface_destroy(surface)
        }
    }

    // MARK: Cairo

    /// The largest device coordinate. Cairo uses 24.8-bit numbers, so larger coordinates are clamped, far outside of
    /// everything visible.
    private static let farthest: CGFloat = 1e6

    func setMatrix(_ m: CGAffineTransform) {
        var matrix = cairo_matrix_t(xx: m.a, yx: m.b, xy: m.c, yy: m.d, x0: m.tx, y0: m.ty)
        cairo_set_matrix(cr, &matrix)
    }
    private func setSource(_ color: CGColor) {
        cairo_set_source_rgba(cr, color.red, color.green, color.blue, color.alpha)
    }
    private func fill(_ color: CGColor) {
        setSource(color)
        cairo_fill(cr)
    }
    /// Adds the outline of the bounds with their corners to the path. Adds nothing if `inset` leaves nothing.
    ///
    /// - Parameter inset: The distance from the bounds, inward. The corner radius decreases by the same distance.
    private func roundedBounds(_ v: LayerValues, _ m: CGAffineTransform, _ inset: CGFloat = 0) {
        let least = min(v.bounds.width, v.bounds.height) / 2
        guard inset < least else { return }
        var path = PathData()
        let radius = max(0, min(v.cornerRadius, least) - inset)
        path.roundedRect(v.bounds.insetBy(dx: inset, dy: inset), radius, radius)
        emit(path, m)
    }
    private func emit(_ path: PathData, _ m: CGAffineTransform) {
        let limit = LayerPainter.farthest / max(max(abs(m.a) + abs(m.c), abs(m.b) + abs(m.d)), 1e-9)
        let clamped: (CGPoint) -> (x: Double, y: Double) = {
            (Double(min(max($0.x, -limit), limit)), Double(min(max($0.y, -limit), limit)))
        }
        var last = CGPoint.zero
        var start = CGPoint.zero
        for element in path.elements {
            switch element {
            case .move(let p):
                let p1 = clamped(p)
                cairo_move_to(cr, p1.x, p1.y)
                (last, start) = (p, p)
            case .line(let p):
                let p1 = clamped(p)
                cairo_line_to(cr, p1.x, p1.y)
                last = p
            case .quad(let c, let p):
                let a = clamped(last.mixed(c, 2 / 3))
                let b = clamped(p.mixed(c, 2 / 3))
                let e = clamped(p)
                cairo_curve_to(cr, a.x, a.y, b.x, b.y, e.x, e.y)
                last = p
            case .curve(let c, let d, let p):
                let a = clamped(c)
                let b = clamped(d)
                let e = clamped(p)
                cairo_curve_to(cr, a.x, a.y, b.x, b.y, e.x, e.y)
                last = p
            case .close:
                cairo_close_path(cr)
                last = start
            }
        }
    }

    private func paint(_ gradient: GradientValues, _ bounds: CGRect, _ m: CGAffineTransform) {
        GradientPainter.paint(cr, gradient, bounds, m.meanScale)
    }

    private func paint(_ image: ImageBitmap, _ rect: CGRect) {
        guard image.width > 0, image.height > 0, image.width < 32767, image.height < 32767, rect.width > 0,
            rect.height > 0
        else { return }
        var words = [UInt32](repeating: 0, count: image.width * image.height)
        image.pixels.withUnsafeBufferPointer { bytes in
            for i in words.indices {
                words[i] =
                    UInt32(bytes[i * 4 + 3]) << 24 | UInt32(bytes[i * 4]) << 16 | UInt32(bytes[i * 4 + 1]) << 8
                    | UInt32(bytes[i * 4 + 2])
            }
        }
        words.withUnsafeMutableBytes { bytes in
            guard
                let surface = cairo_image_surface_create_for_data(
                    bytes.baseAddress?.assumingMemoryBound(to: UInt8.self), CAIRO_FORMAT_ARGB32,
                    Int32(image.width), Int32(image.height), Int32(image.width * 4))
            else { return }
            cairo_save(cr)
            cairo_translate(cr, rect.minX, rect.minY)
            cairo_scale(cr, rect.width / CGFloat(image.width), rect.height / CGFloat(image.height))
            cairo_set_source_surface(cr, surface, 0, 0)
            // Padding keeps the edges sharp, like those of other layers.
            cairo_pattern_set_extend(cairo_get_source(cr), CAIRO_EXTEND_PAD)
            cairo_rectangle(cr, 0, 0, Double(image.width), Double(image.height))
            cairo_fill(cr)
            cairo_restore(cr)
            cairo_surface_finish(surface)
            cairo_surface_destroy(surface)
        }
    }
}

enum ContentsPlace {
    /// Returns the position and size of the image in the layer's space.
    static func rect(_ image: ImageBitmap, _ v: LayerValues) -> CGRect {
        let w = CGFloat(image.width)
        let h = CGFloat(image.height)
        let b = v.bounds
        guard w > 0, h > 0 else { return .null }
        let factor: CGFloat
        switch v.contents.gravity {
        case .center: factor = 1
        case .resizeAspect: factor = min(b.width / w, b.height / h)
        case .resizeAspectFill: factor = max(b.width / w, b.height / h)
        default: return b
        }
        return CGRect(x: b.midX - w * factor / 2, y: b.midY - h * factor / 2, width: w * factor, height: h * factor)
    }
}
