import CGTK
import Filters
import Foundation
import MediaCore
import MediaEngine
import Overlays

/// A drawing into the pixels of an image. Modeled on Core Graphics' type, as far as `UIGraphicsImageRenderer` needs it.
///
/// Coordinates are in points, with the origin at the top left and y downward, as in UIKit's contexts. Numbers that are
/// not finite are ignored. Shadows, gradients, texts, patterns and transparency layers are not supported.
@MainActor @preconcurrency
public final class CGContext {
    private struct State {
        var fill = CGColor.black, stroke = CGColor.black
        var alpha: CGFloat = 1
    }
    private var state = State()
    private var saved: [State] = []
    private let bitmap: CairoBitmap
    private var cr: OpaquePointer { bitmap.cr }

    /// Creates a context for a bitmap.
    /// - Parameters:
    ///   - scale: The number of pixels per point.
    ///   - origin: The point at the bitmap's top left corner.
    init(_ bitmap: CairoBitmap, scale: CGFloat, origin: CGPoint) {
        self.bitmap = bitmap
        cairo_scale(bitmap.cr, Double(scale), Double(scale))
        cairo_translate(bitmap.cr, -origin.x, -origin.y)
        // Core Graphics' default. Cairo's is 2 points.
        cairo_set_line_width(bitmap.cr, 1)
    }

    // MARK: state

    /// Saves colors, opacity, line style, blend mode, transform and clip.
    public func saveGState() {
        saved.append(state)
        cairo_save(cr)
    }
    /// Restores what the latest `saveGState()` has saved. Has no effect without a saved state.
    public func restoreGState() {
        guard let last = saved.popLast() else { return }
        state = last
        cairo_restore(cr)
    }
    /// Sets the color of fills.
    public func setFillColor(_ color: CGColor) { state.fill = color }
    /// Sets the color of fills. The channels are 0…1.
    public func setFillColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        state.fill = CGColor(red: red, green: green, blue: blue, alpha: alpha)
    }
    /// Sets the color of lines.
    public func setStrokeColor(_ color: CGColor) { state.stroke = color }
    /// Sets the color of lines. The channels are 0…1.
    public func setStrokeColor(red: CGFloat, green: CGFloat, blue: CGFloat, alpha: CGFloat) {
        state.stroke = CGColor(red: red, green: green, blue: blue, alpha: alpha)
    }
    /// Sets the opacity of everything that is drawn, clamped to 0…1.
    public func setAlpha(_ alpha: CGFloat) { if !alpha.isNaN { state.alpha = min(1, max(0, alpha)) } }
    /// Sets the way in which drawing is combined with the pixels below.
    public func setBlendMode(_ mode: CGBlendMode) { cairo_set_operator(cr, mode.cairoOperator) }
    /// Sets the width of lines in points. Negative widths have no effect.
    public func setLineWidth(_ width: CGFloat) {
        if width >= 0, width.isFinite { cairo_set_line_width(cr, Double(width)) }
    }
    /// Sets the shape of lines' ends.
    public func setLineCap(_ cap: CGLineCap) { cairo_set_line_cap(cr, cairo_line_cap_t(UInt32(cap.rawValue))) }
    /// Sets the shape of the corners between lines.
    public func setLineJoin(_ join: CGLineJoin) { cairo_set_line_join(cr, cairo_line_join_t(UInt32(join.rawValue))) }
    /// Sets the maximum length of a sharp corner's tip, in line widths. Values below 1 have no effect.
    public func setMiterLimit(_ limit: CGFloat) {
        if limit >= 1, limit.isFinite { cairo_set_miter_limit(cr, Double(limit)) }
    }
    /// Sets a dash pattern.
    /// - Parameters:
    ///   - phase: The offset in the pattern at which a line begins, in points.
    ///   - lengths: The lengths of dash, gap and so on, in points. Lines are solid if the array is empty, if a length
    ///     is negative, or if all are 0.
    public func setLineDash(phase: CGFloat, lengths: [CGFloat]) {
        let isValid = phase.isFinite && lengths.allSatisfy { $0 >= 0 && $0.isFinite } && lengths.contains { $0 > 0 }
        let dashes = isValid ? lengths.map { Double($0) } : []
        cairo_set_dash(cr, dashes, Int32(dashes.count), isValid ? Double(phase) : 0)
    }
    /// Sets whether edges are smooth. They are smooth unless this method is called.
    public func setShouldAntialias(_ shouldAntialias: Bool) {
        cairo_set_antialias(cr, shouldAntialias ? CAIRO_ANTIALIAS_DEFAULT : CAIRO_ANTIALIAS_NONE)
    }

    // MARK: transform

    /// The transform from the current space to pixels, with y downward.
    public var ctm: CGAffineTransform {
        var matrix = cairo_matrix_t()
        cairo_get_matrix(cr, &matrix)
        return CGAffineTransform(
            a: matrix.xx, b: matrix.yx, c: matrix.xy, d: matrix.yy, tx: matrix.x0, ty: matrix.y0)
    }
    /// Moves the origin, in points.
    public func translateBy(x tx: CGFloat, y ty: CGFloat) {
        concatenate(CGAffineTransform(translationX: tx, y: ty))
    }
    /// Scales the space. A factor of 0 has no effect.
    public func scaleBy(x sx: CGFloat, y sy: CGFloat) { concatenate(CGAffineTransform(scaleX: sx, y: sy)) }
    /// Rotates the space clockwise, as displayed, by an angle in radians.
    public func rotate(by angle: CGFloat) { concatenate(CGAffineTransform(rotationAngle: angle)) }
    /// Transforms the space. A transform that can't be inverted has no effect.
    public func concatenate(_ transform: CGAffineTransform) {
        // After a transform that can't be inverted, cairo would ignore all drawing.
        guard transform.inverse != nil else { return }
        let t = transform
        var matrix = cairo_matrix_t(xx: t.a, yx: t.b, xy: t.c, yy: t.d, x0: t.tx, y0: t.ty)
        cairo_transform(cr, &matrix)
    }

    // MARK: path

    /// Begins a new path, without the current one.
    public func beginPath() { cairo_new_path(cr) }
    /// Begins a subpath at a point.
    public func move(to point: CGPoint) { if point.isFinite { cairo_move_to(cr, point.x, point.y) } }
    /// Adds a line from the current point.
    public func addLine(to point: CGPoint) { if point.isFinite { cairo_line_to(cr, point.x, point.y) } }
    /// Begins a subpath at the first point, and adds lines to the other points.
    public func addLines(between points: [CGPoint]) {
        for (index, point) in points.enumerated() { index == 0 ? move(to: point) : addLine(to: point) }
    }
    /// Adds a cubic curve from the current point.
    public func addCurve(to end: CGPoint, control1: CGPoint, control2: CGPoint) {
        guard end.isFinite, control1.isFinite, control2.isFinite else { return }
        cairo_curve_to(cr, control1.x, control1.y, control2.x, control2.y, end.x, end.y)
    }
    /// Adds a quadratic curve from the current point.
    public func addQuadCurve(to end: CGPoint, control: CGPoint) {
        if end.isFinite, control.isFinite { append([.quad(control, end)]) }
    }
    /// Adds an arc, and a line from the current point to its start. Angles are in radians from the right, and increase
    /// clockwise, as displayed.
    /// - Parameter clockwise: Whether angles decrease along the arc, which is counterclockwise as displayed.
    public func addArc(center: CGPoint, radius: CGFloat, startAngle: CGFloat, endAngle: CGFloat, clockwise: Bool) {
        guard center.isFinite, radius >= 0, radius.isFinite, startAngle.isFinite, endAngle.isFinite else { return }
        if clockwise {
            cairo_arc_negative(cr, center.x, center.y, radius, startAngle, endAngle)
        } else {
            cairo_arc(cr, center.x, center.y, radius, startAngle, endAngle)
        }
    }
    /// Adds a closed rectangle.
    public func addRect(_ rect: CGRect) { addPath(CGPath(rect: rect)) }
    /// Adds the closed ellipse that fills a rectangle.
    public func addEllipse(in rect: CGRect) { addPath(CGPath(ellipseIn: rect)) }
    /// Adds an outline.
    public func addPath(_ path: CGPath) { append(path.data.elements) }
    /// Closes the subpath with a line to its start.
    public func closePath() { cairo_close_path(cr) }
    /// Whether the path has no elements.
    public var isPathEmpty: Bool { currentPoint == nil }

    private var currentPoint: CGPoint? {
        guard cairo_has_current_point(cr) != 0 else { return nil }
        var (x, y) = (0.0, 0.0)
        cairo_get_current_point(cr, &x, &y)
        return CGPoint(x: x, y: y)
    }
    private func append(_ elements: [PathData.Element]) {
        for element in elements {
            switch element {
            case .move(let p): cairo_move_to(cr, p.x, p.y)
            case .line(let p): cairo_line_to(cr, p.x, p.y)
            case .quad(let c, let p):
                let (a, b) = ((currentPoint ?? c).mixed(c, 2 / 3), p.mixed(c, 2 / 3))
                cairo_curve_to(cr, a.x, a.y, b.x, b.y, p.x, p.y)
            case .curve(let a, let b, let p): cairo_curve_to(cr, a.x, a.y, b.x, b.y, p.x, p.y)
            case .close: cairo_close_path(cr)
            }
        }
    }

    // MARK: drawing

    private func setSource(_ color: CGColor) {
        cairo_set_source_rgba(
            cr, Double(color.red), Double(color.green), Double(color.blue), Double(color.alpha * state.alpha))
    }
    private func setRule(_ rule: CGPathFillRule) {
        cairo_set_fill_rule(cr, rule == .evenOdd ? CAIRO_FILL_RULE_EVEN_ODD : CAIRO_FILL_RULE_WINDING)
    }
    /// Fills the path and begins a new one.
    public func fillPath(using rule: CGPathFillRule = .winding) {
        setRule(rule)
        setSource(state.fill)
        cairo_fill(cr)
    }
    /// Draws a line along the path and begins a new one.
    public func strokePath() {
        setSource(state.stroke)
        cairo_stroke(cr)
    }
    /// Limits drawing to the path, in addition to earlier limits, and begins a new path.
    public func clip(using rule: CGPathFillRule = .winding) {
        setRule(rule)
        cairo_clip(cr)
    }
    /// Limits drawing to a rectangle, in addition to earlier limits, and begins a new path.
    public func clip(to rect: CGRect) {
        beginPath()
        addRect(rect)
        clip()
    }
    /// Fills a rectangle and begins a new path.
    public func fill(_ rect: CGRect) { fill([rect]) }
    /// Fills rectangles and begins a new path.
    public func fill(_ rects: [CGRect]) {
        beginPath()
        for rect in rects { addRect(rect) }
        fillPath()
    }
    /// Fills the ellipse in a rectangle and begins a new path.
    public func fillEllipse(in rect: CGRect) {
        beginPath()
        addEllipse(in: rect)
        fillPath()
    }
    /// Draws the edge of a rectangle and begins a new path.
    public func stroke(_ rect: CGRect) {
        beginPath()
        addRect(rect)
        strokePath()
    }
    /// Draws the edge of a rectangle and begins a new path.
    /// - Parameter width: The width of the line in points, for this line only.
    public func stroke(_ rect: CGRect, width: CGFloat) {
        let old = cairo_get_line_width(cr)
        setLineWidth(width)
        stroke(rect)
        cairo_set_line_width(cr, old)
    }
    /// Draws the edge of the ellipse in a rectangle and begins a new path.
    public func strokeEllipse(in rect: CGRect) {
        beginPath()
        addEllipse(in: rect)
        strokePath()
    }
    /// Draws a line between each pair of points and begins a new path.
    public func strokeLineSegments(between points: [CGPoint]) {
        beginPath()
        for (index, point) in points.enumerated() { index % 2 == 0 ? move(to: point) : addLine(to: point) }
        strokePath()
    }
    /// Makes a rectangle transparent and begins a new path.
    public func clear(_ rect: CGRect) {
        drawing(blendMode: .clear) { _, _ in fill(rect) }
    }

    /// Draws an image, stretched to a rectangle in points.
    ///
    /// As in UIKit's contexts on Apple's platforms, the image is upside down, because y points downward. Use
    /// `UIImage.draw(in:)` for an upright image.
    public func draw(_ image: CGImage, in rect: CGRect) {
        let rect = rect.standardized
        drawing(blendMode: nil) { cr, alpha in
            concatenate(CGAffineTransform(a: 1, b: 0, c: 0, d: -1, tx: 0, ty: rect.minY + rect.maxY))
            UIImage(cgImage: image).paint(on: cr, in: rect, template: .black, alpha: alpha)
        }
    }

    // MARK: for other types of the module

    /// Calls `body` with the cairo context and the opacity, and restores the state afterward.
    /// - Parameter blendMode: The blend mode in place of the current one, or nil for the current one.
    func drawing(blendMode: CGBlendMode?, _ body: (_ cr: OpaquePointer, _ alpha: CGFloat) -> Void) {
        saveGState()
        if let blendMode { setBlendMode(blendMode) }
        body(cr, state.alpha)
        restoreGState()
    }
    /// Fills an outline.
    func fill(_ path: CGPath, _ rule: CGPathFillRule) {
        beginPath()
        addPath(path)
        fillPath(using: rule)
    }
    /// Returns a copy of the pixels as an image.
    /// - Parameters:
    ///   - size: The size in points.
    ///   - scale: The number of pixels per point.
    func image(size: CGSize, scale: CGFloat) -> UIImage? {
        bitmap.texture(scale: scale).map { UIImage(.texture($0), size, scale) }
    }
}
